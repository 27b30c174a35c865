// What does a person see who asks on a terminal? The uses of a name or the best passages on one screen, then the verdict and how to get the whole digest.

import { noticesOf } from '../../corpus/indexing/describe-freshness.ts'
import type { Uses } from '../../explore/find-uses.ts'
import type { Report } from '../../explore/fit-report.ts'
import { blindSpots } from '../../explore/list-uses.ts'
import { readAsMarkdown } from '../../explore/read-as-markdown.ts'
import {
  badges,
  chooseWindow,
  fullName,
  markAsked,
  plainText,
  signatureLines,
  withoutTags,
} from '../../explore/show-passage.ts'
import type { Lines } from '../../model/artifact.ts'
import { describeConfidence } from '../../model/describe-confidence.ts'
import type { ConfidenceLabel, Digest, Passage } from '../../model/digest.ts'
import { formatCount, formatQuantity } from '../../model/format-numbers.ts'
import { cut } from '../../model/mark-invisible.ts'
import type { AssembleResult } from '../../model/report.ts'
import { formatLines, oneLine, type Palette, printable, wrapText } from './format.ts'

interface PreviewOptions {
  readonly palette: Palette
  readonly width: number
  /** Rows of the terminal. */
  readonly height: number
  /** About the freshness of the index. */
  readonly note: string | null
  /** Of the name whose uses the question asks for. */
  readonly uses: Report<Uses> | null
}
type RowOptions = PreviewOptions & Pick<Digest, 'documents'>

/** The preview takes one screen, but never fewer or more rows than these. */
const leastRows = 22
const mostRows = 60
/** Rows of the screen for each passage, of which three to five are shown. */
const passageRows = 9
/** Passages after these, a row each. */
const namedPassages = 3
/** Rows of text that each passage gets on average before others are named. */
const leastLines = 3
/** Rows of a signature; a longer one is cut. */
const signatureRows = 2
/** Rows before an excerpt of code that open its brackets. */
const mostOpening = 3
const leastColumns = 24
const longestNotice = 240
const indent = '  '
/** After a row before omitted text. */
const omitted = ' …'

/** The colour of each verdict. */
const colours = {
  high: 'green',
  medium: 'yellow',
  low: 'yellow',
  none: 'red',
} as const satisfies Record<ConfidenceLabel, keyof Palette>

/** `more`: passages that fit because others are short. */
export function printPreview(result: AssembleResult, given: PreviewOptions, more = 0): string {
  const { primary, expanded, confidence, documents } = result.digest
  const options = { ...given, width: Math.max(leastColumns, given.width), documents }
  const all = [
    ...primary.toSorted((a, b) => b.score - a.score),
    ...expanded.flatMap((document) => document.passages),
  ]
  // Two rows are for the command and the prompt.
  const height = Math.min(mostRows, Math.max(leastRows, given.height - 2))
  const isUnsure = confidence.label === 'low'
  const fitting = Math.min(5, Math.max(3, Math.floor(height / passageRows)) + more)
  // A passage of markup alone shows no text.
  const hasText = new Map(all.map((one) => [one, readBlocks(one, options.width).length > 0]))
  all.sort((a, b) => Number(hasText.get(b)) - Number(hasText.get(a)))
  const shown = confidence.label === 'none' ? [] : all.slice(0, fitting)
  const summary = summarize(result, [shown.length, all.length], options)
  const rows = printUses(options)
  if (shown.length < Math.min(1, all.length))
    rows.push(options.palette.red('No passage seems to answer this. The closest:'), '')
  const used = confidence.usesOf?.toLowerCase()
  const terms = used === undefined ? (result.askedTerms ?? []) : used.split(/[^\p{L}\p{N}]+/u)
  const exact = Number(/^the text is at .*:(\d+)$/.exec(confidence.why)?.[1] ?? 0)
  const { yellow, bold } = options.palette
  const mark = (text: string): string => markAsked(terms, (word) => yellow(bold(word)))(text).join('')
  // On a small screen the text of the passages goes first.
  const free = height - rows.length - summary.length - shown.length * (2 + leastLines) - 2 * leastLines
  const named = all.slice(shown.length, shown.length + Math.min(namedPassages, Math.max(0, free)))
  // Each passage has a title, a place and a blank row; the first one gets three times the lines of another.
  let room = height - rows.length - summary.length - 3 * shown.length - named.length
  const isFirst = rows.length === 0 && !isUnsure
  shown.forEach((passage, at) => {
    const share = at === 0 && isFirst ? 3 / (shown.length + 2) : 1 / (shown.length - at)
    const most = isUnsure ? leastLines : Math.max(1, Math.round(room * share))
    const parts = chooseLines(passage, most, { ...options, terms, exact: at === 0 ? exact : 0 })
    const lines = parts.flat()
    const title = printTitle(passage, parts, options)
    room -= lines.length + title.length - 2
    // Where text is omitted, and at the end where there is more.
    const ends = new Set(parts.map((part) => part.at(-1)))
    const end = passage.excerpts.at(-1)?.lines.end ?? 0
    const cutAt = (row: Row): boolean => ends.has(row) && (row !== lines.at(-1) || row.end < end)
    const printRow = (row: Row): string =>
      indent +
      mark(row.text) +
      (cutAt(row) && !row.text.endsWith(omitted) ? options.palette.dim(omitted) : '')
    rows.push(...title, ...lines.map(printRow), '')
  })
  if (!isUnsure && room >= leastLines + 2 && shown.length > 0 && shown.length < Math.min(5, all.length))
    return printPreview(result, given, more + 1)
  return `${[...rows, ...named.map((passage) => printName(passage, options)), ...summary].join('\n')}\n`
}

