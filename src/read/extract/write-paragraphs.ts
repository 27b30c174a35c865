// How do the paragraphs of an office document become Markdown? Each at its page; consecutive code lines form one block.
import { type MarkdownWriter, oneLine } from './write-markdown.ts'

interface OfficeParagraph {
  readonly text: string
  readonly isTitle: boolean
  readonly level: number | null
  readonly listDepth: number | null
}

export type ParagraphWriter = ReturnType<typeof makeParagraphWriter>

export function makeParagraphWriter(writer: MarkdownWriter, hasPages: boolean) {
  /** Of the first paragraph that is one. */
  let title: string | null = null
  let page = 1
  let lines: string[] = []
  if (hasPages) writer.at('p. 1')

  function turnPage(): void {
    page++
  }

  function code(line: string): void {
    lines.push(line)
  }

  function write({ text, isTitle, level, listDepth }: OfficeParagraph): void {
    endCode()
    place()
    if (isTitle && title === null) title = oneLine(text)
    else if (level !== null) writer.heading(level, text)
    else if (listDepth !== null) writer.item(text, { depth: listDepth })
    else writer.paragraph(text.split('\n'))
  }

  function table(rows: readonly (readonly string[])[]): void {
    place()
    writer.table(rows)
  }

  /** Something else follows. */
  function endCode(): void {
    if (lines.length > 0) {
      place()
      writer.code(lines.join('\n'))
    }
    lines = []
  }

  function place(): void {
    if (hasPages) writer.at(`p. ${page}`)
  }

  /** The document ends; gives its title. */
  function finish(): string | null {
    endCode()
    return title
  }

  return { turnPage, code, write, table, endCode, finish }
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
