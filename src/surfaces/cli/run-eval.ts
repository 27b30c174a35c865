// How does an evaluation run on a terminal? The table or JSON to standard output, JUnit to its file, 1 below the mark.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Engine } from '../../engine/engine.ts'
import { YoreError } from '../../errors.ts'
import { compareEvaluations, parseBaseline } from '../../evaluation/compare-evaluations.ts'
import { defaultQuestionsFile, type Evaluation } from '../../evaluation/evaluation.ts'
import { writeQuestions } from '../../evaluation/read-questions.ts'
import { operations } from '../operations.ts'
import { outPalette } from './colors.ts'
import type { CommandRequest } from './parse-command-line.ts'
import { prepareCommand, withEngine } from './prepare-command.ts'
import { printEval, printProposed } from './print-eval.ts'
import { printable, printableJson } from './printable.ts'
import { renderJunit } from './render-junit.ts'
import { note, noteFreshness, warn } from './terminal.ts'
import { refuseIndexFile, writeOutput } from './write-output.ts'

/** Runs `yore eval`; gives the exit status. */
export async function runEval(request: CommandRequest): Promise<number> {
  const call = prepareCommand(operations.eval, request)
  warn(call)
  const { input: given, root } = call
  const input =
    given.questions === undefined ? given : { ...given, questions: fromRoot(root, given.questions) }
  if (input.junit !== undefined) refuseIndexFile(call.indexDir, path.resolve(input.junit))
  const baseline = input.compare === undefined ? null : parseBaseline(readFile(input.compare), input.compare)
  const { evaluation, fits, freshness } = await withEngine(call, async (engine) => {
    const result = await operations.eval.run(engine, input, {})
    await keepRun(engine, result.evaluation)
    return result
  })
  const comparison = baseline === null ? null : compareEvaluations(baseline, evaluation)
  if (input.junit !== undefined) writeOutput(path.resolve(input.junit), renderJunit(evaluation))
  const palette = outPalette()
  const width = process.stdout.isTTY ? process.stdout.columns || 80 : 160
  process.stdout.write(
    input.json
      ? printableJson({
          ...evaluation,
          ...(comparison === null ? {} : { comparison }),
          ...(input.fit ? { fits } : {}),
        })
      : printEval(evaluation, { palette, width, comparison, fits }),
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

/** Runs `yore eval init`; gives the exit status. */
export async function runEvalInit(request: CommandRequest): Promise<number> {
  const call = prepareCommand(operations['eval init'], request)
  warn(call)
  const { input, root } = call
  const file = input.questions === undefined ? defaultQuestionsFile : fromRoot(root, input.questions)
  const { questions, freshness } = await withEngine(call, (engine) =>
    operations['eval init'].run(engine, input, {}),
  )
  writeQuestions(questions, { root, file, force: input.force })
  process.stdout.write(input.json ? printableJson(questions) : printProposed(questions, input.questions))
  noteFreshness(freshness, call.now)
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
