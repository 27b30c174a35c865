// What happens when a user runs `yore`? The daemon answers if it is allowed and running, else this process does.
import { allowsDaemon, askDaemon } from './ask-daemon.ts'
import { commandList } from './commands.ts'

// A reader such as `head` may close the pipe early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  process.stderr.write(`error: ${error.message}\nhint: the output could not be written\n`)
  process.exit(1)
})

/** Flags that need this process: help, standard input, a file, the clipboard, timings. */
const localFlags = /^(?:-|-[a-zA-Z]*[hv][a-zA-Z]*|--help|--verbose|--copy|--output(?:=.*)?|-o.*)$/

function isServed(args: readonly string[]): boolean {
  const [name = ''] = args
  return (
    Object.hasOwn(commandList, name) &&
    commandList[name]?.daemon === true &&
    !args.some((arg) => localFlags.test(arg))
  )
}

async function main(args: readonly string[]): Promise<number> {
  // An agent waits for it, so that no command is parsed.
  if (args.length === 2 && args[0] === 'hook' && args[1] === 'before-search')
    return (await import('./search-hook.ts')).answerSearchHook()
  const asksDaemon = isServed(args) && allowsDaemon(process.env)
  const answer = asksDaemon ? await askDaemon(args) : null
  if (answer !== null && answer !== 'declined') {
    for (const [stream, text] of answer.written) process[stream].write(text)
    return answer.status
  }
  const { runLine, reportFailure } = await import('./run-line.ts')
  const status = await runLine(args).catch(reportFailure)
  if (asksDaemon && answer === null) (await import('./start-daemon.ts')).startDaemon()
  return status
}

// Setting the status instead of exiting lets a slow pipe receive everything.
process.exitCode = await main(process.argv.slice(2))
