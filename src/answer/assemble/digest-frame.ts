// What does a digest say around its passages? Every string of the Markdown frame, in the order of the page.

import { describeConfidence } from '../../model/describe-confidence.ts'
import type { Confidence, ConfidenceLabel } from '../../model/digest.ts'
import { isCounted, type SearchResult } from '../../model/report.ts'

/** Parts of the frame omitted for a small budget or the brief layout: 0 none, 1 usage, 2 also the legend, 3 also the statistics, 4 also the documents. 5 is 4 with numbered lines. */
export type FrameLevel = 0 | 1 | 2 | 3 | 4 | 5
export const frameLevels: readonly FrameLevel[] = [0, 1, 2, 3, 4]

interface DigestFrame {
  readonly title: (query: string) => string
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
  /** With a warning where its authority is in doubt. */
  readonly briefSource: (place: string, caution: string) => string
  readonly alsoAt: (place: string) => string
  readonly referencedBy: (places: string) => string
  readonly sameDocumentAs: (place: string) => string
  readonly expanded: string
  readonly family: string
  readonly expandedDocument: (title: string, path: string) => string
  readonly gap: (lines: string) => string
  /** Of a section that is not shown whole. */
  readonly cut: (shown: number, of: number) => string
  /** Of text that was asked for by name and is not shown whole. */
  readonly goesOn: string
  readonly metadata: string
  readonly legend: readonly string[]
  readonly statistics: string
  readonly statistic: (label: string, value: string) => string
  readonly usage: (question: string) => readonly string[]
  readonly offers: string
  readonly pointers: string
  readonly pointer: (place: string, name: string, line: string) => string
}

/** What helps a reader of a digest, and of hits. */
const nextSteps: Readonly<Record<ConfidenceLabel, { readonly digest: string; readonly hits: string }>> = {
  high: {
    digest: 'Read or expand what is missing.',
    hits: 'Read path:lines, or assemble_context for the passages.',
  },
  medium: {
    digest: 'If it is not here, ask again with words that the answer may use.',
    hits: 'Read path:lines, or search again with words that the answer may use.',
  },
  low: {
    digest: 'Ask again with words that the answer may use.',
    hits: 'Search again with words that the answer may use.',
  },
  none: {
    digest: 'Ask with other words, or search for exact text.',
    hits: 'Try other words, or match exact.',
  },
}

/** What helps a caller who has given words: never the same again. */
const nextStepsAfterWords: Partial<Record<ConfidenceLabel, string>> = {
  medium: 'Read a passage in full, or search for exact text.',
  low: 'Search for exact text, or ask about a name that is shown.',
  none: 'Search for exact text.',
}

/** What helps a caller who searched for exact text. */
const nextStepsAfterExact: Partial<Record<ConfidenceLabel, string>> = {
  none: 'Search by words, or for a shorter text.',
}

/** What the caller has just done. */
export type AskedHow = 'plainly' | 'with words' | 'exactly'

export function howAsked(by: Pick<SearchResult['strategy'], 'name' | 'callerWords'>): AskedHow {
  if (isCounted(by)) return 'exactly'
  return by.callerWords === undefined ? 'plainly' : 'with words'
}

/** The verdict, and what its reader should do next. */
export function describeNextStep(
  confidence: Confidence,
  { of, asked }: { readonly of: 'digest' | 'hits'; readonly asked: AskedHow },
): string {
  const after = { plainly: {}, 'with words': nextStepsAfterWords, exactly: nextStepsAfterExact }[asked]
  const steps: Partial<Record<ConfidenceLabel, string>> = after
  return `${describeConfidence(confidence)} ${steps[confidence.label] ?? nextSteps[confidence.label][of]}`
}

export const digestFrame: DigestFrame = {
  title: (query) => `# Context Digest for: "${query}"`,
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
  briefSource: (place, caution) => `**Source:** ${place}${caution === '' ? '' : ` (authority: ${caution})`}`,
  source: (place, canonical) => `**Source:** ${place} (canonical: ${canonical})`,
  alsoAt: (place) => `**Also at:** ${place}`,
  referencedBy: (places) => `**Referenced by:** ${places}`,
  sameDocumentAs: (place) => `**Same document as:** ${place}`,
  expanded: '## Cross-Referenced Documents',
  family: '## Surrounding Sections',
  expandedDocument: (title, path) => `### ${title} (${path})`,
  gap: (lines) => `*[… ${lines} omitted …]*`,
  cut: (shown, of) => `*[… ${shown} of ${of} lines shown …]*`,
  goesOn: '*[… the section goes on …]*',
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
  pointers: '## More matches',
  pointer: (place, name, line) => `- ${place} ${name}${line === '' ? '' : ` · ${line}`}`,
}
