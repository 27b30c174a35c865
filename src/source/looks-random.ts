// Was this string drawn at random? Passwords and keys are; names, words, paths and versions are not.

/** The pairs of letters that make up most of English words and of names in code. */
const pairs =
  'th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ic ne ' +
  'ea ra ce li ch ll be ma si om ur ca el ta la ns di fo ho pe ec pr no ct us ac ot il tr ly nc et ut ss so rs un lo wa ' +
  'ge ie wh ee wi em ad ol rt po we na ul ni ts mo ow pa im mi ai sh ir su id os iv ia am fi ci vi pl ig tu ev ld ry mp ' +
  'fe bl ab gh ty op wo sa ay ex ke fr oo av ag if ap gr od bo sp rd do uc bu ei ov by rm ep tt oc fa ef cu rn sc gi da ' +
  'yo cr cl du ga qu ue ff ba ey ls va um pp up lu go ru ug ds lt pi rc rr eg au ck ew mu br bi pt ak pu rg ip ub ob'
const common: ReadonlySet<string> = new Set(pairs.split(' '))

/** Above this share of common pairs it is made of words. Random letters have 0.27 of them, words 0.9. */
const MAX_COMMON = 0.62
const MIN_LENGTH = 12
/** So many turns per character no name has, whatever its letters. */
const MANY_TURNS = 0.5

function shareOfCommonPairs(text: string): number {
  let letters = 0
  let known = 0
  for (let at = 1; at < text.length; at++) {
    const pair = text.slice(at - 1, at + 1).toLowerCase()
    if (!/^[a-z]{2}$/.test(pair)) continue
    letters++
    if (common.has(pair)) known++
  }
  return letters < 3 ? 0 : known / letters
}

/** Lower case, upper case, digits, others. */
export function countClasses(text: string): number {
  return [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((one) => one.test(text)).length
}

/** How many times letters and digits take turns: once or twice in a name, all the time in a random string. */
function countTurns(text: string): number {
  return text.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])|[a-z](?=[A-Z])|[A-Z](?=[a-z])/g)?.length ?? 0
}

/**
 * Does it look as if a machine drew it?
 *
 * @example looksRandom('kX9vQ2mRt7Lp') // true
 */
export function looksRandom(text: string): boolean {
  if (text.length < MIN_LENGTH) return false
  if (/^[0-9a-f]+$/i.test(text)) return isRandomHex(text)
  const turns = countTurns(text)
  const hasDigit = /\d/.test(text)
  if (turns < (hasDigit ? Math.max(3, text.length / 6) : text.length / 4)) return false
  if (new Set(text).size < Math.min(10, text.length * 0.6)) return false
  const plain = text.replaceAll(/[^A-Za-z0-9]/g, '')
  if (plain.length < text.length * 0.6) return false
  return (
    (hasDigit && turns >= Math.max(6, text.length * MANY_TURNS)) || shareOfCommonPairs(plain) <= MAX_COMMON
  )
}

function isRandomHex(text: string): boolean {
  const isOneCase = text === text.toLowerCase() || text === text.toUpperCase()
  return text.length >= 32 && isOneCase && /\d/.test(text) && /[a-f]/i.test(text) && new Set(text).size >= 9
}
