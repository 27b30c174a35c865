// Which words does a question have, and which of them only ask? Words with their positions, and lists of words by function.
import { analyzeWords, termOf } from '../../../read/parse/words/analyze-words.ts'

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
  readonly possessive: boolean
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
  for (const match of question.matchAll(run)) {
    if (words.length === maxWords) break
    const raw = match[0]
    const core = trimEdges(raw)
    if (core.text === '') continue
    const possessive = possessiveEnd.test(core.text)
    const text = core.text.replace(possessiveEnd, '')
    const start = match.index + core.from
    const abbreviated = text.toLowerCase() === 'al' || text.toLowerCase() === 'vs'
    words.push({
      lower: text.toLowerCase(),
      start,
      end: start + text.length,
      stop: phraseEnd.test(raw) && !abbreviated,
      last: sentenceEnd.test(raw) && !abbreviated,
      possessive,
    })
  }
  return words
}

function trimEdges(raw: string): { readonly text: string; readonly from: number } {
  const text = toLastLetter.exec(raw)?.[0] ?? ''
  const from = text.search(letter)
  return { text: text.slice(Math.max(from, 0)), from }
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
const pluralForms = setOf(
  'pages docs documents guides papers articles tutorials files runbooks specs proposals posts reports ones sources',
)
/** Further nouns for a cited document. */
const isSource = isOneOf('one source result citation reference link hit match answer')
export const isSaying: (word: string) => boolean = isOneOf(
  'say state claim recommend propose define describe mention argue explain cover tell suggest decide choose chose specify ' +
    'require conclude mean discuss list contain include address introduce change replace supersede handle treat report ' +
    'show note present outline summarize warn advise allow forbid prescribe talk speak think mandate said told',
)

export const isPluralForm = (word: string): boolean => pluralForms.has(word)
export const isSourceNoun = (word: string): boolean => isForm(word) || isSource(word)

export const determiners: ReadonlySet<string> = setOf('the our your my their its this that these those a an')
export const auxiliaries: ReadonlySet<string> = setOf(
  'does do did can could should would will may might has have is was',
)
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
const functionWords =
  'a about all an and any are as at be been but by can do does for from has have how i if in into is it its more my ' +
  'not of on or our over s so some such than that the their them then there these they this those through to under ' +
  'up us via vs was we were what when where which while who why will with within without you your'
let functionTerms: ReadonlySet<string> | undefined

export function isFunctionTerm(term: string): boolean {
  functionTerms ??= new Set(functionWords.split(' ').map((word) => termOf(word)))
  return functionTerms.has(term)
}

/** The terms of a text. */
export interface NameTerms {
  /** Each once, in order; function words only without other words. */
  readonly parts: readonly string[]
  /** Compounds in addition to their parts: `configmap` for `ConfigMap`. */
  readonly wholes: readonly string[]
}

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

/** The words of a text in lower case, with identifiers split as index terms are. */
export function wordsOf(text: string): string[] {
  return (text.match(word) ?? []).flatMap((one) => one.split(caseChange)).map((one) => one.toLowerCase())
}
