// How is markdown-it set up? HTML on, no linkifying, light block tokens; one instance, which keeps no state between texts.
import MarkdownIt, { type Token } from 'markdown-it'

/** Only its block and inline parsers are called, never the whole chain: structure needs no inline tokens. */
export const markdown: InstanceType<typeof MarkdownIt> = new MarkdownIt({
  html: true,
  linkify: false,
  typographer: false,
})

/** A text of more is a bomb (a table of bars, a line of nested lists); 2 MB of prose has a quarter of it. */
const maxTokens = 400_000

/**
 * markdown-it's own tokens define their fields one by one, which takes nearly half of its block parsing time (record
 * 0003 in docs/decisions). Block rules only read and write fields, so a literal with the same fields does.
 */
class LightState extends markdown.block.State {
  override push(type: string, tag: string, nesting: -1 | 0 | 1): Token {
    if (this.tokens.length >= maxTokens) throw new RangeError(`more than ${maxTokens} Markdown tokens`)
    if (nesting < 0) this.level--
    const token: Omit<Token, 'attrIndex' | 'attrPush' | 'attrSet' | 'attrGet' | 'attrJoin'> = {
      type,
      tag,
      attrs: null,
      map: null,
      nesting,
      level: this.level,
      children: null,
      content: '',
      markup: '',
      info: '',
      meta: null,
      block: true,
      hidden: false,
    }
    if (nesting > 0) this.level++
    this.tokens.push(token as Token)
    return token as Token
  }
}

markdown.block.State = LightState
