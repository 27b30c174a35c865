// How much authority has a document? A baseline, moved by its place, its name and its age; every move has a reason.
import type { Canonicality, CanonicalStatus } from '../model/digest.ts'

export interface CanonicalityInput {
  readonly path: string
  /** Milliseconds since 1970. */
  readonly modifiedAt: number
}

const DAY = 24 * 60 * 60 * 1000
const BASELINE = 0.5
const authoritativeFolders: readonly (readonly [string, number])[] = [
  ['docs/adr', 0.2],
  ['docs/architecture', 0.2],
  ['docs/index', 0.15],
]
const staleWords: ReadonlySet<string> = new Set(['scratch', 'archive', 'old'])
const guidingWords: ReadonlySet<string> = new Set(['readme', 'index', 'guide', 'runbook', 'plan'])

/** Lower-case words of a file name: split at everything but letters and digits, and where the case changes. */
function wordsOf(name: string): string[] {
  return name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
}

/** The heuristic of decision record 0006; pure: time comes in as an argument. */
export function scoreCanonicality(file: CanonicalityInput, options: { readonly now: number }): Canonicality {
  const segments = file.path.toLowerCase().split('/')
  const folders = `/${segments.slice(0, -1).join('/')}/`
  const name = file.path.slice(file.path.lastIndexOf('/') + 1)
  const words = wordsOf(name.replace(/\.[^.]*$/, ''))
  const reasons: { reason: string; effect: number }[] = [{ reason: 'baseline', effect: BASELINE }]
  const folder = authoritativeFolders.find(([place]) => folders.includes(`/${place}/`))
  if (folder !== undefined) reasons.push({ reason: `in ${folder[0]}`, effect: folder[1] })
  const stale = [...segments.slice(0, -1), ...words].find((part) => staleWords.has(part))
  if (stale !== undefined) reasons.push({ reason: `path says "${stale}"`, effect: -0.3 })
  const guiding = words.find((word) => guidingWords.has(word))
  if (guiding !== undefined) reasons.push({ reason: `named ${guiding}`, effect: 0.1 })
  const days = (options.now - file.modifiedAt) / DAY
  if (days < 90) reasons.push({ reason: 'updated in the last 90 days', effect: 0.1 })
  else if (days > 365) reasons.push({ reason: 'not updated for a year', effect: -0.1 })
  const sum = reasons.reduce((total, { effect }) => total + Math.round(effect * 100), 0)
  return { score: Math.min(100, Math.max(0, sum)) / 100, reasons }
}

/** What the number means in words (decision 19). */
export function canonicalStatus(score: number): CanonicalStatus {
  if (score >= 0.7) return 'canonical'
  return score >= 0.5 ? 'secondary' : 'possibly stale'
}
