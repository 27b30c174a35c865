// What is the name of a heading in links and ids? By GitHub's rules, made unique.
import { patterns } from './patterns.ts'

/** The name of a heading without letters or digits. */
const emptySlug = 'section'

/** GitHub's slug of a heading's plain text: `slugOf("What's new?")` is `whats-new`. It never contains a dot. */
export function slugOf(text: string): string {
  const lower = text.toLowerCase()
  const dropped = patterns.notAscii.test(lower) ? patterns.notInSlug : patterns.notInAsciiSlug
  const kept = lower.replace(dropped, '').replace(patterns.space, '-')
  return kept === '' ? emptySlug : kept
}

/** The names taken so far among siblings or in one document, and the last number tried for each. */
export type TakenNames = Map<string, number>

/**
 * Takes a name: as it is when free, else with the first free `-1`, `-2`, ….
 * The counter is kept per name, so a thousand equal headings cost a thousand steps.
 */
export function takeName(taken: TakenNames, name: string): string {
  let number = taken.get(name)
  if (number === undefined) {
    taken.set(name, 0)
    return name
  }
  let free: string
  do {
    number++
    free = `${name}-${number}`
  } while (taken.has(free))
  taken.set(name, number)
  taken.set(free, 0)
  return free
}

/** The first `limit` UTF-16 units of a text, never half a surrogate pair. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text
  const last = text.charCodeAt(limit - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit)
}
