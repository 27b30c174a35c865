// What sort of document is a reference's target? Its path says it: whole segments and words of the file name.

/** `family` (sections around a found one) follows from how a document was reached, not from its path. */
export type DocumentType = 'adr' | 'design' | 'ops' | 'other' | 'family'

/** Lower is expanded first. */
export const typePriority: Readonly<Record<DocumentType, number>> = {
  adr: 1,
  design: 2,
  ops: 3,
  other: 4,
  family: 5,
}

const typeWords: readonly (readonly [DocumentType, ReadonlySet<string>])[] = [
  ['adr', new Set(['adr', 'adrs', 'decisions', 'decision-records'])],
  ['design', new Set(['architecture', 'design', 'designs'])],
  ['ops', new Set(['runbook', 'runbooks', 'operations', 'ops'])],
]

function wordsOf(path: string): Set<string> {
  const segments = path.toLowerCase().split('/')
  const name = (segments.pop() as string).replace(/\.[^.]*$/, '')
  return new Set([...segments, ...name.split(/[^\p{L}\p{N}]+/u)])
}

/** Numbered documents of a family: decisions, proposals, requests for comments. */
const numbered = /^(?:adr|rfc|pep|eip|erc|kep|bip|tip|jep)[-_ ]?\d{1,5}(?:\D|$)/i

/** Does the file's name carry a decision id? A reference to such a document is deliberate. */
export const isDecision = (path: string): boolean =>
  numbered.test(path.slice(path.lastIndexOf('/') + 1)) || classifyDocument(path) === 'adr'

/** The first type whose word is a folder or a word of the file name (record 0014 in docs/decisions). */
export function classifyDocument(path: string): DocumentType {
  const words = wordsOf(path)
  for (const [type, marks] of typeWords) if ([...marks].some((mark) => words.has(mark))) return type
  return 'other'
}
