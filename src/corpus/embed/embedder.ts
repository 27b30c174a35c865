// What turns text into vectors? The port: one question, and adapters that answer it by table, by model or by network.

/** Questions and stored text may be embedded differently; models that make no difference ignore it. */
export type EmbedKind = 'query' | 'passage'

/**
 * Text to vectors. Every adapter passes the suite in embedder-contract.ts: vectors have unit length, come in the
 * order of the texts, and depend on the text and its kind alone, never on the other texts of the call. A text in
 * which the model sees nothing (an empty one, at least) gives the zero vector, which is similar to nothing.
 */
export interface Embedder {
  /** Names the model with a hash of its weights or of its address: vectors with another id are of no use. */
  readonly id: string
  readonly dimensions: number
  /**
   * Rejects with the signal's reason when it is aborted. `into` is room for the vectors of one call that the caller uses
   * again for the next: an adapter may write them there.
   */
  embed(
    texts: readonly string[],
    kind: EmbedKind,
    signal?: AbortSignal,
    into?: Float32Array,
  ): Promise<Float32Array[]>
  /** Gives back files and memory; `embed` must not be called afterwards. */
  close(): void
}
