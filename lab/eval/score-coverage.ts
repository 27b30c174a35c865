// Is the section that answers inside the digest? Its own lines, a touch of it, and its page, at each budget.
import { join } from 'node:path'
import type { Lines } from '../../src/model/artifact.ts'
import { type Ask, excerptsOf, type Figure, formatTokens, pickQuestions, Tally } from './figures.ts'
import { evalFolder, type GoldSection, type QueryRow, readRows } from './read-sets.ts'

export interface GoldQuestion extends QueryRow {
  readonly gold: GoldSection
}

export interface Coverage {
  /** Share of the gold section's own lines that are inside: the primary figure, since small pieces game the others. */
  readonly 'own lines': number
  /** 1 when a quoted range overlaps the gold section with everything below it. */
  readonly touched: number
  readonly page: number
}

/** As many as a digest of 8,000 tokens can use; tokens are the limit, not the number. */
export const coverageSections = 100

/** Questions whose gold section is known by its lines. */
export function readGoldQuestions(): GoldQuestion[] {
  const rows = readRows<QueryRow>(join(evalFolder() ?? '', 'raydocs', 'queries.jsonl'))
  return rows.filter((row): row is GoldQuestion => row.gold?.line_start !== undefined)
}

export function coverGold(quoted: readonly Lines[], gold: GoldSection): Coverage {
  const overlaps = ({ start, end }: Lines): boolean => start <= gold.line_end && end >= gold.line_start
  let held = 0
  for (let line = gold.line_start; line <= gold.own_end; line++)
    if (quoted.some(({ start, end }) => start <= line && line <= end)) held++
  return {
    'own lines': held / (gold.own_end - gold.line_start + 1),
    touched: quoted.some(overlaps) ? 1 : 0,
    page: quoted.length > 0 ? 1 : 0,
  }
}

export interface CoverageOptions {
  readonly budgets: readonly number[]
  readonly depths: readonly number[]
  /** The full one, when it is left out. */
  readonly layout?: 'brief'
}

export async function scoreCoverage(
  { corpus, mode, ...ask }: Ask,
  options: CoverageOptions,
): Promise<Figure[]> {
  const questions = pickQuestions(readGoldQuestions(), ask)
  const figures: Figure[] = []
  for (const maxTokens of options.budgets) {
    for (const depth of options.depths) {
      const layout: 'full' | 'brief' = options.layout ?? 'full'
      const brief = layout === 'brief' ? ', brief' : ''
      const task = `digest ${formatTokens(maxTokens)}${brief}, depth ${depth}`
      const tally = new Tally({ set: corpus.name, mode, task })
      for (const { _id, text, gold } of questions) {
        const asked = { maxTokens, depth, layout, mode, sections: coverageSections }
        const { digest } = await corpus.engine.assemble(text, asked)
        const quoted = excerptsOf(digest, gold.path).map(({ lines }) => lines)
        tally.add(_id, { ...coverGold(quoted, gold) })
      }
      figures.push(...tally.figures())
    }
  }
  return figures
}
