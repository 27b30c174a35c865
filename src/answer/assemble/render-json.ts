// How does a digest read as JSON? The same facts under schema/digest.schema.json, one line per field, document and passage.
//
// Indentation would cost tokens inside the budget; a line per entry keeps the file readable and its diffs small.
import type { Lines } from '../../model/artifact.ts'
import type {
  Digest,
  DigestDocument,
  Dropped,
  ExpandedDocument,
  Passage,
  Unresolved,
} from '../../model/digest.ts'
import { formatInstant, lastUpdated, roundScore } from '../../model/format-numbers.ts'
import { escapeInvisibleJson } from '../../model/mark-invisible.ts'

/** Raised when a field changes its meaning or goes away. */
const schemaVersion = 3

/** The lists that only an explanation has. */
export type ExplanationLists = Pick<Digest, 'unresolved' | 'dropped'>

export interface JsonOptions {
  /** Adds signals, origins, canonicality reasons and what was dropped. */
  readonly explain: boolean
  /** What of these lists is written; all by default. */
  readonly lists?: ExplanationLists
  /** How many passages are explained, from the first on; all by default. */
  readonly explained?: number
  /** Whether to omit what the passages repeat, for a small budget; false by default. */
  readonly brief?: boolean
}

/** The whole digest as JSON, with a line end after the last line. Invisible characters are written as `\uXXXX`. */
export function renderJson(digest: Digest, frame: { actualTokens: number }, options: JsonOptions): string {
  const { explain, lists: shown = digest, brief = false } = options
  const { label, score, why } = digest.confidence
  let left = explain ? (options.explained ?? Number.POSITIVE_INFINITY) : 0
  const explainNext = (): boolean => left-- > 0
  const fields: [string, unknown][] = [
    ['schemaVersion', schemaVersion],
    ['query', digest.query.text],
    ['generatedAt', formatInstant(digest.generatedAt)],
    ['tokenBudget', digest.query.maxTokens],
    ['tokensUsed', frame.actualTokens],
    ['tokenizer', 'o200k'],
    ['primaryAreas', brief ? [] : digest.primaryAreas],
    ['documentsScanned', digest.documentsScanned],
    ['candidateSections', digest.candidateSections],
    ['sectionsSelected', digest.sectionsSelected],
    ['strategy', digest.strategy],
    ['relevanceThreshold', roundScore(digest.relevanceThreshold)],
    ['leastScore', roundScore(digest.leastScore)],
    ['searchedBy', digest.searchedBy],
    ['fingerprint', digest.fingerprint],
    ['confidence', { label, score: roundScore(score), why }],
    ['notices', digest.notices],
  ]
  const lists: [string, unknown[]][] = [
    ['documents', brief ? [] : digest.documents.map((document) => documentFacts(document, explain))],
    ['primary', digest.primary.map((passage) => passageFacts(passage, explainNext()))],
    ['expanded', digest.expanded.map((document) => expandedFacts(document, explainNext))],
    ['pointers', digest.pointers.map((pointer) => ({ ...pointer, lines: pair(pointer.lines) }))],
  ]
  if (explain) {
    fields.push(['unresolvedTotal', digest.unresolved.length], ['droppedTotal', digest.dropped.length])
    lists.push(
      ['unresolved', shown.unresolved.map(unresolvedFacts)],
      ['dropped', shown.dropped.map(droppedFacts)],
    )
  }
  const members = [
    ...fields.map(([name, value]) => `"${name}":${JSON.stringify(value)}`),
    ...lists.map(([name, entries]) => `"${name}":${writeList(entries)}`),
  ]
  return `${escapeInvisibleJson(`{\n${members.join(',\n')}\n}`)}\n`
}

const writeList = (entries: readonly unknown[]): string =>
  entries.length === 0 ? '[]' : `[\n${entries.map((entry) => JSON.stringify(entry)).join(',\n')}\n]`

/** One document's entry. */
export function documentFacts(document: DigestDocument, explain: boolean): object {
  const { score, reasons } = document.canonicality
  return {
    path: document.path,
    title: document.title,
    score: roundScore(document.score),
    canonical: roundScore(score),
    status: document.status,
    ...(document.role === undefined ? {} : { role: document.role }),
    lastUpdated: lastUpdated(document),
    sections: document.sections,
    ...(explain
      ? { reasons: reasons.map(({ reason, effect }) => ({ reason, effect: roundScore(effect) })) }
      : {}),
  }
}

/** One passage's entry. */
export function passageFacts(passage: Passage, explain: boolean): object {
  const { relevance, lexical, document, vector, ranks, canonicality, parts } = passage.signals
  return {
    path: passage.path,
    name: passage.name,
    sections: passage.artifacts,
    lines: passage.excerpts.map((excerpt) => pair(excerpt.lines)),
    ...(passage.place === undefined ? {} : { place: passage.place }),
    canonical: roundScore(canonicality),
    truncated: passage.truncated,
    ...(passage.truncated && passage.ofLines !== undefined ? { ofLines: passage.ofLines } : {}),
    ...(passage.caution === undefined ? {} : { caution: passage.caution }),
    alsoAt: passage.alsoAt.map(({ lines, ...place }) => ({ ...place, lines: pair(lines) })),
    ...(passage.referencedBy.length > 0 ? { referencedBy: passage.referencedBy } : {}),
    ...(passage.sameDocumentAs === undefined ? {} : { sameDocumentAs: passage.sameDocumentAs }),
    score: roundScore(passage.score),
    ...(explain
      ? {
          signals: {
            relevance: roundScore(relevance),
            lexical: roundScore(lexical),
            document: roundScore(document),
            vector: vector === null ? null : roundScore(vector),
            ranks,
            canonicality: roundScore(canonicality),
            parts: parts.map(({ name, effect }) => ({ name, effect: roundScore(effect) })),
          },
          origin: passage.origin,
        }
      : {}),
    text: passage.excerpts.map((excerpt) => excerpt.text),
  }
}

function expandedFacts(document: ExpandedDocument, explainNext: () => boolean): object {
  const { path, title, type, passages } = document
  const canonical = roundScore(document.canonicality.score)
  return { path, title, type, canonical, passages: passages.map((one) => passageFacts(one, explainNext())) }
}

/** One reference that leads nowhere. */
export function unresolvedFacts({ path, line, target, reason, candidates }: Unresolved): object {
  return { path, line, target, reason, candidates }
}

/** One section that was dropped. */
export const droppedFacts = (dropped: Dropped): object => ({
  section: dropped.artifact,
  path: dropped.path,
  lines: pair(dropped.lines),
  score: roundScore(dropped.score),
  reason: dropped.reason,
})

const pair = (lines: Lines): readonly [number, number] => [lines.start, lines.end]
