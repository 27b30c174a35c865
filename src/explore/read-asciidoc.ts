// How does a document of AsciiDoc read as Markdown?

import { findClosings, isTitleRule } from '../read/parse/text/find-asciidoc-heads.ts'
import { writeTable } from './read-rst.ts'

// Private characters replace ASCII that no rule may read: literal text, and Markdown that is written.
const shift = (text: string, by: number): string =>
  unheld(text).replaceAll(/[ -~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + by))
const literal = (text: string): string => shift(text, 0xf500)
const markup = (text: string): string => shift(text, 0xf600)
const unheld = (text: string): string =>
  text.replaceAll(/[\uf520-\uf57e\uf620-\uf67e]/g, (one) => String.fromCharCode(one.charCodeAt(0) & 0xff))
function code(text: string): string {
  const plain = unheld(text).replaceAll(/pass:[a-z,]{0,20}\[([^\]]{0,500})\]|\\(?=[-=]>)/g, '$1')
  return markup(plain.includes('`') ? `\`\` ${plain} \`\`` : `\`${plain}\``)
}
function link(written: string, to: string): string {
  const text = written || literal(to.replace(/^label:/, ''))
  return to.includes('{') ? text : markup('[') + text + markup(`](<${to}>)`)
}
const around = (marks: string) => (text: string) => markup(marks) + text + markup(marks)

/** Attributes of a block or a macro: those with a name, and the others by their place. */
function readWords(text: string): { readonly named: ReadonlyMap<string, string>; readonly list: string[] } {
  const parts = text.matchAll(/(?!$)(?:([\w-]{1,30})=)?(?:"([^"]{0,500})"|([^,]{0,500}))(?:,\s{0,9}|$)/g)
  const all = [...parts].map(([, name = '', quoted, plain = '']) => [name, (quoted ?? plain).trim()] as const)
  return { named: new Map(all), list: all.filter(([name]) => name === '').map(([, value]) => value) }
}

