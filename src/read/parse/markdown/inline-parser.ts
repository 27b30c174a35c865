// How are links found in a paragraph? By markdown-it's inline rules without emphasis, with positions and Hugo's forms.
import MarkdownIt, { type Env, type StateInline, type Token } from 'markdown-it'
import { mayPoint, scanShortcode, shortcodeEnd, shortcodeTarget } from './scan-shortcode.ts'
import { scanTag } from './scan-tag.ts'

/** The fields of a token that the walk needs. */
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

/** markdown-it's state with our own tokens, which know their position and are cheaper to create. */
class PlacedState extends parser.inline.State {
  /** Needed at every tag, so computed once. */
  readonly hasShortcodes: boolean = this.src.includes('{{')

  override pushPending(): Token {
    const token = placedToken('text', this.pos)
    token.content = this.pending
    this.pending = ''
    this.tokens.push(token)
    return token
  }

  override push(type: string, _tag: string, nesting: -1 | 0 | 1): Token {
    if (this.pending !== '') this.pushPending()
    this.level += nesting
    const token = placedToken(type, this.pos)
    this.tokens.push(token)
    return token
  }
}
parser.inline.State = PlacedState

/** The fields that the rules write and the walk reads. */
function placedToken(type: string, at: number): Token {
  return { type, content: '', attrs: null, at, markup: '', meta: null } as unknown as Token
}

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

/** A shortcode with a target becomes a token; any other is skipped, because its values are not text. */
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

/** `<a href="{{< ref "page" >}}">`: CommonMark sees no tag because of the inner quotes, but Hugo resolves them first. */
function passShortcodeTag(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state
  if (!(state as PlacedState).hasShortcodes) return false
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
  // In a table cell the bar is escaped: `[[Page\|words]]`.
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
// A target stays as its author wrote it.
parser.normalizeLink = (url: string): string => url

const plainDestination = parser.helpers.parseLinkDestination

/** A destination may start with a shortcode that contains blanks: `[words]({{< ref "page" >}})`. */
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
