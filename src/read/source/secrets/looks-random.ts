// Is this string random? Passwords and keys are; names, words, paths and versions are not.

/** The letter pairs that make up most of English words and of names in code. */
const pairs =
  'th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ic ne ' +
  'ea ra ce li ch ll be ma si om ur ca el ta la ns di fo ho pe ec pr no ct us ac ot il tr ly nc et ut ss so rs un lo wa ' +
  'ge ie wh ee wi em ad ol rt po we na ul ni ts mo ow pa im mi ai sh ir su id os iv ia am fi ci vi pl ig tu ev ld ry mp ' +
  'fe bl ab gh ty op wo sa ay ex ke fr oo av ag if ap gr od bo sp rd do uc bu ei ov by rm ep tt oc fa ef cu rn sc gi da ' +
  'yo cr cl du ga qu ue ff ba ey ls va um pp up lu go ru ug ds lt pi rc rr eg au ck ew mu br bi pt ak pu rg ip ub ob'
const common: ReadonlySet<string> = new Set(pairs.split(' '))

/** Above this share of common pairs, a string consists of words. Random letters have 0.27 of them, words 0.9. */
const MAX_COMMON = 0.62
const MIN_LENGTH = 12
/** More changes of character class per character than any name has. */
const MANY_TURNS = 0.5
/** For letters in two cases with few changes: up to this share of common pairs, the string is not a name. */
const MAX_COMMON_OF_LETTERS = 0.45
/**
 * A long string with digits is also judged by the pairs between its digits and capitals, which in a name are those of
 * words. In one case, the more digits are between, the larger the share may be; few pairs prove nothing.
 */
const LONG = {
  length: 20,
  pairs: 8,
  turns: 1 / 3,
  share: 0.7,
  oneCase: { share: 0.25, sharePerPart: 1.2 },
} as const

const digitTurn = /[A-Za-z](?=\d)|\d(?=[A-Za-z])/g
const hump = /[a-z](?=[A-Z])/g
const humpEnd = /[A-Z](?=[a-z])/g
const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

function countPairs(text: string): { readonly letters: number; readonly share: number } {
  let letters = 0
  let known = 0
  for (let at = 1; at < text.length; at++) {
    const pair = text.slice(at - 1, at + 1).toLowerCase()
    if (!/^[a-z]{2}$/.test(pair)) continue
    letters++
    if (common.has(pair)) known++
  }
  return { letters, share: letters < 3 ? 0 : known / letters }
}

/** Lower case, upper case, digits, others. */
export const countClasses = (text: string): number =>
  [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((one) => one.test(text)).length

/**
 * Does it look like the output of a random generator?
 *
 * @example looksRandom('kX9vQ2mRt7Lp') // true
 */
export function looksRandom(text: string): boolean {
  if (text.length < MIN_LENGTH) return false
  if (/^[0-9a-f]+$/i.test(text)) return isRandomHex(text)
  // A name changes its character class once or twice; a random string changes it all the time.
  const turns = countOf(text, digitTurn) + countOf(text, hump) + countOf(text, humpEnd)
  const hasDigit = /\d/.test(text)
  const isLetters = /^[A-Za-z]+$/.test(text)
  if (turns < (hasDigit ? 3 : isLetters ? 1 : text.length / 4)) return false
  if (new Set(text).size < Math.min(10, text.length * 0.6)) return false
  const plain = text.replaceAll(/[^A-Za-z0-9]/g, '')
  if (plain.length < text.length * 0.6) return false
  if (hasDigit && turns >= Math.max(6, text.length * MANY_TURNS)) return true
  const { share } = countPairs(plain)
  if (turns >= text.length / (hasDigit ? 6 : 4) && share <= MAX_COMMON) return true
  return isLetters ? share <= MAX_COMMON_OF_LETTERS : isLongRandom(text, turns)
}

/** Paths are excluded: they may hold the hash of a commit. */
function isLongRandom(text: string, turns: number): boolean {
  if (text.length < LONG.length || !/^[\w-]+$/.test(text)) return false
  const { letters, share } = countPairs(text.replaceAll(hump, '$& '))
  if (letters < LONG.pairs) return false
  if (/[a-z]/.test(text) && /[A-Z]/.test(text))
    return turns >= text.length * LONG.turns && share <= LONG.share
  return share <= LONG.oneCase.share + (LONG.oneCase.sharePerPart * (turns + 1)) / text.length
}

function isRandomHex(text: string): boolean {
  const isOneCase = text === text.toLowerCase() || text === text.toUpperCase()
  return text.length >= 32 && isOneCase && /\d/.test(text) && /[a-f]/i.test(text) && new Set(text).size >= 9
}
