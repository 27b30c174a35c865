// How is a corpus asked over HTTP? Operations of yore's own table, and the graph as ADR-046 documents it.
import { corpusOfDocument, documentId, findCorpus, notFound } from '../control/corpora.ts'
import { asTenant } from '../control/open-database.ts'
import { ServiceError } from '../errors.ts'
import { readManifest } from '../versions/read-manifest.ts'
import {
  checkInput,
  completeInput,
  defaultSettings,
  type GraphReport,
  type Input,
  inputSchema,
  type OperationSpec,
  operations,
} from '../yore.ts'
import type { CorpusVersion, OpenCorpus } from './open-corpora.ts'
import {
  type Asked,
  cursorQuery,
  type JsonSchema,
  limitQuery,
  objectOf,
  type Route,
  readCursor,
  text,
  writeCursor,
} from './route.ts'

/** Files and freshness are the service's affair. */
const ownAffairs = new Set(['root', 'index', 'refresh', 'json', 'now'])

/** An operation as HTTP offers it: the same table, without what concerns the caller's machine. */
function offered(operation: OperationSpec): OperationSpec {
  const options = Object.entries(operation.options).filter(
    ([name, option]) => !ownAffairs.has(name) && option.cliOnly !== true,
  )
  return { ...operation, options: Object.fromEntries(options) }
}

/** The version to ask, by name or number. Throws NOT_FOUND. */
async function currentVersion(asked: Asked, named: string | number): Promise<CorpusVersion> {
  return await asTenant(asked.service.db, asked.caller.organisation, async (transaction) => {
    const { number, version } = await findCorpus(transaction, asked.caller, named)
    return { corpus: number, version, manifest: await readManifest(transaction, number, version) }
  })
}

async function askCorpus(
  asked: Asked,
  named: string | number,
  ask: (open: OpenCorpus, corpus: number) => Promise<unknown>,
): Promise<unknown> {
  const wanted = await currentVersion(asked, named)
  if (wanted.manifest.length === 0)
    throw new ServiceError('NOT_FOUND', 'the corpus holds no document that is published yet')
  return await asked.service.corpora.use(wanted, (open) => ask(open, wanted.corpus))
}

function readInput(operation: OperationSpec, body: Input): Input {
  const spec = offered(operation)
  const names = [...Object.keys(spec.arguments), ...Object.keys(spec.options)].join(', ')
  const checked = checkInput(spec, body, {
    nameOf: ({ key }) => key,
    hintFor: () => `the body takes ${names}`,
  })
  return { ...completeInput(operation, checked, defaultSettings), refresh: 'never' }
}

type QuestionName = 'search' | 'assemble' | 'expand' | 'read'

/** What each operation gives, as HTTP shows it. */
const shown: Readonly<
  Record<QuestionName, (input: never, open: OpenCorpus, corpus: number) => Promise<unknown>>
> = {
  search: async (input: Parameters<typeof operations.search.run>[1], open, corpus) => {
    const { hits, freshness: _, ...rest } = await operations.search.run(open.engine, input, {})
    return { ...rest, hits: hits.map((hit) => ({ document_id: documentId(corpus, hit.artifact), ...hit })) }
  },
  assemble: async (input: Parameters<typeof operations.assemble.run>[1], open) => {
    const { output, tokensUsed } = await operations.assemble.run(open.engine, input, {})
    return { output, tokensUsed }
  },
  expand: async (input: Parameters<typeof operations.expand.run>[1], open) => {
    const { freshness: _, ...rest } = await operations.expand.run(open.engine, input, {})
    return rest
  },
  read: async (input: Parameters<typeof operations.read.run>[1], open) => {
    const { freshness: _, ...rest } = await operations.read.run(open.engine, input, {})
    return rest
  },
}

function questionRoute(name: QuestionName): Route {
  const operation: OperationSpec = operations[name]
  return {
    method: 'POST',
    path: `/v1/corpora/{corpus}/${name}`,
    summary: operation.summary,
    access: 'read',
    body: inputSchema(offered(operation)) as unknown as JsonSchema,
    answer: { type: 'object', properties: { version: { type: 'integer' } }, required: ['version'] },
    isQuestion: true,
    handle: async (asked) => {
      const input = readInput(operation, asked.body)
      return await askCorpus(asked, asked.params['corpus'] ?? '', async (open, corpus) => ({
        version: open.version,
        ...((await shown[name](input as never, open, corpus)) as object),
      }))
    },
  }
}

const directions = { outgoing: 'out', incoming: 'in', both: 'both' } as const
type Direction = keyof typeof directions

interface Relationship {
  readonly target_document_id: string
  readonly relation_type: string
  readonly direction: 'outgoing' | 'incoming'
  readonly target_canonical_id: string
}

/** The edges of one artifact, the other end first. */
function relationshipsOf(report: GraphReport, corpus: number): readonly Relationship[] {
  return report.edges.map(({ kind, direction, from, to }) => {
    const other = direction === 'out' ? to : from
    return {
      target_document_id: documentId(corpus, other),
      relation_type: kind,
      direction: direction === 'out' ? 'outgoing' : 'incoming',
      target_canonical_id: other,
    }
  })
}

const node = objectOf({ document_id: text, canonical_id: text, kind: text, path: text, name: text })
const showNode = ({ subject }: GraphReport, corpus: number): Readonly<Record<string, unknown>> => ({
  document_id: documentId(corpus, subject.id),
  canonical_id: subject.id,
  kind: subject.kind,
  path: subject.path,
  name: subject.name,
  lines: subject.lines,
})

