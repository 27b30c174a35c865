// How is markdown-it configured? HTML on, no linkifying, light block tokens; one instance without state between texts.
import MarkdownIt, { type Token } from 'markdown-it'

/** Only its block and inline parsers are called, because structure needs no inline tokens. */
export const markdown: InstanceType<typeof MarkdownIt> = new MarkdownIt({
  html: true,
  linkify: false,
  typographer: false,
})

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
