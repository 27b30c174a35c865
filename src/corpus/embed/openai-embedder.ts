// How do vectors come from a server? From any endpoint with OpenAI's /v1/embeddings, in batches, with retries.
import { hash } from 'node:crypto'
import { YoreError } from '../../model/errors.ts'
import { cutText } from '../../read/parse/slug.ts'
import type { Embedder } from './embedder.ts'
import { readEmbeddings } from './embedding-response.ts'
import { createPost, type PostOptions } from './post-patiently.ts'
import { type BatchLimits, batchTexts, readEndpoint } from './read-endpoint.ts'
import { normalizeVector } from './vector-numbers.ts'

/** What the user configures. Nothing is sent to another address, or before `embed` is called. */
export interface OpenAiSettings {
  /** With the version, such as `https://api.openai.com/v1`; `/v1` is added when there is no path. */
  readonly baseUrl: string
  readonly model: string
  readonly dimensions: number
  readonly apiKey?: string
}

export interface OpenAiOptions extends BatchLimits, PostOptions {
  /** Longer texts are cut: servers refuse what is longer than their model accepts. */
  readonly maxTextChars: number
  /** Prefix of each text; some models expect `query: ` and `passage: `. */
  readonly queryPrefix: string
  readonly passagePrefix: string
}

const openAiDefaults: Omit<OpenAiOptions, 'random' | 'now'> = {
  maxTexts: 64,
  maxChars: 200_000,
  maxRetries: 6,
  timeoutMs: 60_000,
  // About 8,000 tokens, the limit of OpenAI's models, at 3 characters each.
  maxTextChars: 24_000,
  queryPrefix: '',
  passagePrefix: '',
}

/** Bytes of a response besides its vectors. */
const answerBytes = 256 * 1024
/** The longest number of a vector in JSON, with blanks around it. */
const numberBytes = 48

/**
 * An embedder over a server. `random` spreads retries, so that many clients do not come back at once.
 *
 * @example
 * const embedder = createOpenAiEmbedder(
 *   { baseUrl: 'http://localhost:11434/v1', model: 'nomic-embed-text', dimensions: 768 },
 *   { random: Math.random, now: Date.now },
 * )
 */
export function createOpenAiEmbedder(
  settings: OpenAiSettings,
  options: Partial<OpenAiOptions> & Pick<OpenAiOptions, 'random' | 'now'>,
): Embedder {
  const url = readEndpoint(settings.baseUrl, {
    what: 'the embedding endpoint',
    name: '/embeddings',
    version: '/v1',
  })
  const { model, dimensions, apiKey } = settings
  if (model === '') throw new YoreError('BAD_CONFIG', 'the embedding endpoint needs the name of a model')
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > 65_536) {
    throw new YoreError('BAD_CONFIG', `vectors cannot have ${dimensions} dimensions`)
  }
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
  const chosen: OpenAiOptions = { ...openAiDefaults, random: options.random, now: options.now, ...given }
  const post = createPost(url, apiKey ?? null, chosen)
  const prefixes = { query: chosen.queryPrefix, passage: chosen.passagePrefix }

  const embedBatch = async (input: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> => {
    const vectors = await post(
      {
        body: JSON.stringify({ model, input, encoding_format: 'float' }),
        maxBytes: answerBytes + input.length * dimensions * numberBytes,
        read: (answer) => readEmbeddings(answer, input.length, dimensions),
      },
      signal,
    )
    return vectors.map((vector) => normalizeVector(vector))
  }

  return {
    id: nameModel(url, settings, chosen),
    dimensions,
    embed: async (texts, kind, signal) => {
      signal?.throwIfAborted()
      const filled = texts.filter((text) => text.trim() !== '')
      const wanted = filled.map((text) => prefixes[kind] + cutText(text, chosen.maxTextChars))
      const vectors: Float32Array[] = []
      for (const batch of batchTexts(wanted, chosen)) vectors.push(...(await embedBatch(batch, signal)))
      let next = 0
      // Servers refuse empty texts.
      return texts.map((text) => (text.trim() === '' ? new Float32Array(dimensions) : vectors[next++]!))
    },
    close: () => {},
  }
}

/** The model's name, and a hash of all options that affect its vectors. */
function nameModel(url: URL, { model, dimensions }: OpenAiSettings, options: OpenAiOptions): string {
  const { queryPrefix, passagePrefix, maxTextChars } = options
  const facts = [`${url.origin}${url.pathname}`, model, dimensions, queryPrefix, passagePrefix, maxTextChars]
  return `${model}-${hash('sha256', JSON.stringify(facts)).slice(0, 12)}`
}
