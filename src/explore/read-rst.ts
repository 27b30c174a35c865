// How does a document of reStructuredText read as Markdown?

export interface MarkedTitle {
  readonly name: string
  readonly level: number
  readonly lines: { readonly start: number }
}

const indentOf = (line: string): number => line.length - line.trimStart().length
/** The line below or above a title. */
export const rule = /^([!-/:-@[-`{-~])\1{2,}\s*$/
/** Directives whose text is set apart; with `titled`, their argument is a title. */
export const boxes =
  /^(?:abstract|attention|bug|caution|danger|error|example|failure|hint|important|info|note|question|quote|seealso|success|summary|tip|warning|(?<titled>admonition|details|dropdown|sidebar|topic))$/
const hiddenParts =
  /^(?:contents|(?:\w+:)?(?:currentmodule|module)|highlight|index|meta|only|raw|sectionauthor|tabularcolumns|testcleanup|testsetup)$/
/** Without a word of their own. */
const plainParts = /^(?:class|compound|container|cssclass|rst-class)$/
/** What a function takes, raises or returns. */
const parameter =
  /^(\s*):(?:(?:param|arg|argument|key|keyword|parameter|raises?|throws|type|var)\s+([^:\n]{1,80})|(returns?|rtype|yields?)):\s*(.*)$/
export const versionParts = /^(?:version)?(added|changed|deprecated|removed)$/
const codeParts =
  /^(?:code|code-block|doctest|ipython|parsed-literal|prompt|sourcecode|testcode|csv-table|plot|\w+-execute|code-cell|\w+:(?:example|run)|digraph|graphviz|math|mermaid|uml)$/

const rstLink = (text: string, target: string): string =>
  `[${text.trim()}](<${target.replace(/^\//, 'doc:/')}>)`

/** What a role shows: a link to what it names, if the page knows its target. */
export function rstRole(role: string, mark: string, text: string, target = mark + text): string {
  if (role === 'term' || role === 'abbr') return text
  if (/^(?:pep|rfc)$/i.test(role)) return target === text ? `${role.toUpperCase()} ${text}` : text
  if (role === 'doc' || role === 'ref') return rstLink(text, role === 'ref' ? `role:${target}` : target)
  const shown = `\`${mark.startsWith('~') ? text.slice(text.lastIndexOf('.') + 1) : text}\``
  return role === 'code' || mark.startsWith('!')
    ? shown
    : rstLink(shown, `:${role}:${target.replace(/^~/, '')}`)
}

/** Code, roles, links, footnotes, names of links and pictures, and characters that mean something in Markdown alone. */
const inline =
  /(?<url>https?:\/\/[^\s<>`]{1,500})|``(?<code>[^\n]{1,300}?)``(?!`)|:(?<role>[\w:+-]{1,40}):`(?<mark>[~!]?[._]{0,2})(?<named>[^`<>\n]{1,300}?)(?:\s*<(?<to>[^`<>\n]{1,300})>)?`|`(?<text>[^`<>\n]{1,300}?)(?:\s*<(?<target>[^`<>\n]{1,500})>)?`(?<end>_{0,2})|\[#?(?<note>[\w-]{0,40})\]_(?!\w)|\|(?<picture>[^|\s][^|\n]{0,79})\|_{0,2}|(?<![\w\\])(?<word>[A-Za-z0-9](?:[\w.-]{0,80}[A-Za-z0-9])?)_(?!\w)|\\(?<escaped>.)|(?<special>[_<~])/g

/** Targets of links by their names in lower case; pictures by theirs, with bars around them. */
type RstNames = ReadonlyMap<string, string>

const inlineRst = (line: string, names: RstNames = new Map()): string =>
  line
    .replaceAll(inline, (all, ...parts) => {
      const found = parts.at(-1) as Readonly<Record<string, string | undefined>>
      const { url, code, role, mark = '', named = '', to, text, target, end, note, picture, word } = found
      const linkTo = (shown: string, name = `${shown}_`): string => {
        const known = name.endsWith('_') ? names.get(name.slice(0, -1).toLowerCase()) : name
        return known === undefined ? shown : rstLink(shown, known)
      }
      if (url !== undefined) return url
      if (code !== undefined) return code.includes('`') ? `\`\` ${code} \`\`` : `\`${code}\``
      if (role !== undefined) return rstRole(role, mark, named, to)
      if (text !== undefined) return end === '' && target === undefined ? `\`${text}\`` : linkTo(text, target)
      if (note !== undefined) return `\\[${note}\\]`
      if (picture !== undefined) return names.get(`|${picture}|`) ?? all
      if (word !== undefined) return names.has(word.toLowerCase()) ? linkTo(word) : all.replaceAll('_', '\\_')
      if (found['escaped'] !== undefined) return found['escaped'] === ' ' ? '' : `\\${found['escaped']}`
      return `\\${all}`
    })
    .replace(/^(\s*)#\. /, '$11. ')

/** The first line of a box, which ends where the next line begins. */
export function boxTitle(name: string, rest: string): string {
  const kind = name === 'seealso' ? 'See also' : name.charAt(0).toUpperCase() + name.slice(1).toLowerCase()
  return boxes.exec(name)?.groups?.['titled'] === undefined ? `**${kind}** ${rest}  ` : `**${rest || kind}**`
}

/** The options of the directive at this line, with the number of lines that they take. */
function rstOptions(
  lines: readonly string[],
  at: number,
): { readonly all: [string, string][]; readonly size: number } {
  const all: [string, string][] = []
  let size = 0
  for (; (lines[at + size + 1] ?? '').trim() !== ''; size++) {
    const [, name, value = ''] = /^\s+:([\w-]{1,40}):(?:\s+(.*))?$/.exec(lines[at + size + 1] ?? '') ?? []
    const last = all.at(-1)
    if (name !== undefined) all.push([name, value])
    else if (last === undefined) break
    else last[1] += ` ${lines[at + size + 1]?.trim()}`
  }
  return { all, size }
}

/** A directive without a form of its own, by its argument, the options that name what it describes, and what holds if it is not set. */
function rstDescription(name: string, rest: string, options: readonly [string, string][]): string {
  const code = (text: string): string => `\`${text.replaceAll('`', '')}\``
  const named = options.filter(([option]) => /^(?:keys?|names?|option|title)$/.test(option))
  const parts = named.map(([, value]) => `**${value.split(/,\s*/).map(code).join(', ')}**`)
  const argument = /^auto/.test(name) ? rstLink(code(rest), `:obj:${rest}`) : code(rest)
  if (rest !== '') parts.unshift(/\btabs?\b/.test(name) ? `**${rest}**` : `**${name}** ${argument}`)
  const more = options.filter(
    ([option, value]) => /^(?:default|type|version_?added)$/.test(option) && value !== '',
  )
  const said = more.map(([option, value]) => `${option.replace('_', ' ')} ${code(value)}`)
  return parts.length === 0 ? '' : [...parts, ...said].join(' · ')
}

/** A picture of a directive: its description, and what it leads to. */
function rstImage(lines: readonly string[], at: number, url: string): string {
  const option = (name: string): string | undefined => new Map(rstOptions(lines, at).all).get(name)
  const alt = option('alt') ?? url.slice(url.lastIndexOf('/') + 1).replace(/\.\w+(?:\?.*)?$/, '')
  const image = `![${alt.replaceAll(/[[\]]/g, '')}](<${url}>)`
  return option('target') === undefined ? image : `[${image}](<${option('target')}>)`
}

const MOST_ROWS = 1000

/** A table in the lines that it had, with `head` rows of titles. */
export function writeTable(
  rows: readonly (readonly string[])[],
  head: number,
  size: number,
): string[] | null {
  const [columns] = rows
  if (columns === undefined) return null
  const top = head > 0 ? columns : columns.map(() => '')
  const all = [top, columns.map(() => '---'), ...rows.slice(head > 0 ? 1 : 0)]
  const written = all.map((cells) => `| ${cells.join(' | ')} |`)
  return written.length > size ? null : Array.from({ length: size }, (_, row) => written[row] ?? '')
}

/** A table that is written as a list of lists, from the line of its directive. */
function rstListTable(lines: readonly string[], at: number, title: string): string[] | null {
  const block = lines.slice(at + 1, at + MOST_ROWS)
  const end = block.findIndex((line) => line.trim() !== '' && indentOf(line) <= indentOf(lines[at] ?? ''))
  const rows: string[][] = []
  const { all, size } = rstOptions(lines, at)
  let [row, cell] = [-1, -1]
  for (const line of block.slice(size, end < 0 ? undefined : end)) {
    const [, first, mark, written = line] = /^(\s*[*-]\s+)?(\s*[*-](?:\s+|$))(.*)$/.exec(line) ?? []
    const text = inlineRst(written.trim()).replaceAll('|', '\\|')
    if (first !== undefined && (row < 0 || indentOf(line) === row)) {
      ;[row, cell] = [indentOf(line), first.length]
      rows.push([text])
    } else if (mark !== undefined && indentOf(line) === cell) rows.at(-1)?.push(text)
    else if (text !== '') rows.at(-1)?.push(`${rows.at(-1)?.pop()} ${text}`.trim())
  }
  const head = Number(new Map(all).get('header-rows') ?? 0)
  const written = writeTable(rows, head, (end < 0 ? block.length : end) - 1)
  return written && [title === '' ? '' : `**${title}**`, '', ...written]
}

/** The rows of a table and empty lines, as many as it has; null where no table begins. */
function rstTable(lines: readonly string[], at: number): string[] | null {
  const [isGrid, first = ''] = [/^\s*\+(?:[-=]{2,}\+)+\s*$/.test(lines[at] ?? ''), lines[at]]
  const border = isGrid ? /^\s*\+[-=+]+\s*$/ : /^\s*={2,}(?: +=+)+\s*$/
  if (!border.test(first)) return null
  const block = lines.slice(at, at + MOST_ROWS)
  const isLast = (line: string, next = ''): boolean =>
    isGrid ? !/^\s*[+|]/.test(next) : border.test(line) && next.trim() === ''
  const end = block.findIndex((line, row) => row > 0 && isLast(line, block[row + 1]))
  const starts = [...first.matchAll(/=+/g)].map(({ index }) => index)
  const rows: string[][] = []
  let [head, isNew] = [0, true]
  for (const line of block.slice(1, Math.max(0, end))) {
    if (border.test(line)) {
      if (line.includes('=')) head = rows.length
      isNew = true
      continue
    }
    const parts = isGrid
      ? line.split('|').slice(1, -1)
      : starts.map((from, column) => line.slice(from, starts[column + 1]).replaceAll('|', '\\|'))
    const cells = parts.map((cell) => inlineRst(cell.trim()))
    const above = rows.at(-1)
    if (above === undefined || isNew || (!isGrid && cells[0] !== '')) rows.push(cells)
    else for (const [column, cell] of cells.entries()) above[column] = `${above[column] ?? ''} ${cell}`.trim()
    isNew = false
  }
  return writeTable(rows, head, end + 1)
}

/** Directives become bold words or code; titles lose their underlines. */
export function readRst(source: readonly string[], sections: readonly MarkedTitle[]): string {
  // A link that is wrapped moves to its second line.
  const wrapped = /(?<=\S) (:[\w:+-]{1,40}:)?`([^`\n]{1,200})\n([ \t]*)(?=[^`\n]{0,300}`)/g
  const lines = source
    .join('\n')
    .replaceAll(wrapped, (_, role = '', text, indent) => `\n${indent}${role}\`${text} `)
    .split('\n')
  const heads = new Map(sections.map(({ name, level, lines: { start } }) => [start - 1, { name, level }]))
  const named = lines.flatMap((line, at): [string, string][] => {
    const [, picture, source = ''] = /^\s*\.\. \|([^|]{1,80})\| image:: *(\S+)/.exec(line) ?? []
    if (picture !== undefined) return [[`|${picture}|`, rstImage(lines, at, source)]]
    const [, label, target = ''] = /^\s*\.\. _`?([^_`:][^`:\n]{0,200})`?: +(\S.*)$/.exec(line) ?? []
    return label === undefined ? [] : [[label.toLowerCase(), target]]
  })
  const titles = sections.map(({ name }) => [name.toLowerCase(), `#${name.toLowerCase()}`] as const)
  const names: RstNames = new Map([...titles, ...named])
  const read = (text: string): string => inlineRst(text, names)
  const out: string[] = []
  /** Indentation of the code that is open, and of the directive around the text. */
  let [code, inner, literal, hidden, tree] = [-1, -1, -1, -1, -1]
  const open: number[] = []
  /** Indentation of the boxes that are open, and how many hold each line. */
  const boxed: number[] = []
  const quotes: number[] = []
  /** The end of a table that was written, and the line of the pictures in a row. */
  let [written, badges] = [0, -1]
  /** The underline of the title that was written. */
  let underline = -1
  for (const [at, line] of lines.entries()) {
    while (quotes.length < out.length) quotes.push(boxed.length)
    if (at < written) {
      if (out.length <= at) out.push('')
      continue
    }
    const [indent, isBlank] = [indentOf(line), line.trim() === '']
    if (!isBlank && code >= 0 && indent <= code) {
      // The blank line above is the end of the code.
      if (out.at(-1) === '') out.pop()
      out.push('```')
      code = -1
    }
    if (!isBlank && indent <= hidden) hidden = -1
    while (!isBlank && indent <= (open.at(-1) ?? -1)) open.pop()
    while (!isBlank && indent <= (boxed.at(-1) ?? -1)) boxed.pop()
    const box = open.at(-1) ?? -1
    if (!isBlank && indent <= tree) tree = -1
    if (!isBlank && literal >= 0) {
      if (indent > literal) {
        out[out.length - 1] = '```'
        ;[code, inner] = [literal, indent]
      }
      literal = -1
    }
    const head = heads.get(at)
    const [, name = '', rest = ''] = /^\s*\.\. ([\w:-]{1,40})::\s*(.*)$/.exec(line) ?? []
    const isText = code < 0 && hidden < 0
    const ofTable = name === 'list-table' ? rstListTable : rstTable
    const table = isText && head === undefined ? ofTable(lines, at, rest) : null
    const { all: options, size } = name === '' || !isText ? { all: [], size: 0 } : rstOptions(lines, at)
    if (table === null) written = at + size + 1
    if (!isBlank && name !== 'image' && !/^\s+:/.test(line)) badges = -1
    if (code >= 0) {
      if (inner < 0 && !isBlank) inner = indent
      out.push(line.slice(Math.max(0, Math.min(indent, inner))))
    } else if (hidden >= 0) out.push('')
    else if (head !== undefined) {
      out.push(`${'#'.repeat(Math.min(6, head.level))} ${read(head.name)}`)
      underline = /^\.\. [\w-]+::/.test(line)
        ? at
        : lines.findIndex((one, next) => next > at && rule.test(one) && lines[next + 2] !== one)
      if (underline === at) open.push(indent)
    } else if (at <= underline || rule.test(line)) out.push('')
    else if (table !== null) {
      out.push(...table)
      written = at + table.length
    } else if (tree >= 0) {
      const [, text, target = text] = /^([^:<][^<]*)(?:<([^<>]+)>)?$/.exec(line.trim()) ?? []
      out.push(text === undefined ? '' : `- ${rstLink(text, target ?? text)}`)
    } else if (name === 'toctree' || /^(?:literal)?include$/.test(name)) {
      out.push(name === 'toctree' ? '' : `**Includes** ${rstLink(rest, rest)}`)
      if (name === 'toctree') tree = indent
      else open.push(indent)
    } else if (name === 'image' || name === 'figure') {
      // Pictures that follow each other share a row, as badges do.
      if (badges < 0) badges = out.push('') - 1
      else out.push('')
      out[badges] += ` ${rstImage(lines, at, rest)}`
      open.push(indent)
    } else if (name === 'rubric') out.push(`**${rest}**`)
    else if (codeParts.test(name)) {
      out.push(...lines.slice(at, at + size).fill(''), `\`\`\`${rest}`)
      ;[code, inner] = [indent, -1]
    } else if (hiddenParts.test(name)) {
      out.push('')
      hidden = indent
    } else if (name !== '') {
      const [, change] = versionParts.exec(name) ?? []
      const [, version = '', text = ''] = /^(\S*)\s*(.*)$/.exec(rest) ?? []
      if (plainParts.test(name)) out.push('')
      else if (boxes.test(name)) {
        if (out.at(-1) === '') quotes[out.length - 1] = boxed.length
        boxed.push(indent)
        out.push(boxTitle(name, read(rest)))
      } else if (change !== undefined && version !== '')
        out.push(`**${change} in ${version}${text + (lines[at + 1] ?? '') === '' ? '' : ':'}** ${read(text)}`)
      else out.push(rstDescription(name, rest, options))
      open.push(indent)
    } else if (/^\s*\.\. \[/.test(line)) out.push(read(line.replace(/^\s*\.\. \[#?([\w-]*)\]/, '- \\[$1\\]')))
    else if (/^\s*\.\.(?:\s|$)/.test(line)) {
      out.push('')
      hidden = indent
    } else {
      if (/::\s*$/.test(line)) literal = indent
      const field = line.replace(
        parameter,
        (_, at: string, name: string | undefined, other: string, text: string) =>
          `${at}- ${name === undefined ? `**${other}**` : `\`\`${name.split(' ').at(-1)}\`\``} ${text}`,
      )
      const isField = /^\s*:[\w-]{1,40}:(?:\s|$)/.test(field)
      const isShown = !isField || (box < 0 && !/:\s*$/.test(field) && out.some((one) => one !== ''))
      const text = read(field.replace(/(?<=\S)::\s*$/, ':').replace(/(?:^|\s)::\s*$/, ''))
      out.push(isShown ? text.slice(box < 0 ? 0 : Math.min(indent, box + 4)) : '')
    }
  }
  const all = [...out, ...(code >= 0 ? ['```'] : [])]
  return all.map((line, at) => '> '.repeat(quotes[at] ?? boxed.length) + line).join('\n')
}
