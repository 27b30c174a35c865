// Which expectations of a question does its digest meet? Compared with quoted document text and lines only.
import type { Lines } from '../../model/artifact.ts'
import type { Digest, Passage } from '../../model/digest.ts'

/** Makes texts equal that differ only in case, white space or the encoding of accents. */
export function foldText(text: string): string {
  return text.toLowerCase().normalize('NFC').replaceAll(/\s+/gu, ' ').trim()
}

/** Every passage that quotes a document: search results and followed references. */
export function quotedPassages(digest: Digest): readonly Passage[] {
  return [...digest.primary, ...digest.expanded.flatMap((document) => document.passages)]
}

/**
 * The document text that a digest quotes, folded, by passage and unbroken run of lines, without the frame. `headingOf`
 * gives a passage's first heading, which is not in its text, by the section's id.
 */
export function quotedTexts(digest: Digest, headingOf: (section: string) => string): readonly string[][] {
  return quotedPassages(digest).map((passage) =>
    passage.excerpts.map(({ text, lines }, index) => {
      const first = passage.artifacts[0]
      const startsWithHeading = index === 0 && countLines(text) < lines.end - lines.start + 1
      return foldText(startsWithHeading && first !== undefined ? `${headingOf(first)}\n${text}` : text)
    }),
  )
}

function countLines(text: string): number {
  return (text.match(/\r\n?|\n/g)?.length ?? 0) + 1
}

export function holdsPhrase(texts: readonly string[], phrase: string): boolean {
  const folded = foldText(phrase)
  return texts.some((text) => text.includes(folded))
}

export function namesDocument(expected: string, path: string): boolean {
  const wanted = expected.startsWith('./') ? expected.slice(2) : expected
  return wanted.endsWith('/') ? path.startsWith(wanted) : path === wanted
}

export function quotedLines(digest: Digest, path: string): readonly Lines[] {
  return quotedPassages(digest)
    .filter((passage) => passage.path === path)
    .flatMap((passage) => passage.excerpts.map((excerpt) => excerpt.lines))
}

/** The share of these line numbers in the ranges; 0 without any. */
export function shareOfLines(numbers: readonly number[], ranges: readonly Lines[]): number {
  if (numbers.length === 0) return 0
  const covered = numbers.filter((line) => ranges.some(({ start, end }) => start <= line && line <= end))
  return covered.length / numbers.length
}

/** Quoted passages of forbidden documents, with their lines. */
export function quotedForbidden(
  digest: Digest,
  forbidden: readonly string[],
): readonly { readonly path: string; readonly lines: Lines }[] {
  return quotedPassages(digest)
    .filter((passage) => forbidden.some((expected) => namesDocument(expected, passage.path)))
    .flatMap(({ path, excerpts }) => excerpts.map(({ lines }) => ({ path, lines })))
}
