// How many texts go into one request? As many as fit both limits, in order; a text over the limit goes alone.

export interface BatchLimits {
  readonly maxTexts: number
  readonly maxChars: number
}

/** Cuts a list into consecutive batches. */
export function batchTexts(texts: readonly string[], limits: BatchLimits): string[][] {
  const batches: string[][] = []
  let batch: string[] = []
  let chars = 0
  for (const text of texts) {
    const full = batch.length >= limits.maxTexts || chars + text.length > limits.maxChars
    if (batch.length > 0 && full) {
      batches.push(batch)
      batch = []
      chars = 0
    }
    batch.push(text)
    chars += text.length
  }
  if (batch.length > 0) batches.push(batch)
  return batches
}
