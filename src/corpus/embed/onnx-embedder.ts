// How do vectors come from a model on this machine? A folder with an ONNX file, run by onnxruntime-node if it is installed.
import { createHash } from 'node:crypto'
import path from 'node:path'
import type { Embedder } from './embedder.ts'
import type { Pooling } from './model-presets.ts'
import { type OnnxSettings, type Output, openOnnxModel, unusable } from './onnx-runtime.ts'
import { normalizeVector } from './vector-numbers.ts'

interface OnnxOptions {
  /** Prefix of each text; some models expect `query: ` and `passage: `. */
  readonly queryPrefix: string
  readonly passagePrefix: string
  readonly pooling: Pooling
}

/** Longer texts are cut, special tokens included; 256 is what all-MiniLM-L6-v2 was trained for. */
const maxTokens = 256
const onnxDefaults: OnnxOptions = { queryPrefix: '', passagePrefix: '', pooling: 'mean' }

/**
 * Opens a local model: BERT-like. Rejects with a hint when the runtime is not installed.
 *
 * @example
 * const embedder = await openOnnxEmbedder({ folder: '/models/all-MiniLM-L6-v2' })
 */
export async function openOnnxEmbedder(
  settings: OnnxSettings,
  options: Partial<OnnxOptions> = {},
): Promise<Embedder> {
  const chosen = { ...onnxDefaults, ...options }
  const model = await openOnnxModel(settings)
  const prefixes = { query: chosen.queryPrefix, passage: chosen.passagePrefix }

  const embedText = async (text: string): Promise<Float32Array> => {
    const output = await model.run(model.tokenize(text, maxTokens))
    return normalizeVector(poolTokens(output, chosen.pooling, model.file))
  }
  // One run shows the number of dimensions, and that the model accepts the input.
  const { length: dimensions } = await embedText('dimensions')
  return {
    id: nameModel(settings.folder, model.digest, chosen),
    dimensions,
    embed: async (texts, kind, signal) => {
      const vectors: Float32Array[] = []
      // One by one: int8 models scale activations over the whole batch, so that neighbours would change a vector.
      for (const text of texts) {
        signal?.throwIfAborted()
        const blank = text.trim() === ''
        vectors.push(blank ? new Float32Array(dimensions) : await embedText(prefixes[kind] + text))
      }
      signal?.throwIfAborted()
      return vectors
    },
    close: model.close,
  }
}

/** One vector from those of the tokens; there is no padding, because each text runs alone. */
export function poolTokens({ data, dims }: Output, pooling: Pooling, file: string): Float64Array {
  const [, tokens = 0, dimensions = 0] = dims
  if (dims.length !== 3 || tokens * dimensions === 0) throw unusable(file, 'it gives no vector per token')
  const pooled = new Float64Array(dimensions)
  const [first, last] = pooling === 'mean' ? [0, tokens] : pooling === 'cls' ? [0, 1] : [tokens - 1, tokens]
  for (let at = first * dimensions; at < last * dimensions; at++)
    pooled[at % dimensions]! += data[at]! / (last - first)
  return pooled
}

/** The folder's name, and a hash of the weights and of all options that affect the vectors. */
function nameModel(
  folder: string,
  digest: string,
  { queryPrefix, passagePrefix, pooling }: OnnxOptions,
): string {
  const pooled = pooling === 'mean' ? [] : [pooling]
  const facts = JSON.stringify([digest, maxTokens, queryPrefix, passagePrefix, ...pooled])
  return `${path.basename(path.resolve(folder))}-${createHash('sha256').update(facts).digest('hex').slice(0, 12)}`
}
