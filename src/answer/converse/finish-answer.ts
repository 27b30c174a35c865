// Is the answer fit to be shown? Paragraph by paragraph: places checked and written out, foreign links taken out.
import type { Answered, Citation, ContextSection } from '../../model/conversation.ts'
import { checkCitations, countUncited, formatCitation, ShownLines } from './check-citations.ts'
import { gatherLinks, type SourceLinks } from './source-links.ts'
import { stripLinks } from './strip-links.ts'

export type FinishedAnswer = Pick<Answered, 'content' | 'citations' | 'uncited' | 'removed'>

/** Finishes answers over the sections that were shown. Paragraphs do not depend on each other, so that they can be streamed. */
export class AnswerFinisher {
  readonly #shown: ShownLines
  readonly #links: SourceLinks

  constructor(sections: readonly ContextSection[]) {
    this.#shown = new ShownLines(sections)
    this.#links = gatherLinks(
      sections.flatMap(({ excerpts }) => excerpts.map(({ text }) => text)),
      sections.map(({ path }) => path),
    )
  }

  /** One paragraph, or any text between blank lines. */
  paragraph(text: string): { text: string; citations: readonly Citation[]; removed: readonly string[] } {
    const checked = checkCitations(text, this.#shown)
    return { ...stripLinks(checked.text, this.#links), citations: checked.citations }
  }

  /** An answer that cites nothing it was shown ends with the source that it names, if that was shown. */
  answer(content: string, source?: string): FinishedAnswer {
    const parts = splitParagraphs(content.trim()).map((part) => this.paragraph(part))
    const text = parts.map((part) => part.text).join('')
    const written = parts.flatMap(({ citations }) => citations)
    const isCited = written.some(({ verdict }) => verdict === 'shown' || verdict === 'partly_shown')
    const named = isCited || source === undefined ? [] : (this.#shown.whole(source) ?? [])
    const ending = named.length === 0 ? '' : `\n\nSource: [${named.map(formatCitation).join('; ')}]`
    return {
      content: (text + ending).trimStart(),
      citations: distinct([...written, ...named]),
      uncited: countUncited(content, this.#shown),
      removed: parts.flatMap(({ removed }) => removed),
    }
  }
}

/** Paragraphs with the blank lines that end them; joined they are the text. */
export function splitParagraphs(text: string): string[] {
  return text.split(/(?<=\n\n)(?=[^\n])/)
}

function distinct(citations: readonly Citation[]): Citation[] {
  const seen = new Map<string, Citation>()
  for (const citation of citations) {
    const key = `${citation.path}:${citation.start}-${citation.end}`
    if (!seen.has(key)) seen.set(key, citation)
  }
  return [...seen.values()]
}
