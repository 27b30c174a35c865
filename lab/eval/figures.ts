// What is one figure? A value for each question, named by set, mode, task and measure; and who is asked.
import { createHash } from 'node:crypto'
import type { Digest, Excerpt } from '../../src/model/digest.ts'
import { type Estimate, estimate } from './measures.ts'
import type { PreparedCorpus } from './prepare-corpus.ts'
import { halfOf } from './read-sets.ts'

export type Mode = 'lexical' | 'hybrid' | 'vector'
export type Half = 'A' | 'B' | 'all'

export interface FigureName {
  readonly set: string
  readonly mode: string
  readonly task: string
  readonly measure: string
}

export interface Figure extends FigureName {
  /** By question, in the order asked. */
  readonly values: ReadonlyMap<string, number>
  /** What each question counts in the mean; all alike when absent. */
  readonly weights?: ReadonlyMap<string, number>
}

/** One line of a table: a figure summed up. */
export interface FigureRow extends FigureName {
  readonly estimate: Estimate
}

/** How a task is asked. */
export interface Ask {
  readonly corpus: PreparedCorpus
  readonly mode: Mode
  readonly half: Half
  /** At most so many questions, fixed by hash; null for all of the half. */
  readonly sample: number | null
}

export function keyOf({ set, mode, task, measure }: FigureName): string {
  return [set, mode, task, measure].join(' | ')
}

export function sumUp({ values, weights, ...name }: Figure): FigureRow {
  const { set, mode, task, measure } = name
  const counts = weights === undefined ? [] : [[...values.keys()].map((id) => weights.get(id) ?? 0)]
  return { set, mode, task, measure, estimate: estimate([...values.values()], ...counts) }
}

/** The questions of the half, and of those the sample: the first by hash of the id, in the order of the file. */
export function pickQuestions<T extends { readonly _id: string }>(
  rows: readonly T[],
  { half, sample }: Pick<Ask, 'half' | 'sample'>,
): T[] {
  const inside = rows.filter(({ _id }) => half === 'all' || halfOf(_id) === half)
  if (sample === null || inside.length <= sample) return inside
  const hash = (id: string): string => createHash('sha1').update(`sample ${id}`).digest('hex')
  const ordered = inside.map(({ _id }) => ({ _id, hash: hash(_id) }))
  ordered.sort((a, b) => (a.hash < b.hash ? -1 : 1))
  const chosen = new Set(ordered.slice(0, sample).map(({ _id }) => _id))
  return inside.filter(({ _id }) => chosen.has(_id))
}

/** Collects the values of several measures of one task, question by question. */
export class Tally {
  readonly #name: Omit<FigureName, 'measure'>
  readonly #measures = new Map<string, Map<string, number>>()

  constructor(name: Omit<FigureName, 'measure'>) {
    this.#name = name
  }

  add(question: string, values: Readonly<Record<string, number>>): void {
    for (const [measure, value] of Object.entries(values)) {
      const known = this.#measures.get(measure) ?? new Map<string, number>()
      known.set(question, value)
      this.#measures.set(measure, known)
    }
  }

  figures(): Figure[] {
    return [...this.#measures].map(([measure, values]) => ({ ...this.#name, measure, values }))
  }
}

/** Everything that a digest quotes of a document, what came along included. */
export function excerptsOf(digest: Digest, path: string): Excerpt[] {
  const passages = [...digest.primary, ...digest.expanded.flatMap((document) => document.passages)]
  return passages.filter((passage) => passage.path === path).flatMap((passage) => passage.excerpts)
}

/** Documents in the order of the digest: found ones, then those that came along. */
export function documentsOf(digest: Digest): string[] {
  const { primary, expanded } = digest
  return [...new Set([...primary.map(({ path }) => path), ...expanded.map(({ path }) => path)])]
}

export function formatTokens(tokens: number): string {
  return tokens >= 1000 && tokens % 1000 === 0 ? `${tokens / 1000}k` : String(tokens)
}
