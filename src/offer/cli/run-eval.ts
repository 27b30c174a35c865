// How does an evaluation run on a terminal? The table or JSON to standard output, 1 below the threshold.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { compareEvaluations, parseBaseline } from '../../check/evaluation/compare-evaluations.ts'
import { defaultQuestionsFile, type Evaluation, type Question } from '../../check/evaluation/evaluation.ts'
import { writeQuestions } from '../../check/evaluation/read-questions.ts'
import { YoreError } from '../../model/errors.ts'
import type { Engine } from '../engine/engine.ts'
import type { EvalInitInput } from '../operations/eval-operations.ts'
import type { Operation } from '../operations/operation.ts'
import { operations } from '../operations/operations.ts'
import { outPalette } from './colors.ts'
import type { CommandRequest } from './parse-command-line.ts'
import { prepareCommand, withEngine } from './prepare-command.ts'
import { printEval } from './print-eval.ts'
import { printable, printableJson } from './printable.ts'
import { note, noteFreshness, warn } from './terminal.ts'

/** Runs `yore eval`; gives the exit status. */
export async function runEval(request: CommandRequest): Promise<number> {
  const call = prepareCommand(operations.eval, request)
  warn(call)
  const { input: given, root } = call
  const input =
    given.questions === undefined ? given : { ...given, questions: fromRoot(root, given.questions) }
  const baseline = input.compare === undefined ? null : parseBaseline(readFile(input.compare), input.compare)
  const { evaluation, freshness } = await withEngine(call, async (engine) => {
    const result = await operations.eval.run(engine, input, {})
    await keepRun(engine, result.evaluation)
    return result
  })
  const comparison = baseline === null ? null : compareEvaluations(baseline, evaluation)
  const palette = outPalette()
  const width = process.stdout.isTTY ? process.stdout.columns || 80 : 160
  process.stdout.write(
    input.json
      ? printableJson({ ...evaluation, ...(comparison === null ? {} : { comparison }) })
      : printEval(evaluation, { palette, width, comparison }),
  )
  noteFreshness(freshness, call.now)
  return evaluation.passed ? 0 : 1
}

/** The result is what was asked for: that it could not be kept is worth a note. */
async function keepRun(engine: Engine, evaluation: Evaluation): Promise<void> {
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

/** Runs `yore eval init`; gives the exit status. */
export async function runEvalInit(request: CommandRequest): Promise<number> {
  const call = prepareCommand(operations['eval init'] as Operation<EvalInitInput, never>, request)
  warn(call)
  const { input, root } = call
  const file = input.questions === undefined ? defaultQuestionsFile : fromRoot(root, input.questions)
  writeQuestions(examples, { root, file, force: input.force })
  const named = input.questions === undefined ? '' : ` ${printable(input.questions)}`
  process.stdout.write(
    `wrote two example questions to ${printable(input.questions ?? file)}\nnext: replace them by what people ask, then run \`yore eval${named}\`\n`,
  )
  return 0
}

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
