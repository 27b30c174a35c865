// Are answers kept whole? The share of the gold characters that a digest quotes, wherever its cuts fall.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Excerpt } from '../../src/model/digest.ts'
import { type Ask, excerptsOf, type Figure, formatTokens, pickQuestions, Tally } from './figures.ts'
import { evalFolder, pathOf, type QueryRow, readRows } from './read-sets.ts'

export interface Span {
  readonly start: number
  /** Excluded. */
  readonly end: number
}

/** Offset of the start of each line; line 1 is at index 0. */
export function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/**
 * Where a quoted text stands in its file. Lines are not enough: a cut may fall inside a line of thousands of
 * characters, so the text itself is looked for, from the first line that it names to the last.
 */
export function spanOf({ lines, text }: Excerpt, source: string, starts: readonly number[]): Span {
  const from = starts[lines.start - 1] ?? source.length
  const start = source.indexOf(text, from)
  const limit = starts[lines.end] ?? source.length
  if (start === -1 || start + text.length > limit)
    throw new Error(
      `the digest quotes what lines ${lines.start} to ${lines.end} do not hold: ${text.slice(0, 80)}`,
    )
  return { start, end: start + text.length }
}

/** Share of the wanted characters that lie in the quoted spans; each wanted character counts once. */
export function shareOfCharacters(wanted: readonly Span[], quoted: readonly Span[]): number {
  const characters = new Set<number>()
  for (const { start, end } of wanted) for (let at = start; at < end; at++) characters.add(at)
  let held = 0
  for (const at of characters) if (quoted.some(({ start, end }) => start <= at && at < end)) held++
  return characters.size === 0 ? 0 : held / characters.size
}

interface SpanQuestion extends QueryRow {
  readonly corpus: string
  readonly gold_spans: NonNullable<QueryRow['gold_spans']>
}

export async function scoreSpans(
  { corpus, mode, ...ask }: Ask,
  options: { readonly budgets: readonly number[] },
): Promise<Figure[]> {
  const rows = readRows<SpanQuestion>(join(evalFolder() ?? '', 'chroma_spans', 'queries.jsonl'))
  const questions = pickQuestions(rows, ask)
  const sources = new Map<string, { text: string; starts: number[] }>()
  const sourceOf = (path: string): { text: string; starts: number[] } => {
    let known = sources.get(path)
    if (known === undefined) {
      const text = readFileSync(join(corpus.root, path), 'utf8')
      known = { text, starts: lineStarts(text) }
      sources.set(path, known)
    }
    return known
  }
  const figures: Figure[] = []
  for (const maxTokens of options.budgets) {
    const tally = new Tally({ set: corpus.name, mode, task: `digest ${formatTokens(maxTokens)}` })
    for (const question of questions) {
      const { digest } = await corpus.engine.assemble(question.text, {
        maxTokens,
        mode,
        sections: 100,
        layout: 'full',
      })
      const path = pathOf(question.corpus)
      const { text, starts } = sourceOf(path)
      const quoted = excerptsOf(digest, path).map((excerpt) => spanOf(excerpt, text, starts))
      tally.add(question._id, { 'gold characters': shareOfCharacters(question.gold_spans, quoted) })
    }
    figures.push(...tally.figures())
  }
  return figures
}
