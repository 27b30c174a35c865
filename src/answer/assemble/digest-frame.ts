// What does a digest say around its passages? Every string of the Markdown frame, in the order of the page.

import { describeConfidence } from '../../model/describe-confidence.ts'
import type { Confidence, ConfidenceLabel } from '../../model/digest.ts'
import { isCounted, type SearchResult } from '../../model/report.ts'

/** Parts of the frame omitted for a small budget or the brief layout: 0 none, 1 usage, 2 also the legend, 3 also the statistics, 4 also the documents. 5 is 4 with numbered lines. */
export type FrameLevel = 0 | 1 | 2 | 3 | 4 | 5
export const frameLevels: readonly FrameLevel[] = [0, 1, 2, 3, 4]

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

export const digestFrame = {
  title: (query: string) => `# Context Digest for: "${query}"`,
  verdict: (sentence: string) => `> ${sentence}`,
  field: (label: string, value: string) => `**${label}:** ${value}`,
  note: (sentence: string) => `> **Note:** ${sentence}`,
  rule: '---',
  documents: '## Top Relevant Documents',
  document: (rank: number, path: string, score: string, canonical: string) =>
    `${rank}. **${path}** (score: ${score}, canonical: ${canonical})`,
  documentDetail: (label: string, value: string) => `   - ${label}: ${value}`,
  content: '## Distilled Content',
  nothing: 'No section of the index matches this question.',
  passage: (name: string, path: string) => `### ${name} (from ${path})`,
  /** As the brief layout writes it, which names the path once. */
  briefPassage: (name: string) => `### ${name}`,
  /** With a warning where its authority is in doubt. */
  briefSource: (place: string, caution: string) =>
    `**Source:** ${place}${caution === '' ? '' : ` (authority: ${caution})`}`,
  source: (place: string, canonical: string) => `**Source:** ${place} (canonical: ${canonical})`,
  alsoAt: (place: string) => `**Also at:** ${place}`,
  referencedBy: (places: string) => `**Referenced by:** ${places}`,
  sameDocumentAs: (place: string) => `**Same document as:** ${place}`,
  expanded: '## Cross-Referenced Documents',
  family: '## Surrounding Sections',
  expandedDocument: (title: string, path: string) => `### ${title} (${path})`,
  gap: (lines: string) => `*[… ${lines} omitted …]*`,
  /** Of a section that is not shown whole. */
  cut: (shown: number, of: number) => `*[… ${shown} of ${of} lines shown …]*`,
  /** Of text that was asked for by name and is not shown whole. */
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
  statistic: (label: string, value: string) => `- ${label}: ${value}`,
  usage: (question: string) => [
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
  pointer: (place: string, name: string, line: string) =>
    `- ${place} ${name}${line === '' ? '' : ` · ${line}`}`,
}
