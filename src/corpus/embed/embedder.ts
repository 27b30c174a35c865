// What turns text into vectors?

/** Questions and stored text may be embedded differently; some models ignore the kind. */
export type EmbedKind = 'query' | 'passage'

/**
 * Text to vectors. It passes the suite in test/support/embedder-contract.ts: vectors have unit length, come in the order
 * of the texts, and depend on the text and its kind only. A text without tokens gives the zero vector, which is similar
 * to nothing.
 */
export interface Embedder {
  /** The model and a hash of its weights: vectors with another id are not comparable. */
  readonly id: string
  readonly dimensions: number
  embed(texts: readonly string[], kind: EmbedKind): Promise<Float32Array[]>
  /** Releases files and memory; `embed` must not be called afterwards. */
  close(): void
}
