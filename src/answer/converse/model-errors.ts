// Why did an LLM's server not answer, and is another try worth it? Read from what the `ai` package throws.

/** A stream that ended before the model had finished. */
export class UnfinishedStream extends Error {}

/** What the errors of `ai` carry; `lastError` when several tries failed. */
interface Fault {
  readonly name?: string
  readonly message?: string
  readonly statusCode?: number
  readonly responseBody?: string
  readonly lastError?: unknown
  readonly cause?: { readonly code?: unknown; readonly message?: unknown }
}

const shownChars = 300

function lastOf(error: unknown): Fault {
  const fault = (error ?? {}) as Fault
  return fault.lastError === undefined ? fault : lastOf(fault.lastError)
}

/** Statuses by which servers refuse a response format that they do not know. */
const refusedFormat: ReadonlySet<number> = new Set([400, 415, 422, 501])

export function isRefusedFormat(error: unknown): boolean {
  return refusedFormat.has(lastOf(error).statusCode ?? 0)
}

/** A broken stream may be tried again; statuses were tried again already. */
export function isPassing(error: unknown): boolean {
  if (error instanceof UnfinishedStream) return true
  if (isOwn(error)) return false
  const { statusCode, lastError, name } = (error ?? {}) as Fault
  if (lastError !== undefined || name === 'AbortError') return false
  // A good status and an error: the answer broke off while it was read.
  return statusCode === undefined || statusCode === 200
}

/** Did yore itself end the answer? `ai` hands on what its reader threw as the cause of an error of its own. */
function isOwn(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) if (at.name === 'YoreError') return true
  return false
}

/** One line without control characters: status, and the server's own words. */
export function describeFault(error: unknown, timedOutAfter: number | null): string {
  if (timedOutAfter !== null) return `no answer within ${Math.round(timedOutAfter / 1000)} seconds`
  const { statusCode, responseBody, message = String(error), cause } = lastOf(error)
  const words =
    statusCode === 200
      ? ['the answer broke off', cause?.code ?? cause?.message].filter(Boolean).join(': ')
      : statusCode === undefined
        ? [message, cause?.code ?? cause?.message].filter(Boolean).join(': ')
        : `status ${statusCode}${redirected(statusCode)}: ${serverWords(responseBody) || message}`
  return words
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, shownChars)
}

function redirected(status: number): string {
  return status >= 300 && status < 400 ? ' (a redirect, which is not followed)' : ''
}

function serverWords(body: string | undefined): string {
  try {
    const { error } = JSON.parse(body ?? '') as { error?: { message?: unknown } | string }
    if (typeof error === 'string') return error
    return typeof error?.message === 'string' ? error.message : ''
  } catch {
    return ''
  }
}
