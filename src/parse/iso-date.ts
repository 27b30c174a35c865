// Which day or moment does a frontmatter value name? ISO 8601, whatever the machine's time zone.
import { patterns } from './patterns.ts'

/** `2024-1-2` gives `2024-01-02`; a time gives UTC, and counts as UTC when it names no zone; anything else is null. */
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
