// Why did an LLM's server not answer? Read from what the `ai` package throws.

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

/** The last of several tries. The provider of Ollama wraps every error. */
function innermost(error: unknown): Fault {
  const fault = (error ?? {}) as Fault
  const inner = fault.lastError ?? (fault.name === 'OllamaError' ? fault.cause : undefined)
  return inner === undefined ? fault : innermost(inner)
}

/** One line without control characters: status, and the server's own words. */
export function describeFault(error: unknown, timedOutAfter: number | null): string {
  if (timedOutAfter !== null) return `no answer within ${Math.round(timedOutAfter / 1000)} seconds`
  const { statusCode, responseBody, message = String(error), cause } = innermost(error)
  const isRedirect = statusCode !== undefined && statusCode >= 300 && statusCode < 400
  const what = statusCode === 200 ? 'the answer broke off' : message
  const words =
    statusCode === undefined || statusCode === 200
      ? [what, cause?.code ?? cause?.message].filter(Boolean).join(': ')
      : `status ${statusCode}${isRedirect ? ' (a redirect, which is not followed)' : ''}: ${serverWords(responseBody) || message}`
  return words
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, shownChars)
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
