// How does a program in TypeScript ask the service? By a client that is written from the routes, one method each.
import { describeApi } from '../server/src/http/describe-api.ts'
import { routes } from '../server/src/http/make-app.ts'

type Schema = Readonly<Record<string, unknown>>

interface Described {
  readonly summary: string
  readonly operationId: string
  readonly parameters: readonly {
    readonly name: string
    readonly in: 'path' | 'query' | 'header'
    readonly schema: Schema
  }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >
}

const isName = /^[A-Za-z_]\w*$/
const inQuotes = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** A JSON schema as a type; what it leaves open is unknown. */
function typeOf(schema: Schema): string {
  const { type, properties, items, required = [], additionalProperties } = schema
  const choices = schema['enum']
  if (Array.isArray(choices)) return choices.map((choice) => inQuotes(String(choice))).join(' | ')
  if (Array.isArray(type)) return type.map((one) => typeOf({ ...schema, type: one })).join(' | ')
  if (type === 'string') return schema['format'] === 'binary' ? 'Blob' : 'string'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'boolean' || type === 'null') return type
  if (type === 'array') return `readonly (${typeOf((items ?? {}) as Schema)})[]`
  if (type !== 'object') return 'unknown'
  const values = typeof additionalProperties === 'object' ? typeOf(additionalProperties as Schema) : 'unknown'
  if (properties === undefined) return `Readonly<Record<string, ${values}>>`
  const needed = required as readonly string[]
  const fields = Object.entries(properties as Readonly<Record<string, Schema>>).map(
    ([name, field]) =>
      `readonly ${isName.test(name) ? name : inQuotes(name)}${needed.includes(name) ? '' : '?'}: ${typeOf(field)}`,
  )
  return `{ ${fields.join('; ')} }`
}

function methodOf(method: string, path: string, route: Described): string {
  const inPath = route.parameters.filter((parameter) => parameter.in === 'path')
  const inQuery = route.parameters.filter((parameter) => parameter.in === 'query')
  const [media, { schema: body } = { schema: {} }] = Object.entries(route.requestBody?.content ?? {})[0] ?? []
  const [status = '', success] = Object.entries(route.responses)[0] ?? []
  const [kind, { schema: answer } = { schema: {} }] = Object.entries(success?.content ?? {})[0] ?? []
  const isForm = media === 'multipart/form-data'
  const query = inQuery.map(({ name, schema }) => `readonly ${name}?: ${typeOf(schema)}`).join('; ')
  const takes = [
    ...inPath.map(({ name }) => `${name}: string`),
    ...(media === undefined ? [] : [`body: ${typeOf(body)}`]),
    ...(inQuery.length === 0 ? [] : [`query: { ${query} } = {}`]),
    `options: CallOptions = {}`,
  ]
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `\${encodeURIComponent(${name})}`)
  const request = [
    `method: '${method.toUpperCase()}'`,
    `path: \`${filled}\``,
    ...(media === undefined ? [] : [isForm ? 'form: body' : 'body']),
    ...(inQuery.length === 0 ? [] : ['query']),
    'options',
  ].join(', ')
  const [gives, run] =
    status === '204'
      ? ['Promise<void>', `await this.#send({ ${request} })`]
      : kind === 'text/event-stream'
        ? ['AsyncGenerator<ServerEvent>', `yield* readEvents(await this.#send({ ${request} }))`]
        : kind === 'application/octet-stream'
          ? ['Promise<Blob>', `return await (await this.#send({ ${request} })).blob()`]
          : [`Promise<${typeOf(answer)}>`, `return await this.#read({ ${request} })`]
  const star = gives.startsWith('AsyncGenerator') ? '*' : ''
  return `  /** ${route.summary} */\n  async ${star}${route.operationId}(${takes.join(', ')}): ${gives} {\n    ${run}\n  }`
}

const head = String.raw`// How does a program in TypeScript ask the service? One method for each route; needs nothing but fetch.
// Written by scripts/write-client.ts from the routes of the service. Do not edit.

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

interface Sent {
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
  const entries = Object.entries(fields).sort(([, a], [, b]) => Number(a instanceof Blob) - Number(b instanceof Blob))
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
      const valueOf = (name: string): string | undefined =>
        lines.find((line) => line.startsWith(name + ': '))?.slice(name.length + 2)
      const data = valueOf('data')
      if (data !== undefined) yield { event: valueOf('event') ?? 'message', data: JSON.parse(data) }
    }
  }
}

/**
 * @example
 * const yore = new YoreClient('https://yore.example', process.env.YORE_SERVER_KEY)
 * const { output } = await yore.assemble('handbook', { question: 'How do I deploy?' })
 */
export class YoreClient {
  readonly #url: string
  readonly #key: string

  constructor(url: string, key: string) {
    this.#url = url.endsWith('/') ? url.slice(0, -1) : url
    this.#key = key
  }

  async #read<T>(sent: Sent): Promise<T> {
    return (await (await this.#send(sent)).json()) as T
  }

  async #send({ method, path, body, form, query = {}, options }: Sent): Promise<Response> {
    const given = Object.entries(query).filter(([, value]) => value !== undefined)
    const asked = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString()
    const response = await fetch(this.#url + path + (asked === '' ? '' : '?' + asked), {
      method,
      redirect: 'error',
      headers: {
        authorization: 'Bearer ' + this.#key,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(options.idempotencyKey === undefined ? {} : { 'idempotency-key': options.idempotencyKey }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(form === undefined ? {} : { body: formOf(form) }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    })
    if (response.ok) return response
    const problem = (await response.json().catch(() => null)) as Problem | null
    const unknown = { type: 'about:blank', title: response.statusText, status: response.status, code: 'UNKNOWN' }
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    throw new ProblemError(problem ?? { ...unknown, detail: 'the answer is no problem of the service' }, Number.isNaN(seconds) ? null : seconds)
  }
`

/** The text of server/client.ts. The protocol of agents is not part of it: they have clients of their own. */
export function clientText(): string {
  const { paths } = describeApi(routes) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  }
  const methods = Object.entries(paths)
    .filter(([path]) => !path.startsWith('/mcp/'))
    .flatMap(([path, routes]) =>
      Object.entries(routes).map(([method, route]) => methodOf(method, path, route)),
    )
  return `${head}\n${methods.join('\n\n')}\n}\n`
}
