// Which documents does a question name without saying that they are documents? Titles, file names and authors among its words.
import { termOf } from '../parse/analyze-words.ts'
import { calledKey, type DocumentNames } from './document-names.ts'
import { meaningOf, type NameMeaning } from './question-names.ts'
import { isFunctionTerm, termsOf } from './question-terms.ts'
import { isContent, type Word } from './question-words.ts'

interface BareName {
  readonly from: number
  readonly to: number
  readonly meaning: NameMeaning
}

const maxWindow = 10
/** Characters; what is longer is no title. */
const maxName = 200
/** A single word names a document only when hardly any other has it in a name. */
const maxSharing = 3
const leading = /^(?:in|per|from|to|of)$/

/** Finds bare names, the longest first at each place. Nothing that is found is certain. */
export function findBareNames(
  question: string,
  words: readonly Word[],
  taken: readonly boolean[],
  names: DocumentNames,
): BareName[] {
  const found: BareName[] = []
  const content = words.filter(({ lower }) => isContent(lower))
  for (let from = 0; from < words.length; from++) {
    if (taken[from] || isFunctionTerm(termOf(words[from]!.lower))) continue
    const bare = longestAt(question, words, from, taken, names)
    if (bare === null) continue
    const alone =
      words.slice(bare.from, bare.to).filter(({ lower }) => isContent(lower)).length === content.length
    const meaning = weigh(bare, alone, leading.test(words[from - 1]?.lower ?? ''))
    if (meaning !== null) found.push({ from: bare.from, to: bare.to, meaning })
    from = bare.to - 1
  }
  return found
}

interface Candidate {
  readonly from: number
  readonly to: number
  readonly documents: readonly number[]
  /** Terms of the name; an author counts as one. */
  readonly terms: number
  readonly rare: boolean
  readonly author: boolean
}

function longestAt(
  question: string,
  words: readonly Word[],
  from: number,
  taken: readonly boolean[],
  names: DocumentNames,
): Candidate | null {
  let end = from
  while (
    end < words.length &&
    end < from + maxWindow &&
    !taken[end] &&
    (end === from || !words[end - 1]!.stop)
  )
    end++
  for (let to = end; to > from; to--) {
    if (words[to - 1]!.end - words[from]!.start > maxName) continue
    if (isFunctionTerm(termOf(words[to - 1]!.lower))) continue
    const { parts } = termsOf(question.slice(words[from]!.start, words[to - 1]!.end))
    const terms = parts.map((part) => names.vocabulary.get(part) ?? -1)
    if (terms.includes(-1)) continue
    const documents = names.called.get(calledKey(terms))
    if (documents === undefined) continue
    return {
      from,
      to,
      documents,
      terms: terms.length,
      rare: terms.length > 1 || isRare(terms[0]!, names),
      author: false,
    }
  }
  const authored = names.people.authors.get(words[from]!.lower)
  return authored === undefined
    ? null
    : { from, to: from + 1, documents: authored, terms: 1, rare: true, author: true }
}

function isRare(term: number, names: DocumentNames): boolean {
  const documents = new Set<number>()
  for (const name of names.postings[term]!) {
    documents.add(names.names[name]!.document)
    if (documents.size > maxSharing) return false
  }
  return true
}

/** A boost at most; a common word that happens to be a title is none, unless it is all that was asked. */
function weigh(
  { documents, terms, rare, author }: Candidate,
  alone: boolean,
  led: boolean,
): NameMeaning | null {
  if (documents.length > 1) return alone || author ? { outcome: 'ambiguous', documents } : null
  const method = author ? 'author' : 'called'
  if (alone) return meaningOf(documents, 0.8, method)
  if (!rare) return meaningOf(documents, 0.5, method)
  return meaningOf(documents, (terms > 1 ? 0.75 : 0.65) + (led ? 0.1 : 0), method)
}
