// How does a request reach the service from a program? With its key, and back come an answer, events or a problem; needs nothing but fetch.

/** What went wrong, as RFC 9457 has it. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly hint?: string
}

export class ProblemError extends Error {
  readonly problem: Problem
  /** Seconds after which it is worth trying again; null when it is not said. */
  readonly retryAfter: number | null

  constructor(problem: Problem, retryAfter: number | null) {
    super(problem.detail)
    this.name = 'ProblemError'
    this.problem = problem
    this.retryAfter = retryAfter
  }
}

/** One server-sent event: its name, and its data as JSON. */
export interface ServerEvent {
  readonly event: string
  readonly data: unknown
}

export interface CallOptions {
  readonly signal?: AbortSignal
  /** The same key makes a repeated upload the same one. */
  readonly idempotencyKey?: string
}

/** One request to a route. */
export interface Sent {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly form?: object
  readonly query?: object
  readonly options: CallOptions
}

function formOf(fields: object): FormData {
  const form = new FormData()
  // Fields before the file, as a service reads them.
  const entries = Object.entries(fields).sort(
    ([, a], [, b]) => Number(a instanceof Blob) - Number(b instanceof Blob),
  )
  for (const [name, value] of entries) if (value !== undefined) form.append(name, value)
  return form
}

async function* readEvents(response: Response): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of response.body ?? []) {
    text += decoder.decode(piece, { stream: true })
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n')
      text = text.slice(end + 2)
      const fieldOf = (name: string): string | undefined =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
      const data = fieldOf('data')
      if (data !== undefined) yield { event: fieldOf('event') ?? 'message', data: JSON.parse(data) }
    }
  }
}

/** What the methods of the written client stand on. */
export class ServiceCalls {
  readonly #url: string
  readonly #key: string

  constructor(url: string, key: string) {
    this.#url = url.endsWith('/') ? url.slice(0, -1) : url
    this.#key = key
  }

  protected async requestJson<T>(sent: Sent): Promise<T> {
    return (await (await this.request(sent)).json()) as T
  }

  protected async request({ method, path, body, form, query = {}, options }: Sent): Promise<Response> {
    const given = Object.entries(query).filter(([, value]) => value !== undefined)
    const asked = new URLSearchParams(
      given.map(([name, value]): [string, string] => [name, String(value)]),
    ).toString()
    const response = await fetch(this.#url + path + (asked === '' ? '' : `?${asked}`), {
      method,
      redirect: 'error',
      headers: {
        authorization: `Bearer ${this.#key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(options.idempotencyKey === undefined ? {} : { 'idempotency-key': options.idempotencyKey }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(form === undefined ? {} : { body: formOf(form) }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    })
    if (response.ok) return response
    const problem = (await response.json().catch(() => null)) as Problem | null
    const unknown = {
      type: 'about:blank',
      title: response.statusText,
      status: response.status,
      code: 'UNKNOWN',
    }
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    throw new ProblemError(
      problem ?? { ...unknown, detail: 'the answer is no problem of the service' },
      Number.isNaN(seconds) ? null : seconds,
    )
  }

  /** What the service sends while it works. */
  protected async *requestEvents(sent: Sent): AsyncGenerator<ServerEvent> {
    yield* readEvents(await this.request(sent))
  }
}
