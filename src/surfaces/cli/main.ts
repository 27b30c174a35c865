// What happens when somebody types `yore`? The command line is read, one command runs, and every failure ends here.
import { YoreError } from '../../errors.ts'
import { parseCommandLine } from './parse-command-line.ts'
import { printable } from './printable.ts'
import { runCommand } from './run-command.ts'
import { isVerbose, note, setTerminal } from './terminal.ts'

async function main(args: readonly string[]): Promise<number> {
  if (args.length === 0) {
    const { shortHelp } = await import('./short-help.ts')
    process.stdout.write(shortHelp())
    return 0
  }
  const request = parseCommandLine(args)
  if (request === null) return 0
  setTerminal(request.terminal)
  const started = performance.now()
  const status = await runCommand(request)
  if (isVerbose()) note(`took ${Math.round(performance.now() - started)} ms`)
  return status
}

function reportFailure(error: unknown): number {
  const fault = error instanceof Error ? error : new Error(String(error))
  const known = fault instanceof YoreError ? fault : null
  const hint = known?.hint ?? 'this is a fault in yore; please report it with what `YORE_DEBUG=1` adds'
  process.stderr.write(`error: ${printable(fault.message)}\nhint: ${printable(hint)}\n`)
  if (process.env.YORE_DEBUG === '1') process.stderr.write(`${printable(fault.stack ?? '')}\n`)
  return known?.exit ?? 1
}

// A reader that has seen enough, such as `head`, closes the pipe: that is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  process.exit(reportFailure(error))
})

// Setting the status instead of exiting lets a slow pipe receive everything.
process.exitCode = await main(process.argv.slice(2)).catch(reportFailure)
