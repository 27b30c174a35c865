// How is a grammar opened? From bytes that the caller read; every parse has a work limit, and a broken text is not an error.
import type { Node, Parser, Query, Tree } from 'web-tree-sitter'
import type { Format } from '../../../model/code.ts'
import { maxPieceChars } from '../split-pieces.ts'
import type { CodeReader, CodeScan, StatementStart } from './code-scan.ts'
import { type CapturedMatch, collectMatches } from './collect-matches.ts'
import { colourTree } from './colour-code.ts'

interface GrammarSource {
  /** Name of the grammar, for query lines that apply only to it. */
  readonly name: string
  /** The tree-sitter runtime, loaded by the first grammar. */
  readonly runtime: () => Uint8Array
  readonly wasm: Uint8Array
  readonly query: string
  readonly misread?: Format['misread'] | undefined
  /** CPU time of this thread, so that a busy machine reads a file like an idle one. */
  readonly clock: () => number
}

/** The parser reports progress about every hundred steps; ordinary code takes one report per 400 characters. */
const reportsBase = 3_000
const reportsPerChar = 0.04
/** A limit for work that the count misses: matching a query is quadratic in the depth of a tree. */
const mostMilliseconds = 2_500
/** Deeper nesting is not a program that people read. */
const maxNesting = 1_000
const maxMatches = 65_536
/** Text is matched in windows of this size; smaller ones cost the parser more time. */
const windowChars = 131_072
/** Shorter tokens of a macro are not parsed. */
const unreadChars = 400
/** Deeper statements are not searched for. */
const maxStatementLevel = 30

let started: Promise<void> | null = null

export async function openGrammar(source: GrammarSource): Promise<CodeReader> {
  const sitter = await import('web-tree-sitter')
  started ??= sitter.Parser.init({ wasmBinary: source.runtime() })
  await started
  const language = await sitter.Language.load(source.wasm)
  // `;for NAME ` starts a query line that applies only to the grammar of that name.
  const query = new sitter.Query(language, source.query.replaceAll(`;for ${source.name} `, ''))
  const parser = new sitter.Parser()
  parser.setLanguage(language)
  const isPage = source.name === 'tree-sitter-html'
  const { clock, misread = {} } = source
  const opened = { parser, query, clock, misread }
  // A new grammar is many times slower until V8 has compiled it: one file that took too long is read again.
  let isNew = true
  const isHard = (text: string): boolean => isTooDeep(text) || (isPage && hasTooManyOpenTags(text))
  const colour = (text: string): Uint8Array | null =>
    isHard(text) ? null : useTree(opened, text, (root) => colourTree(root.walk(), text.length)).found
  const read = (text: string): CodeScan | null => {
    if (isHard(text)) return null
    const scan = readCode(opened, text)
    if (scan !== 'late') return rereadMisread(opened, text, scan)
    const second = isNew ? readCode(opened, text) : scan
    isNew = false
    return second === 'late' ? null : second
  }
  return Object.assign(read, { colour })
}

interface Opened {
  readonly parser: Parser
  readonly query: Query
  readonly clock: () => number
  readonly misread: NonNullable<Format['misread']>
}

/** A text with errors is parsed again with other characters where the grammar is known to fail; names stay as written. */
function rereadMisread(opened: Opened, text: string, scan: CodeScan | null): CodeScan | null {
  if (scan?.hasError !== true) return scan
  let parsed = text
  for (const [character, pattern] of Object.entries(opened.misread))
    parsed = parsed.replace(new RegExp(pattern, 'gmu'), (found) => found.replace(/\S/g, character))
  const second = parsed === text ? null : readCode(opened, text, parsed)
  if (second === null || second === 'late') return scan
  return second.definitions.length < scan.definitions.length ? scan : second
}

/** Null for a text that takes too many steps, `late` for one that takes too long. */
function readCode(opened: Opened, text: string, parsed: string = text): CodeScan | 'late' | null {
  const { found, isLate } = useTree(opened, parsed, (root, progressCallback) => {
    const facts = collectMatches(text, takeAllMatches(opened, { text, root, progressCallback }))
    return { hasError: root.hasError, ...facts, statements: findStatements(root) }
  })
  return found ?? (isLate ? 'late' : null)
}

/** Null when parsing or what uses the tree was stopped by its limits. */
function useTree<T>(
  { parser, clock }: Opened,
  text: string,
  use: (root: Node, progressCallback: () => boolean) => T,
): { readonly found: T | null; readonly isLate: boolean } {
  const most = reportsBase + text.length * reportsPerChar
  const end = clock() + mostMilliseconds
  let reports = 0
  let isLate = false
  let isStopped = false
  // The callback's type returns nothing, but returning true stops a parse.
  const progressCallback = (): boolean => {
    isLate ||= clock() > end
    isStopped ||= ++reports > most || isLate
    return isStopped
  }
  let tree: Tree | null = null
  try {
    tree = parser.parse(text, null, { progressCallback: progressCallback as () => void })
    if (tree === null) parser.reset()
    const found = tree === null ? null : use(tree.rootNode, progressCallback)
    return { found: isStopped ? null : found, isLate }
  } finally {
    tree?.delete()
  }
}

