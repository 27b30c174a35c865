// How much of a piece fits when the whole does not? Whole lines, else whole words of its first line.

/** The largest number up to `limit` that passes, or 0; passing is taken to be monotone. */
function largest(limit: number, passes: (count: number) => boolean): number {
  let [low, high] = [0, limit]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (passes(middle)) low = middle
    else high = middle - 1
  }
  return low
}

/** Offsets after each line but the last. */
function lineEnds(text: string): number[] {
  return [...text.matchAll(/\r\n|\n|\r/g)].map((match) => match.index + match[0].length).filter((end) => end < text.length)
}

/** Not inside a word when there is a space to cut at, and never inside a code point. */
function wordEnd(text: string, limit: number): number {
  const space = text.lastIndexOf(' ', limit)
  if (space > limit / 2) return space
  const code = text.charCodeAt(limit - 1)
  return code >= 0xd800 && code <= 0xdbff ? limit - 1 : limit
}

/** Where to cut so that what is before it costs at most `room`: an offset into the text; 0 when nothing fits. */
export function cutPiece(text: string, room: number, cost: (text: string) => number): number {
  const ends = lineEnds(text)
  const lines = largest(ends.length, (count) => cost(text.slice(0, ends[count - 1])) <= room)
  if (lines > 0) return ends[lines - 1] as number
  const firstLine = text.slice(0, ends[0]).trimEnd()
  return wordEnd(firstLine, largest(firstLine.length, (count) => cost(firstLine.slice(0, count)) <= room))
}
