// Is everything that a question asks inside the documents it names? Only then may a search be confined to them.
//
// A question is exclusive when each of its clauses either has no subject of its own ("tell me more about D"), or has a
// mention in a frame that keeps the subject inside the document:
//   D says …               a saying verb follows:   "what does D say about retries", "why did D choose X"
//   … in D                 a preposition precedes:  "which limits are in D", "according to D, how do we retry"
//   D on …                 a topic follows:         "the hummel paper on consent"
//   D's …, the … of D      a part of the document:  "D's conclusion", "the rationale of D"
// It is not when it compares the document with something that is no document of its own, when it names something of
// ours ("our retry policy"), joins a mention to another subject by "and", sets the document apart ("besides D"), or has
// a clause about something else. In doubt it is not: a boost loses nothing.
import { isContent, isSaying, type Word } from './question-words.ts'

const setOf = (text: string): ReadonlySet<string> => new Set(text.split(' '))
const comparing = setOf(
  'compare compared compares comparing comparison contrast versus vs differ differs difference differences relate relates ' +
    'related relation align aligns conflict conflicts contradict contradicts consistent match matches comply complies ' +
    'violate violates supersede similar unlike than against',
)
const ours = setOf('our my')
const joining = setOf('and or plus & nor but')
const apart = setOf('besides except unlike beyond outside apart excluding without than not despite beside')
const containing = setOf('in within inside per from')
const topical = setOf('about on regarding concerning')
const adverbs = setOf('also actually really even still itself explicitly ever')
const partNouns = setOf(
  'summary conclusion conclusions abstract author authors title status section chapter part content contents gist point ' +
    'points findings finding results result method methods rationale context decision consequences overview purpose goal goals ' +
    'date version introduction motivation scope limits limitations structure argument meaning text rest end start beginning',
)
const openers = setOf(
  'what how why when where who which is are does do did can could should tell explain show give list find compare summarize describe',
)
const backward = setOf('it its they their this that there them these those')

/** Whose words are these? The number of the mention that each word belongs to, or -1. */
type Owners = readonly number[]

/** Decides for the question as a whole. `whole` is false when a mention is ambiguous or leads nowhere. */
export function isExclusive(words: readonly Word[], owners: Owners, whole: boolean): boolean {
  if (!whole || !owners.some((owner) => owner !== -1)) return false
  if (words.some((_, at) => isSetApart(words, owners, at))) return false
  const hasContent = words.some(({ lower }, at) => isOutside(lower, owners, at))
  if (!hasContent) return true
  const free = words.filter((_, at) => owners[at] === -1).map(({ lower }) => lower)
  if (free.some((word) => comparing.has(word) || ours.has(word))) return false
  if (words.some((_, at) => joinsSubject(words, owners, at))) return false
  let isGoverned = false
  return clausesOf(words, owners).every(({ from, to }) => {
    const kept = isGoverned || staysInside(words, owners, from, to)
    isGoverned = isPreposed(words, owners, from, to)
    return kept
  })
}

function isOutside(word: string, owners: Owners, at: number): boolean {
  return owners[at] === -1 && isContent(word) && !isSaying(word)
}

/** "Besides D", "other than D": a word or two before the mention. */
function isSetApart(words: readonly Word[], owners: Owners, at: number): boolean {
  if (owners[at] === -1 || owners[at - 1] === owners[at]) return false
  return [at - 1, at - 2, at - 3].some((near) => owners[near] === -1 && apart.has(words[near]!.lower))
}

/** "D and our policy", "the policy and D": a conjunction beside a mention whose other side is a subject. */
function joinsSubject(words: readonly Word[], owners: Owners, at: number): boolean {
  if (owners[at] !== -1 || !joining.has(words[at]!.lower)) return false
  const left = owners[at - 1] ?? -1
  const right = skipArticle(words, at + 1)
  const isRightMention = (owners[right] ?? -1) !== -1
  if (left !== -1)
    return (
      !isRightMention &&
      right < words.length &&
      !openers.has(words[right]!.lower) &&
      isOutside(words[right]!.lower, owners, right)
    )
  return isRightMention && at > 0 && isOutside(words[at - 1]!.lower, owners, at - 1)
}

function skipArticle(words: readonly Word[], at: number): number {
  return /^(?:the|a|an)$/.test(words[at]?.lower ?? '') ? at + 1 : at
}

interface Clause {
  readonly from: number
  readonly to: number
}

/** Parts of the question: sentences, and what follows a conjunction or a comma with a question word of its own. */
function clausesOf(words: readonly Word[], owners: Owners): Clause[] {
  const clauses: Clause[] = []
  let from = 0
  for (let at = 0; at < words.length; at++) {
    const next = joining.has(words[at + 1]?.lower ?? '') ? at + 2 : at + 1
    const opens = openers.has(words[next]?.lower ?? '') && owners[next] === -1
    const isCut = words[at]!.last || (opens && (words[at]!.stop || next === at + 2))
    if (!isCut && at + 1 < words.length) continue
    clauses.push({ from, to: at + 1 })
    from = at + 1
  }
  return clauses
}

function staysInside(words: readonly Word[], owners: Owners, from: number, to: number): boolean {
  const places = range(from, to)
  if (!places.some((at) => isOutside(words[at]!.lower, owners, at))) return true
  if (places.some((at) => owners[at] !== -1)) return places.some((at) => isFramed(words, owners, at))
  return from > 0 && places.some((at) => backward.has(words[at]!.lower))
}

/** "According to D," and nothing else: it governs what follows. */
function isPreposed(words: readonly Word[], owners: Owners, from: number, to: number): boolean {
  const places = range(from, to)
  const hasMention = places.some((at) => owners[at] !== -1)
  return (
    hasMention &&
    /^(?:according|in|per|from|given|based|within)$/.test(words[from]!.lower) &&
    !words[to - 1]!.last &&
    !places.some((at) => isOutside(words[at]!.lower, owners, at))
  )
}

function isFramed(words: readonly Word[], owners: Owners, at: number): boolean {
  const owner = owners[at]!
  if (owner === -1) return false
  return isFramedAfter(words, owners, at, owner) || isFramedBefore(words, owners, at, owner)
}

function isFramedAfter(words: readonly Word[], owners: Owners, at: number, owner: number): boolean {
  if (owners[at + 1] === owner) return false
  if (words[at]!.possessive) return true
  let next = at + 1
  while (adverbs.has(words[next]?.lower ?? '')) next++
  const word = words[next]?.lower ?? ''
  return owners[next] === -1 && !words[at]!.last && (isSaying(word) || topical.has(word))
}

function isFramedBefore(words: readonly Word[], owners: Owners, at: number, owner: number): boolean {
  if (owners[at - 1] === owner) return false
  const before = /^(?:the|this|that|our|a|an)$/.test(words[at - 1]?.lower ?? '') ? at - 2 : at - 1
  const word = words[before]?.lower ?? ''
  const earlier = words[before - 1]?.lower ?? ''
  if (
    containing.has(word) ||
    (word === 'to' && earlier === 'according') ||
    (word === 'by' && isSaying(earlier))
  )
    return true
  return word === 'of' && partNouns.has(earlier)
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index)
}
