// How do the paragraphs of an office document become Markdown? Each at its page; consecutive code lines form one block.
import { type MarkdownWriter, oneLine } from './write-markdown.ts'

interface OfficeParagraph {
  readonly text: string
  readonly isTitle: boolean
  readonly level: number | null
  readonly listDepth: number | null
}

export class ParagraphWriter {
  readonly #writer: MarkdownWriter
  readonly #hasPages: boolean
  /** Of the first paragraph that is one. */
  title: string | null = null
  #page = 1
  #code: string[] = []

  constructor(writer: MarkdownWriter, hasPages: boolean) {
    this.#writer = writer
    this.#hasPages = hasPages
    if (hasPages) writer.at('p. 1')
  }

  turnPage(): void {
    this.#page++
  }

  code(line: string): void {
    this.#code.push(line)
  }

  write({ text, isTitle, level, listDepth }: OfficeParagraph): void {
    this.endCode()
    this.#place()
    if (isTitle && this.title === null) this.title = oneLine(text)
    else if (level !== null) this.#writer.heading(level, text)
    else if (listDepth !== null) this.#writer.item(text, { depth: listDepth })
    else this.#writer.paragraph(text.split('\n'))
  }

  table(rows: readonly (readonly string[])[]): void {
    this.#place()
    this.#writer.table(rows)
  }

  /** Something else follows, or the document ends. */
  endCode(): void {
    if (this.#code.length > 0) {
      this.#place()
      this.#writer.code(this.#code.join('\n'))
    }
    this.#code = []
  }

  #place(): void {
    if (this.#hasPages) this.#writer.at(`p. ${this.#page}`)
  }
}

/** An open link. The text before it is kept aside, so that links in a long text stay linear. */
export interface ParagraphLink {
  readonly close: () => void
  /** Its words stay words. */
  readonly drop: () => void
}

export function startLink(paragraph: { text: string }, target: string): ParagraphLink {
  const before = paragraph.text
  paragraph.text = ''
  const end = (written: string): void => {
    paragraph.text = before + written
  }
  return { close: () => end(linkOf(paragraph.text, target)), drop: () => end(paragraph.text) }
}

/** Keeps the words as they are if Markdown cannot hold the target. */
function linkOf(words: string, target: string): string {
  if (target === '' || /[\s<>()]/.test(target) || words.trim() === '') return words
  return `[${oneLine(words).replace(/[[\]]/g, '\\$&')}](${target})`
}
