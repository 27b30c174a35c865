// What did earlier answers cite? Documents by answer, and the ones that were spoken of last.

/** A document that an earlier answer cited. */
export interface CitedDocument {
  readonly path: string
  readonly title: string
  /** Number of the answer; later answers have larger ones. */
  readonly turn: number
}

/** The citations by answer, each document once, in the order of their citing. */
export class History {
  readonly turns: readonly (readonly string[])[]

  constructor(cited: readonly CitedDocument[]) {
    const byTurn = Map.groupBy(cited, ({ turn }) => turn)
    this.turns = [...byTurn]
      .sort(([a], [b]) => a - b)
      .map(([, group]) => [...new Set(group.map(({ path }) => path))])
  }

  get last(): readonly string[] {
    return this.turns.at(-1) ?? []
  }

  /** Every document, the most recently cited first. */
  get recent(): readonly string[] {
    return [...new Set(this.turns.toReversed().flat())]
  }

  /** The two that were spoken of last: those of the last answer, or the last of each of the last two. */
  get pair(): readonly string[] {
    if (this.last.length === 2) return this.last
    const [before] = (this.turns.at(-2) ?? []).filter((path) => !this.last.includes(path))
    return this.last.length === 1 && before !== undefined && this.turns.at(-2)?.length === 1
      ? [before, ...this.last]
      : []
  }

  /** What the last answer did not speak of, of the answer before that did. */
  get others(): readonly string[] {
    for (const turn of this.turns.toReversed().slice(1)) {
      const rest = turn.filter((path) => !this.last.includes(path))
      if (rest.length > 0) return rest
    }
    return []
  }

  /** The nth of the latest answer that cited so many. */
  nth(index: number): { readonly path: string; readonly latest: boolean } | null {
    for (const turn of this.turns.toReversed()) {
      const path = turn.at(index)
      if (path !== undefined) return { path, latest: turn === this.last }
    }
    return null
  }
}
