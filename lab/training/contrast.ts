// How wrong is a batch of pairs, and which way is better? Symmetric InfoNCE: each question must find its own passage.
import { encodeContrastModel } from './contrast-model.ts'
import { loadRuntime, sessionOptions, type Tensor } from './runtime.ts'

/** Rows of unit length; question i belongs to passage i. */
export interface PairBatch {
  readonly size: number
  readonly dimensions: number
  readonly questions: Float32Array
  readonly passages: Float32Array
  /** size × size, added to the scores: large and negative where a pair may not count as wrong. */
  readonly mask: Float32Array
}

export interface Slopes {
  readonly loss: number
  readonly questions: Float32Array
  readonly passages: Float32Array
}

export type Contrast = (batch: PairBatch) => Promise<Slopes>

/** In plain TypeScript, for tests and as the definition of what the runtime must give. */
export function contrastPlainly(temperature: number): Contrast {
  return async ({ size, dimensions, questions, passages, mask }) => {
    const scores = new Float64Array(size * size)
    for (let q = 0; q < size; q++)
      for (let p = 0; p < size; p++) {
        let sum = 0
        for (let d = 0; d < dimensions; d++)
          sum += questions[q * dimensions + d]! * passages[p * dimensions + d]!
        scores[q * size + p] = sum / temperature + mask[q * size + p]!
      }
    const slope = new Float64Array(size * size)
    let loss = 0
    for (let one = 0; one < size; one++) {
      loss += addSoftmax(scores, slope, { start: one * size, step: 1, size, own: one })
      loss += addSoftmax(scores, slope, { start: one, step: size, size, own: one })
      slope[one * size + one]! -= 1
    }
    const [ofQuestions, ofPassages] = [new Float32Array(questions.length), new Float32Array(passages.length)]
    const factor = 1 / (temperature * size)
    for (let q = 0; q < size; q++)
      for (let p = 0; p < size; p++) {
        const weight = slope[q * size + p]! * factor
        for (let d = 0; d < dimensions; d++) {
          ofQuestions[q * dimensions + d]! += weight * passages[p * dimensions + d]!
          ofPassages[p * dimensions + d]! += weight * questions[q * dimensions + d]!
        }
      }
    return { loss: loss / (2 * size), questions: ofQuestions, passages: ofPassages }
  }
}

interface Line {
  readonly start: number
  readonly step: number
  readonly size: number
  readonly own: number
}

/** Adds half of a line's softmax to the slope; gives minus the logarithm of its own share. */
function addSoftmax(scores: Float64Array, slope: Float64Array, { start, step, size, own }: Line): number {
  let most = Number.NEGATIVE_INFINITY
  for (let at = 0; at < size; at++) most = Math.max(most, scores[start + at * step]!)
  let total = 0
  for (let at = 0; at < size; at++) total += Math.exp(scores[start + at * step]! - most)
  for (let at = 0; at < size; at++)
    slope[start + at * step]! += (0.5 * Math.exp(scores[start + at * step]! - most)) / total
  return Math.log(total) + most - scores[start + own * step]!
}

/** The same by the ONNX runtime, some fifty times as fast; null when it is not installed. */
export async function contrastByRuntime(temperature: number): Promise<Contrast | null> {
  const runtime = loadRuntime()
  if (runtime === null) return null
  const session = await runtime.InferenceSession.create(encodeContrastModel(1 / temperature), sessionOptions)
  return async ({ size, dimensions, questions, passages, mask }) => {
    const tensor = (values: Float32Array, columns: number): object =>
      new runtime.Tensor('float32', values, [size, columns])
    const identity = new Float32Array(size * size)
    for (let one = 0; one < size; one++) identity[one * size + one] = 1
    const outputs = await session.run({
      questions: tensor(questions, dimensions),
      passages: tensor(passages, dimensions),
      mask: tensor(mask, size),
      own: tensor(identity, size),
    })
    const factor = 1 / (temperature * size)
    return {
      loss: -meanLog(outputs['shares'] as Tensor, size),
      questions: scale(outputs['questionSlope'] as Tensor, factor),
      passages: scale(outputs['passageSlope'] as Tensor, factor),
    }
  }
}

/** The runtime gives the product of both softmaxes at each place; the mean of their logarithms on the diagonal. */
function meanLog({ data }: Tensor, size: number): number {
  let sum = 0
  for (let one = 0; one < size; one++) sum += Math.log(Math.max(data[one * size + one]!, 1e-30))
  return sum / (2 * size)
}

function scale({ data }: Tensor, factor: number): Float32Array {
  const values = data as Float32Array
  for (let at = 0; at < values.length; at++) values[at]! *= factor
  return values
}
