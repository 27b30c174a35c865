// How does an LLM answer on a terminal? `yore ask` writes the answer and its sources; progress goes to standard error.
import {
  type Answered,
  type AskResult,
  formatPlace,
  isShown,
  type TraceStep,
  type WrittenRequest,
} from '../../../model/conversation.ts'
import { formatQuantity } from '../../../model/format-numbers.ts'
import { cut } from '../../../model/mark-invisible.ts'
import { type OptionSpec, toggle } from '../../operations/operation.ts'
import { operations } from '../../operations/operations.ts'
import { type Command, corpusCommand } from '../command.ts'
import { formatLines, outPalette, type Palette, paletteFor, printable, printableJson } from '../format.ts'
import { corpusOptions, json, now, refresh } from '../options.ts'
import { noteFreshness } from '../terminal.ts'

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
  trace: toggle('Show every request of the model and its verdict, on standard error.'),
  refresh,
  ...corpusOptions,
  now,
} as const satisfies Record<string, OptionSpec>

export const command: Command = corpusCommand(
  {
    ...operations.ask,
    details: [
      'The LLM sees the sections that the search finds and may request more, one at a time, within the rulebooks and the budget. Citations of text that it was not shown are marked, and links that no source contains are removed.',
      'Nothing is sent anywhere unless an LLM is configured: see {docs}/guides/ask-and-chat.md. Exits with 1 when there is no answer.',
    ],
    options: { ...talkOptions, json },
    examples: ['yore ask "How do I deploy a new service?"', 'yore ask "Which retry semantics hold?" --trace'],
  },
  async ({ input, now, use }) => {
    const { question, maxTokens, refresh, mode } = input
    const onStep = stepPrinter(input)
    const result = await use((engine) => engine.ask(question, { maxTokens, refresh, mode, onStep }))
    if (input.json) process.stdout.write(printableJson(result))
    else showAnswer(result)
    noteFreshness(result.freshness, now)
    return result.outcome.outcome === 'answered' ? 0 : 1
  },
)

/** Prints every step with `--trace`, and on a terminal what a waiting person wants to know. */
export function stepPrinter({ trace }: { readonly trace: boolean }): (step: TraceStep) => void {
  const { dim } = paletteFor(process.stderr, process.env)
  const quiet = process.stderr.isTTY !== true
  return (step) => {
    const line = trace ? describeStep(step).replaceAll('\n', ' ') : quiet ? null : describeProgress(step)
    if (line !== null) process.stderr.write(`${dim(`· ${printable(line)}`)}\n`)
  }
}

/** The answer with its sources and warnings, or what the search found. */
export function showAnswer({ outcome }: AskResult): void {
  if (outcome.outcome !== 'answered') {
    process.stdout.write(printable(outcome.passages))
    process.stderr.write(`no answer: ${printable(outcome.message)} Above is what the search found.\n`)
    const hint = '--trace shows what the model said; a larger model keeps to the protocol better'
    process.stderr.write(`hint: ${hint}\n`)
    return
  }
  const { yellow } = paletteFor(process.stderr, process.env)
  process.stdout.write(`${printable(outcome.content.trimEnd())}\n${printSources(outcome, outPalette())}`)
  for (const warning of answerWarnings(outcome)) process.stderr.write(`${yellow(`warning: ${warning}`)}\n`)
}

/** The documents that it cites with their lines; nothing when it cites none. */
function printSources({ citations }: Answered, palette: Palette): string {
  const byPath = Map.groupBy(citations.filter(isShown), ({ path }) => path)
  if (byPath.size === 0) return ''
  const lines = [...byPath].map(([path, places], at) => {
    const where = [...new Set(places.flatMap(({ place }) => place ?? []))].join(', ')
    const named = where === '' ? '' : ` (${printable(where)})`
    return `  ${at + 1}. ${palette.cyan(printable(`${path}:${formatLines(places)}`))}${named}`
  })
  return `\n${palette.bold('Sources')}\n${lines.join('\n')}\n`
}

function answerWarnings({ citations, shown, removed }: Answered): string[] {
  const unknown = citations.filter((citation) => !isShown(citation)).map(formatPlace)
  const warnings: string[] = []
  if (unknown.length > 0)
    warnings.push(`the model was not shown what it cites as ${unknown.slice(0, 5).join(', ')}`)
  const found = shown.slice(0, 3).map(formatPlace).join(', ') || 'nothing'
  if (citations.length === 0) warnings.push(`the answer cites nothing; the search found ${found}`)
  const links = `${formatQuantity(removed.length, 'link')} that no source has`
  if (removed.length > 0) warnings.push(`${links} ${removed.length === 1 ? 'was' : 'were'} taken out`)
  return warnings.map(printable)
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
    case 'answered':
      return 'answered'
  }
}

const describeRequest = ({ from, via, target }: WrittenRequest): string =>
  `expand ${from === null ? '' : `from ${cut(from, 80)} `}via ${cut(via, 80)} to ${cut(target, 80)}`

/** Progress for a waiting person; null for steps that only a trace shows. */
function describeProgress(step: TraceStep): string | null {
  if (step.step === 'searched') return `found ${formatQuantity(step.sections, 'section')}; asking the model`
  if (step.step === 'expanded') return `read ${step.target} as well`
  return step.step === 'rewritten' ? `searching for ${JSON.stringify(step.query)}` : null
}
