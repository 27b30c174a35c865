// What time is it meant to be? `--now`, else SOURCE_DATE_EPOCH, else the clock; never the local time zone.
import { YoreError } from '../errors.ts'

// The range of a JavaScript date.
const maxMilliseconds = 8.64e15
const isoForm = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:\d{2})?)?$/

/** Milliseconds since 1970 of an ISO 8601 time or of epoch seconds; null when it is neither. Without a zone it is UTC. */
export function readTime(text: string): number | null {
  if (/^\d{1,14}(?:\.\d{1,9})?$/.test(text)) {
    const milliseconds = Math.round(Number(text) * 1000)
    return milliseconds <= maxMilliseconds ? milliseconds : null
  }
  const parts = isoForm.exec(text)
  if (parts === null) return null
  const [, date, time = '00:00', zone = 'Z'] = parts
  const milliseconds = Date.parse(`${date}T${time}${zone}`)
  return Number.isNaN(milliseconds) || !isRealDate(date!) ? null : milliseconds
}

interface NowSources {
  /** `--now`, already read; undefined when not given. */
  readonly given?: number | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  /** The clock, in milliseconds since 1970. */
  readonly clock: number
}

/** The time that everything depends on. Throws BAD_CONFIG for a malformed SOURCE_DATE_EPOCH. */
export function readNow(sources: NowSources): number {
  if (sources.given !== undefined) return sources.given
  const epoch = sources.env.SOURCE_DATE_EPOCH
  if (epoch === undefined || epoch === '') return sources.clock
  const milliseconds = /^\d+$/.test(epoch) ? readTime(epoch) : null
  if (milliseconds !== null) return milliseconds
  throw new YoreError(
    'BAD_CONFIG',
    `SOURCE_DATE_EPOCH must be whole seconds since 1970, not ${JSON.stringify(epoch.slice(0, 60))}`,
    { hint: 'unset it, or set it as `git log -1 --format=%ct` prints it' },
  )
}

// Date.parse turns February 30 into March 2.
function isRealDate(date: string): boolean {
  const day = new Date(`${date}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date)
}
