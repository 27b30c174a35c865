// What does a document refer to? Links, images, wiki links and decision ids, each with its line and its artifact.

import type { Env, Token } from 'markdown-it'
import type { Mention } from '../../../model/reference.ts'
import { remember } from '../../../model/remember.ts'
import { type IdSearch, makeIdSearch, mayHoldId } from '../find-ids.ts'
import { lineAt, type TextLines } from '../find-lines.ts'
import { patterns } from '../patterns.ts'
import { collectIds, collectInline, type Finding, type FoundMention } from './collect-inline.ts'
import { collectCodeMarks } from './find-code-marks.ts'

export interface MentionOptions {
  /** Does `[[Page]]` point at a page? */
  readonly wikiLinks: boolean
  /** Prefixes and aliases of decision ids, besides ADR, RFC, PEP, EIP and KEP. */
  readonly idPrefixes: readonly string[]
  /** Does the corpus contain code that documents may name? */
  readonly codeNames: boolean
}
const mentionDefaults: MentionOptions = { wikiLinks: false, idPrefixes: [], codeNames: false }

/** The result of the block scan that mentions are found in. */
interface ScannedText {
  readonly lines: TextLines
  readonly tokens: readonly Token[]
  readonly env: Env
  /** Number of frontmatter lines; tokens count from the line after it. */
  readonly firstLine: number
  /** Of directives and roles of MyST, with the lines of the file. */
  readonly marked: readonly FoundMention[]
}

/** The artifacts of a document in order: 1-based first own line and id. */
export type MentionHolder = readonly [line: number, id: string]

/**
 * The mentions of a Markdown document in line order. Links come from the parser's tokens, never from
 * code. A Hugo shortcode gives the target `ref:page#anchor` or `glossary:term`.
 */
export function findMentions(
  scanned: ScannedText,
  holders: readonly MentionHolder[],
  options: Partial<MentionOptions> = {},
): readonly Mention[] {
  const finding = makeFinding(scanned, options)
  const mentions: Mention[] = []
  const place = placeMentions(holders, mentions)
  collectFrontmatter(scanned, finding, place)
  const found: FoundMention[] = []
  let line = scanned.firstLine
  for (const token of scanned.tokens) {
    if (token.map !== null) line = scanned.firstLine + token.map[0]
    if (token.type === 'inline') {
      collectInline(token.content, finding, found)
      if (options.codeNames === true) collectCodeMarks(token.content, found)
    } else if (token.type === 'html_block' && !patterns.silentBlock.test(token.content))
      collectInline(token.content, finding, found)
    if (found.length > 0) place(found, line + 1)
  }
  if (scanned.marked.length === 0) return mentions
  placeMentions(holders, mentions)([...scanned.marked], 1)
  return mentions.sort((a, b) => a.line - b.line)
}

/** The mentions of a text: those of its markup, in line order, and decision ids. */
export function findTextMentions(
  text: string,
  holders: readonly MentionHolder[],
  { marked, ...options }: Partial<MentionOptions> & { readonly marked: readonly FoundMention[] },
): readonly Mention[] {
  const ids = idSearchFor(text, options)
  const found = [...marked]
  if (ids !== null) {
    collectIds(text.includes('\r') ? text.replace(patterns.carriageReturn, '\n') : text, ids, found)
    if (marked.length > 0) found.sort((a, b) => a.line - b.line)
  }
  const mentions: Mention[] = []
  placeMentions(holders, mentions)(found, 1)
  return mentions
}

/** One search per list of prefixes, shared by all documents of a corpus. */
const searchOf = remember(makeIdSearch, new WeakMap())

/** The search for ids in a text; null if it has none. */
export function idSearchFor(
  text: string,
  { idPrefixes = mentionDefaults.idPrefixes }: Partial<MentionOptions>,
): IdSearch {
  const search = searchOf(idPrefixes)
  return mayHoldId(text, search) ? search : null
}

function makeFinding({ env, lines }: ScannedText, options: Partial<MentionOptions>): Finding {
  const wikiLinks = options.wikiLinks ?? mentionDefaults.wikiLinks
  if (wikiLinks) env['wikiLinks'] = true
  return { env, wikiLinks, ids: idSearchFor(lines.text, options) }
}

/** Limit per document on mentions in frontmatter: see bound-rows.ts. */
const maxMentions = 100_000

type Place = (found: FoundMention[], firstLine: number) => void

/** Moves the findings of a block to the mentions; blocks come in order, so each artifact is passed once. */
function placeMentions(holders: readonly MentionHolder[], mentions: Mention[]): Place {
  let holder = 0
  return (found, firstLine) => {
    for (const { form, text, target, line: offset } of found) {
      const line = firstLine + offset
      if (mentions.length >= maxMentions) break
      while (holder + 1 < holders.length && holders[holder + 1]![0] <= line) holder++
      mentions.push({ origin: holders[holder]![1], form, text, target, line })
    }
    found.length = 0
  }
}

/** Frontmatter may say "superseded by ADR-014" or hold a link, as may the imports of MDX. */
function collectFrontmatter({ lines, firstLine }: ScannedText, finding: Finding, place: Place): void {
  const found: FoundMention[] = []
  for (let line = 0; line < firstLine; line++) {
    const text = lineAt(lines, line)
    const [, address, file] = patterns.frontmatterLink.exec(text) ?? []
    const target = address ?? file
    if (target !== undefined) found.push({ form: 'link', text: target, target, line: 0 })
    collectInline(text, finding, found)
    if (found.length > 0) place(found, line + 1)
  }
}
