// What does an LLM mean that breaks the protocol after a reminder? Its prose is its answer.
import { type ModelOutput, readObject, readOutput, withoutWrapping } from './read-output.ts'

export type Meant = Exclude<ModelOutput, { kind: 'fault' }>

/** An answer whose JSON breaks inside or after the content: line ends or quotes without a backslash, or cut off. */
const brokenAnswer =
  /^\{\s*(?:"action"\s*:\s*"answer"\s*,\s*)?(?:"source"\s*:\s*"([^"\n]*)"\s*,\s*)?"(?:content|answer)"\s*:\s*"/
/** Escapes of JSON; a backslash before anything else is a plain backslash. */
const escapes = /\\(?:u[\da-fA-F]{4}|["\\/bfnrt])/g

/**
 * The answer or request in an output that is a fault by the protocol; null when there is none.
 * `isQuoted` is true for text that the LLM was shown: an object that it quotes is not its own.
 */
export function readMeant(output: string, isQuoted: (text: string) => boolean): Meant | null {
  const text = withoutWrapping(output)
  const open = text.indexOf('{')
  const close = text.lastIndexOf('}')
  const object = open !== -1 && close > open ? text.slice(open, close + 1) : ''
  const quoted = object !== '' && isQuoted(object)
  if (object !== '' && !quoted) {
    const read = readOutput(object)
    if (read.kind !== 'fault') return read
    const content = contentOf(object)
    if (content !== null) return asAnswer(content)
  }
  const start = brokenAnswer.exec(text)
  if (start !== null) return asAnswer(salvage(text.slice(start[0].length)), start[1])
  const value = parse(text)
  if (typeof value === 'string') return asAnswer(value)
  if (value !== undefined || open === 0) return null
  // An incomplete request is not an answer.
  return !quoted && text.includes('"action"') ? null : asAnswer(text)
}

/** The words of an object that has no other action than answering, and keys of its own. */
function contentOf(object: string): string | null {
  const read = readObject(object)
  if ('fault' in read) return null
  const { action = 'answer', content, answer } = read.fields
  if (action !== 'answer') return null
  return [content, answer].find((words) => typeof words === 'string') ?? null
}

function asAnswer(content: string, source?: string): Meant | null {
  if (!/\p{L}/u.test(content)) return null
  return { kind: 'answer', content: content.trim(), ...(source === undefined ? {} : { source }) }
}

function salvage(rest: string): string {
  const all = rest.trimEnd()
  const inside = all.endsWith('}') ? all.slice(0, -1).trimEnd() : all
  const words = inside.endsWith('"') ? inside.slice(0, -1) : `${inside} …`
  return words.replaceAll(escapes, (written) => JSON.parse(`"${written}"`) as string)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
