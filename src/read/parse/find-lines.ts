// Where does each line of a text start? Lines end with \n, \r\n or a lone \r, exactly as markdown-it sees them.

/** A text and the UTF-16 offset of each of its lines. A final line end starts no further line. */
export interface TextLines {
  readonly text: string
  readonly starts: readonly number[]
}

/** Finds the lines of a text: `findLines('a\r\nb').starts` is `[0, 3]`. */
export function findLines(text: string): TextLines {
  const starts: number[] = text === '' ? [] : [0]
  if (text.includes('\r')) findMixed(text, starts)
  else for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)

  if (starts.length > 1 && starts[starts.length - 1] === text.length) starts.pop()
  return { text, starts }
}

function findMixed(text: string, starts: number[]): void {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 13 && text.charCodeAt(at + 1) === 10) at++
    if (code === 13 || code === 10) starts.push(at + 1)
  }
}

/** Offset of a 0-based line; the end of the text for the line after the last. */
export const offsetOf = (lines: TextLines, line: number): number => lines.starts[line] ?? lines.text.length

/** The text of one 0-based line without its line end. */
export function lineAt(lines: TextLines, line: number): string {
  const start = offsetOf(lines, line)
  return lines.text.slice(start, endWithoutBreak(lines.text, start, offsetOf(lines, line + 1)))
}

/** Where the content of a line that spans `start` to `end` stops: before its \n, \r\n or \r. */
export function endWithoutBreak(text: string, start: number, end: number): number {
  let last = end
  if (last > start && text.charCodeAt(last - 1) === 10) last--
  if (last > start && text.charCodeAt(last - 1) === 13) last--
  return last
}

export interface LineCounter {
  readonly text: string
  line: number
  /** The next line end; the length of the text when there is none. */
  next: number
}

export const countLines = (text: string): LineCounter => ({ text, line: 0, next: lineEnd(text, 0) })

/** The 0-based line of an offset; offsets must not decrease between calls. */
export function lineOf(counter: LineCounter, offset: number): number {
  while (counter.next < offset) {
    counter.line++
    counter.next = lineEnd(counter.text, counter.next + 1)
  }
  return counter.line
}

function lineEnd(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  return at === -1 ? text.length : at
}
