// How is markdown-it configured? HTML on, no linkifying, light block tokens; one instance without state between texts.
import MarkdownIt, { type Token } from 'markdown-it'
import { patterns } from '../patterns.ts'

/** Only its block and inline parsers are called, because structure needs no inline tokens. */
export const markdown: InstanceType<typeof MarkdownIt> = new MarkdownIt({
  html: true,
  linkify: false,
  typographer: false,
})
// A target stays as its author wrote it.
markdown.normalizeLink = (url: string): string => url

/** A text with more tokens is a bomb (a table of bars, a line of nested lists); 2 MB of prose has a quarter of it. */
const maxTokens = 400_000

/**
 * markdown-it's own tokens define their fields one by one, which takes nearly half of its block parsing time (record
 * 0003 in docs/decisions). Block rules only read and write fields, so a plain object is enough; rarely used
 * fields are on the prototype, because a text of headings has several tokens per line.
 */
class LightToken {
  readonly type: string
  readonly tag: string
  map: [number, number] | null = null
  readonly nesting: -1 | 0 | 1
  readonly level: number
  content = ''
  markup = ''
  hidden = false

  constructor(type: string, tag: string, nesting: -1 | 0 | 1, level: number) {
    this.type = type
    this.tag = tag
    this.nesting = nesting
    this.level = level
  }

  /** Inline tokens are created elsewhere. */
  get children(): null {
    return null
  }
  set children(_: readonly Token[] | null) {}
}
Object.assign(LightToken.prototype, { attrs: null, info: '', meta: null, block: true })

class LightState extends markdown.block.State {
  override push(type: string, tag: string, nesting: -1 | 0 | 1): Token {
    if (this.tokens.length >= maxTokens) throw new RangeError(`more than ${maxTokens} Markdown tokens`)
    if (nesting < 0) this.level--
    const token = new LightToken(type, tag, nesting, this.level) as unknown as Token
    if (nesting > 0) this.level++
    this.tokens.push(token)
    return token
  }
}

markdown.block.State = LightState

/** The markup of a token that is only a tag of MDX. */
export const mdxTag = 'mdx'
/** A longer tag is not looked for. */
const maxTagLines = 100

type StateBlock = InstanceType<typeof markdown.block.State>

/**
 * MDX differs from Markdown: a tag on its own lines is a block, the text inside it is Markdown, and indentation never
 * makes code. `env.isMdx` turns this on.
 */
function readMdx(state: StateBlock, line: number, end: number, silent: boolean): boolean {
  if (state.env['isMdx'] !== true) return false
  const indent = state.sCount[line]! - state.blkIndent
  const next = endOfTag(state, line, end)
  if (next !== null) {
    if (silent) return true
    state.line = next
    const token = state.push('html_block', '', 0)
    token.map = [line, next]
    token.markup = mdxTag
    token.content = state.getLines(line, next, state.blkIndent, true)
    return true
  }
  if (silent || indent < 4) return false
  state.blkIndent += indent - 3
  const isRead = markdown.block.ruler.getRules('').some((rule) => rule(state, line, end, silent))
  state.blkIndent -= indent - 3
  return isRead
}

/** The line after a tag that fills its lines; null if there is none here. */
function endOfTag(state: StateBlock, line: number, end: number): number | null {
  const textOf = (at: number): string =>
    state.src.slice(state.bMarks[at]! + state.tShift[at]!, state.eMarks[at]).trimEnd()
  const text = textOf(line)
  if (patterns.mdxTag.test(text)) return line + 1
  if (!patterns.mdxTagStart.test(text)) return null
  for (let at = line + 1; at < Math.min(end, line + maxTagLines) && !state.isEmpty(at); at++)
    if (patterns.mdxTagEnd.test(textOf(at))) return at + 1
  return null
}

markdown.block.ruler.before('code', 'mdx', readMdx, { alt: ['paragraph', 'reference', 'blockquote', 'list'] })
