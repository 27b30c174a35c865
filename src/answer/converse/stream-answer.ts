// What of an answer can be shown while it is still being written? The content of the growing JSON, in whole paragraphs.
import { type AnswerFinisher, splitParagraphs } from './finish-answer.ts'

const opening =
  /^\s*(?:```(?:json)?\s*)?\{\s*"action"\s*:\s*"answer"\s*,\s*(?:"(?:from|via|target_identifier|source)"\s*:\s*(?:null|"[^"\n]*")\s*,\s*)*"content"\s*:\s*"/

/** Finds an answer's content in output that comes in parts. Other outputs give nothing. */
export class ContentReader {
  #output = ''
  /** Offset of the content's next character; -1 until it has started. */
  #at = -1
  #ended = false

  /** The content that this part adds. */
  push(part: string): string {
    if (this.#ended) return ''
    this.#output += part
    if (this.#at < 0) {
      const found = opening.exec(this.#output)
      if (found === null) return ''
      this.#at = found[0].length
    }
    return this.#read()
  }

  #read(): string {
    const start = this.#at
    let end = start
    while (end < this.#output.length) {
      const char = this.#output.charAt(end)
      if (char === '"') {
        this.#ended = true
        break
      }
      const width = char !== '\\' ? 1 : this.#output.charAt(end + 1) === 'u' ? 6 : 2
      // An escape that has not come whole waits for the next part.
      if (end + width > this.#output.length) break
      end += width
    }
    this.#at = end
    return decode(this.#output.slice(start, end))
  }
}

function decode(escaped: string): string {
  try {
    return JSON.parse(`"${escaped}"`) as string
  } catch {
    // Raw line ends and the like: the strict reader will refuse the whole output.
    return ''
  }
}

/** Tells an answer while it is written, so that what was told is the finished answer in the end. */
export class Hearing {
  readonly #finisher: AnswerFinisher
  readonly #tell: (text: string) => void
  readonly #content = new ContentReader()
  /** Content after the last blank line. */
  #pending = ''
  #told = ''
  #held = ''

  constructor(finisher: AnswerFinisher, tell: (text: string) => void) {
    this.#finisher = finisher
    this.#tell = tell
  }

  /** Whether anything was told. */
  get said(): boolean {
    return this.#told !== ''
  }

  push(part: string): void {
    const parts = splitParagraphs(this.#pending + this.#content.push(part))
    this.#pending = parts.pop() ?? ''
    for (const paragraph of parts) this.#say(this.#finisher.paragraph(paragraph).text)
  }

  /** The rest of the answer. */
  end(finished: string): void {
    this.#held = ''
    this.#say(finished.slice(this.#told.length))
  }

  /** Blanks at the end wait until something follows: a finished answer ends without any. */
  #say(text: string): void {
    const all = this.#told === '' ? text.trimStart() : this.#held + text
    const now = all.trimEnd()
    if (now === '') {
      this.#held = all
      return
    }
    this.#held = all.slice(now.length)
    this.#told += now
    this.#tell(now)
  }
}