/** The list of `yore uses`, without its blank rows and remarks. */
function printUses({ uses, palette, width, height }: PreviewOptions): string[] {
  if (uses === null) return []
  const [subject = '', ...listed] = printable(uses.output)
    .split('\n')
    .filter((row) => row.trim() !== '' && row !== blindSpots && !row.startsWith('Used by: nothing'))
  const most = Math.floor(height / 3)
  const rows = listed.slice(0, most).map((row) => cut(row.replace(/^ *-/, indent), width))
  const rest = `    … all: ${palette.cyan(`yore uses ${uses.facts.subject.name}`)}`
  return [palette.bold(cut(subject, width)), ...rows, ...(listed.length > most ? [rest] : []), '']
}

/** The last headings that fit: they tell more than the first. */
function nameIn(passage: Passage, { documents }: RowOptions, most: number): string {
  let name = oneLine(fullName(passage, documents))
  while (name.length > most && name.includes(' › ')) name = name.slice(name.indexOf(' › ') + 3)
  return cut(name, most)
}

/** The source, by the end of a long path. */
function sourceIn({ path, place }: Passage, lines: readonly Lines[], most: number): string {
  const where = place === undefined ? '' : ` (${oneLine(place)})`
  const source = `${oneLine(path)}:${formatLines(lines)}${where}`
  return source.length > most ? `…${source.slice(1 - most)}` : source
}

/** The name and the source of the rows that are shown. */
function printTitle(passage: Passage, parts: readonly (readonly Row[])[], options: RowOptions): string[] {
  const { palette, width } = options
  const { caution, ofLines = 0, excerpts } = passage
  const shown = parts.flatMap((rows) => {
    const [first, last] = [rows[0], rows.at(-1)]
    return first === undefined || last === undefined ? [] : [{ start: first.start, end: last.end }]
  })
  const sizeOf = (ranges: readonly Lines[]): number =>
    ranges.reduce((sum, { start, end }) => sum + end - start + 1, 0)
  const all = sizeOf(excerpts.map(({ lines }) => lines))
  const extent = `${formatCount(sizeOf(shown))} of ${formatQuantity(Math.max(all, ofLines), 'line')}`
  const about = cut(caution === undefined ? extent : `${extent}, ${oneLine(caution)}`, width - 12)
  const name = nameIn(passage, options, width - about.length - 2)
  const source = sourceIn(passage, shown, width)
  const [title, place, size] = [palette.bold(name), palette.cyan(source), palette.dim(about)]
  return name.length + source.length + about.length + 4 <= width
    ? [`${title}  ${place}  ${size}`]
    : [`${title}  ${size}`, place]
}

/** A passage in one row. */
function printName(passage: Passage, options: RowOptions): string {
  const { palette, width } = options
  const ranges = passage.excerpts.map(({ lines }) => lines)
  const name = nameIn(passage, options, Math.floor(width / 2))
  return `${name}  ${palette.cyan(sourceIn(passage, ranges, width - name.length - 2))}`
}

/** A row of the terminal: the first line of its paragraph, and its own last line. */
interface Row extends Lines {
  readonly text: string
  readonly excerpt: number
  readonly isCode: boolean
}

const fence = /^[\s>]*(?:```|~~~)/
const quote = /^(?:\s*>)+ ?/
/** A heading, a list item or a row of a table is a paragraph of its own. */
const ownParagraph = /^\s*(?:[-*+|#]|\d+[.)])/
/** Replaces a line end inside a paragraph until it is wrapped; no printable text has it. */
const lineEnd = '\u0001'

/** Without comments, tags, emphasis and marks of quotes. */
function readable(line: string): string {
  const text = plainText(line)
    .replaceAll(badges, '')
    .replaceAll(/<!--[^<>]*-->|\*\*|^\s*(?:>\s?)+/g, '')
  const unescaped = (part: string): string => withoutTags(part).replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
  const parts = text.split('`').map((part, at) => (at % 2 === 0 ? unescaped(part) : part))
  return parts.join('`')
}

