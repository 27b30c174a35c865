// How does one command line run? It is parsed, the command runs, and every error is reported here.
import { YoreError } from '../../model/errors.ts'
import { parseCommandLine } from './parse-command-line.ts'
import { printable } from './printable.ts'
import { isVerbose, note, setTerminal } from './terminal.ts'

/** Gives the exit status. */
export async function runLine(args: readonly string[]): Promise<number> {
  if (args.length === 0) {
    const { shortHelp } = await import('./short-help.ts')
    process.stdout.write(shortHelp())
    return 0
  }
  const request = await parseCommandLine(args)
  if (request === null) return 0
  setTerminal(request.terminal)
  const started = performance.now()
  const status = await request.command.run(request)
  if (isVerbose()) note(`took ${Math.round(performance.now() - started)} ms`)
  return status
}

export function reportFailure(error: unknown): number {
  const fault = error instanceof Error ? error : new Error(String(error))
  const known = fault instanceof YoreError ? fault : null
  const hint = known?.hint ?? 'this is a bug in yore; please report it with the output of `YORE_DEBUG=1`'
  process.stderr.write(`error: ${printable(fault.message)}\nhint: ${printable(hint)}\n`)
  if (process.env.YORE_DEBUG === '1') process.stderr.write(`${printable(fault.stack ?? '')}\n`)
  return known?.exit ?? 1
}
