// How good are digests? `yore eval` asks the questions of a file and prints which digests hold what they need, and why others do not.

import { readFileSync } from 'node:fs'
import path from 'node:path'
import {
  type Comparison,
  compareEvaluations,
  parseBaseline,
  type QuestionChange,
} from '../../../check/evaluation/compare-evaluations.ts'
import {
  defaultQuestionsFile,
  type Evaluation,
  type Question,
  type QuestionResult,
} from '../../../check/evaluation/evaluation.ts'
import { writeQuestions } from '../../../check/evaluation/read-questions.ts'
import { YoreError } from '../../../model/errors.ts'
import { formatCount, formatQuantity } from '../../../model/format-numbers.ts'
import { cut } from '../../../model/mark-invisible.ts'
import type { Engine } from '../../engine/engine.ts'
import { operations } from '../../operations/operations.ts'
import { type Command, corpusCommand } from '../command.ts'
import { oneLine, outPalette, type Palette, printable } from '../format.ts'
import { corpusOptions, json, now, refresh } from '../options.ts'
import { note, noteFreshness, out, outWidth, show } from '../terminal.ts'

const { maxTokens, sections, depth, tokenizer } = operations.assemble.options

const init: Command = corpusCommand(
  {
    name: 'eval init',
    summary: 'Write a file with two example questions for yore eval.',
    details: ['Replace the examples by real questions. An existing file is kept unless --force is given.'],
    arguments: {
      questions: {
        form: 'file',
        required: false,
        help: `File to write; ${defaultQuestionsFile} when none is named.`,
      },
    },
    options: { force: { type: 'switch', help: 'Replace an existing file.' }, ...corpusOptions },
    examples: ['yore eval init'],
  },
  async ({ input, root }) => {
    const { questions, force } = input
    const file = questions === undefined ? defaultQuestionsFile : fromRoot(root, questions)
    writeQuestions(examples, { root, file, force })
    const named = questions === undefined ? '' : ` ${printable(questions)}`
    out(
      `wrote two example questions to ${printable(questions ?? file)}\nnext: replace them by what people ask, then run \`yore eval${named}\`\n`,
    )
    return 0
  },
)

export const command: Command = {
  ...corpusCommand(
    {
      name: 'eval',
      summary:
        'Evaluate digests: ask the questions of a file and report which digests contain what they must, and why others do not.',
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
        minCoverage: {
          type: 'number',
          whole: false,
          default: 0.8,
          min: 0,
          max: 1,
          help: 'Share of questions that must pass.',
        },
        maxTokens: { ...maxTokens, help: 'Token budget of each digest.' },
        sections: {
          ...sections,
          help: 'How many sections a digest may hold; 0 for as many as its budget suggests.',
        },
        depth,
        compare: {
          type: 'file',
          value: 'path',
          help: 'An earlier --json output; shows what got better and worse since then.',
        },
        tokenizer,
        refresh,
        ...corpusOptions,
        now,
        json,
      },
      examples: [
        'yore eval',
        'yore eval --max-tokens 2000 --json > baseline.json',
        'yore eval --compare baseline.json',
      ],
    },
    async ({ input, root, now, use }) => {
      const { questions, compare, minCoverage, maxTokens, sections, depth, tokenizer, refresh } = input
      const file = questions === undefined ? defaultQuestionsFile : fromRoot(root, questions)
      const baseline = compare === undefined ? null : parseBaseline(readFile(compare), compare)
      const options = { minCoverage, maxTokens, sections, depth, tokenizer, refresh }
      const { evaluation, freshness } = await use(async (engine) => {
        const result = await engine.evaluate({ file }, options)
        await storeRun(engine, result.evaluation)
        return result
      })
      const comparison = baseline === null ? null : compareEvaluations(baseline, evaluation)
      show(input, { ...evaluation, ...(comparison === null ? {} : { comparison }) }, () =>
        printEval(evaluation, { palette: outPalette(), width: outWidth(), comparison }),
      )
      noteFreshness(freshness, now)
      return evaluation.passed ? 0 : 1
    },
  ),
  subcommands: [init],
}

/** The evaluation was asked for; failing to store it is worth a note only. */
async function storeRun(engine: Engine, evaluation: Evaluation): Promise<void> {
  try {
    const id = (await engine.evaluationRuns()).add(evaluation)
    if (id === null) note('this run was not kept for `yore ui`: you have no folder for the key that signs it')
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    note(`this run was not kept for \`yore ui\`: ${printable(code ?? message)}`)
  }
}

const example: Omit<Question, 'id' | 'question'> = {
  expectedContains: [],
  expectedDocs: [],
  expectedSections: [],
  forbiddenDocs: [],
  generated: false,
}

const examples: readonly Question[] = [
  {
    ...example,
    id: 'example-1',
    question: 'How do I deploy to production?',
    expectedContains: ['words that the answer must hold'],
  },
  {
    ...example,
    id: 'example-2',
    question: 'Why was this database chosen?',
    expectedDocs: ['docs/decisions/0001.md'],
  },
]

/** A file that is named on the command line is meant from the current folder; the engine takes it from the root. */
function fromRoot(root: string, file: string): string {
  return path.relative(root, path.resolve(file)).split(path.sep).join('/')
}

function readFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new YoreError('BAD_INPUT', `cannot read ${file}`, {
      hint: 'make one with `yore eval --json > baseline.json`',
      cause,
    })
  }
}

interface PrintEvalOptions {
  readonly palette: Palette
  /** Columns that a line may take. */
  readonly width: number
  readonly comparison: Comparison | null
}

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
  const share = `${totals.passed} of ${formatQuantity(totals.questions, 'question')} pass`
  const verdict = passed ? palette.green('passed') : palette.red('failed')
  const lines = [
    palette.bold(`${share} (${percent(totals.passRate)}); ${verdict} (threshold ${percent(minCoverage)})`),
    `coverage ${totals.meanCoverage.toFixed(2)} and ${formatQuantity(totals.meanTokens, 'token')} on average, with ${formatCount(settings.maxTokens)} tokens, ${formatQuantity(settings.sections, 'section')} and depth ${settings.depth} allowed`,
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
