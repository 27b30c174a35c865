// How does Markdown with the boxes, tabs, directives and components of site generators read as plain Markdown?
import { boxes, boxTitle, readRst, rstRole, versionParts } from './read-rst.ts'
import { plainText } from './show-passage.ts'

/** Classes, labels and comments of MyST; options of a directive. */
const unseen = /^(?:\{[.#][^{}\n]{0,200}\}|\([\w:/. -]{1,200}\)=|%\s.*)$/
const option = /^:[\w-]{1,40}:(?:\s.*)?$/
const mystRole = /\{([\w:+-]{1,40})\}`([~!]?)([^`<>\n]{1,300}?)(?:\s*<([^`<>\n]{1,300})>)?`/g
/** A fence, a box or a tab, with its name and its title. */
const opening =
  /^\s*(?:(?<fence>`{3,}|~{3,}|:{3,}|\/{3,}(?= \w))\s*(?<info>[^\s`[]*)|(?:!!!|\?\?\?\+?)\s+(?<box>[\w-]+)|===\+?(?=\s+"))\s*(?:["[](?<quoted>[^`]*)["\]]|(?:\|\s*)?(?<rest>[^`]*))$/

interface OpenBlock {
  /** The fence that ends it; null where its indentation does. */
  readonly fence: string | null
  readonly kind: 'quote' | 'plain' | 'code' | 'rst'
  readonly indent: number
  /** Columns that its lines leave free, and its first line. */
  readonly margin: number
  readonly start: number
}

const isSource = (block: OpenBlock | undefined): boolean => block?.kind === 'code' || block?.kind === 'rst'

/** A directive of MyST without text in Markdown is read as reStructuredText is. */
function openBlock(groups: Readonly<Record<string, string | undefined>>): {
  kind: OpenBlock['kind']
  title: string
} {
  const { fence = '', info = '', box, quoted, rest = '' } = groups
  const [title, isFence] = [(quoted ?? rest).trim(), /^[`~]/.test(fence)]
  const directive = /^\{(.+)\}$/.exec(info)?.[1]
  const name = directive ?? box ?? info
  const named = directive === undefined ? title && `**${title}**` : ''
  if (isFence && directive === undefined) return { kind: 'code', title: '' }
  if (boxes.test(name.toLowerCase())) return { kind: 'quote', title: named || boxTitle(name, title) }
  const [, change] = versionParts.exec(name) ?? []
  if (change !== undefined) return { kind: 'plain', title: `**${change} in ${title}:**` }
  if (!isFence) return { kind: 'plain', title: title && `**${title}**` }
  return { kind: 'rst', title: directive === 'eval-rst' ? '' : `.. ${directive}:: ${title}` }
}

/** A fence ends with as many marks or more, a box with as many. */
const endOf = (text: string, fence: string | null): boolean =>
  text === fence ||
  (fence !== null &&
    /^[`~]/.test(fence) &&
    text.length > fence.length &&
    text === fence.charAt(0).repeat(text.length))

/** The short names of the signs that tables and notes use most. */
const signs: Readonly<Record<string, string>> = {
  ...{ white_check_mark: '✅', heavy_check_mark: '✔', x: '❌', warning: '⚠', bulb: '💡', rocket: '🚀' },
  ...{ tada: '🎉', star: '⭐', heart: '❤', information_source: 'ℹ', wink: '😉', smile: '😄', bug: '🐛' },
}

/** A line of text: roles of MyST as links, alerts of GitHub by their names. */
const readLine = (text: string): string =>
  text
    .replaceAll(mystRole, (_, role: string, mark: string, named: string, to?: string) =>
      rstRole(role, mark, named, to),
    )
    .replaceAll(/(?<!!)\[\]\(#?([\w:/.-]{1,200})\)/g, (_, label: string) => `[${label}](<role:${label}>)`)
    .replaceAll(/(?<![\w:]):(\w{1,20}):(?![\w:])/g, (all, name: string) => signs[name] ?? all)
    .replace(/^(> *)\[!(\w+)\]\s*$/, (_, quote: string, name: string) => quote + boxTitle(name, ''))

/** Line by line, without frontmatter, so that headings stay where they are. */
export function readMarkdown(text: string, isMdx: boolean): string {
  const plain = plainText(text).replace(/^(---|\+\+\+)\r?\n[\s\S]*?\n\1(?=\r?\n)/, (lines) =>
    lines.replaceAll(/[^\n]+/g, ''),
  )
  return readBlocks(plain.split(/\r?\n/), isMdx).join('\n')
}

function readBlocks(lines: readonly string[], isMdx: boolean): string[] {
  const out: string[] = []
  const open: OpenBlock[] = []
  /** Ends a script, a style or an import. */
  let hidden: RegExp | null = null
  /** The last lines that end a box, by their marks: a box without an end is text. */
  const ends = new Map(lines.map((line, at) => [line.trim(), at]))
  for (const [at, line] of lines.entries()) {
    const indent = line.search(/\S|$/)
    const less = open.findIndex(({ fence, margin }) => fence === null && indent < margin)
    if (indent < line.length && less >= 0) open.length = less
    const top = open.at(-1)
    const around = open.filter((block) => !isSource(block))
    const text = line.slice(Math.min(indent, around.at(-1)?.margin ?? 0))
    const bare = text.trim()
    const margins = ' '.repeat(around[0]?.indent ?? 0)
    const put = (shown: string): void => {
      out.push(margins + '> '.repeat(open.filter(({ kind }) => kind === 'quote').length) + shown)
    }
    const isEnd = (block: OpenBlock): boolean => (block === top || !isSource(top)) && endOf(bare, block.fence)
    const ended = open.findLastIndex(isEnd)
    const { fence = null, info, ...named } = (isSource(top) ? null : opening.exec(text))?.groups ?? {}
    const isOpening =
      fence === null
        ? named['box'] !== undefined || named['quoted'] !== undefined
        : /^[`~]/.test(fence) || (ends.get(fence) ?? 0) > at
    if (hidden !== null) {
      put('')
      if (hidden.test(bare)) hidden = null
    } else if (ended >= 0) {
      open.length = ended
      const raw = top?.kind === 'rst' ? out.splice(top.start) : []
      const read = readRst(raw, []).split('\n')
      if (raw.length === 0) put(top?.kind === 'code' ? text : '')
      else for (const at of [...raw, line].keys()) put(read[at] ?? '')
    } else if (top?.kind === 'rst') out.push(`   ${text}`.trimEnd())
    else if (top?.kind === 'code') put(text)
    else if (isOpening) {
      const { kind, title } = openBlock({ fence: fence ?? '', info, ...named })
      open.push({ fence, kind, indent, margin: indent + (fence === null ? 4 : 0), start: out.length })
      if (kind === 'rst') out.push(title)
      else put(kind === 'code' ? text : title)
    } else if (fence === ':::' && /^\w+(?:\.\w+)+$/.test(info ?? '')) {
      // What mkdocstrings documents, with its options below.
      put(rstRole('obj', '', info ?? ''))
      hidden = /^$/
    } else if (unseen.test(bare) || (option.test(bare) && top !== undefined) || /^:::+$/.test(bare)) put('')
    else {
      const script = /^<(script|style)\b(?!.*<\/\1)/i.exec(text)?.[1]
      if (script !== undefined) hidden = new RegExp(`</${script}`)
      else if (isMdx && /^(?:im|ex)port\s/.test(text) && bare !== '') hidden = /^$/
      put(hidden !== null ? '' : readLine(text))
    }
  }
  return out
}
