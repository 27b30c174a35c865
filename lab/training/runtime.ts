// How is the ONNX runtime reached? It is installed beside the training scripts only; its types are the few that we use.
import { createRequire } from 'node:module'

export interface Tensor {
  readonly data: ArrayLike<number>
  readonly dims: readonly number[]
}

export interface Session {
  run(feeds: Readonly<Record<string, object>>): Promise<Readonly<Record<string, Tensor>>>
  release(): Promise<void>
}

export interface Runtime {
  readonly Tensor: new (
    type: 'int64' | 'float32',
    values: BigInt64Array | Float32Array,
    dims: readonly number[],
  ) => object
  readonly InferenceSession: {
    create(model: string | Uint8Array, options: Readonly<Record<string, unknown>>): Promise<Session>
  }
}

/** Null when the packages of lab/training/package.json are not installed. */
export function loadRuntime(): Runtime | null {
  try {
    return createRequire(import.meta.url)('onnxruntime-node') as Runtime
  } catch {
    return null
  }
}

/** A fixed number of threads, so that sums are cut in the same places on every run. */
export const sessionOptions: Readonly<Record<string, unknown>> = {
  intraOpNumThreads: 2,
  interOpNumThreads: 1,
  logSeverityLevel: 3,
  // Threads that spin while they wait take the processor from each other on a busy machine.
  extra: { session: { intra_op: { allow_spinning: '0' } } },
}
