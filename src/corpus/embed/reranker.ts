// How well does a text answer a question? The port: pairs of question and text in, one score for each text out.

/** A model that reads question and text together. Its scores are comparable within one question only. */
export interface Reranker {
  /** The model and a hash of its weights or address: scores with another id are not comparable. */
  readonly id: string
  /** One finite number per text, in their order; more is better. Rejects with the signal's reason when it is aborted. */
  rerank(question: string, texts: readonly string[], signal?: AbortSignal): Promise<number[]>
  /** Gives back files and memory; `rerank` must not be called afterwards. */
  close(): void
}
