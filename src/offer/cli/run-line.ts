// How does one command line run? It is parsed, the command runs, and every error is reported here.
import { YoreError } from '../../model/errors.ts'
import { printable } from './format.ts'
import { parseCommandLine } from './parse-command-line.ts'
import { isVerbose, note, say, setTerminal } from './terminal.ts'

/** Printed by `yore` alone, at most 80 columns wide. */
const shortHelp = `yore finds what a question needs in a repository and writes it as one digest.

  yore "<question>"            the best passages, on one screen
  yore assemble "<question>"   the digest, with the source of every line
  yore search <words>          the sections that match, best first
  yore outline                 a map of the repository; of a file, its parts
  yore ask "<question>"        an answer by an LLM of your choice

The first one builds an index of this folder; later ones read only what changed.
\`yore --help\` lists every command; \`yore <command> --help\` explains one.
`

/** Gives the exit status. */
export async function runLine(args: readonly string[]): Promise<number> {
  if (args.length === 0) {
    process.stdout.write(shortHelp)
    return 0
  }
  const request = await parseCommandLine(args)
  if (request === null) return 0
  setTerminal(request.terminal)
  const status = await request.command.run(request)
  if (isVerbose()) note(`took ${Math.round(1000 * process.uptime())} ms`)
  return status
}

export function reportFailure(error: unknown): number {
  const fault = error instanceof Error ? error : new Error(String(error))
  const known = fault instanceof YoreError ? fault : null
  const hint = known?.hint ?? 'this is a bug in yore; please report it with the output of `YORE_DEBUG=1`'
  say(`error: ${printable(fault.message)}\nhint: ${printable(hint)}`)
  if (process.env.YORE_DEBUG === '1') process.stderr.write(`${printable(fault.stack ?? '')}\n`)
  return known?.exit ?? 1
}
