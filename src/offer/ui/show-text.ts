// How does a passage look in a card? Markdown rendered, the question's words marked, cut to a few lines.
import MarkdownIt, { type Token } from 'markdown-it'
import { readExcerpt } from '../../explore/read-as-markdown.ts'
import { chooseWindow, markAsked, signatureLines, withoutTags } from '../../explore/show-passage.ts'
import type { Passage } from '../../model/digest.ts'
import { formatQuantity } from '../../model/format-numbers.ts'
import { type Child, documentAddress, html, Markup } from './html.ts'
import { showHtml } from './show-html.ts'

export type WriteText = (text: string) => Child

/** Marks the words of the question, whose terms are stems. */
export const markWords = (terms: readonly string[]): WriteText =>
  markAsked(terms, (asked) => html`<mark>${asked}</mark>`)

/** What the renderer needs besides tokens; cards have no links, and headings without ids. */
export interface ProseContext {
  readonly write: WriteText
  readonly linkTo?: (href: string) => string | null
  /** By the line of the heading. */
  readonly headingId?: (line: number) => string | null
  /** The address of a picture that can be shown. */
  readonly pictureOf?: (source: string) => string | null
  readonly codeOf?: (token: Token) => readonly Markup[] | null
  /** Levels of the headings so far; absent in a card, whose headings are paragraphs. */
  readonly levels?: number[]
}

export const parser: ReturnType<typeof MarkdownIt> = new MarkdownIt({ html: true, linkify: true })
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false })

export const renderProse = (tokens: Token[], context: ProseContext): Markup =>
  new Markup(parser.renderer.render(tokens, parser.options, { context }))

const writeCode = (token: Token, { codeOf, write, levels }: ProseContext): Markup => {
  const lines = codeOf?.(token)?.flatMap((line, row) => (row === 0 ? [line] : ['\n', line]))
  return html`<pre${levels === undefined ? '' : html` tabindex="0"`}>${lines ?? write(token.content.replace(/\n$/, ''))}</pre>`
}
/** No level is skipped, as readers of a screen expect; the first level is that of the page. */
function openHeading(token: Token, { levels, headingId }: ProseContext): Markup {
  if (levels === undefined) return new Markup('<p class="head">')
  const level = Math.min(Number(token.tag.slice(1)) + 1, (levels.at(-1) ?? 1) + 1, 6)
  levels.push(level)
  const id = headingId?.((token.map?.[0] ?? 0) + 1) ?? null
  const link = html`<a class="anchor" href="#${id}" aria-hidden="true" tabindex="-1"></a>`
  return html`<h${level} class="head ${token.tag}"${id === null ? '' : html` id="${id}"`}>${id === null ? '' : link}`
}
function openAddress(written: string, { linkTo }: ProseContext): Markup {
  const href = linkTo?.(written) ?? null
  const title = linkTo === undefined ? '' : html` title="Not in the index"`
  // A role of reStructuredText names code of other packages, too.
  if (href === null) return /^(?::|role:|mailto:)/.test(written) ? html`<a>` : html`<a class="link"${title}>`
  return html`<a href="${href}" rel="noreferrer">`
}
/** A picture of the folder, or the description of any other. */
function showPicture(
  source: string,
  description: string,
  { pictureOf, write }: ProseContext,
  width = '',
): Markup {
  const size = /^(\d{1,4})(?:px)?$/.exec(width)?.[1]
  const address = pictureOf?.(source) ?? null
  if (address !== null)
    return html`<img src="${address}" alt="${description}"${size === undefined ? '' : html` width="${size}"`} loading="lazy">`
  return description === '' ? html`` : html`<span class="image">${write(description)}</span>`
}

/** A tag inside of a paragraph. */
function showTag(tag: string, context: ProseContext): Child {
  if (/^<br\s*\/?>$/i.test(tag)) return html`<br>`
  const attribute = (name: string): string =>
    new RegExp(`\\s${name}=["']([^"'<>]*)`, 'i').exec(tag)?.[1] ?? ''
  if (/^<img\s/i.test(tag)) return showPicture(attribute('src'), attribute('alt'), context)
  return context.write(tag.startsWith('<!--') ? '' : withoutTags(tag))
}

