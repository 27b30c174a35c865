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
export class LinkInParagraph {
  readonly #paragraph: { text: string }
  readonly #target: string
  readonly #before: string

  constructor(paragraph: { text: string }, target: string) {
    this.#paragraph = paragraph
    this.#target = target
    this.#before = paragraph.text
    paragraph.text = ''
  }

  close(): void {
    this.#paragraph.text = this.#before + linkEnd(this.#paragraph.text, { target: this.#target, start: 0 })
  }

  /** Its words stay words. */
  drop(): void {
    this.#paragraph.text = this.#before + this.#paragraph.text
  }
}

/** Turns the text from `start` on into a link; keeps it as it is if Markdown cannot hold the target. */
function linkEnd(
  text: string,
  { target, start }: { readonly target: string; readonly start: number },
): string {
  const words = text.slice(start)
  if (target === '' || /[\s<>()]/.test(target) || words.trim() === '') return text
  return `${text.slice(0, start)}[${oneLine(words).replace(/[[\]]/g, '\\$&')}](${target})`
}

/** Turns these words of a text into links, searched in order. */
export function linkWords(
  text: string,
  links: readonly { readonly words: string; readonly target: string }[],
): string {
  let written = ''
  let rest = text
  for (const { words, target } of links) {
    const at = rest.indexOf(words)
    if (at < 0) continue
    const end = at + words.length
    written = linkEnd(written + rest.slice(0, end), { target, start: written.length + at })
    rest = rest.slice(end)
  }
  return written + rest
}
