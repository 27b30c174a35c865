// Which words of a name count? Index terms in order, without the words that every name may have.
import { analyzeWords, termOf } from '../parse/analyze-words.ts'

/** Function words: they name nothing. */
const functionWords =
  'a about all an and any are as at be been but by can do does for from has have how i if in into is it its more my ' +
  'not of on or our over s so some such than that the their them then there these they this those through to under ' +
  'up us via vs was we were what when where which while who why will with within without you your'
let functionTerms: ReadonlySet<string> | undefined

/** Is this index term a function word? */
export function isFunctionTerm(term: string): boolean {
  functionTerms ??= new Set(functionWords.split(' ').map((word) => termOf(word)))
  return functionTerms.has(term)
}

/** What is kept of a text's terms. */
interface NameTerms {
  /** Each once, in order; function words only when nothing else is left. */
  readonly parts: readonly string[]
  /** Compounds beside their parts: `configmap` for `ConfigMap`. */
  readonly wholes: readonly string[]
}

/** The terms of a name. */
export function termsOf(text: string): NameTerms {
  const parts: string[] = []
  const skipped: string[] = []
  const wholes: string[] = []
  analyzeWords(text, (term, whole) => {
    const list = whole ? wholes : isFunctionTerm(term) ? skipped : parts
    if (!list.includes(term)) list.push(term)
  })
  return { parts: parts.length === 0 ? skipped : parts, wholes }
}

const word = /[\p{L}\p{M}\p{N}]+/gu
const caseChange = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u

/** The words of a text in lower case, identifiers taken apart, as index terms are. */
export function wordsOf(text: string): string[] {
  return (text.match(word) ?? []).flatMap((one) => one.split(caseChange)).map((one) => one.toLowerCase())
}