// Nothing of a document becomes markup of its own: no HTML, no image, no style, and no address but of a page or site.
const rules: Readonly<Record<string, (token: Token, context: ProseContext) => Child>> = {
  text: ({ content }, { write }) => write(content),
  code_inline: ({ content }, { write }) => html`<code>${write(content)}</code>`,
  fence: writeCode,
  code_block: writeCode,
  image: (token, context) => showPicture(String(token.attrGet('src')), token.content || 'picture', context),
  table_open: (_, { levels }) =>
    html`<div class="scroll"${levels === undefined ? '' : html` tabindex="0"`}><table>`,
  table_close: () => html`</table></div>`,
  html_block: ({ content }, context) => {
    const shown = showHtml(content, {
      write: context.write,
      openLink: (href) => openAddress(href, context),
      showPicture: (source, description, width) => showPicture(source, description, context, width),
    })
    return shown && html`<div class="html">${shown}</div>`
  },
  html_inline: ({ content }, context) => showTag(content, context),
  ...Object.fromEntries(
    ['th', 'td'].flatMap((name) => [
      [`${name}_open`, () => html`<td>`],
      [`${name}_close`, () => html`</td>`],
    ]),
  ),
  heading_open: openHeading,
  heading_close: (_, { levels }) => (levels === undefined ? html`</p>` : html`</h${levels.at(-1)}>`),
  link_open: (token, context) => openAddress(String(token.attrGet('href') ?? ''), context),
}
for (const [name, rule] of Object.entries(rules))
  parser.renderer.rules[name] = (tokens, at, _options, env) =>
    html`${rule(tokens[at] as Token, (env as unknown as { context: ProseContext }).context)}`.text

/** A part of a passage that is shown or hidden as a whole, with the lines that it takes. */
interface CardBlock {
  readonly shown: Markup
  readonly lines: number
  readonly text: string
}

/** With its line, which a block of prose does not have. */
interface NumberedBlock extends CardBlock {
  readonly line?: number
}

const CHARS_PER_LINE = 95

function markdownBlocks(source: string, writeText: WriteText): CardBlock[] {
  const tokens = parser.parse(source, {})
  const render = (from: number, to: number): string =>
    renderProse(tokens.slice(from, to), { write: writeText }).text
  const blocks: CardBlock[] = []
  const add = (from: number, to: number, around: (inner: string) => string = (inner) => inner): void => {
    const inner = render(from, to)
    if (inner.trim() === '') return
    const plain = inner.replaceAll(/<[^>]{0,200}>/g, '')
    const rows = plain.trim().split('\n')
    const lines = rows.reduce((sum, row) => sum + Math.max(1, Math.ceil(row.length / CHARS_PER_LINE)), 0)
    blocks.push({ shown: new Markup(around(inner)), lines, text: plain })
  }
  let [from, item, number] = [0, 0, 1]
  for (const [at, { level, nesting, type, attrGet }] of tokens.entries()) {
    if (level === 0 && nesting === 1) {
      from = at
      number = Number(attrGet.call(tokens[at] as Token, 'start') ?? 1)
    }
    const kind = (tokens[from] as Token).type
    const isList = kind === 'bullet_list_open' || kind === 'ordered_list_open'
    if (isList && level === 1 && type === 'list_item_open') item = at
    if (isList && level === 1 && type === 'list_item_close') {
      const start = number++
      add(item, at + 1, (inner) =>
        kind === 'bullet_list_open' ? `<ul>${inner}</ul>` : `<ol start="${start}">${inner}</ol>`,
      )
    }
    if (level !== 0 || nesting === 1) continue
    if (nesting === 0) add(at, at + 1)
    else if (!isList) add(from, at + 1)
    from = at + 1 < tokens.length ? at + 1 : at
  }
  return blocks
}

export interface NumberedText {
  readonly path: string
  readonly start: number
  readonly text: string
  readonly language: string
  readonly marked?: { readonly start: number; readonly end: number } | null
  /** Gives each line an id; once on a page. */
  readonly anchored?: boolean
  readonly write?: WriteText
  readonly coloured?: readonly Markup[] | null
}

/** Numbered lines, each with a link to itself. */
export function numberLines(given: NumberedText): Markup[] {
  const { path, start, text, language, marked = null, anchored = false } = given
  const { write = (line) => line, coloured = null } = given
  const place = documentAddress(path)
  return text.split('\n').map((line, at) => {
    const number = start + at
    const isHead = language === 'markdown' && /^#{1,6} /.test(line)
    const isMarked = marked !== null && number >= marked.start && number <= marked.end
    const id = anchored ? html` id="L${number}"` : ''
    return html`<li${id}${isMarked ? html` class="marked"` : ''}><a href="${anchored ? '' : place}#L${number}" aria-label="line ${number}">${number}</a><span${isHead ? html` class="head"` : ''}>${coloured?.[at] ?? write(line)}</span></li>`
  })
}

