// What does a digest look like? One small, complete digest and an empty one.
import type { Digest, Passage } from '../../src/model/digest.ts'

const required: Passage = {
  path: 'docs/deployment/NEW_SERVICE_GUIDE.md',
  kind: 'markdown_section',
  language: 'markdown',
  name: 'Required Steps',
  artifacts: ['docs/deployment/NEW_SERVICE_GUIDE.md#required-steps'],
  excerpts: [
    {
      lines: { start: 45, end: 51 },
      text: '## Required Steps\n\nCreate a new service skeleton:\n\n```bash\n./scripts/new_service.sh <service-name> # once\n```',
    },
    { lines: { start: 64, end: 65 }, text: 'Register it in `services.yaml`:\n- `owner` - Team email' },
  ],
  truncated: true,
  ofLines: 45,
  score: 0.92345,
  signals: {
    relevance: 0.95,
    lexical: 1,
    document: 0.9,
    vector: null,
    ranks: {},
    canonicality: 0.85,
    parts: [
      { name: 'together', effect: 0.21 },
      { name: 'long', effect: -0.04 },
    ],
  },
  origin: { kind: 'search' },
  alsoAt: [{ path: 'docs/archive/guide copy.md', lines: { start: 3, end: 9 } }],
  referencedBy: [],
}

export const passageFixture: Passage = {
  path: 'docs/adr/ADR-0013-service-onboarding.md',
  kind: 'markdown_section',
  language: 'markdown',
  name: 'Service Registry',
  artifacts: ['docs/adr/ADR-0013-service-onboarding.md#service-registry'],
  excerpts: [{ lines: { start: 78, end: 78 }, text: 'All services must be registered in `services.yaml`.' }],
  truncated: false,
  score: 0.87,
  signals: {
    relevance: 0.85,
    lexical: 0.8,
    document: 0.75,
    vector: null,
    ranks: {},
    canonicality: 0.9,
    parts: [],
  },
  origin: { kind: 'search' },
  alsoAt: [],
  referencedBy: [],
}

export const digestFixture: Digest = {
  query: {
    text: 'How do I deploy a new service?',
    maxTokens: 8000,
    tokenLimit: 8000,
    maxSections: 20,
    maxDepth: 1,
  },
  generatedAt: Date.UTC(2025, 10, 29, 15, 23, 0, 456),
  documentsScanned: 221,
  candidateSections: 127,
  sectionsSelected: 2,
  relevanceThreshold: 0.15,
  searchedBy: 'words',
  leastScore: 0.4,
  isComplete: true,
  strategy: { name: 'original', why: 'the question as it was asked' },
  primaryAreas: ['deployment', 'services'],
  documents: [
    {
      path: 'docs/deployment/NEW_SERVICE_GUIDE.md',
      title: 'New Service Guide',
      score: 0.92345,
      canonicality: {
        score: 0.85,
        reasons: [
          { reason: 'baseline', effect: 0.5 },
          { reason: 'file name says GUIDE', effect: 0.1 },
          { reason: 'older than a year', effect: -0.1 },
        ],
      },
      status: 'canonical',
      modifiedAt: Date.UTC(2025, 10, 15, 23, 59),
      sections: 1,
    },
    {
      path: 'docs/adr/ADR-0013-service-onboarding.md',
      title: 'ADR-0013: Service onboarding',
      score: 0.87,
      canonicality: { score: 0.9, reasons: [] },
      status: 'canonical',
      modifiedAt: Date.UTC(2025, 9, 1),
      sections: 1,
    },
  ],
  primary: [required, passageFixture],
  expanded: [],
  pointers: [],
  unresolved: [],
  dropped: [
    {
      artifact: 'docs/operations/RUNBOOK.md#restart',
      path: 'docs/operations/RUNBOOK.md',
      lines: { start: 10, end: 20 },
      score: 0.11,
      reason: 'below threshold',
    },
    {
      artifact: 'README.md#deploy',
      path: 'README.md',
      lines: { start: 7, end: 7 },
      score: 0.5,
      reason: 'no room',
    },
  ],
  fingerprint: 'a'.repeat(64),
  confidence: {
    label: 'high',
    score: 0.9,
    why: 'the first passage has most key words of the question',
  },
  notices: [],
}

export const emptyDigestFixture: Digest = {
  ...digestFixture,
  sectionsSelected: 0,
  primaryAreas: [],
  documents: [],
  primary: [],
  dropped: [],
  confidence: { label: 'none', score: 0, why: 'no section has a word of the question' },
  notices: ['Near terms: deploy, deployment.'],
}
