// Which document do these words name? An author, a year, a title or any other name; one, several, or none.
import { type DocumentNames, linkedKey, nameFields } from './document-names.ts'
import { findWritten } from './question-people.ts'
import { type NameRanking, rankNames } from './question-ranking.ts'
import { wordsOf } from './question-terms.ts'

/** What words turned out to mean; the place in the question is added by the caller. */
export type NameMeaning =
  | {
      readonly outcome: 'resolved'
      readonly document: number
      /** Canonical id of the section whose heading fits best; null when none does. */
      readonly section: string | null
      readonly confidence: number
      readonly method: string
    }
  | { readonly outcome: 'ambiguous'; readonly documents: readonly number[] }
  | { readonly outcome: 'unknown' }

/** Less of a mention than this in any document's names: it means something else. */
const minCover = 0.5
const maxCandidates = 5
const maxThin = 0.85
const maxLinked = 0.89
const maxContested = 0.85
const sureUses = 5
const ownFields = (1 << nameFields.title) | (1 << nameFields.stem)
const anyExact = ownFields | (1 << nameFields.heading) | (1 << nameFields.link)

/** Reads words that stand where a document's name is expected: the X of "the X page". */
export function readName(text: string, names: DocumentNames): NameMeaning {
  const written = findWritten(names.people, wordsOf(text))
  if (written !== null && written.length > 0) return meaningOf(written, 0.95, 'author')
  return readRanking(rankNames(text, names), text, names)
}

/** One document is the answer, several are a tie. */
export function meaningOf(documents: readonly number[], confidence: number, method: string): NameMeaning {
  const [document] = documents
  if (document === undefined) return { outcome: 'unknown' }
  if (documents.length > 1) return { outcome: 'ambiguous', documents }
  return { outcome: 'resolved', document, section: null, confidence, method }
}

function readRanking(ranking: NameRanking, text: string, names: DocumentNames): NameMeaning {
  const { ranked, tied, confidence } = ranking
  const [first] = ranked
  if (first === undefined || first.evidence.cover < minCover) return { outcome: 'unknown' }
  if (tied)
    return {
      outcome: 'ambiguous',
      documents: ranked.slice(0, maxCandidates).map(({ evidence }) => evidence.document),
    }
  const { document, section } = first.evidence
  const sole = soleName(ranking)
  const most = Math.min(isThin(ranking) ? maxThin : 1, mostByLinks(text, document, names))
  return {
    outcome: 'resolved',
    document,
    section: section === -1 ? null : names.documents[document]!.sections[section]!.id,
    confidence: Math.min(most, Math.max(confidence, sole?.confidence ?? 0)),
    method: sole === null || sole.confidence < confidence ? 'names' : sole.method,
  }
}

/** One word that is neither its title nor its file name is no name of the page. */
function isThin({ ranked, words }: NameRanking): boolean {
  const first = ranked[0]?.evidence
  return (
    words === 1 && first !== undefined && first.own < 0.999 && (first.exact & (1 << nameFields.link)) === 0
  )
}

/**
 * Words that are a link text are as sure as link texts are. Of the references of half A of eval/k8sdocs, the other uses
 * of the same words agree with it in 90 % where there is one, 92 % of two, 96 % of three or four, 97 % from five on.
 */
function mostByLinks(text: string, document: number, { linked }: DocumentNames): number {
  const uses = linked.get(linkedKey(text))
  if (uses === undefined) return 1
  if (uses.size > (uses.has(document) ? 1 : 0)) return maxContested
  return uses.get(document)! < sureUses ? maxLinked : 1
}

/**
 * When is a name safe without a large lead? When the words are the title or the file name of one document and no other
 * is called by exactly them in any way; or when nothing else in the corpus has even half of what they tell.
 */
function soleName({
  ranked,
  known,
}: NameRanking): { readonly confidence: number; readonly method: string } | null {
  const [first, ...rivals] = ranked
  if (first === undefined || known < 1) return null
  const { exact, own } = first.evidence
  const rival = Math.max(0, ...rivals.map(({ evidence }) => evidence.cover))
  if (own > 0.999 && rival < minCover) return { confidence: 0.93, method: 'only' }
  const contested = rivals.some(({ evidence }) => (evidence.exact & anyExact) !== 0 || evidence.own > 0.999)
  return (exact & ownFields) !== 0 && !contested ? { confidence: 0.92, method: 'title' } : null
}
