// Which lines belong to which chunk? Definitions take whole lines; the lines between them go where a reader expects them.
import { largest } from '../../../model/largest.ts'
import { endWithoutBreak, lineAt, offsetOf, type TextLines } from '../find-lines.ts'
import type { CodeScan, CodeSpan, Definition } from './code-scan.ts'

type ChunkShape = Definition['shape'] | 'module' | 'import' | 'docstring'

/** A run of whole lines, 0-based, `end` excluded. The chunks of a file, in order, are its lines. */
export interface Chunk {
  readonly shape: ChunkShape
  readonly start: number
  end: number
  readonly definition: Definition | null
  /** Index of the chunk around it; -1 for the module. */
  readonly parent: number
  /** End line of everything below it; excluded. */
  lastEnd: number
  /** For a part of a long chunk: the index of its first part, and its own name. */
  readonly part?: { readonly of: number; readonly name: string }
}

export interface Layout {
  readonly chunks: readonly Chunk[]
  /** Definitions that share their lines with another chunk, with the index of that chunk. */
  readonly folded: readonly {
    readonly definition: Definition
    readonly chunk: number
    readonly line: number
  }[]
  /** Lines that are only a comment. */
  readonly comments: ReadonlySet<number>
}

/** A function inside a function is part of it, unless it is long or the outer one is a whole program. */
const nestedChars = 1_600
const programChars = 8_000

interface Placed {
  readonly shape: ChunkShape
  readonly definition: Definition | null
  start: number
  /** Excluded. */
  end: number
  readonly children: Placed[]
  /** The first line where its header may end. */
  readonly headerEnd: number
}

/** Lines that are no definition. */
const placeText = (shape: ChunkShape, start: number, end: number): Placed => {
  return { shape, definition: null, start, end, children: [], headerEnd: end }
}

/** Assigns every line of a file to exactly one chunk. */
export function layoutChunks(lines: TextLines, scan: CodeScan): Layout {
  const lineOf = makeLineOf(lines)
  const comments = commentLines(lines, scan.comments, lineOf)
  const folded: { definition: Definition; around: Placed }[] = []
  const root = placeText('module', 0, lines.starts.length)
  placeDefinitions(root, scan.definitions, { lineOf, folded })
  const directives = new Map(
    scan.directives.map(({ name, at }) => [lineOf(at), name.endsWith('endif') ? 'end' : 'start'] as const),
  )
  const imports = scan.imports.filter(({ isInline }) => isInline !== true)
  placeImports(root, imports, { lines, lineOf, comments, directives })
  placeModuleDoc(root, scan.moduleDoc, { lineOf, comments })
  attachComments(root, comments)
  const chunks: Chunk[] = []
  const indexes = new Map<Placed, number>()
  emit(root, -1, { lines, comments, directives, chunks, indexes })
  return {
    chunks,
    folded: folded.map(({ definition, around }) => ({
      ...{ definition, line: lineOf(definition.start) },
      chunk: indexes.get(around) ?? 0,
    })),
    comments,
  }
}

/** The 0-based line of an offset. */
export const makeLineOf =
  ({ starts }: TextLines): ((offset: number) => number) =>
  (offset) =>
    largest(starts.length - 1, (line) => (starts[line] as number) <= offset)

type LineOf = (offset: number) => number

