// Is this line of a document prose, or inside a fenced block? Followed line by line, and only ever claimed when certain.
//
// A digest leaves fenced lines alone and escapes prose, so a wrong "fenced" would let a document write the frame.
// Whatever CommonMark could read in two ways makes the excerpt doubtful; the renderer then quotes it verbatim.

interface Fence {
  readonly char: string
  readonly length: number
  /** Indentation of the opening fence; every line inside has at least this. */
  readonly column: number
  /** For a fence in a block quote: what each line must start with. */
  readonly quote: string | null
}

export interface BlockState {
  readonly fence: Fence | null
  /** What ends the HTML block that may be open: a pattern, a blank line, or null when there is none. */
  readonly html: RegExp | 'blank line' | null
  /** Once a list or a quote has begun, a deeply indented line may be more than code. */
  readonly nested: boolean
  /** The line before was text, so that this one may continue its paragraph. */
  readonly afterText: boolean
  readonly doubtful: boolean
}

export const excerptStart: BlockState = {
  fence: null,
  html: null,
  nested: false,
  afterText: false,
  doubtful: false,
}

/** HTML blocks that end with a pattern instead of a blank line: how they open, how they end (CommonMark 4.6, kinds 1 to 5). */
const htmlBlocks: readonly (readonly [RegExp, RegExp])[] = [
  [/^<(?:script|pre|style|textarea)(?![a-z0-9-])/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<!\[CDATA\[/, /\]\]>/],
  [/^<![a-z]/i, />/],
]

export function nextBlockState(state: BlockState, line: string): BlockState {
  if (state.fence) return afterFencedLine(state, state.fence, line)
  if (isBlank(line))
    return { ...state, html: state.html === 'blank line' ? null : state.html, afterText: false }

  if (isInert(state, line)) return { ...afterHtml(state, null, line), afterText: true }
  const start = contentStart(line)
  const prefix = line.slice(0, start)
  const content = line.slice(start)
  const fence = openingFence(content)
  if (fence) return afterOpeningFence(state, prefix, fence)
  const nested = state.nested || !isBlank(prefix) || /^(?:[-+*]|\d{1,9}[.)])[ \t]*$/.test(content)
  return { ...afterHtml(state, content, line), nested, afterText: true }
}

/** Indented by four and neither in a list nor in a quote: code, or the rest of a paragraph; never the start of anything. */
export const isInert = (state: BlockState, line: string): boolean => !state.nested && indentOf(line) >= 4

/** Where a line's own text begins: behind its indentation, its quote and list markers. A rule (`---`, `* * *`) is text. */
export function contentStart(line: string): number {
  const rule = ruleStart(line)
  let at = skipSpace(line, 0)
  while (at < line.length && at < rule) {
    const end = markerEnd(line, at)
    if (end === at) break
    at = skipSpace(line, end)
  }
  return at
}

/** From where to its end a line is nothing but one of `- * _ =`, repeated, with spaces; the line's length if nowhere. */
export function ruleStart(line: string): number {
  let at = line.length
  while (at > 0 && isSpace(line.charAt(at - 1))) at--
  const char = line.charAt(at - 1)
  if (char !== '-' && char !== '*' && char !== '_' && char !== '=') return line.length
  while (at > 0 && (line.charAt(at - 1) === char || isSpace(line.charAt(at - 1)))) at--
  return at
}

function afterFencedLine(state: BlockState, fence: Fence, line: string): BlockState {
  const doubt: BlockState = { ...state, doubtful: true }
  if (fence.quote !== null && !line.startsWith(fence.quote)) return doubt
  if (fence.quote === null && isBlank(line)) return state
  const inside = line.slice(fence.quote?.length ?? 0)
  const text = inside.slice(skipSpace(inside, 0))
  const run = runLength(text, fence.char)
  const fits = fence.quote === null ? indentOf(inside) >= fence.column : true
  if (run < fence.length) return fits ? state : doubt
  if (!isBlank(text.slice(run))) {
    // A fence that opens inside a fence: most likely the excerpt began inside one, and all is the other way round.
    return openingFence(text) || !fits ? doubt : state
  }
  if (fence.quote === null && fence.column === 0 && indentOf(inside) >= 4) return state
  return closesHere(fence, inside)
    ? { ...state, fence: null, afterText: fence.column >= 4 }
    : { ...doubt, fence: null }
}

function closesHere(fence: Fence, inside: string): boolean {
  if (fence.quote !== null) return skipSpace(inside, 0) <= (inside.startsWith(' ') ? 1 : 0)
  return fence.column === 0 || indentOf(inside) === fence.column
}

function openingFence(content: string): { readonly char: string; readonly length: number } | null {
  const char = content.charAt(0)
  if (char !== '`' && char !== '~') return null
  const length = runLength(content, char)
  if (length < 3 || (char === '`' && content.includes('`', length))) return null
  return { char, length }
}

function afterOpeningFence(
  state: BlockState,
  prefix: string,
  opening: { readonly char: string; readonly length: number },
): BlockState {
  const item = /^ *(?:([-+*])|(\d{1,9})[.)]) {1,4}$/.exec(prefix)
  // A number other than 1 does not interrupt a paragraph.
  const itemIsCertain = item !== null && (item[1] !== undefined || item[2] === '1' || !state.afterText)
  const quoted = /^ *> ?$/.test(prefix)
  const certain = state.html === null && (isBlank(prefix) || itemIsCertain || quoted)
  const column = item ? prefix.length : indentOf(prefix)
  const quote = quoted ? prefix.slice(0, prefix.indexOf('>') + 1) : null
  return {
    ...state,
    fence: { ...opening, column, quote },
    nested: state.nested || !isBlank(prefix),
    doubtful: state.doubtful || !certain,
  }
}

/** `content` is null for a line that cannot start a block. */
function afterHtml(state: BlockState, content: string | null, line: string): BlockState {
  const opened = content?.startsWith('<') ? htmlBlocks.find(([opens]) => opens.test(content)) : undefined
  const staysOpen = opened !== undefined && !opened[1].test(content ?? '')
  if (state.html === null) {
    if (opened !== undefined) return staysOpen ? { ...state, html: opened[1] } : state
    return content !== null && /^<[a-z/]/i.test(content) ? { ...state, html: 'blank line' } : state
  }
  if (staysOpen) return { ...state, doubtful: true }
  return state.html !== 'blank line' && state.html.test(line) ? { ...state, html: 'blank line' } : state
}

function markerEnd(line: string, at: number): number {
  const char = line.charAt(at)
  if (char === '>') return at + 1
  if (char === '-' || char === '+' || char === '*') return isSpace(line.charAt(at + 1)) ? at + 1 : at
  let end = at
  while (end - at < 9 && isDigit(line.charAt(end))) end++
  const closed = end > at && (line.charAt(end) === '.' || line.charAt(end) === ')')
  return closed && isSpace(line.charAt(end + 1)) ? end + 1 : at
}

function indentOf(line: string): number {
  let column = 0
  for (const char of line)
    if (char === ' ') column++
    else if (char === '\t') column += 4 - (column % 4)
    else break

  return column
}

function runLength(text: string, char: string): number {
  let length = 0
  while (text.charAt(length) === char) length++
  return length
}

function skipSpace(line: string, from: number): number {
  let at = from
  while (isSpace(line.charAt(at))) at++
  return at
}

const isBlank = (line: string): boolean => skipSpace(line, 0) === line.length

const isSpace = (char: string): boolean => char === ' ' || char === '\t'

const isDigit = (char: string): boolean => char >= '0' && char <= '9' && char.length === 1
