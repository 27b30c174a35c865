// What got better and what got worse since an earlier evaluation? Question by question, by id.
import { YoreError } from '../../model/errors.ts'
import { type Evaluation, evaluationVersion, type QuestionResult } from './evaluation.ts'

const changeKinds = ['fixed', 'better', 'same', 'worse', 'broken', 'added', 'removed'] as const

type ChangeKind = (typeof changeKinds)[number]

export interface QuestionChange {
  readonly id: string
  readonly question: string
  /** `fixed` and `broken` change the verdict; `better` and `worse` only the coverage. */
  readonly change: ChangeKind
  readonly coverage: { readonly before: number | null; readonly after: number | null }
  readonly tokens: { readonly before: number | null; readonly after: number | null }
}

export interface Comparison {
  readonly passRate: { readonly before: number; readonly after: number }
  readonly meanCoverage: { readonly before: number; readonly after: number }
  readonly meanTokens: { readonly before: number; readonly after: number }
  readonly counts: Readonly<Record<ChangeKind, number>>
  /** Differences that limit the comparison: settings, wordings. */
  readonly differences: readonly string[]
  /** All questions except unchanged ones: in the order of this run, then removed ones. */
  readonly changes: readonly QuestionChange[]
}

export type Baseline = Pick<Evaluation, 'settings' | 'totals'> & {
  readonly questions: readonly Pick<
    QuestionResult,
    'id' | 'question' | 'passed' | 'coverage' | 'tokens' | 'forbidden'
  >[]
}

export function compareEvaluations(before: Baseline, after: Baseline): Comparison {
  const earlier = new Map(before.questions.map((question) => [question.id, question]))
  const later = new Set(after.questions.map((question) => question.id))
  const all = [
    ...after.questions.map((question) => compareQuestion(earlier.get(question.id), question)),
    ...before.questions.flatMap((question) =>
      later.has(question.id) ? [] : [compareQuestion(question, undefined)],
    ),
  ]
  const counts = Object.fromEntries(
    changeKinds.map((kind) => [kind, all.filter(({ change }) => change === kind).length]),
  ) as Record<ChangeKind, number>
  const both = (name: 'passRate' | 'meanCoverage' | 'meanTokens') => ({
    before: before.totals[name],
    after: after.totals[name],
  })
  return {
    passRate: both('passRate'),
    meanCoverage: both('meanCoverage'),
    meanTokens: both('meanTokens'),
    counts,
    differences: [...settingDifferences(before, after), ...wordDifferences(earlier, after)],
    changes: all.filter(({ change }) => change !== 'same'),
  }
}

type Compared = Baseline['questions'][number]

function compareQuestion(before: Compared | undefined, after: Compared | undefined): QuestionChange {
  return {
    id: (after ?? before)?.id ?? '',
    question: (after ?? before)?.question ?? '',
    change: changeOf(before, after),
    coverage: { before: before?.coverage ?? null, after: after?.coverage ?? null },
    tokens: { before: before?.tokens ?? null, after: after?.tokens ?? null },
  }
}

function changeOf(before: Compared | undefined, after: Compared | undefined): ChangeKind {
  if (before === undefined) return 'added'
  if (after === undefined) return 'removed'
  if (before.passed !== after.passed) return after.passed ? 'fixed' : 'broken'
  if (before.coverage !== after.coverage) return after.coverage > before.coverage ? 'better' : 'worse'
  const forbidden = after.forbidden.length - before.forbidden.length
  return forbidden === 0 ? 'same' : forbidden < 0 ? 'better' : 'worse'
}

function settingDifferences(before: Baseline, after: Baseline): string[] {
  const names = Object.keys(after.settings) as (keyof Evaluation['settings'])[]
  return names.flatMap((name) =>
    before.settings[name] === after.settings[name]
      ? []
      : [`${name} was ${before.settings[name]} and is ${after.settings[name]}`],
  )
}

function wordDifferences(earlier: ReadonlyMap<string, Compared>, after: Baseline): string[] {
  return after.questions.flatMap(({ id, question }) => {
    const before = earlier.get(id)
    return before === undefined || before.question === question
      ? []
      : [`question ${id} was worded differently`]
  })
}

/** Reads the output of an earlier `yore eval --json`. Throws BAD_INPUT. */
export function parseBaseline(text: string, file: string): Baseline {
  let found: unknown
  try {
    found = JSON.parse(text)
  } catch {
    throw notABaseline(file, 'it is not JSON')
  }
  if (!isObject(found) || !('schemaVersion' in found)) throw notABaseline(file, 'it has no schemaVersion')
  if (found.schemaVersion !== evaluationVersion)
    throw notABaseline(
      file,
      `its schemaVersion is ${JSON.stringify(found.schemaVersion)}, not ${evaluationVersion}`,
    )
  const { settings, totals, questions } = found
  const numbers = ['passRate', 'meanCoverage', 'meanTokens']
  if (!isObject(totals) || numbers.some((name) => typeof totals[name] !== 'number'))
    throw notABaseline(file, 'its totals are incomplete')
  if (!isObject(settings)) throw notABaseline(file, 'it has no settings')
  if (!Array.isArray(questions) || !questions.every(isQuestionResult))
    throw notABaseline(file, 'its questions are incomplete')
  return found as unknown as Baseline
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isQuestionResult(value: unknown): boolean {
  if (!isObject(value)) return false
  const { id, question, passed, coverage, tokens, forbidden } = value
  return (
    typeof id === 'string' &&
    typeof question === 'string' &&
    typeof passed === 'boolean' &&
    typeof coverage === 'number' &&
    typeof tokens === 'number' &&
    Array.isArray(forbidden)
  )
}

function notABaseline(file: string, why: string): YoreError {
  return new YoreError('BAD_INPUT', `${file} is not an earlier evaluation: ${why}`, {
    hint: 'make one with `yore eval --json > baseline.json`',
  })
}