function placeDefinitions(
  root: Placed,
  definitions: readonly Definition[],
  to: { lineOf: LineOf; folded: { definition: Definition; around: Placed }[] },
): void {
  const ordered = [...definitions].sort((a, b) => a.start - b.start || b.end - a.end)
  const open: { placed: Placed; span: CodeSpan; kept: boolean }[] = [
    { placed: root, span: { start: 0, end: Number.POSITIVE_INFINITY }, kept: true },
  ]
  for (const definition of ordered) {
    while ((open.at(-1) as { span: CodeSpan }).span.end <= definition.start) open.pop()
    const { placed: around, kept } = open.at(-1) as (typeof open)[number]
    const start = to.lineOf(definition.start)
    const end = to.lineOf(Math.max(definition.start, definition.end - 1)) + 1
    const before = around.children.at(-1)
    // A member outside a class, or a table inside a function, is part of the surrounding code.
    const isPart =
      (definition.onlyMember && around.shape !== 'class') ||
      (definition.shape === 'block' && around.shape === 'function')
    const isOwn =
      kept &&
      !isPart &&
      mayHold(around, definition) &&
      start > around.start - (around.shape === 'module' ? 1 : 0)
    if (!isOwn || (before !== undefined && start < before.end)) {
      const isInside = before !== undefined && start < before.end
      if (kept && !isPart && mayHold(around, definition))
        to.folded.push({ definition, around: isInside ? before : around })
      open.push({ placed: isInside && kept ? before : around, span: definition, kept: false })
      continue
    }
    const headerEnd = to.lineOf(Math.max(definition.start, (definition.body ?? definition.end) - 1)) + 1
    const placed: Placed = { shape: definition.shape, definition, start, end, children: [], headerEnd }
    around.children.push(placed)
    open.push({ placed, span: definition, kept: true })
  }
}

function mayHold({ shape, definition }: Placed, inner: CodeSpan): boolean {
  if (shape !== 'function' || definition === null) return shape !== 'script'
  return inner.end - inner.start > nestedChars || definition.end - definition.start > programChars
}

/** Runs of imports at the left margin, with blank lines, comments and preprocessor lines between them. */
function placeImports(
  root: Placed,
  imports: readonly CodeSpan[],
  at: {
    lines: TextLines
    lineOf: LineOf
    comments: ReadonlySet<number>
    directives: ReadonlyMap<number, unknown>
  },
): void {
  const isBetween = (line: number): boolean =>
    at.comments.has(line) || at.directives.has(line) || isBlankLine(at.lines, line)
  const runs: Placed[] = []
  for (const { start, end } of [...imports].sort((a, b) => a.start - b.start)) {
    const first = at.lineOf(start)
    const last = at.lineOf(Math.max(start, end - 1)) + 1
    if (isIndented(at.lines, first)) continue
    const run = runs.at(-1)
    if (run !== undefined && first < run.end) {
      run.end = Math.max(run.end, last)
      continue
    }
    if (root.children.some((child) => child.start < last && first < child.end)) continue
    const between = run === undefined ? [] : range(run.end, first)
    if (run !== undefined && between.every(isBetween)) run.end = last
    else runs.push(placeText('import', first, last))
  }
  root.children.push(...runs)
  root.children.sort((a, b) => a.start - b.start)
}

function placeModuleDoc(
  root: Placed,
  doc: CodeSpan | null,
  at: { lineOf: LineOf; comments: ReadonlySet<number> },
): void {
  if (doc === null) return
  const start = at.lineOf(doc.start)
  let end = at.lineOf(Math.max(doc.start, doc.end - 1)) + 1
  if (at.comments.has(start)) while (at.comments.has(end)) end++
  const first = root.children[0]
  // A comment directly above a definition belongs to it.
  const isFree = first === undefined || first.start > end || (first.start === end && first.shape === 'import')
  if (isFree) root.children.unshift(placeText('docstring', start, end))
}

/** Comments directly above a definition belong to it. */
function attachComments(around: Placed, comments: ReadonlySet<number>): void {
  let floor = around.shape === 'module' ? 0 : around.headerEnd
  for (const child of around.children) {
    if (child.definition !== null) while (child.start > floor && comments.has(child.start - 1)) child.start--
    attachComments(child, comments)
    floor = child.end
  }
}

interface Emitting {
  readonly lines: TextLines
  readonly comments: ReadonlySet<number>
  readonly directives: ReadonlyMap<number, 'end' | 'start'>
  readonly chunks: Chunk[]
  readonly indexes: Map<Placed, number>
}

