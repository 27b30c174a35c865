// How are links found inside a paragraph? markdown-it's inline rules without emphasis, with places, and with Hugo's forms.
import MarkdownIt, { type Env, type StateInline, type Token } from 'markdown-it'
import { mayPoint, scanShortcode, shortcodeEnd, shortcodeTarget } from './scan-shortcode.ts'
import { scanTag } from './scan-tag.ts'

/** What the walk over a paragraph needs of a token. */
export interface InlineToken {
  readonly type: string
  readonly content: string
  readonly attrs: readonly (readonly [string, string])[] | null
  /** An offset on the token's first line; for text, its end, which is on the same line. */
  readonly at: number
  readonly markup: string
  /** The label of a link by reference. */
  readonly meta: { readonly label?: string } | null
}

const parser = new MarkdownIt({ html: true, linkify: false })

/** The same fields and methods as markdown-it's own state, without the cost of defining each field one by one. */
class LightInlineState {
  src: string
  env: Env
  md: typeof parser
  tokens: unknown[]
  tokens_meta: unknown[] = []
  pos = 0
  posMax: number
  level = 0
  pending = ''
  pendingLevel = 0
  cache: Record<number, number> = {}
  backticks: Record<number, number> = {}
  backticksScanned = false
  skipHtmlSpecial = false
  linkLevel = 0
  delimiters: unknown[] = []
  /** Asked at every tag, so answered once. */
  hasShortcodes: boolean

  constructor(src: string, md: typeof parser, env: Env, outTokens: unknown[]) {
    this.src = src
    this.env = env
    this.md = md
    this.tokens = outTokens
    this.posMax = src.length
    this.hasShortcodes = src.includes('{{')
  }

  pushPending(): unknown {
    const token = { type: 'text', content: this.pending, attrs: null, at: this.pos, markup: '', meta: null }
    this.pending = ''
    this.tokens.push(token)
    return token
  }

  push(type: string, _tag: string, nesting: -1 | 0 | 1): unknown {
    if (this.pending !== '') this.pushPending()
    if (nesting < 0) this.level--
    else if (nesting > 0) this.level++
    const token = { type, content: '', attrs: null, at: this.pos, markup: '', meta: null }
    this.tokens.push(token)
    return token
  }
}
parser.inline.State = LightInlineState as unknown as typeof parser.inline.State

/** Characters at which a rule may apply: newline ! & < [ \ ] ` { */
const stops = new Uint8Array(128)
for (const char of '\n!&<[\\]`{') stops[char.charCodeAt(0)] = 1

function passText(state: StateInline, silent: boolean): boolean {
  const { src, posMax, pos: start } = state
  let pos = start
  while (pos < posMax) {
    const code = src.charCodeAt(pos)
    if (code < 128 && stops[code] === 1) break
    pos++
  }
  if (pos === start) return false
  if (!silent) state.pending += src.slice(start, pos)
  state.pos = pos
  return true
}

/** A shortcode that points somewhere becomes a token; any other is passed over, for its values are not text. */
function passShortcode(state: StateInline, silent: boolean): boolean {
  const end = shortcodeEnd(state.src, state.pos)
  if (end === -1 || end > state.posMax) return false
  if (!silent && mayPoint(state.src, state.pos)) {
    const code = scanShortcode(state.src, state.pos)
    const target = code === null ? null : shortcodeTarget(code)
    if (target !== null) {
      const token = state.push('shortcode', '', 0)
      token.attrs = [['href', target]]
      token.content = code!.named.get('text') ?? ''
    }
  }
  state.pos = end
  return true
}

/** `<a href="{{< ref "page" >}}">`: the quotes inside make it no HTML tag for CommonMark, but Hugo resolves them first. */
function passShortcodeTag(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state
  if (!(state as unknown as LightInlineState).hasShortcodes) return false
  if (src.charCodeAt(pos) !== 60 || (src.charCodeAt(pos + 1) | 32) !== 97) return false
  const tag = scanTag(src, pos)
  if (tag === null || tag.end > state.posMax || tag.name !== 'a') return false
  if (!silent) state.push('html_inline', '', 0).content = src.slice(pos, tag.end)
  state.pos = tag.end
  return true
}

const maxWikiChars = 300

/** `[[Page]]`, `[[Page#Section]]`, `[[Page|words]]`, on one line. */
function passWikiLink(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state
  if (state.env['wikiLinks'] !== true || src.charCodeAt(pos) !== 91 || src.charCodeAt(pos + 1) !== 91)
    return false
  const limit = Math.min(state.posMax - 1, pos + maxWikiChars)
  for (let at = pos + 2; at < limit; at++) {
    const code = src.charCodeAt(at)
    if (code === 10 || code === 91) return false
    if (code !== 93) continue
    if (src.charCodeAt(at + 1) !== 93 || at === pos + 2) return false
    if (!silent) pushWikiLink(state, src.slice(pos + 2, at))
    state.pos = at + 2
    return true
  }
  return false
}

function pushWikiLink(state: StateInline, inner: string): void {
  const bar = inner.indexOf('|')
  // A bar inside a table cell is escaped: `[[Page\|words]]`.
  const page = (bar === -1 ? inner : inner.slice(0, bar)).trim()
  const token = state.push('wiki_link', '', 0)
  token.attrs = [['href', page.endsWith('\\') ? page.slice(0, -1).trim() : page]]
  token.content = (bar === -1 ? inner : inner.slice(bar + 1)).trim()
}

parser.inline.ruler.at('text', passText)
parser.inline.ruler.disable(['linkify', 'strikethrough', 'emphasis'])
parser.inline.ruler2.disable(['balance_pairs', 'strikethrough', 'emphasis', 'fragments_join'])
parser.inline.ruler.before('link', 'shortcode', passShortcode)
parser.inline.ruler.before('link', 'wiki_link', passWikiLink)
parser.inline.ruler.before('autolink', 'shortcode_tag', passShortcodeTag)
// A target is kept as its author wrote it.
parser.normalizeLink = (url: string): string => url

const plainDestination = parser.helpers.parseLinkDestination

/** A destination may start with a shortcode, blanks and all: `[words]({{< ref "page" >}})`. */
function parseDestination(text: string, start: number, max: number): ReturnType<typeof plainDestination> {
  const end = shortcodeEnd(text, start)
  if (end === -1 || end > max) return plainDestination(text, start, max)
  if (end === max || text.charCodeAt(end) === 41) return { ok: true, pos: end, str: text.slice(start, end) }
  const rest = plainDestination(text, end, max)
  return rest.ok
    ? { ...rest, str: text.slice(start, end) + rest.str }
    : { ok: true, pos: end, str: text.slice(start, end) }
}
parser.helpers = { ...parser.helpers, parseLinkDestination: parseDestination }

/** The inline tokens of one block's content; `env` holds the document's link definitions. */
export function parseInline(content: string, env: Env): readonly InlineToken[] {
  const tokens: Token[] = []
  parser.inline.parse(content, parser, env, tokens)
  return tokens as unknown as readonly InlineToken[]
}
