// How much of what a real question needs is in an answer? yore's brief digests beside packed windows, need by need.
import { join } from 'node:path'
import { defaultSettings } from '../../src/model/config/settings.ts'
import type { Confidence, Digest } from '../../src/model/digest.ts'
import { loadTokenizer } from '../../src/read/assets/load-tokenizer.ts'
import { type Figure, formatTokens, type Half } from './figures.ts'
import { cacheFolder, modelFolder, type PreparedCorpus, prepareFolder } from './prepare-corpus.ts'
import { type Place, type RealPackage, type RealQuestion, readReal } from './real-set.ts'
import { WindowFloor } from './window-floor.ts'

/** A need is met when at least half of the lines of one of its alternatives are shown. */
export const isEnough = (share: number): boolean => share >= 0.5

export interface Judged {
  /** Need by need. */
  readonly met: readonly boolean[]
  /** The first place touches a needed one. */
  readonly onNeed: boolean
  /** The first place is in a file that may come first. */
  readonly inRightFile: boolean
  readonly misled: boolean
  /** Nothing is shown. */
  readonly empty: boolean
}

/** The share of a place's lines that are among the shown ones. */
export function shareShown({ path, start, end }: Place, shown: readonly Place[]): number {
  const there = shown.filter((one) => one.path === path)
  let lines = 0
  for (let line = start; line <= end; line++)
    if (there.some((one) => one.start <= line && line <= one.end)) lines++
  return lines / (end - start + 1)
}

export const touches = (a: Place, b: Place): boolean =>
  a.path === b.path && a.start <= b.end && b.start <= a.end

/** Places in the order in which they are shown. */
export function judgePlaces(
  { needs, first_ok, avoid_first }: Pick<RealQuestion, 'needs' | 'first_ok' | 'avoid_first'>,
  shown: readonly Place[],
): Judged {
  const [first] = shown
  const needed = needs.flat()
  return {
    met: needs.map((alternatives) => alternatives.some((place) => isEnough(shareShown(place, shown)))),
    onNeed: first !== undefined && needed.some((place) => touches(place, first)),
    inRightFile:
      first !== undefined &&
      (needed.some(({ path }) => path === first.path) || first_ok?.includes(first.path) === true),
    misled: first !== undefined && avoid_first?.some((prefix) => first.path.startsWith(prefix)) === true,
    empty: first === undefined,
  }
}

/** Everything that a digest shows, in its order: what was found, then what came along. */
export function placesOf({ primary, expanded }: Digest): Place[] {
  const passages = [...primary, ...expanded.flatMap((document) => document.passages)]
  return passages.flatMap(({ path, excerpts }) => excerpts.map(({ lines }) => ({ path, ...lines })))
}

export interface RealRow extends Judged {
  readonly id: string
  readonly package: string
  readonly half: Half
  readonly kind: string
  /** `yore` or `floor` here; other names beside others. */
  readonly tool: string
  readonly budget: number
  readonly tokens: number
  readonly confidence: Confidence | null
  /** Asked of a package that the question is not about. */
  readonly foreign: boolean
}

export const realBudgets: readonly number[] = [2000, 4000, 8000]

/** The engine of one package, with the defaults of a user; its index lies outside of the package. */
export async function openReal({ name, sha256, root }: RealPackage): Promise<PreparedCorpus> {
  const settings = { ...defaultSettings, 'embedding.model': modelFolder(), refresh: 'never' } as const
  return prepareFolder(
    { name, root, folder: join(cacheFolder(), 'real', name), settings },
    { content: sha256 },
  )
}

export function openFloor({ name, sha256, root }: RealPackage): WindowFloor {
  return new WindowFloor(root, join(cacheFolder(), 'real', name, `windows-${sha256.slice(0, 12)}.db`))
}

interface Asking {
  readonly budgets: readonly number[]
  /** Whether the floor answers too. */
  readonly floor: boolean
  /** Whether the questions of another package are asked too, at the largest budget. */
  readonly foreign: boolean
}

