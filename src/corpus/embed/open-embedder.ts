// Which embedder do the settings select? It is opened on demand, and nothing is ever downloaded.
import type { Surroundings } from '../../model/config/engine-options.ts'
import type { Settings } from '../../model/config/settings.ts'
import { YoreError } from '../../model/errors.ts'
import { product } from '../../model/version.ts'
import type { Embedder } from './embedder.ts'
import { shippedModelFolder } from './static-model.ts'

function builtinFolder(settings: Settings): string | null {
  return settings['embedding.model'] === '' ? shippedModelFolder() : settings['embedding.model']
}

/** Why there is no embedder: `null` means that the configured one is missing. */
type OpenedEmbedder = { readonly embedder: Embedder } | { readonly missing: string }

/** For a question: a user waits, and lexical search answers without it. */
const brief = { maxRetries: 0, timeoutMs: 2_000 } as const

/** Open built-in models by folder: 9.7 MB that all engines of a process share until the last one closes. */
const shared = new Map<string, { readonly embedder: Embedder; users: number }>()

async function shareModel(folder: string): Promise<Embedder> {
  const { openStaticModel } = await import('./static-embedder.ts')
  const held = shared.get(folder) ?? { embedder: openStaticModel(folder), users: 0 }
  shared.set(folder, held)
  held.users++
  let isOpen = true
  const close = (): void => {
    if (!isOpen) return
    isOpen = false
    if (--held.users > 0) return
    shared.delete(folder)
    held.embedder.close()
  }
  return { ...held.embedder, close }
}

const represent = 'Represent this sentence for searching relevant passages: '
const instruct =
  'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:'

/** What models were trained with before a text, by their model cards; other models get nothing. */
const prefixes: readonly (readonly [model: RegExp, query: string, passage: string])[] = [
  [/nomic-embed-text/i, 'search_query: ', 'search_document: '],
  [/\be5-/i, 'query: ', 'passage: '],
  [/arctic-embed(?:2|-[lm]-v2)/i, 'query: ', ''],
  [/arctic-embed|mxbai-embed|bge-(?:small|base|large)/i, represent, ''],
  [/qwen3-embedding/i, instruct, ''],
]

/** The prefixes of a model by the name that a server gives it. */
export function findPrefixes(model: string): {
  readonly queryPrefix: string
  readonly passagePrefix: string
} {
  const [, queryPrefix = '', passagePrefix = ''] = prefixes.find(([pattern]) => pattern.test(model)) ?? []
  return { queryPrefix, passagePrefix }
}

/** Opens the configured embedder. A `brief` one asks a server once with a short timeout, a `patient` one retries. */
export async function openEmbedder(
  settings: Settings,
  use: 'patient' | 'brief',
  { env, random, clock }: Surroundings,
): Promise<OpenedEmbedder> {
  switch (settings['embedding.provider']) {
    case 'none':
      return { missing: 'embedding is turned off' }
    case 'builtin': {
      const folder = builtinFolder(settings)
      if (folder === null) return { missing: 'no built-in model in this installation' }
      return { embedder: await shareModel(folder) }
    }
    case 'openai': {
      const { createOpenAiEmbedder } = await import('./openai-embedder.ts')
      const { 'embedding.url': baseUrl, 'embedding.model': model } = settings
      const dimensions = settings['embedding.dimensions']
      if (baseUrl === '' || dimensions === 0)
        throw new YoreError(
          'BAD_CONFIG',
          'the provider openai needs embedding.url, embedding.model and embedding.dimensions',
        )
      const apiKey = env[`${product.environment}EMBEDDING_KEY`]
      const wanted = { baseUrl, model, dimensions }
      return {
        embedder: createOpenAiEmbedder(apiKey === undefined ? wanted : { ...wanted, apiKey }, {
          random,
          now: clock,
          ...findPrefixes(model),
          ...(use === 'brief' ? brief : {}),
        }),
      }
    }
  }
}