function emit(placed: Placed, parent: number, to: Emitting): void {
  const index = to.chunks.length
  to.indexes.set(placed, index)
  const { shape, definition, start, end, children } = placed
  const chunk: Chunk = { shape, definition, start, end: children[0]?.start ?? end, parent, lastEnd: end }
  to.chunks.push(chunk)
  for (const [at, child] of children.entries()) {
    emit(child, index, to)
    emitGap({ start: child.end, end: children[at + 1]?.start ?? end, next: children[at + 1] }, index, to)
  }
}

/** The text between two definitions: a block of its own, unless it means nothing alone. */
function emitGap(
  gap: { start: number; end: number; next: Placed | undefined },
  parent: number,
  to: Emitting,
): void {
  const before = to.chunks.at(-1) as Chunk
  let { start } = gap
  while (start < gap.end && (isClosing(to.lines, start) || to.directives.get(start) === 'end')) start++
  const end = startOfDirectives(gap, start, to)
  const rest = range(start, end)
  if (rest.every((line) => isClosing(to.lines, line))) {
    extend(before, end, to.chunks)
    return
  }
  extend(before, start, to.chunks)
  const onlyComments = rest.every((line) => to.comments.has(line) || isBlankLine(to.lines, line))
  if (onlyComments && gap.next !== undefined) {
    gap.next.start = start
    return
  }
  const part = to.chunks[parent]?.shape === 'function' ? { part: { of: parent, name: 'block' } } : {}
  to.chunks.push({ shape: 'block', definition: null, start, end, parent, lastEnd: end, ...part })
}

/** Start of the directives that open the following text; the end of the gap if there are none. */
function startOfDirectives(
  gap: { end: number; next: Placed | undefined },
  from: number,
  { lines, directives }: Emitting,
): number {
  if (gap.next === undefined || gap.next.definition === null) return gap.end
  let end = gap.end
  for (let line = end - 1; line >= from; line--)
    if (directives.get(line) === 'start') end = line
    else if (!isBlankLine(lines, line)) break

  gap.next.start = end
  return end
}

function extend(chunk: Chunk, end: number, chunks: readonly Chunk[]): void {
  chunk.end = Math.max(chunk.end, end)
  for (let at: Chunk | undefined = chunk; at !== undefined; at = chunks[at.parent])
    at.lastEnd = Math.max(at.lastEnd, end)
}

const range = (start: number, end: number): number[] =>
  Array.from({ length: Math.max(0, end - start) }, (_, index) => start + index)

function commentLines(lines: TextLines, comments: readonly CodeSpan[], lineOf: LineOf): ReadonlySet<number> {
  const found = new Set<number>()
  for (const { start, end } of comments) {
    const first = lineOf(start)
    const last = lineOf(Math.max(start, end - 1))
    if (!isBlank(lines.text, offsetOf(lines, first), start)) continue
    const stop = endWithoutBreak(lines.text, offsetOf(lines, last), offsetOf(lines, last + 1))
    if (!isBlank(lines.text, end, stop)) continue
    for (let line = first; line <= last; line++) found.add(line)
  }
  return found
}

function isBlank(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code !== 32 && (code < 9 || code > 13)) return false
  }
  return true
}

const isBlankLine = (lines: TextLines, line: number): boolean =>
  isBlank(lines.text, offsetOf(lines, line), offsetOf(lines, line + 1))

function isIndented(lines: TextLines, line: number): boolean {
  const code = lines.text.charCodeAt(offsetOf(lines, line))
  return code === 32 || code === 9
}

/** Only closing text: brackets, commas, semicolons, closing tags, `end`, perhaps with a comment. */
function isClosing(lines: TextLines, line: number): boolean {
  const text = lineAt(lines, line)
  if (text.length < 80 && /^\s*(?:(?:<\/[\w-]{1,20}>\s*)+|end|\}[ \t;]*\/[/*].*)$/.test(text)) return true
  for (let at = offsetOf(lines, line); at < offsetOf(lines, line + 1); at++) {
    const char = lines.text.charAt(at)
    if (!'})];, \t\r\n\f\v'.includes(char)) return false
  }
  return true
}
