// What happens to a message that is too large? It is dropped and answered with an error; the messages after it are read.
import { Transform, type TransformCallback } from 'node:stream'

/** Bytes of the start and of the end of a dropped message in which its id is searched. */
const KEPT_BYTES = 1000

const idValue = '(-?\\d{1,15}|"[^"\\\\]{0,100}")'
/** Clients write the id of a request first, behind the method, or last. */
const idAtStart = new RegExp(
  `^\\s*\\{(?:\\s*"(?:jsonrpc|method)"\\s*:\\s*"[^"\\\\]{0,100}"\\s*,)*\\s*"id"\\s*:\\s*${idValue}\\s*[,}]`,
)
const idAtEnd = new RegExp(
  `[,{]\\s*"id"\\s*:\\s*${idValue}\\s*(?:,\\s*"jsonrpc"\\s*:\\s*"2\\.0"\\s*)?\\}\\s*$`,
)

/** Passes whole lines on. `refuse` gets the answer to a line of more than `maxBytes`. */
export class MessageLimit extends Transform {
  readonly #maxBytes: number
  readonly #refuse: (answer: string) => void
  #parts: Buffer[] = []
  #bytes = 0
  #start = ''
  #end: Buffer = Buffer.alloc(0)

  constructor(maxBytes: number, refuse: (answer: string) => void) {
    super()
    this.#maxBytes = maxBytes
    this.#refuse = refuse
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    for (let from = 0; from < chunk.length; ) {
      const newline = chunk.indexOf('\n', from)
      const to = newline === -1 ? chunk.length : newline + 1
      this.#add(chunk.subarray(from, to))
      if (newline !== -1) this.#endLine()
      from = to
    }
    done()
  }

  #add(part: Buffer): void {
    this.#bytes += part.length
    this.#parts.push(part)
    if (this.#bytes <= this.#maxBytes) return
    if (this.#start === '') this.#start = Buffer.concat(this.#parts).toString('latin1', 0, KEPT_BYTES)
    // A copy: a part of a chunk would keep the whole chunk in memory.
    this.#end = Buffer.concat([this.#end, ...this.#parts]).subarray(-KEPT_BYTES)
    this.#end = Buffer.from(this.#end)
    this.#parts = []
  }

  #endLine(): void {
    if (this.#bytes <= this.#maxBytes) this.push(Buffer.concat(this.#parts))
    else {
      const found = idAtStart.exec(this.#start) ?? idAtEnd.exec(this.#end.toString('latin1'))
      const id = JSON.parse(found?.[1] ?? 'null') as unknown
      const message = `a message takes at most ${this.#maxBytes} bytes, and this one has ${this.#bytes}`
      this.#refuse(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_600, message } })}\n`)
    }
    this.#parts = []
    this.#bytes = 0
    this.#start = ''
    this.#end = Buffer.alloc(0)
  }
}
