// What happens when a user runs `yore`? A hook of an agent and the version are answered at once; every other command line is parsed and run.
import { yoreVersion } from '../../model/version.ts'

// A reader such as `head` may close the pipe early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  process.stderr.write(`error: ${error.message}\nhint: the output could not be written\n`)
  process.exit(1)
})

async function main(args: readonly string[]): Promise<number> {
  // An agent waits for it, so that no command is parsed.
  if (args.length === 2 && args[0] === 'hook' && args[1] === 'before-search')
    return (await import('./search-hook.ts')).answerSearchHook()
  // `-v` alone, too: there is nothing to be verbose about.
  if (args.length === 1 && /^(?:--version|-[vV])$/.test(args[0] as string)) {
    process.stdout.write(`${yoreVersion}\n`)
    return 0
  }
  const { runLine, reportFailure } = await import('./run-line.ts')
  return runLine(args).catch(reportFailure)
}

// Setting the status instead of exiting lets a slow pipe receive everything.
process.exitCode = await main(process.argv.slice(2))
