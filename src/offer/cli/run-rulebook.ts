// How do the rulebook commands run on a terminal? Tables or JSON to standard output, 1 when a file has an error.
import path from 'node:path'
import { operations } from '../operations/operations.ts'
import { outPalette } from './colors.ts'
import type { CommandRequest } from './parse-command-line.ts'
import { prepareCommand, withEngine } from './prepare-command.ts'
import { printRulebookCheck, printRulebooks } from './print-rulebook.ts'
import { printable, printableJson } from './printable.ts'
import { warn } from './terminal.ts'

/** Runs `yore rulebook`; gives the exit status. With a language and --json the rulebook alone, in the form of its file. */
export async function runRulebook(request: CommandRequest): Promise<number> {
  const call = prepareCommand(operations.rulebook, request)
  warn(call)
  const inForce = await withEngine(call, (engine) => operations.rulebook.run(engine, call.input, {}))
  for (const warning of inForce.warnings) process.stderr.write(`warning: ${printable(warning)}\n`)
  const { rulebooks } = inForce
  const { language, json } = call.input
  const shown = language === undefined ? Object.values(rulebooks) : [rulebooks[language]]
  const asJson = language === undefined ? inForce : rulebooks[language].rulebook
  process.stdout.write(json ? printableJson(asJson) : printRulebooks(shown, outPalette()))
  return 0
}

/** Runs `yore rulebook check`; gives the exit status. */
export async function runRulebookCheck(request: CommandRequest): Promise<number> {
  const operation = operations['rulebook check']
  const call = prepareCommand(operation, request)
  warn(call)
  const { file } = call.input
  // A file that is named on the command line is meant from the current folder.
  const input = file === undefined ? call.input : { ...call.input, file: path.resolve(file) }
  const found = await withEngine(call, (engine) => operation.run(engine, input, {}))
  const reports = found.map((report) => ({ ...report, file: file ?? report.file }))
  const palette = outPalette()
  process.stdout.write(call.input.json ? printableJson(reports) : printRulebookCheck(reports, palette))
  return reports.some(({ errors }) => errors.length > 0) ? 1 : 0
}
