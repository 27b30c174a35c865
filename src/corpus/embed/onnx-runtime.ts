// How is an ONNX model of this machine run? By onnxruntime-node if it is installed, one text at a time.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { YoreError } from '../../model/errors.ts'
import { readTokenizer, type TokenizeText } from './read-tokenizer.ts'

export interface OnnxSettings {
  /** Contains tokenizer.json, and the model as `onnx/model_quantized.onnx` unless `modelFile` is set. */
  readonly folder: string
  readonly modelFile?: string
}

/** The used part of onnxruntime-node, which may not be installed. */
interface Runtime {
  readonly Tensor: new (type: 'int64', values: BigInt64Array, dims: readonly number[]) => object
  readonly InferenceSession: {
    create(file: string, options: Readonly<Record<string, unknown>>): Promise<OnnxSession>
  }
}

interface OnnxSession {
  readonly inputNames: readonly string[]
  readonly outputNames: readonly string[]
  run(feeds: Readonly<Record<string, object>>): Promise<Readonly<Record<string, Output>>>
  release(): Promise<void>
}

export interface Output {
  readonly data: ArrayLike<number>
  readonly dims: readonly number[]
}

const runtimeName = 'onnxruntime-node'

export interface OnnxModel {
  /** The file of its weights. */
  readonly file: string
  /** SHA-256 of the weights. */
  readonly digest: string
  readonly tokenize: TokenizeText
  readonly run: (ids: readonly number[]) => Promise<Output>
  readonly close: () => void
}

/** Opens a model. Rejects with a hint when the runtime is not installed. */
export async function openOnnxModel(settings: OnnxSettings): Promise<OnnxModel> {
  const runtime = loadRuntime()
  const file = path.resolve(settings.folder, settings.modelFile ?? path.join('onnx', 'model_quantized.onnx'))
  const tokenizerFile = path.join(settings.folder, 'tokenizer.json')
  const tokenize = readTokenizer(
    await orUnusable(tokenizerFile, readFile(tokenizerFile, 'utf8')),
    tokenizerFile,
  )
  const digest = await orUnusable(file, hashFile(file))
  // Spinning threads would slow each other on a busy machine.
  const extra = { session: { intra_op: { allow_spinning: '0' } } }
  const session = await orUnusable(
    file,
    runtime.InferenceSession.create(file, { logSeverityLevel: 3, extra }),
  )
  return {
    file,
    digest,
    tokenize,
    run: (ids) => orUnusable(file, runModel(runtime, session, ids)),
    close: () => void session.release(),
  }
}

/** From the folder of yore or from NODE_PATH, never from the indexed folder: that would run its code. */
function loadRuntime(): Runtime {
  try {
    return createRequire(import.meta.url)(runtimeName) as Runtime
  } catch (cause) {
    const missing = (cause as { code?: unknown }).code === 'MODULE_NOT_FOUND'
    const state = missing ? 'is not installed' : 'does not start'
    throw new YoreError('BAD_CONFIG', `a local model needs ${runtimeName}, which ${state}`, {
      hint: `ONNXRUNTIME_NODE_INSTALL=skip npm i ${runtimeName}, or use what is built in`,
      cause,
    })
  }
}

async function runModel(runtime: Runtime, session: OnnxSession, ids: readonly number[]): Promise<Output> {
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

export function unusable(file: string, reason: string, cause?: unknown): YoreError {
  return new YoreError('BAD_CONFIG', `the model ${file} cannot be used: ${reason}`, {
    hint: 'name a folder with tokenizer.json and an ONNX file',
    cause,
  })
}
