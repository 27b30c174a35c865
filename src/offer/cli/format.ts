// How is text prepared for a terminal? Without control characters, with colours where they are allowed, sizes and times in plain words.
import { stripVTControlCharacters } from 'node:util'
import picocolors from 'picocolors'
import type { Lines } from '../../model/artifact.ts'
import { formatQuantity } from '../../model/format-numbers.ts'
import { escapeCharacter, unprintable } from '../../model/mark-invisible.ts'

/** The text with every control character written as its code. A carriage return before a newline is dropped. */
export const printable = (text: string): string =>
  text.replaceAll('\r\n', '\n').replaceAll(unprintable, escapeCharacter)

export const oneLine = (text: string): string => printable(text).replaceAll(/[\n\t]/g, ' ')

/** Characters that take two columns of a terminal. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f300}-\u{1faff}]/gu

/** In rows of at most `width` columns, each indented as the text or list item; only a word that takes more than half a row is split. */
export function wrapText(text: string, width: number): string[] {
  const start = /^\s*(?:(?:[-*+]|\d+[.)])\s+)?/.exec(text)?.[0].slice(0, width >> 2) ?? ''
  const rows = [start]
  const words = text
    .slice(start.length)
    .trim()
    .split(/(?<=\S)(?=\s)/u)
  for (const piece of words.flatMap((word) => splitWord(word, (width - start.length) >> 1))) {
    const row = (rows.at(-1) as string) + piece
    if (stripVTControlCharacters(row).replaceAll(wide, '--').length <= width) rows[rows.length - 1] = row
    else rows.push(' '.repeat(start.length) + piece.trimStart())
  }
  return rows
}

/** Between the words of a command until it is wrapped. */
const held = '\u0002'

/** Lines that are wider than a terminal end between words, and never inside a command. */
export function wrapLines(text: string, { isTTY, columns }: Partial<NodeJS.WriteStream>): string {
  if (isTTY !== true) return text
  const whole = text.replaceAll(/`[^`\n]{1,60}`/g, (command) => command.replaceAll(' ', held))
  const rows = whole.split('\n').flatMap((line) => wrapText(line, columns || 80))
  return rows.join('\n').replaceAll(held, ' ')
}

/** A word and the blanks in front of it, in parts of at most `most` letters. */
function splitWord(word: string, most: number): string[] {
  const letters = [...word.trimStart()]
  const parts = [word.slice(0, word.length - letters.join('').length) + letters.slice(0, most).join('')]
  for (let at = most; at < letters.length; at += most) parts.push(letters.slice(at, at + most).join(''))
  return parts
}

/** `45-60,70`. */
export const formatLines = (ranges: readonly Lines[]): string =>
  ranges.map(({ start, end }) => (start === end ? `${start}` : `${start}-${end}`)).join(',')

/** JSON with the control characters escaped that JSON leaves raw. */
export function printableJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2).replaceAll(/[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, escapeCharacter)}\n`
}

/** The styles that output uses; without colour they return their text. */
export interface Palette {
  readonly colored: boolean
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly red: (text: string) => string
  readonly green: (text: string) => string
  readonly yellow: (text: string) => string
  readonly cyan: (text: string) => string
}

/** A narrower terminal gets no colours. */
const leastColumns = 40

/** Colours on a terminal; logs of CI, dumb and narrow terminals have none unless they are forced. */
export function paletteFor(
  { isTTY, columns }: { readonly isTTY?: boolean; readonly columns?: number },
  env: NodeJS.ProcessEnv,
): Palette {
  const isSet = (value = ''): boolean => !['', '0', 'false'].includes(value)
  const refused = (env.NO_COLOR ?? '') !== '' || env.TERM === 'dumb'
  const suits = isTTY === true && !isSet(env.CI) && (columns || leastColumns) >= leastColumns
  return makePalette(!refused && (isSet(env.FORCE_COLOR) || suits))
}

/** The palette of standard output. */
export const outPalette = (): Palette => paletteFor(process.stdout, process.env)

export function makePalette(colored: boolean): Palette {
  const { bold, dim, red, green, yellow, cyan } = picocolors.createColors(colored)
  return { colored, bold, dim, red, green, yellow, cyan }
}

/** Rows under their labels, each of which is written once. */
export function labelRows(rows: readonly (readonly [string, string])[], { dim }: Palette): string[] {
  return rows.map(([label, text], at) => {
    const repeated = label === rows[at - 1]?.[0]
    return `${dim((repeated ? '' : label).padEnd(12))}${text}`
  })
}

/** `1536` → `1.5 KB`. */
export function formatBytes(bytes: number): string {
  const units = ['KB', 'MB', 'GB', 'TB']
  if (bytes < 1024) return `${Math.round(bytes)} B`
  let value = bytes
  let unit = -1
  while (value >= 1023.95 && unit < units.length - 1) {
    value /= 1024
    unit++
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`
}

/** `1234` milliseconds → `1.2 s`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  const seconds = milliseconds / 1000
  if (seconds < 59.95) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`
  const minutes = Math.floor(Math.round(seconds) / 60)
  const rest = Math.round(seconds) % 60
  if (minutes < 60) return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** How long ago, in words: `just now`, `5 minutes ago`, `3 days ago`. */
export function formatAge(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${formatQuantity(minutes, 'minute')} ago`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return `${formatQuantity(hours, 'hour')} ago`
  return `${formatQuantity(Math.floor(hours / 24), 'day')} ago`
}
