// What turns text into vectors? The port, with adapters for a table and a server.

/** Questions and stored text may be embedded differently; some models ignore the kind. */
export type EmbedKind = 'query' | 'passage'

/**
 * Text to vectors. Every adapter passes the suite in test/support/embedder-contract.ts: vectors have unit length, come in the order
 * of the texts, and depend on the text and its kind only. A text without tokens gives the zero vector, which is similar
 * to nothing.
 */
export interface Embedder {
  /** The model and a hash of its weights or address: vectors with another id are not comparable. */
  readonly id: string
  readonly dimensions: number
  /** Rejects with the signal's reason when it is aborted. */
  embed(texts: readonly string[], kind: EmbedKind, signal?: AbortSignal): Promise<Float32Array[]>
  /** Releases files and memory; `embed` must not be called afterwards. */
  close(): void
}