const relationship = objectOf({ target_document_id: text, relation_type: text, direction: text })
const directionQuery: JsonSchema = {
  type: 'string',
  enum: Object.keys(directions),
  default: 'outgoing',
}
const typeQuery: JsonSchema = { type: 'string', maxLength: 50 }

function corpusOf(id: string): number {
  const corpus = corpusOfDocument(id)
  if (corpus === null) throw notFound('document')
  return corpus
}

/** An unknown corpus and an unknown document are told in the same words. */
async function askDocument(
  asked: Asked,
  id: string,
  ask: (open: OpenCorpus, corpus: number, canonicalId: string) => Promise<unknown>,
): Promise<unknown> {
  try {
    return await askCorpus(asked, corpusOf(id), async (open, corpus) =>
      ask(open, corpus, await open.canonicalId(id)),
    )
  } catch (error) {
    throw error instanceof ServiceError && error.code === 'NOT_FOUND' ? notFound('document') : error
  }
}

async function listRelationships(
  open: OpenCorpus,
  corpus: number,
  named: { readonly id: string; readonly direction: Direction; readonly type: string | undefined },
): Promise<readonly Relationship[]> {
  const { graph } = await open.engine.graph(named.id, {
    direction: directions[named.direction],
    refresh: 'never',
  })
  const all = relationshipsOf(graph, corpus)
  return named.type === undefined ? all : all.filter(({ relation_type }) => relation_type === named.type)
}

const readDirection = (given: unknown): Direction => (given ?? 'outgoing') as Direction

const graphRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/graph/docs/{document_id}',
    summary: 'Show the node of a document or section.',
    access: 'read',
    answer: node,
    isQuestion: true,
    handle: (asked) =>
      askDocument(asked, asked.params['document_id'] ?? '', async (open, corpus, id) =>
        showNode((await open.engine.graph(id, { direction: 'out', refresh: 'never' })).graph, corpus),
      ),
  },
  {
    method: 'GET',
    path: '/v1/graph/docs/{document_id}/relationships',
    summary:
      'List the relationships of a document or section: the outgoing ones, unless direction says otherwise.',
    access: 'read',
    query: { direction: directionQuery, relation_type: typeQuery, limit: limitQuery, cursor: cursorQuery },
    answer: objectOf({
      relationships: { type: 'array', items: relationship },
      next_cursor: { type: ['string', 'null'] },
    }),
    isQuestion: true,
    handle: (asked) =>
      askDocument(asked, asked.params['document_id'] ?? '', async (open, corpus, id) => {
        const { query } = asked
        const direction = readDirection(query['direction'])
        const all = await listRelationships(open, corpus, {
          id,
          direction,
          type: query['relation_type'] as string,
        })
        const start = Number(readCursor(query['cursor']) || 0)
        if (!Number.isSafeInteger(start) || start < 0)
          throw new ServiceError('BAD_REQUEST', 'the cursor is none of ours')
        const end = start + Number(query['limit'])
        return {
          relationships: all.slice(start, end),
          next_cursor: end < all.length ? writeCursor(String(end)) : null,
        }
      }),
  },
  {
    method: 'POST',
    path: '/v1/corpora/{corpus}/graph/relationships',
    summary: 'List the relationships of many documents or sections of one corpus in one call.',
    access: 'read',
    body: {
      ...objectOf({
        document_ids: { type: 'array', items: text, minItems: 1, maxItems: 200 },
      }),
      properties: {
        document_ids: { type: 'array', items: text, minItems: 1, maxItems: 200 },
        direction: directionQuery,
        relation_type: typeQuery,
      },
      additionalProperties: false,
    },
    answer: objectOf({
      documents: {
        type: 'array',
        items: objectOf({ document_id: text, relationships: { type: 'array', items: relationship } }),
      },
    }),
    isQuestion: true,
    handle: (asked) =>
      askCorpus(asked, asked.params['corpus'] ?? '', async (open, corpus) => {
        const direction = readDirection(asked.body['direction'])
        const type = asked.body['relation_type'] as string | undefined
        const documents: unknown[] = []
        for (const document_id of new Set(asked.body['document_ids'] as readonly string[])) {
          const id = await open.canonicalId(document_id)
          const relationships = await listRelationships(open, corpus, { id, direction, type })
          documents.push({ document_id, relationships })
        }
        return { documents }
      }),
  },
  {
    method: 'GET',
    path: '/v1/corpora/{corpus}/graph/node',
    summary: 'Find a node by its canonical id, path, path#anchor, decision id or name in code.',
    access: 'read',
    query: { name: { type: 'string', minLength: 1, maxLength: 2000 } },
    answer: node,
    isQuestion: true,
    handle: (asked) =>
      askCorpus(asked, asked.params['corpus'] ?? '', async (open, corpus) => {
        const name = asked.query['name']
        if (name === undefined) throw new ServiceError('BAD_REQUEST', 'name is missing')
        const found = await open.engine.graph(String(name), { direction: 'out', refresh: 'never' })
        return showNode(found.graph, corpus)
      }),
  },
]

export const questionRoutes: readonly Route[] = [
  questionRoute('search'),
  questionRoute('assemble'),
  questionRoute('expand'),
  questionRoute('read'),
  ...graphRoutes,
]
