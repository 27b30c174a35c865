// How good are places? Page hits, and what of the gold section is inside when they are packed into a token budget.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import type { GoldSection } from '../../eval/read-sets.ts'
import type { Place } from '../../eval/real-set.ts'

/** Was a wanted page among the first `depth` different pages? */
export function pageHit(places: readonly Place[], wanted: ReadonlySet<string>, depth: number): number {
  const pages = [...new Set(places.map(({ path }) => path))].slice(0, depth)
  return pages.some((page) => wanted.has(page)) ? 1 : 0
}

const lines = new Map<string, string[]>()
const tokens = new Map<string, number>()

function tokensOf(root: string, place: Place): number {
  const key = `${root}/${place.path}:${place.start}-${place.end}`
  let count = tokens.get(key)
  if (count !== undefined) return count
  const file = join(root, place.path)
  let text = lines.get(file)
  if (text === undefined) {
    text = readFileSync(file, 'utf8').split('\n')
    lines.set(file, text)
  }
  count = countTokens(`${text.slice(place.start - 1, place.end).join('\n')}\n`)
  tokens.set(key, count)
  return count
}

/** Takes places in order while they fit and skips what does not, without any frame: not even a path is paid for. */
export function packPlaces(root: string, places: readonly Place[], budget: number): Place[] {
  let left = budget
  const packed: Place[] = []
  for (const place of places) {
    if (place.path === '') continue
    const cost = tokensOf(root, place)
    if (cost > left) continue
    packed.push(place)
    left -= cost
  }
  return packed
}

export interface Coverage {
  /** 1 when any line of the gold section is inside. */
  readonly touched: number
  /** Share of the gold section's own lines that are inside. */
  readonly share: number
}

export function coverageOf(places: readonly Place[], gold: GoldSection): Coverage {
  const inside = places.filter(({ path }) => path === gold.path)
  const touched = inside.some(({ start, end }) => start <= gold.line_end && end >= gold.line_start) ? 1 : 0
  const own = gold.own_end - gold.line_start + 1
  let held = 0
  for (let line = gold.line_start; line <= gold.own_end; line++)
    if (inside.some(({ start, end }) => start <= line && line <= end)) held++
  return { touched, share: own > 0 ? held / own : 0 }
}