/**
 * Yields the matches, and those of what the grammar leaves as tokens, such as items in the braces of a Rust macro: they
 * are parsed by themselves, and the name of the macro belongs to its first item.
 */
function* takeAllMatches(
  { parser, query }: Opened,
  from: { readonly text: string; readonly root: Node; readonly progressCallback: () => boolean },
): Generator<CapturedMatch> {
  const { text, root, progressCallback } = from
  const unread: CapturedMatch['captures'][number]['node'][] = []
  for (const match of takeMatches(query, root, progressCallback)) {
    const inside = match.captures.find(({ name }) => name === 'inside')
    if (inside === undefined) yield match
    else if (text[inside.node.start] === '{' && inside.node.end - inside.node.start > unreadChars)
      unread.push(inside.node)
  }
  const nowhere = { row: 0, column: 0 }
  for (const { start, end } of unread) {
    const range = { startIndex: start + 1, endIndex: end - 1, startPosition: nowhere, endPosition: nowhere }
    const options = { progressCallback: progressCallback as () => void, includedRanges: [range] }
    const tree = parser.parse(text, null, options)
    if (tree === null) return parser.reset()
    if (!tree.rootNode.hasError) {
      yield { captures: [{ name: 'directive', node: { start, end: start + 1 } }] }
      yield* takeMatches(query, tree.rootNode, progressCallback, start)
    }
    tree.delete()
  }
}

/**
 * Yields the matches window by window: nodes are large, and a whole file at once took 180 MB. A match
 * belongs to the window of its first node; the search goes one character further, for empty nodes.
 */
function* takeMatches(
  query: Query,
  root: Node,
  progressCallback: () => boolean,
  begin = 0,
): Generator<CapturedMatch> {
  for (let from = begin; from === begin || from < root.endIndex; from += windowChars) {
    const to = from + windowChars
    const isWhole = from === begin && to >= root.endIndex
    const found: ({ captures: { name: string; node: Node }[] } | undefined)[] = query.matches(root, {
      matchLimit: maxMatches,
      progressCallback,
      // In bytes, two per character, unlike node positions.
      ...(isWhole ? {} : { startIndex: Math.max(0, 2 * (from - 1)), endIndex: 2 * (to + 1) }),
    })
    for (let index = 0; index < found.length; index++) {
      const captures = (found[index]?.captures ?? []).map(({ name, node }) => ({
        name,
        node: { start: node.startIndex, end: node.endIndex },
      }))
      found[index] = undefined // Let go of its nodes.
      const first = Math.min(...captures.map(({ node }) => node.start))
      if (isWhole || (first >= from && first < to)) yield { captures }
    }
  }
}

/** Start positions of statements in text that does not fit one piece; only long nodes are searched. */
function findStatements(root: Node): StatementStart[] {
  const found: StatementStart[] = []
  const waiting: { node: Node; level: number }[] = [{ node: root, level: 0 }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, level } = next
    for (const child of node.namedChildren) {
      found.push({ at: child.startIndex, level })
      if (level < maxStatementLevel && child.endIndex - child.startIndex > maxPieceChars)
        waiting.push({ node: child, level: level + 1 })
    }
  }
  return found.sort((a, b) => a.at - b.at || a.level - b.level)
}

/** Tags without a closing tag, or with an optional one. */
const unclosed: ReadonlySet<string> = new Set(
  'area base body br col dd dt embed head hr html img input li link meta option p param source tbody td tfoot th thead tr track wbr'.split(
    ' ',
  ),
)

/** The HTML grammar keeps every open tag and is quadratic in their number. */
function hasTooManyOpenTags(text: string): boolean {
  let open = 0
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) {
    const isClosing = text.charCodeAt(at + 1) === 47
    const rest = text.slice(at + (isClosing ? 2 : 1), at + 40)
    const name = /^[a-z][a-z0-9-]{0,30}/i.exec(rest)?.[0].toLowerCase()
    if (name === undefined || unclosed.has(name)) continue
    open = isClosing ? Math.max(0, open - 1) : open + 1
    if (open > maxNesting) return true
  }
  return false
}

/** A rough count of brackets and indentation, with strings and comments: cheap compared with parsing. */
function isTooDeep(text: string): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 40 || code === 91 || code === 123) {
      if (++depth > maxNesting) return true
    } else if ((code === 41 || code === 93 || code === 125) && depth > 0) depth--
  }
  return false
}
