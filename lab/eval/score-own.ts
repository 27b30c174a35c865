// Do digests of our own documentation answer? The questions of lab/eval/own, judged as `yore eval` judges a user's.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Evaluation, Question } from '../../src/check/evaluation/evaluation.ts'
import { parseQuestions } from '../../src/check/evaluation/parse-questions.ts'
import { defaultSettings } from '../../src/model/config/settings.ts'
import { openEngine } from '../../src/offer/engine/open-engine.ts'
import { type Ask, type Figure, formatTokens, type Mode, Tally } from './figures.ts'
import type { PreparedCorpus } from './prepare-corpus.ts'

const file = join(import.meta.dirname, 'own/questions.jsonl')

export function readOwnQuestions(): readonly Question[] {
  return parseQuestions(readFileSync(file, 'utf8'), 'lab/eval/own/questions.jsonl')
}

/** An evaluation has no mode of its own: the weight of embeddings says the same. */
const weights = { lexical: 0, hybrid: defaultSettings['embedding.weight'], vector: 1 } as const

/** Asks all questions, or one. */
export async function evaluateOwn(
  corpus: PreparedCorpus,
  options: { readonly mode: Mode; readonly maxTokens: number; readonly only?: string },
): Promise<Evaluation> {
  const { mode, maxTokens, only } = options
  const questions = readOwnQuestions().filter(({ id }) => only === undefined || id === only)
  const engine = openEngine({
    ...corpus.opened,
    settings: { ...corpus.opened.settings, 'embedding.weight': weights[mode] },
  })
  const { evaluation } = await engine.evaluate({ questions }, { maxTokens, refresh: 'never' })
  engine.close()
  return evaluation
}

/** Questions are few and all ours, so there are no halves: nothing is tuned on them. */
export async function scoreOwn(
  { corpus, mode }: Ask,
  options: { readonly budgets: readonly number[] },
): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const maxTokens of options.budgets) {
    const tally = new Tally({ set: 'own', mode, task: `digest ${formatTokens(maxTokens)}` })
    const { questions } = await evaluateOwn(corpus, { mode, maxTokens })
    for (const { id, passed, coverage } of questions)
      tally.add(id, { 'questions passed': passed ? 1 : 0, coverage })
    figures.push(...tally.figures())
  }
  return figures
}

/** Expected sections that the corpus does not hold: the documents have changed, and the questions must follow. */
export async function findStaleQuestions(corpus: PreparedCorpus): Promise<string[]> {
  const { questions } = await evaluateOwn(corpus, { mode: 'lexical', maxTokens: 8000 })
  return questions.flatMap(({ id, misses }) =>
    misses
      .filter(({ problem }) => problem !== null)
      .map(
        ({ expected, problem }) =>
          `lab/eval/own/questions.jsonl: question ${id} expects ${expected}: ${problem}`,
      ),
  )
}
