// How does a program learn the API? OpenAPI 3.1, made from the table of routes.
import { type ProblemCode, problemTable } from '../errors.ts'
import { yoreVersion } from '../yore.ts'
import type { Route } from './route.ts'

/** Codes of yore's own table that a question can end with; every other one is INTERNAL or BUSY here. */
const questionCodes = { BAD_INPUT: 400, OUTSIDE_ROOT: 403, BUDGET_TOO_SMALL: 422 } as const

const problem = {
  type: 'object',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: { type: 'string', enum: [...Object.keys(problemTable), ...Object.keys(questionCodes)] },
    detail: { type: 'string' },
    hint: { type: 'string', description: 'What the caller can do.' },
    instance: { type: 'string', description: 'Id of the request in the log of the service.' },
  },
  required: ['type', 'title', 'status', 'code', 'detail'],
}

const problemContent = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }

const upload = {
  type: 'object',
  properties: {
    file: { type: 'string', format: 'binary' },
    corpus: { type: 'string' },
    path: { type: 'string' },
    modified_at: { type: 'string', format: 'date-time' },
  },
  required: ['file'],
}

function parametersOf({ path, query = {}, body }: Route): readonly object[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const inQuery = Object.entries(query).map(([name, schema]) => ({ name, in: 'query', schema }))
  const key = { name: 'Idempotency-Key', in: 'header', schema: { type: 'string', maxLength: 200 } }
  return [...inPath, ...inQuery, ...(body === 'multipart' ? [key] : [])]
}

/** The codes that a route can answer with; those of ingestions are in `error` of the ingestion. */
function codesOf({ body, path, isQuestion, name }: Route): readonly ProblemCode[] {
  return [
    'BAD_REQUEST',
    'UNAUTHENTICATED',
    'FORBIDDEN',
    ...(/\{|ingest|search|assemble|mcp/.test(path) ? (['NOT_FOUND'] as const) : []),
    ...(body === undefined && !path.endsWith('/retry') && !path.endsWith('/cancel')
      ? []
      : (['CONFLICT'] as const)),
    ...(body === undefined ? [] : (['TOO_LARGE'] as const)),
    ...(path.startsWith('/v1/ingest/') || path.includes('documents')
      ? (['BAD_PATH', 'QUOTA', 'KEY_REUSED'] as const)
      : []),
    ...(name === 'createCorpus' ? (['QUOTA'] as const) : []),
    'RATE_LIMITED',
    ...(isQuestion ? (['BUSY'] as const) : []),
    'UNAVAILABLE',
    'INTERNAL',
  ]
}

function describeProblems(route: Route): Readonly<Record<string, object>> {
  const title = 'The question cannot be answered as it is'
  const entries = [
    ...codesOf(route).map((code) => ({ code, ...problemTable[code] })),
    ...Object.entries(route.checksBody === true ? questionCodes : {}).map(([code, status]) => {
      return { code, status, title }
    }),
  ]
  const described = Object.entries(Object.groupBy(entries, ({ status }) => status)).map(([status, same]) => {
    const description = same?.map((entry) => `${entry.code}: ${entry.title}.`).join(' ')
    return [status, { description, content: problemContent }]
  })
  return Object.fromEntries(described)
}

function describeRoute(route: Route): object {
  const { summary, body, status = 200, answer, access } = route
  const content =
    body === 'multipart'
      ? { 'multipart/form-data': { schema: upload } }
      : { 'application/json': { schema: body } }
  const type = route.media ?? 'application/json'
  const success =
    status === 204
      ? { description: 'Done.' }
      : { description: 'The answer.', content: { [type]: { schema: answer } } }
  return {
    summary,
    operationId: route.name,
    description: `Needs a key with ${access} access.`,
    parameters: parametersOf(route),
    ...(body === undefined ? {} : { requestBody: { required: true, content } }),
    responses: {
      [status]: success,
      ...describeProblems(route),
      default: { description: 'A problem.', content: problemContent },
    },
  }
}

export function describeApi(routes: readonly Route[]): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) {
    paths[route.path] ??= {}
    Object.assign(paths[route.path] as object, { [route.method.toLowerCase()]: describeRoute(route) })
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'yore',
      version: yoreVersion,
      description: 'A context engine for many corpora and tenants.',
    },
    servers: [{ url: '/' }],
    security: [{ key: [] }],
    paths,
    components: {
      schemas: { Problem: problem },
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
    },
  }
}
