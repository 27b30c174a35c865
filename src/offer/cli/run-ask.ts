// How does `yore ask` run on a terminal? The answer to standard output as it is written, everything else beside it.
import type { AskHooks } from '../../answer/answering/question-options.ts'
import type { AskResult } from '../../model/conversation.ts'
import { operations } from '../operations/operations.ts'
import { outPalette, type Palette, paletteFor } from './colors.ts'
import type { CommandRequest } from './parse-command-line.ts'
import { prepareCommand, withEngine } from './prepare-command.ts'
import {
  answerWarnings,
  printAnswer,
  printMessages,
  printProgress,
  printSources,
  printStep,
} from './print-answer.ts'
import { printable, printableJson } from './printable.ts'
import { noteFreshness, warn } from './terminal.ts'

/** Runs `yore ask`; gives the exit status. */
export async function runAsk(request: CommandRequest): Promise<number> {
  const call = prepareCommand(operations.ask, request)
  const { input } = call
  warn(call)
  if (input.dryRun) {
    const messages = await withEngine(call, (engine) => engine.previewAsk(input.question, input))
    process.stdout.write(input.json ? printableJson(messages) : printMessages(messages))
    return 0
  }
  const talk = new Talk({ trace: input.trace, streaming: process.stdout.isTTY && !input.json })
  const result = await withEngine(call, (engine) =>
    operations.ask.run(engine, input, { asking: talk.hooks() }),
  )
  if (input.json) process.stdout.write(printableJson(result))
  else talk.show(result)
  noteFreshness(result.freshness, call.now)
  return result.outcome.outcome === 'answered' ? 0 : 1
}

interface TalkOptions {
  readonly trace: boolean
  /** Whether paragraphs are written as they come. */
  readonly streaming: boolean
}

/** One question on a terminal: what is heard while it runs, and what is shown when it has ended. */
export class Talk {
  readonly #options: TalkOptions
  readonly #out: Palette = outPalette()
  readonly #err: Palette = paletteFor(process.stderr, process.env)
  #streamed = false

  constructor(options: TalkOptions) {
    this.#options = options
  }

  hooks(): AskHooks {
    const { trace, streaming } = this.#options
    const quiet = process.stderr.isTTY !== true
    return {
      onStep: (step) => {
        const line = trace ? printStep(step) : quiet ? null : printProgress(step)
        if (line !== null) process.stderr.write(`${this.#err.dim(`· ${line}`)}\n`)
      },
      ...(streaming
        ? {
            onParagraph: (text: string) => {
              if (!this.#streamed && !quiet) process.stderr.write('\n')
              this.#streamed = true
              process.stdout.write(printable(text))
            },
            onRetract: () => {
              this.#streamed = false
              process.stdout.write('\n')
              process.stderr.write('note: what stands above broke off or broke the protocol; asking again\n')
            },
          }
        : {}),
    }
  }

  /** Everything that was not streamed. */
  show({ outcome }: AskResult): void {
    if (outcome.outcome !== 'answered') {
      process.stderr.write(`no answer: ${printable(outcome.message)}\n`)
      process.stderr.write(
        'hint: --trace shows what the model said; a larger model keeps to the protocol better\n',
      )
      return
    }
    process.stdout.write(this.#streamed ? '\n' : printAnswer(outcome))
    process.stdout.write(printSources(outcome, this.#out))
    for (const warning of answerWarnings(outcome))
      process.stderr.write(`${this.#err.yellow(`warning: ${warning}`)}\n`)
  }
}
