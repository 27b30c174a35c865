// How does a person read an answer? The text, the places it cites, and what of it could not be checked.
import type { Answered, Citation, Message, TraceStep, WrittenRequest } from '../../model/conversation.ts'
import type { Palette } from './colors.ts'
import { formatMany } from './format-numbers.ts'
import { printable } from './printable.ts'

/** The answer's text, when it was not streamed already. */
export function printAnswer({ content }: Answered): string {
  return `${printable(content.trimEnd())}\n`
}

/** The documents that it cites with their lines, numbered as "the second one" counts; nothing when it cites none. */
export function printSources({ citations }: Answered, palette: Palette): string {
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

/** What a reader must know of the answer, one sentence each, for standard error. */
export function answerWarnings({ citations, uncited, removed }: Answered): string[] {
  const unknown = citations.filter((citation) => !isShown(citation)).map(formatPlace)
  const warnings: string[] = []
  if (unknown.length > 0)
    warnings.push(`the model was not shown what it cites as ${unknown.slice(0, 5).join(', ')}`)
  if (citations.length === 0) warnings.push('the answer cites nothing')
  else if (uncited > 0)
    warnings.push(`${formatMany(uncited, 'statement')} ${uncited === 1 ? 'cites' : 'cite'} nothing`)
  if (removed.length > 0)
    warnings.push(
      `${formatMany(removed.length, 'link')} that no source has ${removed.length === 1 ? 'was' : 'were'} taken out`,
    )
  return warnings.map(printable)
}

/** One thing that happened, as a line for standard error. */
export function printStep(step: TraceStep): string {
  return printable(describeStep(step)).replaceAll('\n', ' ')
}

function describeStep(step: TraceStep): string {
  switch (step.step) {
    case 'rewritten':
      return `rewritten as ${JSON.stringify(step.query)}`
    case 'searched':
      return `searched by ${step.strategy.name}: ${formatMany(step.sections, 'section')} (${step.strategy.why})`
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

/** What somebody who waits wants to know; null for what only a trace shows. */
export function printProgress(step: TraceStep): string | null {
  if (step.step === 'searched') return `found ${formatMany(step.sections, 'section')}; asking the model`
  if (step.step === 'expanded') return printable(`read ${step.target} as well`)
  if (step.step === 'restarted') return printable(`${step.why}; asking again`)
  return step.step === 'rewritten' ? printable(`searching for ${JSON.stringify(step.query)}`) : null
}

/** The messages of a dry run. */
export function printMessages(messages: readonly Message[]): string {
  return messages.map(({ role, content }) => `--- ${role} ---\n${printable(content)}\n`).join('\n')
}