/** What `name:target[text]` shows; a link has the target of the mention that the parser finds. */
function macro(name: string, all: string, [, target = '', words = '']: readonly string[]): string {
  const { named, list } = readWords(words)
  const isLink = /^(?:xref|link|https?|ftp|mailto)$/.test(name)
  const text = isLink && /[="]/.test(words) ? (list[0] ?? '') : words.replace(/\^$/, '')
  if (/^(?:icon|indexterm|anchor|toc)$/.test(name) || (name === 'footnote' && text === '')) return ''
  if (name === 'kbd')
    return words
      .split(/(?<=.)\+/)
      .map(code)
      .join('+')
  if (name === 'btn') return `*${text}*`
  if (name === 'menu') return `*${[target, ...text.split('>')].map((one) => one.trim()).join(' › ')}*`
  if (name === 'footnote') return ` (${text})`
  if (/^(?:stem|latexmath|asciimath)$/.test(name)) return code(text)
  if (target === '') return all
  if (name === 'image') {
    const base = target.slice(target.lastIndexOf('/') + 1).replace(/\.\w+$/, '')
    const shown = markup('![') + literal(named.get('alt') ?? (list[0] || base)) + markup(`](<${target}>)`)
    return named.has('link') ? link(shown, named.get('link') ?? '') : shown
  }
  if (name === 'xref') return link(text, /[./]/.test(target) ? target : `label:${target.replace(/^#/, '')}`)
  if (/^(?:link|video|audio)$/.test(name)) return link(text, target)
  if (isLink) return link(text || literal(target), `${name}:${target}`)
  if (name.startsWith('link')) return link(`${target}(${text})`, /^\d/.test(text) ? `man:${target}` : target)
  return text === '' || text.includes('=') ? code(target) : text
}

const characters: Readonly<Record<string, string>> = {
  ...{ empty: '', blank: '', sp: ' ', nbsp: '\u00a0', zwsp: '\u200b', wj: '\u2060', deg: '°', brvbar: '¦' },
  ...{ apos: "'", quot: '"', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', amp: '&', lt: '<', gt: '>' },
  ...{ plus: '+', vbar: '|', startsb: '[', endsb: ']', caret: '^', asterisk: '*', tilde: '~', pp: '++' },
  ...{ backslash: '\\', backtick: '`', 'two-colons': '::', 'two-semicolons': ';;', cpp: 'C++', cxx: 'C++' },
}
const symbols: Readonly<Record<string, string>> = {
  ...{ '--': '—', ' -- ': ' — ', '(C)': '©', '(R)': '®', '(TM)': '™', '->': '→', '=>': '⇒', '<-': '←' },
}
/** Of a paragraph, in the order in which they apply: to the first group that matched, all, and the groups. */
const rules: [RegExp, (text: string, all: string, groups: readonly string[]) => string][] = [
  [/`\+(.{1,300}?)\+`|``([^`]{1,300})``|(?<![\w`\\"'])`(?!\s)([^`]{1,300})(?<!\s)`(?![\w`])/g, code],
  [/\+{3}([^\n<]{1,500}?)\+{3}|pass:[a-z,]{0,20}\[([^\]\n<]{0,500})\]/g, literal],
  [/\+{3}(.{1,500}?)\+{3}|pass:[a-z,]{0,20}\[([^\]\n]{0,500})\]/g, markup],
  [/(?<!\\)\+\+(.{1,300}?)\+\+|(?<![\w+\\])\+(?![\s+])([^+\n]{1,300})(?<!\s)\+(?![\w+])/g, literal],
  [/"`(?=\S)(.{1,300}?)`"/g, (text) => `“${text}”`],
  [/'`(?=\S)(.{1,300}?)`'/g, (text) => `‘${text}’`],
  [/\\{1,2}([*_`#]{1,2}|\.{3}|[\\^~+<[{]|[a-z]{2,12}:(?=\S))/g, literal],
  [/\[\[\[([\w.:-]{1,100})[^\]\n]{0,100}\]{3}/g, (name) => literal(`[${name}]`)],
  [/\[\[[\w.:-]{1,100}(?:,[^\]\n]{0,100})?\]\]|\({3}[^()\n]{1,200}\){3}/g, () => ''],
  [/\(\(([^()\n]{1,200})\)\)/g, (text) => text],
  [
    /<<#?([^<>,\n]{1,200})(?:,\s{0,9}([^<>]{0,300}))?>>/g,
    (to, _, [, text = '']) => link(text, to.includes('#') ? to : `label:${to}`),
  ],
  [/(?<![\w:\\])([a-z][a-z0-9]{1,20}):([^\s[\]]{0,300})\[((?:[^\]\\]|\\.){0,500})\]/g, macro],
  [/\{[\w-]{1,60}\}[^\s[\]]{0,200}\[([^\]\n^]{1,300})\^?\]/g, (text) => text],
  [/<?(https?:\/\/[^\s<>[\]]{1,500})>?/g, markup],
  [/\[[\w.#%"'= -]{1,80}\](?=[*_#^~\uf660])/g, () => ''],
  [/\*\*(?=\S)([^*]{1,500})\*\*|(?<![\w&*])\*(?![\s*])([^*]{1,500})(?<!\s)\*(?![\w*])/g, around('**')],
  [/__(?=\S)([^_]{1,500})__|(?<![\w&_])_(?![\s_])((?:[^_]|_(?=\w)){1,500})(?<!\s)_(?![\w_])/g, around('*')],
  [/##(?=\S)([^#]{1,500})##|(?<![\w&#])#(?![\s#])([^#]{1,500})(?<!\s)#(?![\w#])/g, (text) => text],
  [/\^(\d{1,9})\^/g, (text) => text.replaceAll(/\d/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)] ?? '')],
  [/\^([^\s^]{1,40})\^|(?<!~)~([^\s~]{1,40})~(?!~)/g, (text) => text],
  [/(?<=\w)--(?=\w)| -- |\((?:C|R|TM)\)|(?<![-=<])(?:[-=]>|<-)(?![-=>])/g, (_, all) => symbols[all] ?? all],
  // What Markdown would read, although AsciiDoc does not.
  [/\\(?=[!-/:-@[-`{-~])|`|(?<!\s)\*|\*(?!\s)|<(?=[A-Za-z/!?])|\](?=[([:])|~(?=~)/g, (_, all) => `\\${all}`],
  [/(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|^(?:[#>=-]|[*+](?=\s))/gm, (_, all) => `\\${all}`],
  [/^(\d{1,9})(?=[.)]\s)/gm, (_, all) => `${all}\\`],
  [/[\uf520-\uf57e]/g, (_, all) => unheld(all).replace(/[\\`*_<>[\]~&]/, '\\$&')],
]
const inline = (text: string): string =>
  unheld(
    rules.reduce((before, [pattern, write]) => {
      const replace = (all: string, ...found: string[]): string =>
        write(found.slice(0, -2).find(Boolean) ?? '', all, found)
      return before.replaceAll(pattern, replace)
    }, text),
  )

/** A table in the lines that it had; null if they are too few. */
function readTable(source: readonly string[], attributes: string, expand: (text: string) => string) {
  const body = source.slice(1, -1).filter((line) => !/^(?:\/\/(?!\/)|(?:ifn?def|ifeval|endif)::)/.test(line))
  const text = body.join('\n')
  const specs = /(?:(?<=^|\s)(?:(\d{1,2})?(?:\.(\d{1,2}))?([+*]))?[<^>.]{0,4}([adehlmsv])?)?(?<!\\)\|/g
  const marks = [...text.matchAll(specs)]
  const first = body.findIndex((line) => line !== '')
  const top = marks.filter(({ index }) => index <= body.slice(0, first + 1).join('\n').length)
  const styles = (readWords(attributes).named.get('cols') ?? '').split(/[,;]/).flatMap((one) => {
    const [, times = 1, style = ''] = /^(?:(\d{1,2})\*)?[^a-z]*([a-z])?$/.exec(one.trim()) ?? []
    return Array.from({ length: Number(times) }, () => style)
  })
  const cells = top.reduce((sum, [, times = 1]) => sum + Number(times), 0)
  const columns = attributes.includes('cols=') ? styles.length : cells
  const rows: string[][] = []
  /** The rows that cells above take, by column. */
  const below: number[] = []
  const add = (cell: string, down = 1): void => {
    if ((rows.at(-1)?.length ?? columns) >= columns) rows.push([])
    const row = rows.at(-1)!
    const fill = (): void => {
      for (; row.length < columns && below[row.length]! > 0; row.push('')) below[row.length]! -= 1
    }
    fill()
    below[row.length] = down - 1
    row.push(cell)
    fill()
  }
  for (const [at, { 0: all, 1: times = 1, 2: down = 1, 3: sign, 4: own, index }] of marks.entries()) {
    let isCode = false
    const lines = text.slice(index + all.length, marks[at + 1]?.index).split('\n')
    const words = lines.flatMap((line) => {
      if (/^(?:-{4,}|\.{4,})$/.test(line)) isCode = !isCode
      if (/^(?:[-.=*_]{4,}|--|\+|\[.*\]|)$/.test(line.trim())) return []
      return isCode
        ? `\`+${line}+\``
        : line
            .trim()
            .replace(/^(?:[*.]{1,5}|-) /, '• ')
            .replace(/ \+$/, '')
    })
    const read = inline(expand(words.join(' ').replaceAll('\\|', '|'))).replaceAll('|', '\\|')
    const style = own ?? styles[(rows.at(-1)?.length ?? 0) % columns] ?? ''
    const wrap = read === '' || read.includes('`') ? '' : ({ s: '**', h: '**', m: '`', e: '*' }[style] ?? '')
    for (let copy = 0; copy < Number(times); copy++)
      add(copy === 0 || sign === '*' ? wrap + read + wrap : '', Number(down))
  }
  const isTitled = first === 0 && body[1] === '' && !attributes.includes('noheader')
  return writeTable(rows, /\bheader\b/.test(attributes) || isTitled ? 1 : 0, source.length)
}

/** A block that is open. */
interface Frame {
  /** The line that closes it; empty for a paragraph. */
  readonly end: string
  readonly lead: string
  readonly close: string
  /** Null if it holds blocks. */
  readonly read: ((line: string) => string) | null
  readonly items: { readonly mark: string; readonly width: number }[]
}
const condition = /^(ifdef|ifndef|ifeval|endif)::([^[\]]{0,300})\[(.*)\]$/
/** Of a line with attributes, and of their values. */
const [MOST_CHARS, MOST_VALUE] = [5_000, 300]
const listItem = /^\s*(?:(\*{1,6}|\.{1,6}|[-•])|(\d{1,9}\.)|<(?:\d{1,2}|\.)>)\s+(\S.*)$/
const callouts = /(?<=\s|^)(?:<(\d{1,2}|\.)>|<!--(\d{1,2}|\.)-->)(?=\s{0,3}(?:<[\d.!]|$))/g
const readCode = (line: string): string =>
  line.replace(/^\\(?=[a-z]{5,7}::)/, '').replaceAll(callouts, (_, a, b) => `(${a ?? b})`)

export function readAsciidoc(lines: readonly string[]): string {
  const known = ['env-github', 'backend-html5', 'basebackend-html', 'asciidoctor']
  const values = new Map<string, string | null>(known.map((name) => [name, '']))
  const expand = (text: string): string => {
    if (!text.includes('{') || text.length > MOST_CHARS) return text
    const expanded = text.replaceAll(/`\+.{1,300}?\+`|\\?\{([\w-]{1,60})\}/g, (all, name) => {
      if (all.startsWith('`')) return all
      const key = name.toLowerCase()
      const isPlain = all.startsWith('\\') || characters[key] !== undefined
      return isPlain ? literal(characters[key] ?? all.slice(1)) : (values.get(key) ?? all)
    })
    return expanded.length > MOST_CHARS ? text : expanded
  }
  const out: { readonly lead: string; text: string; readonly kind: '' | 'text' | 'joins' }[] = []
  const frames: Frame[] = [{ end: '\n', lead: '', close: '', read: null, items: [] }]
  const frame = (): Frame => frames.at(-1)!
  const indent = (): string =>
    frame().lead + ' '.repeat(frame().items.reduce((sum, { width }) => sum + width, 0))
  const put = (text: string, kind: '' | 'text' | 'joins' = '', lead = indent()) =>
    out.push({ lead, text, kind })
  /** Of the conditions that are open. */
  const hidden: boolean[] = []
  /** What the line before leaves open, and the blank lines since. */
  let [state, blanks] = ['free' as 'free' | 'text' | 'term' | 'join' | 'header', 0]
  /** The attributes of the next block, their line, and that of its title. */
  const none = { at: -1, title: -1, text: '' }
  let above = none
  const begin = (next: typeof state = 'free'): void => {
    ;[state, blanks, above] = [next, 0, none]
  }
  const open = (end: string, read: Frame['read'], lead = '', close = '') => {
    frames.push({ end, lead: indent() + lead, close, read, items: [] })
    begin()
  }
  const skip = () => (state === 'text' && frame().read === null ? put('&#32;', 'joins') : put(''))
  const tables = findClosings(lines, (line) => /^\|={3,}$/.test(line))
  const closings = findClosings(lines)

  const readItem = (line: string, list: Frame['items']): boolean => {
    const item = listItem.exec(line)
    const described = item === null ? /^\s*(\S.{0,300}?)(:{2,4}|;;)(?:\s+(\S.*))?$/.exec(line) : null
    if (item === null && described === null) return false
    const [, bullet, number, words = ''] = item ?? []
    const [, name, mark = bullet ?? (number ? '1.' : '<'), about = ''] = described ?? []
    if (frame().end === '') frames.pop()
    const at = list.findIndex((one) => one.mark === mark)
    if (at >= 0) list.length = at
    const shown = name !== undefined || /^[*•-]/.test(mark) ? '- ' : `${number ?? '1.'} `
    const lead = indent() + shown
    list.push({ mark, width: shown.length })
    const text = words.replace(/^\[([ x*])\] /, (_, check) => (check === ' ' ? '☐ ' : '☑ '))
    put(name === undefined ? text : around('**')(name) + (about ? `: ${about}` : '  '), 'text', lead)
    begin(name !== undefined && about === '' ? 'term' : 'text')
    return true
  }

  const readBlock = (line: string, at: number) => {
    const isFree = state !== 'text'
    const list = (frame().end === '' ? frames.at(-2)! : frame()).items
    /** What is not joined to a list ends it. */
    const settle = (): void => {
      if (state !== 'join') list.length = 0
    }
    if (/^\/\/(?!\/)/.test(line)) return skip()
    const isRuled = isFree && isTitleRule(lines, at + 1) && !frames.some(({ end }) => end === lines[at + 1])
    const [, marks = '', heading = line] = (isFree && /^(={1,6}|#{2,6})\s+(\S.*?)(?:\s=+)?$/.exec(line)) || []
    if (isRuled || marks !== '') {
      const level = marks.length || '=-~^+'.indexOf(lines[at + 1]!.charAt(0)) + 1
      list.length = 0
      put('')
      out[above.at < 0 ? at : above.at]!.text = `${'#'.repeat(level)} ${inline(heading)}`
      if (isRuled) put('')
      return begin(level === 1 ? 'header' : 'free')
    }
    if (isFree && /^(?:'{3,}|-{3}|\*{3}|- - -|\* \* \*|<{3})$/.test(line)) {
      settle()
      return put(line === '<<<' ? '' : '***')
    }
    if ((isFree || list.length > 0) && readItem(line, list)) return
    const [, style] = /^\[((?:[\w.#%"',[].*)?)\]$/.exec(line) ?? []
    if (style !== undefined) {
      if (isFree && state !== 'join' && blanks > 0) list.length = 0
      const text = style.startsWith('[') ? above.text : `${above.text && `${above.text},`}${style}`
      above = { ...above, at: above.at < 0 ? at : above.at, text }
      if (state !== 'join') [state, blanks] = ['free', 0]
      return put('')
    }
    if (isFree && /^\.[^\s.]/.test(line)) {
      put('')
      above = { ...above, title: above.at < 0 ? at : above.at }
      out[above.title]!.text = `**${inline(line.slice(1))}**  `
      return
    }
    const entry = isFree ? /^:(!?)(\w[\w -]{0,60})(!?):(?:\s+(.*))?$/.exec(line) : null
    if (entry !== null) {
      const [, isUnset, key = '', isOff, value = ''] = entry
      let text = value
      for (put(''); text.endsWith(' \\') && out.length < lines.length; put(''))
        text = text.slice(0, -1) + expand(lines[out.length]!.trim())
      return void values.set(key.toLowerCase(), isUnset || isOff ? null : text.slice(0, MOST_VALUE))
    }
    const [block, name = '', target = '', words = ''] =
      /^([a-z][\w-]{0,30})::([^[\]]{0,300})\[(.*)\]$/.exec(line) ?? []
    if (block !== undefined) {
      if (isFree) settle()
      if (name === 'include') return put(`**Includes** [${unheld(target)}](<${unheld(target)}>)`)
      const shown = macro(name, '', ['', target, words])
      return put(unheld(shown === code(target) ? `**${name}** ${shown}` : shown))
    }
    const end = tables.get(at)
    const rows = end === undefined ? null : readTable(lines.slice(at, end + 1), above.text, expand)
    if (rows !== null) {
      settle()
      for (const row of rows) put(row)
      return begin()
    }
    const { named, list: given } = readWords(above.text)
    const form = (given[0] ?? '').replace(/[#.%].*/, '')
    const isCode =
      /^(?:source|listing|literal|(?:latex|ascii)?math|stem)$/.test(form) || (!form && !!given[1])
    const language = isCode ? given[1] || named.get('language') || values.get('source-language') || '' : ''
    const [fence, repeated, info = language] =
      /^(?:--|([-.=_*+/])\1{3,}|""|`{3,}(\S{0,40}))$/.exec(line) ?? []
    if (fence === undefined && !isFree) return put(line.trim().replace(/\s\+$/, '  '), 'joins')
    const boxes = /^(NOTE|TIP|WARNING|IMPORTANT|CAUTION)(?:: +(\S.*))?$/
    const [, kind = '', said = line.trim()] = boxes.exec(form) ?? boxes.exec(line) ?? []
    const isLiteral = fence === undefined && /^\s/.test(line) && state !== 'term'
    if (!isLiteral && state !== 'term') settle()
    const title = kind !== '' && above.title >= 0 ? out[above.title]! : { text: '' }
    const label = kind && `**${kind[0]}${kind.slice(1).toLowerCase()}** ${title.text}`
    title.text = ''
    const close = form === 'quote' && given[1] ? `— ${inline(given.slice(1).join(', '))}` : ''
    const isExpanded = (named.get('subs') ?? '').includes('attributes')
    const reading = isExpanded ? (one: string): string => readCode(unheld(expand(one))) : readCode
    if (fence === undefined && isCode) {
      out.at(-1)!.text = `\`\`\`${language}`
      open('', reading, '', '```')
      return put(reading(line))
    }
    if (isLiteral) {
      const margin = line.search(/\S/)
      open('', (one) => one.slice(Math.min(margin, one.search(/\S|$/))), '    ')
      return put(line.trim())
    }
    if (state === 'header' && fence === undefined)
      return put(
        `${line.replaceAll(/<([^<>[]{1,300}(?:\[[^<>]{1,300})?)>/g, (_, one) => (one.includes('[') ? one : ''))}  `,
        'text',
      )
    if (fence === undefined) {
      if (kind !== '' || /^(?:quote|verse)$/.test(form)) open('', null, '> ', close)
      put(markup(label) + said.replace(/\s\+$/, '  '), 'text')
      return begin('text')
    }
    if (/^[-.`]{3}/.test(line) || (isCode && /^[-+]/.test(line))) {
      const inside = lines.slice(at + 1, closings.get(at) ?? lines.length)
      const mark = inside.some((one) => one.startsWith('```')) ? '~~~' : '```'
      // An excerpt that begins in code ends it as its block does.
      const isCut = at === 0 && line === '```' && !inside.includes(line)
      const last = isCut ? inside.find((one) => /^(?:-{4,}|\.{4,})$/.test(one)) : undefined
      put(mark + info)
      return open(last ?? /^`+/.exec(line)?.[0] ?? line, reading, '', mark)
    }
    const lead = label || /^[=_*"]/.test(line) ? '> ' : ''
    put(label, '', indent() + lead)
    open(line, repeated === '/' ? () => '' : repeated === '+' ? (one) => one : null, lead, close)
  }

  for (const [at, written] of lines.entries()) {
    if (at < out.length) continue
    const [line, top] = [written.trimEnd(), frame()]
    const [, operation = '', names = '', inner = ''] = condition.exec(line) ?? []
    const isIf = operation === 'ifdef'
    // What the document does not set, its build may set, but not another place to read it.
    const isSet = (name: string): boolean =>
      values.has(name) ? values.get(name) !== null : isIf && !/^(?:env|(?:base)?backend)-/.test(name)
    const all = names.split(/[,+]/)
    const isMet =
      operation === 'ifeval' || (names.includes('+') ? all.every(isSet) : all.some(isSet)) === isIf
    const isLine = (isIf || operation === 'ifndef') && inner !== ''
    if (operation === 'endif') hidden.pop()
    else if (operation !== '' && !isLine) hidden.push(!isMet)
    const closed = line === '' ? -1 : frames.findLastIndex(({ end }) => end === line)
    const isOver = line === top.end || (top.end === '' && line === '+')
    if (hidden.includes(true)) put('')
    else if (operation !== '' && !(isLine && isMet)) skip()
    else if (top.read !== null && !isOver) put(top.read(line))
    else if (closed > 0) {
      const { close, lead } = frames[closed]!
      frames.length = closed
      put(close, '', close === '' ? indent() : lead)
      begin()
    } else if (line === '' || isOver || (line === '+' && top.items.length > 0)) {
      const { close = '', lead = '' } = top.end === '' ? frames.pop()! : {}
      const { items } = frame()
      if (line === '+') items.length = Math.max(1, items.length - blanks)
      put(close, '', close === '' ? indent() : lead)
      blanks = line === '' ? blanks + 1 : 0
      if (state !== 'term' || line === '+') state = line === '' ? 'free' : 'join'
      above = { ...above, at: -1 }
    } else readBlock(expand(isLine ? inner : line), at)
  }

  const shown: string[] = []
  for (let from = 0, to = 1; from < out.length; from = to++) {
    const { kind } = out[from]!
    while (kind !== '' && out[to]?.kind === 'joins') to++
    const part = out.slice(from, to)
    const text = part.map((one) => one.text).join('\n')
    const read = (kind === '' ? text : inline(text)).split('\n')
    shown.push(...part.map(({ lead }, row) => (read[row] ? lead + read[row] : lead.trimEnd())))
  }
  return shown.join('\n')
}
