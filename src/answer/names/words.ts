// Which words does a question have, and which of them only ask? Words with their positions, and lists of words by function.
import { termOf, termsIn } from '../../read/parse/words/analyze-words.ts'

/** A word of the question. */
export interface Word {
  /** Lower case, without punctuation around it and without a possessive ending. */
  readonly lower: string
  readonly start: number
  readonly end: number
  /** Followed by punctuation that ends a phrase. */
  readonly stop: boolean
  /** Followed by punctuation that ends a sentence. */
  readonly last: boolean
}

/** Maximum words to read of a question. */
const maxWords = 300

const run = /\S{1,400}/g
const letter = /[\p{L}\p{N}]/u
const toLastLetter = /^.*[\p{L}\p{N}]/su
const phraseEnd = /[,;:.?!)\]]$/
const sentenceEnd = /[;.?!]["'”’)\]]?$/
const possessiveEnd = /['’]s$|(?<=s)['’]$/

export function readWords(question: string): Word[] {
  const words: Word[] = []
  for (const { 0: raw, index } of question.matchAll(run)) {
    if (words.length === maxWords) break
    const upToLast = toLastLetter.exec(raw)?.[0] ?? ''
    if (upToLast === '') continue
    const from = upToLast.search(letter)
    const text = upToLast.slice(from).replace(possessiveEnd, '')
    const lower = text.toLowerCase()
    const abbreviated = lower === 'al' || lower === 'vs'
    const start = index + from
    const end = start + text.length
    const [stop, last] = [phraseEnd, sentenceEnd].map((ends) => ends.test(raw) && !abbreviated)
    words.push({ lower, start, end, stop: stop!, last: last! })
  }
  return words
}

const setOf = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Is the word one of these, in any form? Stemmed on demand. */
function isOneOf(text: string): (word: string) => boolean {
  let stems: ReadonlySet<string> | undefined
  return (word) => {
    stems ??= new Set(text.split(' ').map((one) => termOf(one)))
    return stems.has(termOf(word))
  }
}

/** Nouns for documents; plurals by their stem. */
export const isForm: (word: string) => boolean = isOneOf(
  'page doc document documentation guide paper article section tutorial file runbook spec specification proposal chapter ' +
    'readme post report walkthrough howto adr rfc manual playbook essay study preprint handbook memo pdf',
)
export const isSaying: (word: string) => boolean = isOneOf(
  'say state claim recommend propose define describe mention argue explain cover tell suggest decide choose chose specify ' +
    'require conclude mean discuss list contain include address introduce change replace supersede handle treat report ' +
    'show note present outline summarize warn advise allow forbid prescribe talk speak think mandate said told',
)

export const determiners: ReadonlySet<string> = setOf('the our your my their its this that these those a an')
/** Words that end the name before a form: `with hummel paper`. */
export const linkers: ReadonlySet<string> = setOf(
  'with in into on at from by about per than as is are was were be of to for and or but vs versus between within inside ' +
    'what which who how why when where does do did can could should would will has have if that me us you i we it not ' +
    'summarize summarise explain describe show open read find see give tell compare contrast use using according also both ' +
    'please quote cite check search say says said like need want know look get any some each every no all more another which whose',
)
/** Words that select no document before a form. */
export const idleAdjectives: ReadonlySet<string> = setOf(
  'right relevant whole entire new following which what each every any some no more many another web correct wrong ' +
    'other same single best good main current first second third fourth fifth sixth seventh eighth ninth tenth last final ' +
    'previous earlier prior latest next two three both cited above former latter source sources 1st 2nd 3rd 4th 5th of all',
)
/** Verbs of code, after who or what: "what uses the pool". */
const isRelating = isOneOf('call use invoke import reference implement extend inherit override handle depend')

/** Is this word the verb of a question: "who calls RealCall.execute"? */
export function isAskedVerb(words: readonly Word[], at: number): boolean {
  const before = words[at - 1]?.lower ?? ''
  const { lower, stop } = words[at]!
  if (stop || at + 1 === words.length) return false
  return before === 'who' || ((before === 'what' || before === 'which') && isRelating(lower))
}

/** Words that ask, name properties of a document, or join; they add no topic. */
const isAsking = isOneOf(
  'a about again all also am an and any anything are article as at author be been before between brief briefly by can cite ' +
    'compare comparison content contents contrast could date day describe detail details did differ difference different do ' +
    'does done each everything exactly explain explanation find follow for from full further gist give go had has have hello ' +
    'help hi how i if in info information is it its key kind know let like list long look main may me mean might more most ' +
    'much need of off ok on one open or our out overview part please point points publish published quick quickly quote read ' +
    'really recap say see share short should show so some still status sum summarise summarize summary superseded takeaway ' +
    'takeaways tell text thank thanks that the their them there these they thing things this those title to too up us valid ' +
    'versus very vs want was we were what when where which who whom whose why will with words would write wrote written yes ' +
    'year you your accepted according says said states next both other same',
)
/** Does a word outside the mentions add a topic? */
export const isContent = (word: string): boolean => !isAsking(word) && !isForm(word)

/** Function words, which name nothing. */
export const isFunctionWord: (word: string) => boolean = isOneOf(
  'a about all an and any are as at be been but by can do does for from has have how i if in into is it its more my ' +
    'not of on or our over s so some such than that the their them then there these they this those through to under ' +
    'up us via vs was we were what when where which while who why will with within without you your',
)

/** The terms of a text, each once and in order. */
export const allTermsOf = (text: string): string[] => [...new Set(termsIn(text, { whole: false }))]

/** The terms of a name; function words only without other words. */
export function termsOf(text: string): readonly string[] {
  const terms = allTermsOf(text)
  const content = terms.filter((term) => !isFunctionWord(term))
  return content.length > 0 ? content : terms
}
