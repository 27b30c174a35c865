// How do several rankings become one? By weighted scores inside each list; ties break by the order that is given.

/** One list: items with scores, best first. */
export interface RankedList {
  readonly name: string
  readonly weight: number
  /** The score that min-max scaling maps to 0; by default the lowest score of the list. */
  readonly floor?: number
  readonly items: readonly { readonly id: number; readonly score: number }[]
}

interface FuseOptions {
  /** Boosts by id, as a share of the fused score: 0.5 multiplies it by 1.5. */
  readonly boosts: ReadonlyMap<number, number>
  /** The order of items with equal scores. */
  readonly compare: (a: number, b: number) => number
}

interface FusedItem {
  readonly id: number
  readonly score: number
  /** Rank in each list from 1, by the list's name; absent where the list does not have it. */
  readonly ranks: Readonly<Record<string, number>>
}

/** Min-max inside the list. */
function worthOf(ranking: RankedList): number[] {
  const scores = ranking.items.map(({ score }) => score)
  const most = Math.max(...scores)
  const floor = ranking.floor ?? Math.min(...scores)
  return scores.map((score) => ranking.weight * (most > floor ? (score - floor) / (most - floor) : 1))
}

/** Best first. An item found by only one list is kept, and counts 0 in the others. */
export function fuseRankings(rankings: readonly RankedList[], { boosts, compare }: FuseOptions): FusedItem[] {
  const fused = new Map<number, { id: number; score: number; ranks: Record<string, number> }>()
  for (const ranking of rankings) {
    const worths = worthOf(ranking)
    for (const [rank, { id }] of ranking.items.entries()) {
      const item = fused.get(id) ?? { id, score: 0, ranks: {} }
      item.score += worths[rank] as number
      item.ranks[ranking.name] = rank + 1
      fused.set(id, item)
    }
  }
  for (const [id, boost] of boosts) {
    const item = fused.get(id)
    if (item !== undefined) item.score *= 1 + boost
  }
  return [...fused.values()].sort((a, b) => b.score - a.score || compare(a.id, b.id))
}
