// What does a digest say around its passages? Every string of the Markdown frame, in the order of the page.

import type { Confidence } from '../../model/digest.ts'

/** Parts of the frame omitted for a small budget or the brief layout: 0 none, 1 usage, 2 also the legend, 3 also the statistics, 4 also the documents. */
export type FrameLevel = 0 | 1 | 2 | 3 | 4
export const frameLevels: readonly FrameLevel[] = [0, 1, 2, 3, 4]

interface DigestFrame {
  readonly title: (query: string) => string
  /** The first line of the brief layout: the question, the verdict and the next step. */
  readonly briefTitle: (query: string, verdict: string) => string
  readonly verdict: (sentence: string) => string
  readonly field: (label: string, value: string) => string
  readonly note: (sentence: string) => string
  readonly rule: string
  readonly documents: string
  readonly document: (rank: number, path: string, score: string, canonical: string) => string
  readonly documentDetail: (label: string, value: string) => string
  readonly content: string
  readonly nothing: string
  readonly passage: (name: string, path: string) => string
  /** As the brief layout writes it, which names the path once. */
  readonly briefPassage: (name: string) => string
  readonly source: (place: string, canonical: string) => string
  readonly briefSource: (place: string) => string
  readonly alsoAt: (place: string) => string
  readonly referencedBy: (places: string) => string
  readonly refersTo: (place: string) => string
  readonly sameDocumentAs: (place: string) => string
  readonly expanded: string
  readonly family: string
  readonly expandedDocument: (title: string, path: string) => string
  readonly gap: (lines: string) => string
  readonly cut: string
  readonly metadata: string
  readonly legend: readonly string[]
  readonly statistics: string
  readonly statistic: (label: string, value: string) => string
  readonly usage: (question: string) => readonly string[]
  readonly offers: string
}

const consequences: Readonly<Record<Confidence['label'], string>> = {
  'strong matches': '',
  'weak matches': '; the answer may not be here',
  'no match': '; these are the closest passages',
}

/** The verdict in one sentence: `Weak matches: “LDAP” appears nowhere; the answer may not be here.` */
export function describeConfidence({ label, score, why }: Confidence): string {
  const consequence = score === 0 ? '' : consequences[label]
  return `${label.charAt(0).toUpperCase()}${label.slice(1)}: ${why}${consequence}.`
}

const nextSteps: Readonly<Record<Confidence['label'], { readonly digest: string; readonly hits: string }>> = {
  'strong matches': {
    digest: 'Expand or read what is missing.',
    hits: 'Read path:lines, or assemble_context for the passages.',
  },
  'weak matches': {
    digest: 'Ask again with words, or search.',
    hits: 'Search again with words that the answer may use.',
  },
  'no match': {
    digest: 'Ask again with other words, or search for exact text.',
    hits: 'Try other words, or match exact.',
  },
}

/** The verdict, and what the reader of a digest or of hits should do next. */
export function describeNextStep(confidence: Confidence, of: 'digest' | 'hits'): string {
  return `${describeConfidence(confidence)} ${nextSteps[confidence.label][of]}`
}

export const digestFrame: DigestFrame = {
  title: (query) => `# Context Digest for: "${query}"`,
  briefTitle: (query, verdict) => `# Context Digest for: "${query}" ${verdict}`,
  verdict: (sentence) => `> ${sentence}`,
  field: (label, value) => `**${label}:** ${value}`,
  note: (sentence) => `> **Note:** ${sentence}`,
  rule: '---',
  documents: '## Top Relevant Documents',
  document: (rank, path, score, canonical) =>
    `${rank}. **${path}** (score: ${score}, canonical: ${canonical})`,
  documentDetail: (label, value) => `   - ${label}: ${value}`,
  content: '## Distilled Content',
  nothing: 'No section of the index matches this question.',
  passage: (name, path) => `### ${name} (from ${path})`,
  briefPassage: (name) => `### ${name}`,
  briefSource: (place) => `**Source:** ${place}`,
  source: (place, canonical) => `**Source:** ${place} (canonical: ${canonical})`,
  alsoAt: (place) => `**Also at:** ${place}`,
  referencedBy: (places) => `**Referenced by:** ${places}`,
  refersTo: (place) => `**Refers to:** ${place}`,
  sameDocumentAs: (place) => `**Same document as:** ${place}`,
  expanded: '## Cross-Referenced Documents',
  family: '## Surrounding Sections',
  expandedDocument: (title, path) => `### ${title} (${path})`,
  gap: (lines) => `*[… ${lines} omitted …]*`,
  cut: '*[… this section is shortened …]*',
  metadata: '## Metadata',
  legend: [
    '**Canonicality Scores:** by place, name, age, status, references',
    '- 0.90+: Authoritative, prefer over others',
    '- 0.70-0.89: Reliable by these signs',
    '- 0.50-0.69: Ordinary',
    '- <0.50: Old, archived, superseded, a draft, a test or generated',
  ],
  statistics: '**Section Selection:**',
  statistic: (label, value) => `- ${label}: ${value}`,
  usage: (question) => [
    '## Usage with LLM',
    '',
    'Paste this digest into your LLM conversation, then ask:',
    '',
    `> Using only the information in the context above, answer: ${question}`,
    '> Be explicit when something is not documented in the context.',
    '',
    'So the LLM is asked to:',
    '- Use only the sources above',
    '- Invent no paths or commands',
    '- Say what they do not cover',
  ],
  offers: '## References to follow',
}
