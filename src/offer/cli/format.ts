// How is text prepared for a terminal? Without control characters, with colours where they are allowed, sizes and times in plain words.
import picocolors from 'picocolors'
import { formatQuantity } from '../../model/format-numbers.ts'
import { unprintable } from '../../model/mark-invisible.ts'

/** The text with every control character written as its code. A carriage return before a newline is dropped. */
export function printable(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(unprintable, escapeCharacter)
}

export function oneLine(text: string): string {
  return printable(text).replaceAll(/[\n\t]/g, ' ')
}

/** JSON with the control characters escaped that JSON leaves raw. */
export function printableJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2).replaceAll(/[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, escapeCharacter)}\n`
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
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

export function paletteFor(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): Palette {
  const forced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '' && env.FORCE_COLOR !== '0'
  const refused = (env.NO_COLOR !== undefined && env.NO_COLOR !== '') || env.TERM === 'dumb'
  return makePalette(!refused && (forced || stream.isTTY === true))
}

/** The palette of standard output. */
export function outPalette(): Palette {
  return paletteFor(process.stdout, process.env)
}

export function makePalette(colored: boolean): Palette {
  const { bold, dim, red, green, yellow, cyan } = picocolors.createColors(colored)
  return { colored, bold, dim, red, green, yellow, cyan }
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
