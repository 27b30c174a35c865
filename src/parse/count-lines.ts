// On which line of a block does an offset lie? Asked in the order of the text, each line end is looked for once.

export interface LineCounter {
  readonly text: string
  line: number
  /** The next line end; the length of the text when there is none. */
  next: number
}

export function countLines(text: string): LineCounter {
  return { text, line: 0, next: lineEnd(text, 0) }
}

/** The 0-based line of an offset that is not before the ones asked for earlier. */
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
