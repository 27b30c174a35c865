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
      ? ['Promise<void>', `await this.request({ ${request} })`]
      : kind === 'text/event-stream'
        ? ['AsyncGenerator<ServerEvent>', `yield* this.requestEvents({ ${request} })`]
        : kind === 'application/octet-stream'
          ? ['Promise<Blob>', `return await (await this.request({ ${request} })).blob()`]
          : [`Promise<${typeOf(answer)}>`, `return await this.requestJson({ ${request} })`]
  const star = gives.startsWith('AsyncGenerator') ? '*' : ''
  return `  /** ${route.summary} */\n  async ${star}${route.operationId}(${takes.join(', ')}): ${gives} {\n    ${run}\n  }`
}

const head = `// How does a program in TypeScript ask the service? One method for each route.
// Written by scripts/write-client.ts from the routes of the service. Do not edit.
import { type CallOptions, ServiceCalls, type ServerEvent } from './src/service-calls.ts'

export { type CallOptions, type Problem, ProblemError, type ServerEvent } from './src/service-calls.ts'

/**
 * @example
 * const yore = new YoreClient('https://yore.example', process.env.YORE_SERVER_KEY)
 * const { output } = await yore.assemble('handbook', { question: 'How do I deploy?' })
 */
export class YoreClient extends ServiceCalls {
`

/** The text of server/client.ts. The protocol of agents is not part of it: they have clients of their own. */
export function clientText(): string {
  const { paths } = describeApi(routes) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  }
  const methods = Object.entries(paths)
    .filter(([path]) => !path.startsWith('/mcp'))
    .flatMap(([path, routes]) =>
      Object.entries(routes).map(([method, route]) => methodOf(method, path, route)),
    )
  return `${head}${methods.join('\n\n')}\n}\n`
}
