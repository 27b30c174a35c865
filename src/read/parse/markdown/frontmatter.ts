// What metadata does a document start with? YAML between `---`, or TOML between `+++`.
import { lineAt, offsetOf, type TextLines } from '../find-lines.ts'
import { patterns } from '../patterns.ts'
import { emptyValues, readSimpleLines, type Values } from './read-simple-lines.ts'
import { readYaml } from './read-yaml.ts'

/** A block that is not closed within this many characters is text that starts with a rule. */
export const maxFrontmatterChars = 65_536

export interface Frontmatter {
  /** Number of lines with both fences; 0 without frontmatter. */
  readonly lineCount: number
  readonly values: Readonly<Values>
}

/** Reads the frontmatter at the start of a text (after a byte order mark). */
export function readFrontmatter(lines: TextLines): Frontmatter {
  const none: Frontmatter = { lineCount: 0, values: emptyValues() }
  const { text } = lines
  const first = text.charCodeAt(0) === 0xfeff ? 1 : 0
  const fence = text.startsWith('---', first) ? '---' : text.startsWith('+++', first) ? '+++' : null
  if (fence === null || fenceAt(lines, 0, first) !== fence) return none
  const close = findClose(lines, fence)
  if (close === -1) return none
  const inner: string[] = []
  for (let line = 1; line < close; line++) inner.push(lineAt(lines, line))
  const values = fence === '---' ? readYamlBlock(inner) : readTomlBlock(inner)
  return values === null ? none : { lineCount: close + 1, values }
}

/** The line after the imports and exports of MDX that start at a line; they end at a blank line outside brackets. */
export function endOfModules(lines: TextLines, first: number): number {
  let [end, depth, isModule] = [first, 0, false]
  for (let line = first; line < lines.starts.length; line++) {
    const text = lineAt(lines, line)
    if (depth === 0) {
      if (text.trim() === '') isModule = false
      else if (!isModule && !patterns.mdxModule.test(text)) break
      else isModule = true
    }
    for (const char of text)
      depth = Math.max(0, depth + Number('{[('.includes(char)) - Number(')]}'.includes(char)))
    if (isModule) end = line + 1
  }
  return end
}

/** The line without trailing blanks; only as much as a fence needs. */
function fenceAt(lines: TextLines, line: number, start: number): string {
  const end = offsetOf(lines, line + 1)
  return end - start > 64 ? '' : lines.text.slice(start, end).trimEnd()
}

function findClose(lines: TextLines, fence: string): number {
  for (let line = 1; line < lines.starts.length; line++) {
    const start = offsetOf(lines, line)
    if (start > maxFrontmatterChars) return -1
    const code = lines.text.charCodeAt(start)
    if (code !== 45 && code !== 43 && code !== 46) continue
    const mark = fenceAt(lines, line, start)
    if (mark === fence || (fence === '---' && mark === '...')) return line
  }
  return -1
}

/** Null if the block is prose between two rules. */
function readYamlBlock(inner: readonly string[]): Values | null {
  if (isBlank(inner)) return emptyValues()
  const outcome = readYaml(inner.join('\n'))
  if (outcome.kind === 'refused') return emptyValues()
  if (outcome.kind === 'invalid') return startsWithKey(inner) ? readSimpleLines(inner, ':') : null
  return typeof outcome.value === 'object' && outcome.value !== null && !Array.isArray(outcome.value)
    ? (outcome.value as Values)
    : null
}

function readTomlBlock(inner: readonly string[]): Values | null {
  const values = readSimpleLines(inner, '=')
  return isBlank(inner) || Object.keys(values).length > 0 ? values : null
}

/** Broken YAML still starts with a key; prose between two rules rarely does. */
function startsWithKey(inner: readonly string[]): boolean {
  const first = inner.find((line) => line.trim() !== '' && !line.startsWith('#')) ?? ''
  return patterns.frontmatterKey.test(first.slice(0, Math.max(first.indexOf(':'), 0)))
}

function isBlank(inner: readonly string[]): boolean {
  return inner.every((line) => line.trim() === '')
}

/** The frontmatter's title on one line; null when it has none. */
export function titleOf(values: Readonly<Values>): string | null {
  const title = values['title']
  if (typeof title === 'number') return String(title)
  return typeof title === 'string' && title.trim() !== ''
    ? title.trim().replace(patterns.whitespaceRun, ' ')
    : null
}

/** The frontmatter's status, lower case; null when it has none. */
export function statusOf(values: Readonly<Values>): string | null {
  const status = values['status']
  return typeof status === 'string' && status.trim() !== '' ? status.trim().toLowerCase() : null
}

/** The frontmatter's date as ISO 8601; null when it has none. */
export function dateOf(values: Readonly<Values>): string | null {
  return isoDate(values['date'])
}

/** `2024-1-2` gives `2024-01-02`; a time gives UTC, also without a zone; anything else gives null. */
export function isoDate(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 64) return null
  const match = patterns.isoDate.exec(value.trim())
  if (match === null) return null
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const midnight = utc(year, month - 1, day)
  if (midnight.getUTCMonth() !== month - 1 || midnight.getUTCDate() !== day) return null
  if (match[4] === undefined) return midnight.toISOString().slice(0, 10)
  const [hour, minute, second] = [Number(match[4]), Number(match[5]), Number(match[6] ?? 0)]
  if (hour > 23 || minute > 59 || second > 59) return null
  const milliseconds = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3))
  const moment = midnight.getTime() + ((hour * 60 + minute - zoneMinutes(match[8])) * 60 + second) * 1000
  const written = new Date(moment + milliseconds).toISOString()
  return written.length === 24 ? written.replace('.000Z', 'Z') : null
}

/** `Date.UTC` reads the years 0 to 99 as 1900 to 1999; this does not. */
function utc(year: number, month: number, day: number): Date {
  const date = new Date(0)
  date.setUTCFullYear(year, month, day)
  return date
}

function zoneMinutes(zone: string | undefined): number {
  if (zone === undefined || zone === 'Z' || zone === 'z') return 0
  const digits = zone.slice(1).replace(':', '')
  const hours = Number(digits.length > 2 ? digits.slice(0, -2) : digits)
  const minutes = digits.length > 2 ? Number(digits.slice(-2)) : 0
  return (zone[0] === '-' ? -1 : 1) * (hours * 60 + minutes)
}
