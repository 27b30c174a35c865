// What if an LLM's server never stops? Its answer fails beyond a number of bytes, in all and between line ends.
import { YoreError } from '../../model/errors.ts'

/** Bytes of one answer after decompression: a turn of 2,000 tokens takes about 500 KB as events, and thoughts may be longer. */
const mostBytes = 16 * 2 ** 20
/** Bytes between two line ends: what the readers behind this one keep. */
const mostLineBytes = 4 * 2 ** 20
const lineEnd = 10

/** The same response, whose body fails as soon as it is longer than it may be; the connection is then closed. */
export function boundResponse(response: Response): Response {
  if (response.body === null) return response
  let total = 0
  let line = 0
  const meter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      total += chunk.length
      const last = chunk.lastIndexOf(lineEnd)
      line = last === -1 ? line + chunk.length : chunk.length - last - 1
      if (total <= mostBytes && line <= mostLineBytes) return controller.enqueue(chunk)
      const what = total > mostBytes ? `is longer than ${mostBytes}` : `has a line of over ${mostLineBytes}`
      controller.error(new YoreError('MODEL_FAILED', `the server's answer ${what} bytes`))
    },
  })
  const { status, statusText, headers } = response
  return new Response(response.body.pipeThrough(meter), { status, statusText, headers })
}
