// What does a growth run hold? One entry per size, and how each figure grows.
import { fitExponent } from './measure.ts'
import type { QueryFigures } from './measure-queries.ts'

export interface IndexCost {
  readonly indexMs: number
  readonly cpuMs: number
  readonly peakMb: number
  readonly indexMb: number
}

export interface SizeFigures {
  readonly sections: number
  readonly files: number
  readonly sourceMb: number
  readonly yore: IndexCost
  readonly bare: IndexCost
  readonly queries: QueryFigures
}

export interface GrowthRun {
  readonly machine: Record<string, string | number>
  readonly questions: number
  readonly sizes: readonly SizeFigures[]
  /** Time as size to this power: 1 grows with the corpus, 0 does not grow. */
  readonly exponents: Record<string, number>
  /** The same between the two largest sizes only: costs that do not depend on size hide less of the growth there. */
  readonly lastExponents: Record<string, number>
}

/** Exponents over the given sizes. */
export function fitAll(sizes: readonly SizeFigures[]): Record<string, number> {
  const fit = (pick: (size: SizeFigures) => number): number =>
    fitExponent(sizes.map((size) => ({ x: size.sections, y: pick(size) })))
  return {
    'assemble p95': fit((size) => size.queries.assemble.p95),
    'assemble --refresh never p95': fit((size) => size.queries.assembleNoRefresh.p95),
    'search p95': fit((size) => size.queries.search.p95),
    'search --refresh never p95': fit((size) => size.queries.searchNoRefresh.p95),
    'bare p95': fit((size) => size.queries.bare.p95),
    'yore index time': fit((size) => size.yore.indexMs),
    'bare index time': fit((size) => size.bare.indexMs),
  }
}
