// How does a person read an evaluation? A line per question, why each missing thing is missing, totals, and what changed.
import type { Comparison, QuestionChange } from '../../check/evaluation/compare-evaluations.ts'
import type { Evaluation, QuestionResult } from '../../check/evaluation/evaluation.ts'
import type { Palette } from './colors.ts'
import { formatCount, formatMany } from './format-numbers.ts'
import { printable } from './printable.ts'

interface PrintEvalOptions {
  readonly palette: Palette
  /** Columns that a line may take. */
  readonly width: number
  readonly comparison: Comparison | null
}

/** The text for standard output. */
export function printEval(evaluation: Evaluation, options: PrintEvalOptions): string {
  const blocks = [printTable(evaluation.questions, options)]
  if (options.comparison !== null) blocks.push(printComparison(options.comparison, options.palette))
  blocks.push(printTotals(evaluation, options.palette))
  return `${blocks.join('\n\n')}\n`
}

function printTable(results: readonly QuestionResult[], options: PrintEvalOptions): string {
  const ids = results.map(({ id }) => oneLine(id))
  const idWidth = Math.max(2, ...ids.map((id) => id.length))
  const tokenWidth = Math.max(6, ...results.map(({ tokens }) => formatCount(tokens).length))
  const { palette } = options
  const head = palette.dim(`  ${'id'.padEnd(idWidth)}  cover  ${'tokens'.padStart(tokenWidth)}  question`)
  const rows = results.map((result, index) => {
    const mark = result.passed ? palette.green('✓') : palette.red('✗')
    const numbers = `${result.coverage.toFixed(2).padStart(5)}  ${formatCount(result.tokens).padStart(tokenWidth)}`
    const room = Math.max(20, options.width - idWidth - tokenWidth - 13)
    const question = cut(oneLine(result.question), room)
    const misses = describeMisses(result).map((line) => `    ${palette.dim(printable(line))}`)
    return [`${mark} ${(ids[index] as string).padEnd(idWidth)}  ${numbers}  ${question}`, ...misses].join(
      '\n',
    )
  })
  return [head, ...rows].join('\n')
}

/** A line for each thing that is missing or must not be there. */
export function describeMisses(result: QuestionResult): readonly string[] {
  return [
    ...result.misses.map(({ kind, expected, reason, detail }) => {
      const named = kind === 'phrase' ? JSON.stringify(expected) : oneLine(expected)
      return `${kind} ${named}: ${reason}: ${oneLine(detail)}`
    }),
    ...result.forbidden.map(
      ({ path, lines }) => `forbidden: ${oneLine(path)}:${lines.start}-${lines.end} is quoted`,
    ),
  ]
}

function printTotals(evaluation: Evaluation, palette: Palette): string {
  const { totals, minCoverage, settings, passed } = evaluation
  const share = `${totals.passed} of ${formatMany(totals.questions, 'question')} pass`
  const verdict = passed ? palette.green('reached') : palette.red('not reached')
  const lines = [
    palette.bold(`${share} (${percent(totals.passRate)}); the mark of ${percent(minCoverage)} is ${verdict}`),
    `coverage ${totals.meanCoverage.toFixed(2)} and ${formatMany(totals.meanTokens, 'token')} on average, with ${formatCount(settings.maxTokens)} tokens, ${formatMany(settings.sections, 'section')} and depth ${settings.depth} allowed`,
  ]
  const reasons = Object.entries(totals.misses).map(([reason, count]) => `${count} ${reason}`)
  if (totals.forbidden > 0) reasons.push(`${totals.forbidden} forbidden`)
  if (reasons.length > 0) lines.push(`missed: ${reasons.join(', ')}`)
  const failed = evaluation.questions.find((result) => !result.passed)
  if (failed !== undefined)
    lines.push('next: `yore assemble "<question>" --explain` shows how the digest of one question was chosen')
  return lines.join('\n')
}

const marks: Readonly<Record<QuestionChange['change'], string>> = {
  fixed: '↑ now passes',
  better: '↑ better',
  same: '= same',
  worse: '↓ worse',
  broken: '↓ now fails',
  added: '+ new',
  removed: '− gone',
}

function printComparison(comparison: Comparison, palette: Palette): string {
  const { counts, passRate, meanCoverage, meanTokens } = comparison
  const lines = [
    `${palette.bold('since the baseline:')} ${counts.fixed + counts.better} better, ${counts.broken + counts.worse} worse, ${counts.same} the same, ${counts.added} new, ${counts.removed} gone`,
    `  pass ${percent(passRate.before)} → ${percent(passRate.after)}, coverage ${meanCoverage.before.toFixed(2)} → ${meanCoverage.after.toFixed(2)}, tokens ${formatCount(meanTokens.before)} → ${formatCount(meanTokens.after)}`,
    ...comparison.differences.map((difference) => `  ${palette.yellow('!')} ${oneLine(difference)}`),
    ...comparison.changes.map((change) => `  ${printChange(change, palette)}`),
  ]
  return lines.join('\n')
}

function printChange({ change, id, question, coverage }: QuestionChange, palette: Palette): string {
  const worse = change === 'broken' || change === 'worse'
  const paint = worse ? palette.red : change === 'fixed' || change === 'better' ? palette.green : palette.dim
  const show = (value: number | null): string => value?.toFixed(2) ?? 'none'
  return `${paint(marks[change].padEnd(12))}  ${oneLine(id)}  ${show(coverage.before)} → ${show(coverage.after)}  ${cut(oneLine(question), 80)}`
}

function percent(share: number): string {
  return `${Math.round(share * 1000) / 10} %`
}

function cut(text: string, room: number): string {
  const letters = [...text]
  return letters.length <= room ? text : `${letters.slice(0, room - 1).join('')}…`
}

function oneLine(text: string): string {
  return printable(text).replaceAll('\n', ' ')
}
