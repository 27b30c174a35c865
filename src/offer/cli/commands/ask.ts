// How does an LLM answer on a terminal? `yore ask` writes the answer as it comes, then its sources; the rest goes to standard error.
import type { AskHooks } from '../../../answer/answering/question-options.ts'
import type {
  Answered,
  AskResult,
  Citation,
  Message,
  TraceStep,
  WrittenRequest,
} from '../../../model/conversation.ts'
import { formatQuantity } from '../../../model/format-numbers.ts'
import type { OptionSpec } from '../../operations/operation.ts'
import { operations } from '../../operations/operations.ts'
import { type Command, questionCommand } from '../command.ts'
import { outPalette, type Palette, paletteFor, printable, printableJson } from '../format.ts'
import { corpusOptions, json, now, refresh } from '../options.ts'
import { noteFreshness, show } from '../terminal.ts'

/** Of `ask` and `chat`. */
export const talkOptions = {
  model: {
    type: 'text',
    setting: 'llm.model',
    value: 'name',
    help: 'Model of the configured server.',
    otherwise: 'llm.model',
  },
  ...operations.ask.options,
  trace: { type: 'switch', help: 'Show every request of the model and its verdict, on standard error.' },
  refresh,
  ...corpusOptions,
  now,
} as const satisfies Record<string, OptionSpec>

export const command: Command = questionCommand(
  {
    ...operations.ask,
    details: [
      'The LLM sees the sections that the search finds and may request more, one at a time, within the rulebooks and the budget. Citations of text that it was not shown are marked, and links that no source contains are removed.',
      'Nothing is sent anywhere unless an LLM is configured: see {docs}/guides/ask-and-chat.md. Exits with 1 when there is no answer.',
    ],
    options: {
      dryRun: { type: 'switch', help: 'Print the first messages, and send nothing.' },
      ...talkOptions,
      json,
    },
    examples: [
      'yore ask "How do I deploy a new service?"',
      'yore ask "Which retry semantics hold?" --trace',
      'yore ask "Which retry semantics hold?" --dry-run',
    ],
  },
  async ({ input, now, use }) => {
    const { question, maxTokens, refresh, mode } = input
    if (input.dryRun) {
      const messages = await use((engine) => engine.previewAsk(question, input))
      show(input, messages, () => printMessages(messages))
      return 0
    }
    const talk = new Talk({ trace: input.trace, streaming: process.stdout.isTTY && !input.json })
    const result = await use((engine) => engine.ask(question, { maxTokens, refresh, mode, ...talk.hooks() }))
    if (input.json) process.stdout.write(printableJson(result))
    else talk.show(result)
    noteFreshness(result.freshness, now)
    return result.outcome.outcome === 'answered' ? 0 : 1
  },
)

interface TalkOptions {
  readonly trace: boolean
  /** Whether paragraphs are written as they come. */
  readonly streaming: boolean
}

