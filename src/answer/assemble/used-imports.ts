// Which imports does the shown code use? An import chunk is shown with those lines only.
import type { Excerpt, ExpandedDocument, Passage } from '../../model/digest.ts'
import { shapeOfKind } from '../../read/parse/artifact-kinds.ts'
import { sourceLines } from './escape-text.ts'

/** Gaps up to this many lines cost no more than the mark of omitted lines. */
const SMALL_GAP = 2
const keywords: ReadonlySet<string> = new Set(
  `as const crate export extern from func import include let mod package pub require self static super type typeof
  use using var`.split(/\s+/),
)
const word = /[\p{L}_$][\p{L}\p{N}_$]*/gu

/** Expansions with import chunks reduced to the lines that the shown code of the file uses. */
export function keepUsedImports(
  expanded: readonly ExpandedDocument[],
  primary: readonly Passage[],
): readonly ExpandedDocument[] {
  const isImport = ({ kind }: Passage): boolean => shapeOfKind(kind) === 'import'
  const shown = [...primary, ...expanded.flatMap(({ passages }) => passages)].filter((one) => !isImport(one))
  const documents = expanded.map((document): ExpandedDocument => {
    if (!document.passages.some(isImport)) return document
    const used = new Set(
      shown
        .filter(({ path }) => path === document.path)
        .flatMap(({ excerpts }) => excerpts.flatMap(({ text }) => text.match(word) ?? [])),
    )
    const passages = document.passages.flatMap((passage): Passage[] => {
      if (!isImport(passage)) return [passage]
      const excerpts = passage.excerpts.flatMap((excerpt) => usedRuns(excerpt, used))
      return excerpts.length === 0 ? [] : [{ ...passage, excerpts }]
    })
    return { ...document, passages }
  })
  return documents.filter(({ passages }) => passages.length > 0)
}

/** Runs of statements that bind a name in use; of a long statement, its ends and the lines that do. */
function usedRuns({ lines, text }: Excerpt, used: ReadonlySet<string>): Excerpt[] {
  const source = sourceLines(text)
  const kept = source.map(() => false)
  let start = 0
  let open = 0
  source.forEach((line, at) => {
    open += openBrackets(line)
    if (open > 0 && at < source.length - 1) return
    const ends = at - start
    for (let inner = start; inner <= at; inner++) kept[inner] = binds(source[inner] as string, used)
    if (ends > 0 && kept.slice(start, at + 1).includes(true)) kept[start] = kept[at] = true
    start = at + 1
    open = 0
  })
  const runs: { from: number; to: number }[] = []
  kept.forEach((isKept, at) => {
    const last = runs.at(-1)
    if (!isKept) return
    if (last !== undefined && at - last.to <= SMALL_GAP + 1) last.to = at
    else runs.push({ from: at, to: at })
  })
  return runs.map(({ from, to }) => ({
    lines: { start: lines.start + from, end: lines.start + to },
    text: source.slice(from, to + 1).join('\n'),
  }))
}

function openBrackets(line: string): number {
  let open = 0
  for (const char of line) open += '({['.includes(char) ? 1 : ')}]'.includes(char) ? -1 : 0
  return open
}

/** Does a line of an import bind one of the names? A path binds its last name where nothing else is named. */
function binds(line: string, used: ReadonlySet<string>): boolean {
  const bare = line
    .replace(/\/\/.*|\bfrom\s+[\w.]+/g, ' ')
    .replace(/(['"`])[^'"`]*\1/g, ' ')
    .replace(/(?<![\w$])[\w$]+(?:\.|::)(?=[\w$*{])/g, ' ')
  const names = (bare.match(word) ?? []).filter((name) => !keywords.has(name))
  if (names.length > 0) return names.some((name) => used.has(name))
  const [, path = ''] = /['"`]([^'"`]*)['"`]/.exec(line) ?? []
  return used.has(path.slice(path.lastIndexOf('/') + 1).split(/\W/, 1)[0] ?? '')
}
