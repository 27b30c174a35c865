// How do scores come from a server? From one /rerank endpoint, as Cohere, Jina, vLLM and llama.cpp have it.
import { hash } from 'node:crypto'
import { ResponseFault } from './embedding-response.ts'
import { createPost, type PostOptions } from './post-patiently.ts'
import { type BatchLimits, batchTexts, cutText, readEndpoint } from './read-endpoint.ts'
import type { Reranker } from './reranker.ts'

/** What the user configures. Nothing is sent to another address, or before `rerank` is called. */
export interface HttpRerankerSettings {
  readonly baseUrl: string
  /** Empty for a server with one model. */
  readonly model: string
  readonly apiKey?: string
}

export interface HttpRerankerOptions extends BatchLimits, PostOptions {
  /** Longer texts are cut: servers refuse or cut what is longer than their model accepts. */
  readonly maxTextChars: number
}

const httpRerankerDefaults: Omit<HttpRerankerOptions, 'random' | 'now'> = {
  maxRetries: 0,
  timeoutMs: 3_000,
  // About 1,000 tokens: rerankers are trained on passages.
  maxTextChars: 4_000,
  maxTexts: 1000,
  maxChars: 400_000,
}

/** Bytes of a response besides its scores, and for each score, even when a server returns the text. */
const answerBytes = 64 * 1024
const scoreBytes = 256

/**
 * A reranker over a server.
 *
 * @example
 * const reranker = createHttpReranker(
 *   { baseUrl: 'http://localhost:8080', model: '' },
 *   { random: Math.random, now: Date.now },
 * )
 */
export function createHttpReranker(
  settings: HttpRerankerSettings,
  options: Partial<HttpRerankerOptions> & Pick<HttpRerankerOptions, 'random' | 'now'>,
): Reranker {
  const url = readEndpoint(settings.baseUrl, {
    what: 'the rerank endpoint',
    name: '/rerank',
    version: '/v1',
  })
  const { model, apiKey } = settings
  const chosen: HttpRerankerOptions = { ...httpRerankerDefaults, ...options }
  const post = createPost(url, apiKey ?? null, {
    ...chosen,
    what: 'the rerank endpoint',
    hint: 'check its address, model and key, or unset rerank.url',
  })
  const facts = [`${url.origin}${url.pathname}`, model, chosen.maxTextChars]
  return {
    id: `${model || 'rerank'}-${hash('sha256', JSON.stringify(facts)).slice(0, 12)}`,
    rerank: async (question, texts, signal) => {
      signal?.throwIfAborted()
      const cut = texts.map((text) => cutText(text, chosen.maxTextChars))
      const query = cutText(question, chosen.maxTextChars)
      const scores: number[] = []
      for (const batch of batchTexts(cut, chosen)) {
        const named = model === '' ? {} : { model }
        const body = JSON.stringify({ ...named, query, documents: batch, top_n: batch.length })
        const own = batch.reduce((sum, text) => sum + text.length, 0)
        const maxBytes = answerBytes + batch.length * scoreBytes + 6 * own
        const read = (answer: string): number[] => readScores(answer, batch.length)
        scores.push(...(await post({ body, maxBytes, read }, signal)))
      }
      return scores
    },
    close: () => {},
  }
}

/** The scores of a response in the order of the texts: servers return the best first. */
function readScores(answer: string, count: number): number[] {
  let parsed: unknown
  try {
    parsed = JSON.parse(answer)
  } catch {
    throw new ResponseFault('its answer is not JSON')
  }
  const rows = (parsed as Record<string, unknown> | null)?.['results']
  if (!Array.isArray(rows)) throw new ResponseFault('its answer has no list named results')
  if (rows.length !== count) throw new ResponseFault(`it gave ${rows.length} scores for ${count} texts`)
  const scores = new Array<number | undefined>(count).fill(undefined)
  for (const row of rows as readonly (Record<string, unknown> | null)[]) {
    const [index, value] = [row?.['index'], row?.['relevance_score']]
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= count)
      throw new ResponseFault(`it numbered a score ${JSON.stringify(index)}`)
    if (scores[index] !== undefined) throw new ResponseFault(`it gave score ${index} twice`)
    if (typeof value !== 'number' || !Number.isFinite(value))
      throw new ResponseFault(`a score is ${JSON.stringify(value)}`)
    scores[index] = value
  }
  // All indexes are in range and unique, so that every position is filled.
  return scores as number[]
}
