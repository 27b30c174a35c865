// How does a program learn the API? OpenAPI 3.1, made from the table of routes.
import { yoreVersion } from '../yore.ts'
import type { Route } from './route.ts'

const problem = {
  type: 'object',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: { type: 'string' },
    detail: { type: 'string' },
    hint: { type: 'string' },
  },
  required: ['type', 'title', 'status', 'code', 'detail'],
}

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

function describeRoute(route: Route): object {
  const { summary, body, status = 200, answer, access } = route
  const media =
    body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content:
              body === 'multipart'
                ? { 'multipart/form-data': { schema: upload } }
                : { 'application/json': { schema: body } },
          },
        }
  const type = route.media ?? (answer['type'] === 'string' ? 'text/event-stream' : 'application/json')
  const success =
    status === 204
      ? { description: 'Done.' }
      : { description: 'The answer.', content: { [type]: { schema: answer } } }
  return {
    summary,
    operationId: route.name,
    description: `Needs a key with ${access} access.`,
    parameters: parametersOf(route),
    ...media,
    responses: {
      [status]: success,
      default: {
        description: 'A problem.',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
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
