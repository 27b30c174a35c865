// What if an LLM's server never stops? Its answer is cut off where no answer goes on: bytes in all, and between line ends.
import { YoreError } from '../../model/errors.ts'

interface ResponseLimits {
  /** Of one answer, after decompression. */
  readonly bytes: number
  /** Between two line ends: what the readers behind this one keep. */
  readonly lineBytes: number
}

/** 100,000 tokens, the most that may be asked for, take about 25 MB as events of a stream. */
const responseDefaults: ResponseLimits = { bytes: 32 * 2 ** 20, lineBytes: 4 * 2 ** 20 }

const lineEnd = 10

/** The same response, whose body fails as soon as it is longer than it may be; the connection is then closed. */
export function boundResponse(response: Response, limits: Partial<ResponseLimits> = {}): Response {
  const { bytes, lineBytes } = { ...responseDefaults, ...limits }
  if (response.body === null) return response
  let total = 0
  let line = 0
  const meter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      total += chunk.length
      const last = chunk.lastIndexOf(lineEnd)
      line = last === -1 ? line + chunk.length : chunk.length - last - 1
      if (total > bytes || line > lineBytes) {
        const what =
          total > bytes
            ? `answer is longer than ${bytes} bytes`
            : `answer has a line of over ${lineBytes} bytes`
        controller.error(new YoreError('MODEL_FAILED', `the server's ${what}`))
        return
      }
      controller.enqueue(chunk)
    },
  })
  const { status, statusText, headers } = response
  return new Response(response.body.pipeThrough(meter), { status, statusText, headers })
}

/** Parts and characters that a turn may have beyond those of its tokens. */
const partSlack = 50_000
const textSlack = 50_000

/** A token is at most one part and rarely over 16 characters; thoughts come as parts, too. */
export function boundAnswer(parts: number, characters: number, maxTokens: number): void {
  if (parts > partSlack + 8 * maxTokens || characters > textSlack + 16 * maxTokens)
    throw new YoreError(
      'MODEL_FAILED',
      `the server's answer goes far beyond the ${maxTokens} tokens it may have`,
    )
}