/** Shows one answer on a terminal: progress while it runs, then the text and its sources. */
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
              process.stderr.write('note: the text above is incomplete or broke the protocol; asking again\n')
            },
          }
        : {}),
    }
  }

  /** Everything that was not streamed. */
  show({ outcome }: AskResult): void {
    if (outcome.outcome !== 'answered') {
      process.stdout.write(printable(outcome.passages))
      process.stderr.write(`no answer: ${printable(outcome.message)} Above is what the search found.\n`)
      process.stderr.write(
        'hint: --trace shows what the model said; a larger model keeps to the protocol better\n',
      )
      return
    }
    process.stdout.write(this.#streamed ? '\n' : `${printable(outcome.content.trimEnd())}\n`)
    process.stdout.write(printSources(outcome, this.#out))
    for (const warning of answerWarnings(outcome))
      process.stderr.write(`${this.#err.yellow(`warning: ${warning}`)}\n`)
  }
}

/** The documents that it cites with their lines, numbered as "the second one" counts; nothing when it cites none. */
function printSources({ citations }: Answered, palette: Palette): string {
  const byPath = Map.groupBy(citations.filter(isShown), ({ path }) => path)
  if (byPath.size === 0) return ''
  const lines = [...byPath].map(([path, places], at) => {
    const ranges = places.map(({ start, end }) => (start === end ? `${start}` : `${start}-${end}`))
    const where = [...new Set(places.flatMap(({ place }) => place ?? []))].join(', ')
    const named = where === '' ? '' : ` (${printable(where)})`
    return `  ${at + 1}. ${palette.cyan(printable(`${path}:${ranges.join(',')}`))}${named}`
  })
  return `\n${palette.bold('Sources')}\n${lines.join('\n')}\n`
}

function isShown({ verdict }: Citation): boolean {
  return verdict === 'shown' || verdict === 'partly_shown'
}

function formatPlace({ path, start, end }: Pick<Citation, 'path' | 'start' | 'end'>): string {
  return start === end ? `${path}:${start}` : `${path}:${start}-${end}`
}

function answerWarnings({ citations, shown, uncited, removed }: Answered): string[] {
  const unknown = citations.filter((citation) => !isShown(citation)).map(formatPlace)
  const warnings: string[] = []
  if (unknown.length > 0)
    warnings.push(`the model was not shown what it cites as ${unknown.slice(0, 5).join(', ')}`)
  if (citations.length === 0)
    warnings.push(
      `the answer cites nothing; the search found ${shown.slice(0, 3).map(formatPlace).join(', ') || 'nothing'}`,
    )
  else if (uncited > 0)
    warnings.push(`${formatQuantity(uncited, 'statement')} ${uncited === 1 ? 'cites' : 'cite'} nothing`)
  if (removed.length > 0)
    warnings.push(
      `${formatQuantity(removed.length, 'link')} that no source has ${removed.length === 1 ? 'was' : 'were'} taken out`,
    )
  return warnings.map(printable)
}

function printStep(step: TraceStep): string {
  return printable(describeStep(step)).replaceAll('\n', ' ')
}

function describeStep(step: TraceStep): string {
  switch (step.step) {
    case 'rewritten':
      return `rewritten as ${JSON.stringify(step.query)}`
    case 'guessed':
      return `words of the answer: ${step.words.join(', ')}`
    case 'searched':
      return `searched by ${step.strategy.name}: ${formatQuantity(step.sections, 'section')} (${step.strategy.why})`
    case 'expanded':
      return `allowed  ${describeRequest(step.request)} → ${step.target}, cost ${step.cost}, ${step.budgetLeft} left`
    case 'denied':
      return `denied   ${describeRequest(step.request)}: ${step.reason}, ${step.message}`
    case 'malformed':
      return `refused  ${step.fault}, ${step.message}: ${JSON.stringify(step.output.slice(0, 100))}`
    case 'restarted':
      return `again    ${step.why}`
    case 'answered':
      return step.form === 'prose' ? 'answered in prose, after a reminder' : 'answered'
  }
}

function describeRequest({ from, via, target }: WrittenRequest): string {
  const shorten = (text: string): string => (text.length > 80 ? `${text.slice(0, 77)}...` : text)
  return `expand ${from === null ? '' : `from ${shorten(from)} `}via ${shorten(via)} to ${shorten(target)}`
}

/** Progress for a waiting person; null for steps that only a trace shows. */
function printProgress(step: TraceStep): string | null {
  if (step.step === 'searched') return `found ${formatQuantity(step.sections, 'section')}; asking the model`
  if (step.step === 'expanded') return printable(`read ${step.target} as well`)
  if (step.step === 'restarted') return printable(`${step.why}; asking again`)
  return step.step === 'rewritten' ? printable(`searching for ${JSON.stringify(step.query)}`) : null
}

/** The messages of a dry run. */
function printMessages(messages: readonly Message[]): string {
  return messages.map(({ role, content }) => `--- ${role} ---\n${printable(content)}\n`).join('\n')
}
