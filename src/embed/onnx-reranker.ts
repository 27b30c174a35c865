// How do scores come from a model on this machine? A cross-encoder reads each pair; an embedding model compares vectors.
import { hash } from 'node:crypto'
import path from 'node:path'
import { findPreset } from './model-presets.ts'
import { poolTokens } from './onnx-embedder.ts'
import { type OnnxModel, type OnnxSettings, openOnnxModel, unusable } from './onnx-runtime.ts'
import type { Reranker } from './reranker.ts'
import { normalizeVector } from './vector-numbers.ts'

interface OnnxRerankerOptions {
  /** Of a pair, or of a text where vectors are compared; special tokens included. */
  readonly maxTokens: number
  /** Tokens of the question in a pair. */
  readonly maxQuestion: number
  /** Threads of one run; 0 leaves it to the runtime. */
  readonly threads: number
  /** Vectors of texts that are kept for the next question. */
  readonly keptVectors: number
}

const onnxRerankerDefaults: OnnxRerankerOptions = {
  maxTokens: 256,
  maxQuestion: 64,
  threads: 0,
  keptVectors: 5_000,
}

/** Scores of one question's texts. */
type Scoring = (question: string) => Promise<(text: string) => Promise<number>>

/**
 * Opens a local model with BERT's uncased tokens. One whose output is a score or two per input is a cross-encoder, such
 * as ms-marco-MiniLM-L-6-v2; one that gives a vector per token is an embedding model, and scores by their cosine.
 *
 * @example
 * const reranker = await openOnnxReranker({ folder: '/models/ms-marco-MiniLM-L-6-v2' })
 */
export async function openOnnxReranker(
  settings: OnnxSettings,
  options: Partial<OnnxRerankerOptions> = {},
): Promise<Reranker> {
  const chosen = { ...onnxRerankerDefaults, ...options }
  const model = await openOnnxModel(settings, chosen.threads)
  const name = path.basename(path.resolve(settings.folder))
  const { dims } = await model.run(model.tokenize('scores', chosen.maxTokens))
  const isPairs = dims.length <= 2
  const scoring = isPairs ? scorePairs(model, chosen) : compareVectors(model, name, chosen)
  const facts = [model.digest, isPairs, chosen.maxTokens, chosen.maxQuestion]
  return {
    id: `${name}-${hash('sha256', JSON.stringify(facts)).slice(0, 12)}`,
    rerank: async (question, texts, signal) => {
      const score = await scoring(question)
      const scores: number[] = []
      // One by one, as vectors are made: neighbours would change a score.
      for (const text of texts) {
        signal?.throwIfAborted()
        scores.push(await score(text))
      }
      signal?.throwIfAborted()
      return scores
    },
    close: model.close,
  }
}

function scorePairs(model: OnnxModel, { maxTokens, maxQuestion }: OnnxRerankerOptions): Scoring {
  return async (question) => {
    const asked = model.tokenize(question, maxQuestion)
    return async (text) => {
      // The first special token opens the pair and no second text.
      const ids = [...asked, ...model.tokenize(text, maxTokens - asked.length + 1).slice(1)]
      const { data, dims } = await model.run(ids, asked.length)
      const classes = dims.at(-1) ?? 0
      const score = classes === 1 ? data[0] : classes === 2 ? data[1]! - data[0]! : undefined
      if (score === undefined || !Number.isFinite(score))
        throw unusable(model.file, `it gives no score but ${classes} classes`)
      return score
    }
  }
}

function compareVectors(model: OnnxModel, name: string, options: OnnxRerankerOptions): Scoring {
  const { queryPrefix, passagePrefix, pooling } = findPreset(name)
  const embed = async (text: string): Promise<Float32Array> =>
    normalizeVector(poolTokens(await model.run(model.tokenize(text, options.maxTokens)), pooling, model.file))
  const kept = new Map<string, Float32Array>()
  return async (question) => {
    const asked = await embed(queryPrefix + question)
    return async (text) => {
      const key = hash('sha256', text)
      const vector = kept.get(key) ?? (await embed(passagePrefix + text))
      // What was used last is dropped last.
      kept.delete(key)
      kept.set(key, vector)
      if (kept.size > options.keptVectors) kept.delete(kept.keys().next().value!)
      return vector.reduce((sum, value, at) => sum + value * asked[at]!, 0)
    }
  }
}
