// Which forms of an English word are the same word? Porter's 1980 algorithm, on lower-case ASCII letters, with words that only look like plurals left whole.

/** Pairs of a suffix and its replacement. */
const readPairs = (text: string): string[][] => text.split(' ').map((pair) => pair.split(':'))

const STEP_2 = readPairs(
  'ational:ate tional:tion enci:ence anci:ance izer:ize abli:able alli:al entli:ent eli:e ousli:ous ization:ize ' +
    'ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous aliti:al iviti:ive biliti:ble logi:log',
)
const STEP_3 = readPairs('icate:ic ative: alize:al iciti:ic ical:ic ful: ness:')
const STEP_4: readonly string[] =
  'ement ance ence able ible ment ant ent ism ate iti ous ive ize ion al er ic ou'.split(' ')

/** y counts as a vowel after a consonant. */
function isConsonant(word: string, at: number): boolean {
  const letter = word.charAt(at)
  return letter === 'y' ? at === 0 || !isConsonant(word, at - 1) : !'aeiou'.includes(letter)
}

/** How many vowel–consonant runs the word has: Porter's measure m. */
function measure(word: string): number {
  let runs = 0
  let afterVowel = false
  for (let at = 0; at < word.length; at++)
    if (!isConsonant(word, at)) afterVowel = true
    else if (afterVowel) {
      runs++
      afterVowel = false
    }

  return runs
}

function hasVowel(word: string): boolean {
  for (let at = 0; at < word.length; at++) if (!isConsonant(word, at)) return true
  return false
}

function endsWithDouble(word: string): boolean {
  const last = word.length - 1
  return last > 0 && word[last] === word[last - 1] && isConsonant(word, last)
}

/** consonant–vowel–consonant at the end, where the last is not w, x or y. */
function endsShort(word: string): boolean {
  const last = word.length - 1
  if (last < 2 || !isConsonant(word, last) || isConsonant(word, last - 1) || !isConsonant(word, last - 2))
    return false
  return !'wxy'.includes(word[last] as string)
}

/** `status`, `previous`, `alias`, `https`: no plurals, though they end with s. CPUs and menus are. */
const noPlural = /ss$|[a-z]{3}(?<!men)us$|[^aeiou]ias$|^(?:https|ios)$/

function stripPlural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2)
  return word.endsWith('s') && !noPlural.test(word) ? word.slice(0, -1) : word
}

function stripTense(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word
  const stem = word.endsWith('ed') ? word.slice(0, -2) : word.endsWith('ing') ? word.slice(0, -3) : null
  if (stem === null || !hasVowel(stem)) return word
  if (stem.endsWith('at') || stem.endsWith('bl') || stem.endsWith('iz')) return `${stem}e`
  if (endsWithDouble(stem) && !'lsz'.includes(stem.at(-1) as string)) return stem.slice(0, -1)
  return measure(stem) === 1 && endsShort(stem) ? `${stem}e` : stem
}

function replaceSuffix(word: string, table: readonly (readonly string[])[]): string {
  for (const [suffix = '', replacement] of table) {
    if (!word.endsWith(suffix)) continue
    const stem = word.slice(0, -suffix.length)
    return measure(stem) > 0 ? stem + replacement : word
  }
  return word
}

function dropSuffix(word: string): string {
  for (const suffix of STEP_4) {
    if (!word.endsWith(suffix)) continue
    const stem = word.slice(0, -suffix.length)
    const allowed = suffix !== 'ion' || stem.endsWith('s') || stem.endsWith('t')
    return allowed && measure(stem) > 1 ? stem : word
  }
  return word
}

function tidyEnd(word: string): string {
  let stem = word
  if (stem.endsWith('e')) {
    const shorter = stem.slice(0, -1)
    const m = measure(shorter)
    if (m > 1 || (m === 1 && !endsShort(shorter))) stem = shorter
  }
  return stem.endsWith('ll') && measure(stem) > 1 ? stem.slice(0, -1) : stem
}

/** The stem of a lower-case ASCII word; words of one or two letters stay as they are. */
export function stemWord(word: string): string {
  if (word.length < 3) return word
  let stem = stripTense(stripPlural(word))
  if (stem.endsWith('y') && hasVowel(stem.slice(0, -1))) stem = `${stem.slice(0, -1)}i`
  stem = replaceSuffix(stem, STEP_2)
  stem = replaceSuffix(stem, STEP_3)
  return tidyEnd(dropSuffix(stem))
}