/** Every question of a package, answered by yore, and by the floor. */
export async function askPackage(one: RealPackage, { budgets, ...also }: Asking): Promise<RealRow[]> {
  const countTokens = loadTokenizer()
  const { engine } = await openReal(one)
  const floor = also.floor ? openFloor(one) : null
  const rows: RealRow[] = []
  const ask = async (question: RealQuestion, budget: number): Promise<void> => {
    const { _id: id, package: of, half, kind, text, caller } = question
    const about = { id, package: of, half, kind, budget, foreign: of !== one.name }
    const { digest, output } = await engine.assemble(text, { maxTokens: budget, layout: 'brief', ...caller })
    const judged = judgePlaces(question, placesOf(digest))
    rows.push({
      ...about,
      ...judged,
      tool: 'yore',
      tokens: countTokens(output),
      confidence: digest.confidence,
    })
    if (about.foreign || floor === null) return
    const { places, tokens } = floor.answer(
      [text, ...(caller.words ?? []), ...(caller.names ?? [])].join(' '),
      budget,
    )
    rows.push({ ...about, ...judgePlaces(question, places), tool: 'floor', tokens, confidence: null })
  }
  for (const question of one.questions) for (const budget of budgets) await ask(question, budget)
  if (also.foreign) for (const question of one.foreign) await ask(question, Math.max(...budgets))
  engine.close()
  floor?.close()
  return rows
}

const share = (flags: readonly boolean[]): number => flags.filter(Boolean).length / Math.max(1, flags.length)

/** Each measure of a row, and what the row counts in its mean; null where the measure does not apply. */
export const realMeasures: Readonly<
  Record<string, (row: RealRow) => { value: number; weight?: number } | null>
> = {
  'needs met': ({ met }) => (met.length > 0 ? { value: share(met), weight: met.length } : null),
  'all needs met': ({ met }) => (met.length > 0 ? { value: met.every(Boolean) ? 1 : 0 } : null),
  'first on a need': ({ met, onNeed }) => (met.length > 0 ? { value: onNeed ? 1 : 0 } : null),
  'first in its file': ({ met, inRightFile }) => (met.length > 0 ? { value: inRightFile ? 1 : 0 } : null),
  'not misleading': ({ met, misled }) => (met.length > 0 ? { value: misled ? 0 : 1 } : null),
  'unspent, no answer': ({ met, tokens, budget }) => (met.length > 0 ? null : { value: 1 - tokens / budget }),
  'empty, no answer': ({ met, empty }) => (met.length > 0 ? null : { value: empty ? 1 : 0 }),
}

/** The measures of some rows of one tool and one budget. */
export function figuresOf(rows: readonly RealRow[], name: Pick<Figure, 'mode' | 'task'>): Figure[] {
  return Object.entries(realMeasures).flatMap(([measure, read]) => {
    const values = new Map<string, number>()
    const weights = new Map<string, number>()
    for (const row of rows) {
      const found = row.foreign ? null : read(row)
      if (found === null) continue
      values.set(row.id, found.value)
      weights.set(row.id, found.weight ?? 1)
    }
    return values.size === 0 ? [] : [{ set: 'real', ...name, measure, values, weights }]
  })
}

/** The small run's: of npm, quickly indexed, with eight questions in half A. */
export const smallPackage = 'fastify'

/** The rows of the suite's table: every package beside the floor, or one package by itself, as no change moves the floor. */
export async function scoreReal({
  half,
  small,
}: {
  readonly half: Half
  readonly small: boolean
}): Promise<Figure[]> {
  const budgets = small ? [2000, 8000] : realBudgets
  const rows: RealRow[] = []
  for (const one of readReal({ half, only: small ? smallPackage : null })) {
    const started = performance.now()
    rows.push(...(await askPackage(one, { budgets, floor: !small, foreign: false })))
    console.error(`real ${one.name}: ${((performance.now() - started) / 1000).toFixed(1)} s`)
  }
  return (['yore', 'floor'] as const).flatMap((tool) =>
    budgets.flatMap((budget) => {
      const those = rows.filter((row) => row.tool === tool && row.budget === budget)
      const size = formatTokens(budget)
      return figuresOf(
        those,
        tool === 'yore'
          ? { mode: 'hybrid', task: `digest ${size}, brief` }
          : { mode: 'floor', task: `windows ${size}` },
      )
    }),
  )
}
