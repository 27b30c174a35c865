// How good are digests? `yore eval` asks the questions of a file and prints which digests hold what they need.
import path from 'node:path'
import {
  defaultQuestionsFile,
  type Evaluation,
  type QuestionResult,
} from '../../../check/evaluation/evaluation.ts'
import { writeQuestions } from '../../../check/evaluation/read-questions.ts'
import { YoreError } from '../../../model/errors.ts'
import { formatCount, formatQuantity } from '../../../model/format-numbers.ts'
import { cut } from '../../../model/mark-invisible.ts'
import { toggle } from '../../operations/operation.ts'
import { operations } from '../../operations/operations.ts'
import { type Command, corpusCommand } from '../command.ts'
import { oneLine, outPalette, type Palette, printable } from '../format.ts'
import { corpusOptions, json, now, refresh } from '../options.ts'
import { noteFreshness, out, outWidth, show } from '../terminal.ts'

const { maxTokens, sections, depth } = operations.assemble.options

const PROPOSED = 12

export const command: Command = corpusCommand(
  {
    name: 'eval',
    summary: 'Evaluate digests: ask the questions of a file and report which digests contain what they must.',
    details: [
      'Each line of the file is one question: {"id": 1, "question": "How do I deploy?", "expected_contains": ["deploy.sh"]}, with expected_docs, expected_sections and forbidden_docs in addition to phrases or instead of them.',
      'A question passes when its digest contains 0.8 of what it expects. Exits with 1 when the share of passing questions is below --min-coverage.',
    ],
    arguments: {
      questions: {
        form: 'file',
        required: false,
        help: `File of questions, one JSON object per line; ${defaultQuestionsFile} when none is named.`,
      },
    },
    options: {
      propose: toggle(
        'Write the file instead: questions made of your headings, each with the section that answers.',
      ),
      minCoverage: {
        type: 'number',
        whole: false,
        default: 0.8,
        min: 0,
        max: 1,
        help: 'Share of questions that must pass.',
      },
      maxTokens: { ...maxTokens, help: 'Token budget of each digest.' },
      sections,
      depth,
      refresh,
      ...corpusOptions,
      now,
      json,
    },
    examples: ['yore eval --propose', 'yore eval', 'yore eval --min-coverage 0.9 --json'],
  },
  async ({ input, root, now, use }) => {
    const { questions, propose, minCoverage, maxTokens, sections, depth, refresh } = input
    // A file on the command line is relative to the current folder; the engine takes it from the root.
    const file =
      questions === undefined
        ? defaultQuestionsFile
        : path.relative(root, path.resolve(questions)).split(path.sep).join('/')
    if (propose) {
      const proposed = await use((engine) => engine.proposeQuestions(PROPOSED))
      if (proposed.length === 0)
        throw new YoreError('BAD_INPUT', 'no heading of the corpus makes a question', {
          hint: 'write questions yourself; `yore eval --help` shows one',
        })
      writeQuestions(proposed, { root, file })
      out(`wrote ${formatQuantity(proposed.length, 'question')} to ${printable(questions ?? file)}\n`)
      out('next: edit them to what people ask, then run `yore eval` with this file\n')
      return 0
    }
    const options = { minCoverage, maxTokens, sections, depth, refresh }
    const { evaluation, freshness } = await use((engine) => engine.evaluate({ file }, options))
    show(input, evaluation, () => printEval(evaluation, outPalette(), outWidth()))
    noteFreshness(freshness, now)
    return evaluation.passed ? 0 : 1
  },
)

/** In lines of `width` columns. */
export const printEval = (evaluation: Evaluation, palette: Palette, width: number): string =>
  `${printTable(evaluation.questions, palette, width)}\n\n${printTotals(evaluation, palette)}\n`

function printTable(results: readonly QuestionResult[], palette: Palette, width: number): string {
  const ids = results.map(({ id }) => oneLine(id))
  const idWidth = Math.max(2, ...ids.map((id) => id.length))
  const tokenWidth = Math.max(6, ...results.map(({ tokens }) => formatCount(tokens).length))
  const head = palette.dim(`  ${'id'.padEnd(idWidth)}  cover  ${'tokens'.padStart(tokenWidth)}  question`)
  const rows = results.flatMap((result, index) => {
    const mark = result.passed ? palette.green('✓') : palette.red('✗')
    const numbers = `${result.coverage.toFixed(2).padStart(5)}  ${formatCount(result.tokens).padStart(tokenWidth)}`
    const question = cut(oneLine(result.question), Math.max(20, width - idWidth - tokenWidth - 13))
    const misses = describeMisses(result).map((line) => `    ${palette.dim(printable(line))}`)
    return [`${mark} ${(ids[index] as string).padEnd(idWidth)}  ${numbers}  ${question}`, ...misses]
  })
  return [head, ...rows].join('\n')
}

/** A line for each thing that is missing or must not be there. */
function describeMisses({ misses, forbidden }: QuestionResult): readonly string[] {
  return [
    ...misses.map(({ kind, expected, problem }) => {
      const named = kind === 'phrase' ? JSON.stringify(expected) : oneLine(expected)
      return `missing ${kind} ${named}${problem === null ? '' : `: ${oneLine(problem)}`}`
    }),
    ...forbidden.map(
      ({ path, lines }) => `forbidden: ${oneLine(path)}:${lines.start}-${lines.end} is quoted`,
    ),
  ]
}

function printTotals({ totals, minCoverage, settings, passed }: Evaluation, palette: Palette): string {
  const percent = (share: number): string => `${Math.round(share * 1000) / 10} %`
  const share = `${totals.passed} of ${formatQuantity(totals.questions, 'question')} pass`
  const verdict = passed ? palette.green('passed') : palette.red('failed')
  const lines = [
    palette.bold(`${share} (${percent(totals.passRate)}); ${verdict} (threshold ${percent(minCoverage)})`),
    `coverage ${totals.meanCoverage.toFixed(2)} and ${formatQuantity(totals.meanTokens, 'token')} on average, with ${formatCount(settings.maxTokens)} tokens, ${formatQuantity(settings.sections, 'section')} and depth ${settings.depth} allowed`,
  ]
  if (totals.passed < totals.questions)
    lines.push('next: `yore assemble "<question>" --explain` shows how the digest of one question was chosen')
  return lines.join('\n')
}
