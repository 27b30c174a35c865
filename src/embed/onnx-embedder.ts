// How do vectors come from a model on this machine? A folder with an ONNX file, run by onnxruntime-node if it is installed.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { YoreError } from '../errors.ts'
import type { Embedder } from './embedder.ts'
import { normalizeVector } from './normalize-vector.ts'
import { readTokenizer } from './read-tokenizer.ts'

export interface OnnxSettings {
  /** Holds tokenizer.json, and the model as `onnx/model_quantized.onnx` unless `modelFile` says otherwise. */
  readonly folder: string
  readonly modelFile?: string
}

export interface OnnxOptions {
  /** Longer texts are cut, special tokens included; 256 is what all-MiniLM-L6-v2 was trained for. */
  readonly maxTokens: number
  /** Put before each text; some models want `query: ` and `passage: `. */
  readonly queryPrefix: string
  readonly passagePrefix: string
  /** Threads of one run; 0 leaves it to the runtime. */
  readonly threads: number
}

export const onnxDefaults: OnnxOptions = { maxTokens: 256, queryPrefix: '', passagePrefix: '', threads: 0 }

/** The part of onnxruntime-node that we use; the package itself may be absent. */
interface Runtime {
  readonly Tensor: new (type: 'int64', values: BigInt64Array, dims: readonly number[]) => object
  readonly InferenceSession: {
    create(file: string, options: Readonly<Record<string, unknown>>): Promise<Session>
  }
}

interface Session {
  readonly inputNames: readonly string[]
  readonly outputNames: readonly string[]
  run(feeds: Readonly<Record<string, object>>): Promise<Readonly<Record<string, Output>>>
  release(): Promise<void>
}

interface Output {
  readonly data: ArrayLike<number>
  readonly dims: readonly number[]
}

const runtimeName = 'onnxruntime-node'

/**
 * Opens a local model: BERT-like, mean pooling. Rejects with a hint when the runtime is not installed.
 *
 * @example
 * const embedder = await openOnnxEmbedder({ folder: '/models/all-MiniLM-L6-v2' })
 */
export async function openOnnxEmbedder(
  settings: OnnxSettings,
  options: Partial<OnnxOptions> = {},
): Promise<Embedder> {
  const chosen = { ...onnxDefaults, ...options }
  const runtime = loadRuntime()
  const file = path.resolve(settings.folder, settings.modelFile ?? path.join('onnx', 'model_quantized.onnx'))
  const tokenizerFile = path.join(settings.folder, 'tokenizer.json')
  const tokenize = readTokenizer(
    await orUnusable(tokenizerFile, readFile(tokenizerFile, 'utf8')),
    tokenizerFile,
  )
  const digest = await orUnusable(file, hashFile(file))
  // Threads that spin while they wait take the processor from each other on a busy machine.
  const extra = { session: { intra_op: { allow_spinning: '0' } } }
  const session = await orUnusable(
    file,
    runtime.InferenceSession.create(file, { intraOpNumThreads: chosen.threads, logSeverityLevel: 3, extra }),
  )
  const prefixes = { query: chosen.queryPrefix, passage: chosen.passagePrefix }

  const embedText = async (text: string): Promise<Float32Array> => {
    const ids = tokenize(text, chosen.maxTokens)
    return normalizeVector(meanOfTokens(await runModel(runtime, session, ids), file))
  }
  // One run shows how many dimensions there are, and that the model takes what we give it.
  const { length: dimensions } = await orUnusable(file, embedText('dimensions'))
  return {
    id: nameModel(settings.folder, digest, chosen),
    dimensions,
    embed: async (texts, kind, signal) => {
      const vectors: Float32Array[] = []
      // One by one: int8 models scale activations over the whole batch, so neighbours would change a text's vector.
      for (const text of texts) {
        signal?.throwIfAborted()
        const blank = text.trim() === ''
        vectors.push(blank ? new Float32Array(dimensions) : await embedText(prefixes[kind] + text))
      }
      signal?.throwIfAborted()
      return vectors
    },
    close: () => void session.release(),
  }
}

/** From beside yore or from NODE_PATH, never from the folder that is indexed: that would run its code. */
function loadRuntime(): Runtime {
  try {
    return createRequire(import.meta.url)(runtimeName) as Runtime
  } catch (cause) {
    const missing = (cause as { code?: unknown }).code === 'MODULE_NOT_FOUND'
    const state = missing ? 'is not installed' : 'does not start'
    throw new YoreError('BAD_CONFIG', `a local embedding model needs ${runtimeName}, which ${state}`, {
      hint: `ONNXRUNTIME_NODE_INSTALL=skip npm i ${runtimeName}, or use the built-in model`,
      cause,
    })
  }
}

async function runModel(runtime: Runtime, session: Session, ids: readonly number[]): Promise<Output> {
  const dims = [1, ids.length]
  const tensor = (values: BigInt64Array): object => new runtime.Tensor('int64', values, dims)
  const known: Readonly<Record<string, () => object>> = {
    input_ids: () => tensor(BigInt64Array.from(ids, BigInt)),
    attention_mask: () => tensor(new BigInt64Array(ids.length).fill(1n)),
    token_type_ids: () => tensor(new BigInt64Array(ids.length)),
  }
  const feeds: Record<string, object> = {}
  for (const name of session.inputNames) {
    const make = known[name]
    if (make === undefined) throw new Error(`it wants an input named ${name}`)
    feeds[name] = make()
  }
  const outputs = await session.run(feeds)
  const output = outputs['last_hidden_state'] ?? outputs[session.outputNames[0] ?? '']
  if (output === undefined) throw new Error('it gives no output')
  return output
}

/** The mean over the tokens; there is no padding, since each text runs alone. */
function meanOfTokens({ data, dims }: Output, file: string): Float64Array {
  const [, tokens = 0, dimensions = 0] = dims
  if (dims.length !== 3 || tokens * dimensions === 0) throw unusable(file, 'it gives no vector per token')
  const mean = new Float64Array(dimensions)
  for (let at = 0; at < tokens * dimensions; at++) mean[at % dimensions]! += data[at]! / tokens
  return mean
}

/** The folder's name, and a hash of the weights and of all else that decides about the vectors. */
function nameModel(
  folder: string,
  digest: string,
  { maxTokens, queryPrefix, passagePrefix }: OnnxOptions,
): string {
  const facts = JSON.stringify([digest, maxTokens, queryPrefix, passagePrefix])
  return `${path.basename(path.resolve(folder))}-${createHash('sha256').update(facts).digest('hex').slice(0, 12)}`
}

async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file, { highWaterMark: 2 ** 20 }))
    hash.update(chunk as Uint8Array)
  return hash.digest('hex')
}

async function orUnusable<T>(file: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    if (cause instanceof YoreError) throw cause
    throw unusable(file, cause instanceof Error ? cause.message : String(cause), cause)
  }
}

function unusable(file: string, reason: string, cause?: unknown): YoreError {
  return new YoreError('BAD_CONFIG', `the embedding model ${file} cannot be used: ${reason}`, {
    hint: 'name a folder with tokenizer.json and an ONNX file',
    cause,
  })
}