/** Lines that a card shows before it is opened; classes of the style sheet bear these numbers. */
export type CardLines = 16 | 8 | 5 | 3 | 0 | typeof WHOLE

/** An opened card. */
export const WHOLE = Number.POSITIVE_INFINITY

export interface CardText {
  readonly body: Markup
  readonly isCut: boolean
  readonly seen: number
  readonly total: number
}

/** The signature of code, and the lines with most words of the question; `pause` is where lines between them are hidden. */
function chooseShown(
  all: readonly NumberedBlock[],
  passage: Passage,
  { lines, terms }: { readonly lines: CardLines; readonly terms: readonly string[] },
): { readonly hidden: (at: number) => boolean; readonly pause: number | null } {
  const signature = signatureLines(passage)
  const isHead = ({ line = 0 }: NumberedBlock): boolean =>
    signature !== null && line >= signature.start && line <= signature.end
  const begin = Math.max(0, all.findIndex(isHead))
  const body = begin + all.filter(isHead).length
  const end = Math.min(body, begin + Math.ceil(lines / 2))
  const room = lines - (end - begin)
  const { from, to: last } = room > 0 ? chooseWindow(all.slice(body), room, terms) : { from: 0, to: 0 }
  // The height of the card cuts a block that does not fit, where the others leave half of it empty.
  const held = all.slice(body + from, body + last).reduce((sum, one) => sum + one.lines, 0)
  // A sentence that introduces code is shown with the beginning of it.
  const isIntroduction = /:\s*$/.test(all[body + last - 1]?.text ?? '')
  const to = signature === null && (held < room / 2 || isIntroduction) ? last + 1 : last
  const isShown = (at: number): boolean => (at >= begin && at < end) || (at >= body + from && at < body + to)
  return { hidden: (at) => !isShown(at), pause: end > begin && end < body + from ? end : null }
}

/** The text of a passage: some of its lines, or all of them. Code keeps its signature. */
export function showText(
  passage: Passage,
  { lines, terms }: { readonly lines: CardLines; readonly terms: readonly string[] },
): CardText {
  const { path, language, excerpts } = passage
  const writeText = markWords(terms)
  const sources = excerpts.map((excerpt) => readExcerpt(passage, excerpt))
  const isProse = !sources.includes(null)
  const parts = excerpts.map((excerpt, at) => {
    const before = excerpts[at - 1]
    const omitted = before === undefined ? 0 : Math.max(0, excerpt.lines.start - before.lines.end - 1)
    // A passage that starts with its heading has the heading as its name, not in its text.
    const start = Math.max(1, excerpt.lines.end - excerpt.text.split('\n').length + 1)
    const blocks = isProse
      ? markdownBlocks(sources[at] ?? '', writeText)
      : excerpt.text.split('\n').map((text, row) => ({ shown: html``, lines: 1, text, line: start + row }))
    return { excerpt, start, blocks, gap: before === undefined ? null : formatQuantity(omitted, 'line') }
  })
  const all: readonly NumberedBlock[] = parts.flatMap(({ blocks }) => blocks)
  const total = all.reduce((sum, one) => sum + one.lines, 0)
  // A card that would hide four lines shows them.
  const isCut = lines === 0 || total > lines + 4
  const { hidden, pause } = isCut
    ? chooseShown(all, passage, { lines, terms })
    : { hidden: () => false, pause: null }
  const seen = all.reduce((sum, one, at) => sum + (hidden(at) ? 0 : one.lines), 0)
  let first = 0
  const shown = parts.map(({ excerpt, start, blocks, gap }) => {
    const offset = first
    first += blocks.length
    const isApart = gap !== null && !hidden(offset) && !hidden(offset - 1)
    const rows = isProse
      ? blocks.map((block) => block.shown)
      : numberLines({ path, start, text: excerpt.text, language, write: writeText })
    const name = isProse ? 'p' : 'li'
    const mark = (text: string): Markup => new Markup(`<${name} class="gap">${text}</${name}>`)
    return [
      isApart && mark(`… ${gap} omitted`),
      rows.map((row, at) => [offset + at === pause && mark('…'), !hidden(offset + at) && row]),
    ]
  })
  const isCode = !['markdown', 'text'].includes(language)
  const height = isCut ? ` n${lines}` : ''
  const text = isProse
    ? html`<div class="prose${height}">${shown}</div>`
    : html`<div class="text${isCode ? ' code' : height}"><ol>${shown}</ol></div>`
  return { body: lines === 0 ? html`` : text, isCut, seen: Math.min(lines, seen), total }
}
