// Which lines has a digest shown already? The header of a class is shown above its functions, and is not repeated elsewhere.
import type { Lines } from '../../model/artifact.ts'
import type { Dropped, DropReason, Excerpt, ExpandedDocument, Passage } from '../../model/digest.ts'
import { sourceLines } from './escape-text.ts'

/** The excerpts without lines that are shown already, and without excerpts that are blank then. */
export function hideShown(excerpts: readonly Excerpt[], shown: readonly Lines[]): readonly Excerpt[] {
  const overlaps = ({ lines }: Excerpt): boolean =>
    shown.some(({ start, end }) => start <= lines.end && end >= lines.start)
  if (!excerpts.some(overlaps)) return excerpts
  const isShown = (line: number): boolean => shown.some(({ start, end }) => start <= line && line <= end)
  return excerpts.flatMap((excerpt) => (overlaps(excerpt) ? runsOf(excerpt, isShown) : [excerpt]))
}

function runsOf({ lines, text }: Excerpt, isShown: (line: number) => boolean): Excerpt[] {
  const runs: { start: number; texts: string[] }[] = []
  let isOpen = false
  for (const [index, line] of sourceLines(text).entries()) {
    const number = lines.start + index
    if (isShown(number)) isOpen = false
    else if (isOpen) runs.at(-1)?.texts.push(line)
    else if (line.trim() !== '') {
      runs.push({ start: number, texts: [line] })
      isOpen = true
    }
  }
  return runs.map(({ start, texts }) => {
    while (texts.at(-1)?.trim() === '') texts.pop()
    return { lines: { start, end: start + texts.length - 1 }, text: texts.join('\n') }
  })
}

/** Expansions without lines that primary passages show; a passage without lines left is dropped. */
export function hideShownIn(
  expanded: readonly ExpandedDocument[],
  primary: readonly Passage[],
): { readonly expanded: readonly ExpandedDocument[]; readonly dropped: readonly Dropped[] } {
  const dropped: Dropped[] = []
  const documents = expanded.map((document): ExpandedDocument => {
    const shown = primary
      .filter(({ path }) => path === document.path)
      .flatMap(({ excerpts }) => excerpts.map(({ lines }) => lines))
    const passages = document.passages.flatMap((passage): Passage[] => {
      const excerpts = hideShown(passage.excerpts, shown)
      if (excerpts.length === 0) dropped.push(dropPassage(passage, 'duplicate'))
      if (excerpts === passage.excerpts) return [passage]
      return excerpts.length === 0 ? [] : [{ ...passage, excerpts }]
    })
    return { ...document, passages }
  })
  return { expanded: documents.filter(({ passages }) => passages.length > 0), dropped }
}

/** An expansion that was dropped later. */
export function dropPassage({ artifacts, path, excerpts }: Passage, reason: DropReason): Dropped {
  const lines = { start: excerpts[0]?.lines.start ?? 1, end: excerpts.at(-1)?.lines.end ?? 1 }
  return { artifact: artifacts[0] as string, path, lines, score: 0, reason }
}