/** A paragraph without the targets of its links. */
const withoutTargets = (text: string): string =>
  text.replaceAll(/!?\[([^[\]]*)\]\((?:<[^<>]*>|[^()\s]*)\)/g, '$1')

/** Paragraphs of prose and lines of code, each in rows, without the heading that the title repeats. */
function readBlocks({ excerpts, language, name, path }: Passage, width: number): Row[][] {
  const heading = name.slice(name.lastIndexOf('› ') + 1).trim()
  return excerpts.flatMap(({ lines, text, inFence = false }, excerpt) => {
    const blocks: { start: number; text: string; isCode: boolean }[] = []
    const prose = readAsMarkdown({ path, language, text, sections: [] })
    let isCode = inFence || prose === null
    let open: { text: string } | null = null
    let isQuoted = false
    const all = text.split(/\r\n|\n|\r/)
    const margin = Math.min(...all.filter(Boolean).map((line) => line.search(/\S|$/)))
    const read = prose?.split('\n') ?? all.map((line) => line.slice(margin))
    for (const [at, line] of read.entries()) {
      const isFence = prose !== null && fence.test(line)
      if (isFence) {
        isCode = !isCode
        isQuoted = quote.test(line)
      }
      const code = prose === null ? line : indent + (isQuoted ? line.replace(quote, '') : line)
      const written = isFence ? '' : isCode ? code : readable(line)
      const shown = printable(written).replaceAll('\t', indent).trimEnd()
      const block = { start: lines.end - all.length + 1 + at, text: shown, isCode }
      if (shown === '' || open === null || ownParagraph.test(line))
        open = isCode || shown === '' ? null : block
      else open.text += ` ${lineEnd}${shown.trim()}`
      const isNew = shown !== '' && (open === null || open === block)
      if (isNew && (blocks.length > 0 || shown !== heading)) blocks.push(block)
    }
    return blocks.map(({ start, text, isCode }) => {
      let end = start
      return wrapText(isCode ? text : withoutTargets(text), width).map((row) => {
        end += row.split(lineEnd).length - 1
        return { text: row.replaceAll(lineEnd, ''), excerpt, isCode, start, end }
      })
    })
  })
}

/** Rows from where most words of the question are, of one excerpt; of code below its signature. */
function chooseLines(
  passage: Passage,
  most: number,
  {
    terms,
    width,
    exact,
  }: { readonly terms: readonly string[]; readonly width: number; readonly exact: number },
): Row[][] {
  const columns = width - indent.length - omitted.length
  const all = readBlocks(passage, columns)
  const signature = signatureLines(passage)
  const isBefore = (line: number) => (rows: Row[]) => (rows[0]?.start ?? 0) < line
  const begin = signature === null ? 0 : all.filter(isBefore(signature.start)).length
  const body = signature === null ? 0 : all.filter(isBefore(signature.end + 1)).length
  const blocks = all.slice(body)
  const sized = blocks.map((rows) => ({ lines: rows.length, text: rows.map(({ text }) => text).join(' ') }))
  const isAsked = ({ text }: { text: string }): boolean => markAsked(terms, String)(text).length > 1
  // A line that answers comes before the signature.
  const least = Math.min(signatureRows, sized.some(isAsked) ? most - 1 : most)
  const head = joinRows(all.slice(begin, body).flat(), columns, least)
  let first = chooseWindow(sized, most - head.length, terms).from
  // The line that the verdict names is shown.
  const named = blocks.findIndex((rows) => (rows[0]?.start ?? 0) <= exact && exact <= (rows.at(-1)?.end ?? 0))
  if (named >= 0) first = named
  // Prose above fills rows that are free.
  const rowsFrom = (at: number): number => blocks.slice(at).flat().length
  while (signature === null && first > 0 && rowsFrom(first - 1) <= most) first--
  // Code begins with the line that opens its bracket.
  for (let back = 0; back < mostOpening && isInside(blocks[first - 1]); back++) first--
  const rest = blocks.slice(first).flat()
  const own = rest.filter(({ excerpt }) => excerpt === rest[0]?.excerpt).slice(0, most - head.length)
  const ended = endWithSentence(endOutsideBlocks(own), rest[own.length])
  if (head.length === 0) return [ended.length === 0 ? own.slice(0, 1) : ended]
  return first === 0 ? [[...head, ...ended]] : [head, ended].filter((part) => part.length > 0)
}

