// What does a known embedding model need? Prefixes and dimensions from its model card, found by its name.

/** Settings that a model was trained with. */
export interface ModelPreset {
  readonly queryPrefix: string
  readonly passagePrefix: string
  /** 0 when models of this name differ. */
  readonly dimensions: number
  /** Fields of its server beyond OpenAI's. */
  readonly dialect: 'openai' | 'voyage'
}

const plain: ModelPreset = {
  queryPrefix: '',
  passagePrefix: '',
  dimensions: 0,
  dialect: 'openai',
}

const represent = 'Represent this sentence for searching relevant passages: '
const instruct =
  'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:'

/** The first match applies; names match any spelling, such as `nomic-embed-text:v1.5`. */
const presets: readonly (readonly [name: string, preset: Partial<ModelPreset>])[] = [
  [
    'nomic-embed-text',
    { queryPrefix: 'search_query: ', passagePrefix: 'search_document: ', dimensions: 768 },
  ],
  ['bge-m3', { dimensions: 1024 }],
  ['bge-small-en', { queryPrefix: represent, dimensions: 384 }],
  ['bge-base-en', { queryPrefix: represent, dimensions: 768 }],
  ['bge-large', { queryPrefix: represent, dimensions: 1024 }],
  ['mxbai-embed-large', { queryPrefix: represent, dimensions: 1024 }],
  ['e5-small', { queryPrefix: 'query: ', passagePrefix: 'passage: ', dimensions: 384 }],
  ['e5-base', { queryPrefix: 'query: ', passagePrefix: 'passage: ', dimensions: 768 }],
  ['e5-large', { queryPrefix: 'query: ', passagePrefix: 'passage: ', dimensions: 1024 }],
  ['gte-modernbert-base', { dimensions: 768 }],
  ['gte-small', { dimensions: 384 }],
  ['gte-base', { dimensions: 768 }],
  ['gte-large', { dimensions: 1024 }],
  ['arctic-embed-m-v2', { queryPrefix: 'query: ', dimensions: 768 }],
  ['arctic-embed-l-v2', { queryPrefix: 'query: ', dimensions: 1024 }],
  ['arctic-embed2', { queryPrefix: 'query: ', dimensions: 1024 }],
  ['arctic-embed-xs', { queryPrefix: represent, dimensions: 384 }],
  ['arctic-embed-s', { queryPrefix: represent, dimensions: 384 }],
  ['arctic-embed-m', { queryPrefix: represent, dimensions: 768 }],
  ['arctic-embed', { queryPrefix: represent, dimensions: 1024 }],
  ['qwen3-embedding-0.6b', { queryPrefix: instruct, dimensions: 1024 }],
  ['qwen3-embedding-4b', { queryPrefix: instruct, dimensions: 2560 }],
  ['qwen3-embedding-8b', { queryPrefix: instruct, dimensions: 4096 }],
  ['qwen3-embedding', { queryPrefix: instruct }],
  ['text-embedding-3-small', { dimensions: 1536 }],
  ['text-embedding-3-large', { dimensions: 3072 }],
  ['text-embedding-ada-002', { dimensions: 1536 }],
  ['voyage-', { dimensions: 1024, dialect: 'voyage' }],
  ['all-minilm', { dimensions: 384 }],
]

/** The preset of a model by the name that a server gives it; an unknown model gets no prefix. */
export function findPreset(model: string): ModelPreset {
  const name = model.toLowerCase().replaceAll(':', '-').replaceAll('_', '-')
  const found = presets.find(([part]) => name.includes(part))
  return { ...plain, ...found?.[1] }
}
