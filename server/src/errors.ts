// Which promises can break in the service, and what does HTTP answer? One class, one table; yore's own codes keep theirs.

export interface ProblemEntry {
  readonly status: number
  readonly title: string
  /** What the caller can do. */
  readonly hint?: string
}

const again = 'Send the request again after the seconds in Retry-After.'

/** Every code of the service with its HTTP status, in the words of RFC 9457's `title`. */
export const problemTable = {
  UNAUTHENTICATED: { status: 401, title: 'A valid API key is needed' },
  FORBIDDEN: { status: 403, title: 'The key does not allow this' },
  NOT_FOUND: { status: 404, title: 'There is no such thing' },
  CONFLICT: { status: 409, title: 'It contradicts what is there' },
  KEY_REUSED: { status: 422, title: 'The Idempotency-Key was used for another request' },
  BAD_REQUEST: { status: 400, title: 'The request is not understood' },
  BAD_PATH: { status: 400, title: 'The path cannot be a document' },
  BAD_ARCHIVE: { status: 422, title: 'The archive cannot be taken' },
  TOO_LARGE: { status: 413, title: 'It is larger than allowed' },
  QUOTA: { status: 403, title: 'The organisation has used what it may' },
  RATE_LIMITED: { status: 429, title: 'The organisation asks for more than it may', hint: again },
  BUSY: { status: 503, title: 'Too many questions at once', hint: again },
  UNAVAILABLE: { status: 503, title: 'A part of the service does not answer', hint: again },
  LEFT_OUT: { status: 422, title: 'The file was not indexed' },
  TIMED_OUT: { status: 422, title: 'Reading it made no progress' },
  POISON: { status: 422, title: 'Reading the file failed again and again' },
  INTERNAL: { status: 500, title: 'Something broke' },
} as const satisfies Record<string, ProblemEntry>

export type ProblemCode = keyof typeof problemTable

/** A broken promise of the service. Its message is shown to the caller: it names nothing of another tenant. */
export class ServiceError extends Error {
  readonly code: ProblemCode
  /** Seconds after which it is worth trying again. */
  readonly retryAfter: number | null

  constructor(
    code: ProblemCode,
    message: string,
    options: { readonly cause?: unknown; readonly retryAfter?: number } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'ServiceError'
    this.code = code
    this.retryAfter = options.retryAfter ?? null
  }

  get status(): number {
    return problemTable[this.code].status
  }
}

/** Failures of a machine, whatever it works on: SQLite and yore have codes of their own for them. */
const machineFaults = [
  ['no space left on the disk', ['ENOSPC', 'EDQUOT', 'DISK_FULL', 13]],
  ['too many open files', ['EMFILE', 'ENFILE']],
  ['no memory left', ['ENOMEM', 'EAGAIN']],
  ['the disk cannot be written', ['EIO', 'EROFS', 'NO_PERMISSION']],
  ['a file is locked', ['EBUSY', 'ETXTBSY', 'INDEX_LOCKED', 5]],
] as const satisfies readonly [string, readonly (string | number)[]][]

/** What is wrong with this machine; null for an error that another machine would have, too. */
export function findMachineFault(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const { code, errcode } = error as { code?: string; errcode?: number }
  const found = machineFaults.find(([, codes]) => codes.some((one) => one === code || one === errcode))
  return found?.[0] ?? findMachineFault(error.cause)
}

/** Connection errors of PostgreSQL and of the store: worth another try. */
const away =
  /ECONN|EPIPE|ETIMEDOUT|\b(?:57P0|08)\w\w?\b|connection|terminat|timeout|not queryable|recovery|fetch failed/i

/** Whether the database, or what else is asked over a connection, did not answer. */
export function isConnectionFault(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  return away.test(`${code} ${message}`)
}
