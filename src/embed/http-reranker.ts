// How do scores come from a server? One /rerank endpoint; what servers do differently is a table of dialects.
import { hash } from 'node:crypto'
import { YoreError } from '../errors.ts'
import { ResponseFault } from './embedding-response.ts'
import { createPost, type PostOptions } from './post-patiently.ts'
import { batchTexts, cutText, readEndpoint } from './read-endpoint.ts'
import type { Reranker } from './reranker.ts'

export type RerankDialect = 'cohere' | 'jina' | 'voyage' | 'tei' | 'llamacpp'

/** What one kind of server wants and answers. */
interface Dialect {
  /** Where its API is when the address has no path. */
  readonly path: string
  /** Texts of one request. */
  readonly maxTexts: number
  readonly request: (model: string, query: string, texts: readonly string[]) => object
  /** The key of the list in its answer; null when the answer is the list. */
  readonly list: 'results' | 'data' | null
  readonly score: 'relevance_score' | 'score'
}

/** Each as the reference of its server documents it. */
const dialects: Readonly<Record<RerankDialect, Dialect>> = {
  cohere: {
    path: '/v2',
    maxTexts: 1000,
    request: (model, query, documents) => ({ model, query, documents, top_n: documents.length }),
    list: 'results',
    score: 'relevance_score',
  },
  jina: {
    path: '/v1',
    maxTexts: 1000,
    request: (model, query, documents) => ({
      model,
      query,
      documents,
      top_n: documents.length,
      return_documents: false,
    }),
    list: 'results',
    score: 'relevance_score',
  },
  voyage: {
    path: '/v1',
    maxTexts: 1000,
    request: (model, query, documents) => ({ model, query, documents, top_k: documents.length }),
    list: 'data',
    score: 'relevance_score',
  },
  tei: {
    path: '',
    // Its --max-client-batch-size unless somebody raised it.
    maxTexts: 32,
    // It serves one model, and raw scores do not depend on the batch.
    request: (_model, query, texts) => ({ query, texts, raw_scores: true, truncate: true }),
    list: null,
    score: 'score',
  },
  llamacpp: {
    path: '/v1',
    maxTexts: 1000,
    request: (model, query, documents) => ({ model, query, documents, top_n: documents.length }),
    list: 'results',
    score: 'relevance_score',
  },
}

/** What the user configures. Nothing is ever sent anywhere else, and nothing at all before `rerank` is called. */
export interface HttpRerankerSettings {
  readonly baseUrl: string
  readonly dialect: RerankDialect
  readonly model: string
  readonly apiKey?: string
}

export interface HttpRerankerOptions extends PostOptions {
  /** Longer texts are cut: servers refuse or cut what is longer than their model takes. */
  readonly maxTextChars: number
  /** Of all texts of one request. */
  readonly maxChars: number
}

const httpRerankerDefaults: Omit<HttpRerankerOptions, 'random' | 'now'> = {
  maxRetries: 0,
  timeoutMs: 3_000,
  // About 1,000 tokens: rerankers are trained on passages.
  maxTextChars: 4_000,
  maxChars: 400_000,
}

/** What an answer may have beside its scores, and for each score, even when a server sends the text back. */
const answerBytes = 64 * 1024
const scoreBytes = 256

/**
 * A reranker over a server.
 *
 * @example
 * const reranker = createHttpReranker(
 *   { baseUrl: 'http://localhost:8080', dialect: 'tei', model: '' },
 *   { random: Math.random, now: Date.now },
 * )
 */
export function createHttpReranker(
  settings: HttpRerankerSettings,
  options: Partial<HttpRerankerOptions> & Pick<HttpRerankerOptions, 'random' | 'now'>,
): Reranker {
  const dialect = dialects[settings.dialect]
  const url = readEndpoint(settings.baseUrl, {
    what: 'the rerank endpoint',
    name: '/rerank',
    version: dialect.path,
  })
  const { model, apiKey } = settings
  if (model === '' && settings.dialect !== 'tei' && settings.dialect !== 'llamacpp')
    throw new YoreError('BAD_CONFIG', 'the rerank endpoint needs rerankModel, the name of a model')
  const chosen: HttpRerankerOptions = { ...httpRerankerDefaults, ...options }
  const post = createPost(url, apiKey ?? null, {
    ...chosen,
    what: 'the rerank endpoint',
    hint: 'check its address, dialect, model and key, or set reranker to builtin',
  })
  const facts = [`${url.origin}${url.pathname}`, settings.dialect, model, chosen.maxTextChars]
  return {
    id: `${model || settings.dialect}-${hash('sha256', JSON.stringify(facts)).slice(0, 12)}`,
    rerank: async (question, texts, signal) => {
      signal?.throwIfAborted()
      const cut = texts.map((text) => cutText(text, chosen.maxTextChars))
      const query = cutText(question, chosen.maxTextChars)
      const limits = { maxTexts: dialect.maxTexts, maxChars: chosen.maxChars }
      const scores: number[] = []
      for (const batch of batchTexts(cut, limits)) {
        const body = JSON.stringify(dialect.request(model, query, batch))
        const own = batch.reduce((sum, text) => sum + text.length, 0)
        const maxBytes = answerBytes + batch.length * scoreBytes + 6 * own
        const read = (answer: string): number[] => readScores(answer, batch.length, dialect)
        scores.push(...(await post({ body, maxBytes, read }, signal)))
      }
      return scores
    },
    close: () => {},
  }
}

/** The scores of an answer in the order of the texts: servers answer best first. */
function readScores(answer: string, count: number, { list, score }: Dialect): number[] {
  let parsed: unknown
  try {
    parsed = JSON.parse(answer)
  } catch {
    throw new ResponseFault('its answer is not JSON')
  }
  const rows = list === null ? parsed : (parsed as Record<string, unknown> | null)?.[list]
  if (!Array.isArray(rows))
    throw new ResponseFault(
      list === null ? 'its answer is not a list' : `its answer has no list named ${list}`,
    )
  if (rows.length !== count) throw new ResponseFault(`it gave ${rows.length} scores for ${count} texts`)
  const scores = new Array<number | undefined>(count).fill(undefined)
  for (const row of rows as readonly (Record<string, unknown> | null)[]) {
    const [index, value] = [row?.['index'], row?.[score]]
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= count)
      throw new ResponseFault(`it numbered a score ${JSON.stringify(index)}`)
    if (scores[index] !== undefined) throw new ResponseFault(`it gave score ${index} twice`)
    if (typeof value !== 'number' || !Number.isFinite(value))
      throw new ResponseFault(`a score is ${JSON.stringify(value)}`)
    scores[index] = value
  }
  // All indexes are in range and none came twice, so every place is taken.
  return scores as number[]
}
