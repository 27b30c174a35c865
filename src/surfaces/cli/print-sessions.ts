// How does a person read stored conversations? One line each, or one of them as it was spoken.
import type { Session, SessionSummary } from '../../model/conversation.ts'
import type { Palette } from './colors.ts'
import { formatAge, formatMany } from './format-numbers.ts'
import { printable } from './printable.ts'

const longestTitle = 60

/** The list for standard output. */
export function printSessions(sessions: readonly SessionSummary[], now: number, palette: Palette): string {
  if (sessions.length === 0) return 'no sessions yet; `yore chat` starts one\n'
  return sessions
    .map(({ id, lastAt, exchanges, title }) => {
      const facts = `${formatMany(exchanges, 'question')}, ${formatAge(Math.max(0, now - lastAt))}`
      return `${palette.bold(id)}  ${palette.dim(facts)}  ${oneLine(title)}\n`
    })
    .join('')
}

function oneLine(text: string): string {
  const line = printable(text).replaceAll(/\s+/g, ' ')
  return line.length > longestTitle ? `${line.slice(0, longestTitle - 1)}…` : line
}

/** One conversation for standard output. */
export function printSession({ exchanges }: Session, palette: Palette): string {
  const blocks = exchanges.map(({ question, answer, cited }) => {
    const sources = cited.map(({ path }) => `  ${palette.cyan(printable(path))}\n`).join('')
    return `${palette.bold(`› ${printable(question)}`)}\n\n${printable(answer.trimEnd())}\n${sources === '' ? '' : `\n${sources}`}`
  })
  return blocks.join('\n')
}
