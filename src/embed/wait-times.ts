// How long does a server want us to wait? Its Retry-After and rate-limit headers, in milliseconds.

/** Sent with an answer or a refusal; both the standard names and those of OpenAI. */
export interface HeaderReader {
  get(name: string): string | null
}

/** What the server asks for before the same request is tried again; null when it does not say. */
export function readRetryAfter(headers: HeaderReader, now: number): number | null {
  const exact = Number(headers.get('retry-after-ms') ?? Number.NaN)
  if (exact >= 0) return exact
  const value = headers.get('retry-after')?.trim() ?? ''
  if (value !== '' && Number(value) >= 0) return Number(value) * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}

/** When nothing is left of a limit, the time until it is filled again; 0 when something is left or nothing is said. */
export function readExhaustion(headers: HeaderReader): number {
  const waits = ['requests', 'tokens'].map((kind) => {
    const left = headers.get(`x-ratelimit-remaining-${kind}`)
    if (left === null || left.trim() === '' || !(Number(left) <= 0)) return 0
    return readDuration(headers.get(`x-ratelimit-reset-${kind}`) ?? '')
  })
  return Math.max(...waits)
}

const unitMilliseconds: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/** `6m0s`, `1.5s`, `20ms`, or plain seconds; 0 for anything else. */
export function readDuration(text: string): number {
  const trimmed = text.trim().slice(0, 40)
  if (trimmed !== '' && Number(trimmed) >= 0) return Number(trimmed) * 1000
  let total = 0
  for (const [, amount, unit = ''] of trimmed.matchAll(/(\d{1,12}(?:\.\d{1,6})?)(ms|s|m|h|d)/g)) {
    total += Number(amount) * (unitMilliseconds[unit] ?? 0)
  }
  return total
}
