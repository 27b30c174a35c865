// What says how well a text answers a question? The port: pairs of question and text in, one score for each text out.

/** A model that reads question and text together. Its scores are comparable within one question only. */
export interface Reranker {
  /** Names the model with a hash of its weights or of its address: scores with another id are of no use. */
  readonly id: string
  /** One finite number per text, in their order; more is better. Rejects with the signal's reason when it is aborted. */
  rerank(question: string, texts: readonly string[], signal?: AbortSignal): Promise<number[]>
  /** Gives back files and memory; `rerank` must not be called afterwards. */
  close(): void
}