const isInside = (before: readonly Row[] | undefined): boolean =>
  before?.[0]?.isCode === true && /[([{,]$/.test(before.at(-1)?.text ?? '')

/** A paragraph that goes on after these rows ends with its last sentence, or before it, where that leaves half of them. */
function endWithSentence(rows: readonly Row[], next: Row | undefined): Row[] {
  const last = rows.at(-1)
  if (last === undefined || last.isCode || next?.start !== last.start) return [...rows]
  const first = rows.findIndex(({ start }) => start === last.start)
  const at = rows.findLastIndex(({ text }, row) => row >= first && /[.!?](?:\s|$)/.test(text))
  const kept = [...rows.slice(0, at === -1 ? first : at)]
  const end = rows[at]
  if (end !== undefined) kept.push({ ...end, text: end.text.replace(/^(.*[.!?])\s.*$/, '$1') })
  return 2 * kept.length < rows.length ? [...rows] : kept
}

/** A signature as one text, however many lines it has. */
function joinRows(rows: readonly Row[], width: number, most: number): Row[] {
  const [first, last] = [rows[0], rows.at(-1)]
  if (first === undefined || last === undefined) return []
  const text = rows.map((row) => row.text.replace(/\s(?:#|\/\/)\s.*/, '').trim()).join(' ')
  const plain = text.replaceAll(/(?<=[([{]) | (?=[)\]}])/g, '').replaceAll(/,(?=\))/g, '')
  const written = wrapText(first.text.slice(0, first.text.search(/\S/)) + plain, width)
  const shown = written.slice(0, most)
  return shown.map((one, at) => ({
    ...first,
    text:
      written.length > shown.length && at === shown.length - 1
        ? one.slice(0, width - omitted.length) + omitted
        : one,
    end: last.end,
  }))
}

/** Without the rows of a block of code that is opened and not closed, where others remain; never with the row that opens one. */
function endOutsideBlocks(rows: readonly Row[]): Row[] {
  let [depth, least, last, plain] = [0, 0, 0, 0]
  for (const [at, { text, isCode }] of rows.entries()) {
    const count = (brackets: RegExp): number => text.match(brackets)?.length ?? 0
    depth = isCode ? depth + count(/[([{]/g) - count(/[)\]}]/g) : 0
    least = Math.min(isCode ? least : 0, depth)
    if (isCode && /[:=,({[]$/.test(text)) continue
    plain = at + 1
    if (depth === least) last = plain
  }
  return rows.slice(0, last * 3 < rows.length ? plain : last)
}

function summarize(
  { digest, output, tokensUsed, freshness }: AssembleResult,
  [shown, all]: readonly [number, number],
  { palette, width, note, uses }: PreviewOptions,
): string[] {
  const { label } = digest.confidence
  const { why } = digest.confidence
  // The list above has the places.
  const reason = uses === null ? why : why.slice(0, why.indexOf('”') + 1)
  const sentence = `── ${describeConfidence({ ...digest.confidence, why: reason })}`
  const title = sentence.slice(0, sentence.indexOf(':') + 1)
  const [first = '', ...verdict] = wrapText(cut(oneLine(sentence), longestNotice), width)
  // The note reports these.
  const aboutIndex = noticesOf(freshness)
  const notices = [
    ...(note === null ? [] : [`note: ${note}`]),
    ...digest.notices.filter((notice) => !aboutIndex.includes(notice)),
  ]
  const isWorded = digest.strategy.callerWords !== undefined
  const ask = isWorded ? [] : ['next: if it is not here, ask with --words "…" that the answer may use']
  const search = [
    'next: ask with a word or name from the text; yore search --match exact "…" finds every line with it',
  ]
  const next = { high: [], medium: ask, low: search, none: search }
  const layout = output.includes('\n**Generated:** ') ? 'full' : 'brief'
  const count = shown === all ? '' : `${shown} of `
  const size = `${formatCount(tokensUsed)} of ${formatQuantity(digest.query.maxTokens, 'token')}`
  const lines = [
    ...notices.map((notice) => cut(oneLine(notice), longestNotice)),
    ...(shown === 0
      ? []
      : [
          `${count}${formatQuantity(all, 'passage')} shown; the digest has ${size} in the ${layout} layout`,
          'digest: yore "…" | less, or --output FILE · why: --explain',
        ]),
    ...next[label],
  ]
  const about = (row: string): string =>
    row.replace(/--[a-z]+|yore "…" \| less|yore search/g, (command) => palette.cyan(command))
  const rest = lines.flatMap((line) => wrapText(line, width)).map(about)
  return [first.replace(title, palette[colours[label]](palette.bold(title))), ...verdict, ...rest]
}
