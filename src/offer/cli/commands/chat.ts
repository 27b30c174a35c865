// How does a conversation run on a terminal? `yore chat` takes questions one after the other; the LLM sees the earlier ones.
import { createInterface } from 'node:readline'
import type { Exchange } from '../../../model/conversation.ts'
import { YoreError } from '../../../model/errors.ts'
import type { Engine } from '../../engine/engine.ts'
import type { InputOf } from '../../operations/operation.ts'
import { type Command, type CommandSpec, type CorpusCall, corpusCommand } from '../command.ts'
import { paletteFor, printable } from '../format.ts'
import { note, noteFreshness } from '../terminal.ts'
import { showAnswer, stepPrinter, talkOptions } from './ask.ts'

const spec = {
  name: 'chat',
  summary: 'Ask an LLM several questions; later ones may refer to earlier answers.',
  details: [
    'The LLM rewrites a question that needs the conversation before anything is searched. Without a terminal every line of standard input is a question. Ctrl-C stops an answer, and /quit or Ctrl-D ends. Nothing is stored.',
  ],
  arguments: {},
  options: talkOptions,
  examples: ['yore chat', 'yore chat --trace'],
} as const satisfies CommandSpec

type ChatCall = CorpusCall<InputOf<typeof spec>>

export const command: Command = corpusCommand(spec, (call) => call.use((engine) => chat(call, engine)))

/** Until /quit, the end of the input, or Ctrl-C at the prompt. */
async function chat(call: ChatCall, engine: Engine): Promise<number> {
  const isInteractive = process.stdin.isTTY === true
  const lines = createInterface({
    input: process.stdin,
    output: process.stderr,
    terminal: isInteractive,
    prompt: isInteractive ? `${paletteFor(process.stderr, process.env).bold('›')} ` : '',
  })
  /** Stops the answer that is being written. */
  let stop: AbortController | null = null
  lines.on('SIGINT', () => (stop === null ? lines.close() : stop.abort()))
  const history: Exchange[] = []
  let [hasFailed, hasQuit] = [false, false]
  if (isInteractive) lines.prompt()
  for await (const line of lines) {
    const question = line.trim()
    hasQuit = question === '/quit'
    if (hasQuit) break
    if (question !== '') {
      stop = new AbortController()
      if (!(await ask(question, history, stop.signal, { call, engine }))) hasFailed = true
      stop = null
      process.stdout.write('\n')
    }
    if (isInteractive) lines.prompt()
  }
  if (isInteractive && !hasQuit) process.stderr.write('\n')
  return hasFailed && !isInteractive ? 1 : 0
}

/** Answers one question and adds it to the history; false if there is no answer. */
async function ask(
  question: string,
  history: Exchange[],
  signal: AbortSignal,
  { call: { input, now }, engine }: { readonly call: ChatCall; readonly engine: Engine },
): Promise<boolean> {
  const { maxTokens, refresh, mode } = input
  try {
    const options = { maxTokens, refresh, mode, history, onStep: stepPrinter(input), signal }
    const result = await engine.ask(question, options)
    showAnswer(result)
    noteFreshness(result.freshness, now)
    const { outcome, cited } = result
    if (outcome.outcome === 'answered')
      history.push({ question, answer: outcome.content, cited, at: input.now ?? Date.now() })
    return outcome.outcome === 'answered'
  } catch (error) {
    if (signal.aborted) {
      note('stopped')
      return true
    }
    // One failed question does not end a conversation; a conversation that cannot start does.
    if (!(error instanceof YoreError) || error.code === 'NO_MODEL' || error.code === 'NO_PACKAGE') throw error
    process.stderr.write(`error: ${printable(error.message)}\nhint: ${printable(error.hint)}\n`)
    return false
  }
}
