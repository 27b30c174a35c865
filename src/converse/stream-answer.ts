// What of an answer can be shown while it is still being written? The content of the growing JSON, in whole paragraphs.

const opening =
  /^\s*(?:```(?:json)?\s*)?\{\s*"action"\s*:\s*"answer"\s*,\s*(?:"(?:from|via|target_identifier)"\s*:\s*null\s*,\s*)*"content"\s*:\s*"/

/** Finds an answer's content in output that comes in parts. Other outputs give nothing. */
export class ContentReader {
  #output = ''
  /** Where the content's next character stands; -1 until it has started. */
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

/** Gathers content until a blank line ends a paragraph. */
export class ParagraphReader {
  #pending = ''

  /** The paragraphs that are complete now, each with the blank lines that end it. */
  push(content: string): string[] {
    this.#pending += content
    const parts = this.#pending.split(/(?<=\n[ \t\r]{0,80}\n)(?=[^\n])/)
    this.#pending = parts.pop() ?? ''
    return parts
  }

  /** What is left when the content has ended. */
  end(): string {
    const rest = this.#pending
    this.#pending = ''
    return rest
  }
}
