// Which rows have the highest scores? Top-k selection by a bounded heap; equal scores are ordered by row.

export interface ScoredRow {
  readonly row: number
  readonly score: number
}

interface BestRows {
  /** Rows with a lower score are not kept: -Infinity until the limit is reached. */
  readonly floor: () => number
  readonly offer: (row: number, score: number) => void
  /** The best, highest score first. */
  readonly list: () => ScoredRow[]
}

/** Keeps the `limit` best of the rows that are offered, each offered once. */
export function keepBest(limit: number): BestRows {
  const rows = new Int32Array(limit)
  const scores = new Float64Array(limit)
  let size = 0

  /** Moves an entry from the place `hole` towards the root, past all that are better; the worst lies at the root. */
  const raise = (start: number, row: number, score: number): void => {
    let hole = start
    while (hole > 0) {
      const parent = (hole - 1) >> 1
      const value = scores[parent]!
      if (score > value || (score === value && row < rows[parent]!)) break
      scores[hole] = value
      rows[hole] = rows[parent]!
      hole = parent
    }
    scores[hole] = score
    rows[hole] = row
  }

  /** Puts an entry in the root's place and moves it down, past all that are worse. */
  const replaceRoot = (row: number, score: number): void => {
    let hole = 0
    for (let child = 1; child < size; child = hole * 2 + 1) {
      const next = child + 1
      if (next < size) {
        const left = scores[child]!
        const right = scores[next]!
        if (right < left || (right === left && rows[next]! > rows[child]!)) child = next
      }
      const value = scores[child]!
      if (score < value || (score === value && row > rows[child]!)) break
      scores[hole] = value
      rows[hole] = rows[child]!
      hole = child
    }
    scores[hole] = score
    rows[hole] = row
  }

  return {
    floor: () => (size < limit ? Number.NEGATIVE_INFINITY : (scores[0] ?? Number.POSITIVE_INFINITY)),
    offer: (row, score) => {
      if (size < limit) raise(size++, row, score)
      else if (limit > 0 && (score > scores[0]! || (score === scores[0] && row < rows[0]!)))
        replaceRoot(row, score)
    },
    list: () =>
      Array.from(rows.subarray(0, size), (row, index) => ({ row, score: scores[index]! })).sort(
        (a, b) => b.score - a.score || a.row - b.row,
      ),
  }
}
