// What did the LLM say? Exactly one JSON object, expand or answer; anything else is a fault with its name.
import type { ProtocolFault, WrittenRequest } from '../../model/conversation.ts'

export type ModelOutput =
  | { readonly kind: 'expand'; readonly request: WrittenRequest }
  | { readonly kind: 'answer'; readonly content: string }
  | { readonly kind: 'fault'; readonly fault: ProtocolFault; readonly message: string }

/** The keys of each action; only `from` is optional. */
const keysOf = {
  expand: ['action', 'from', 'via', 'target_identifier'],
  answer: ['action', 'content'],
} as const

/**
 * What a server that enforces a shape is given. Such servers want every key present, so the keys of the other action
 * may be null, and null means absent.
 */
export const outputSchema: Readonly<Record<string, unknown>> = {
  type: 'object',
  properties: {
    action: { type: 'string', enum: ['expand', 'answer'] },
    from: { type: ['string', 'null'] },
    via: { type: ['string', 'null'] },
    target_identifier: { type: ['string', 'null'] },
    content: { type: ['string', 'null'] },
  },
  required: ['action', 'from', 'via', 'target_identifier', 'content'],
  additionalProperties: false,
}

/** Reads one output strictly. Blanks, thoughts before the object and one code fence around it are no words, and pass. */
export function readOutput(text: string): ModelOutput {
  const read = readObject(text)
  if ('fault' in read) return { kind: 'fault', ...read }
  const { action } = read.fields
  if (action === undefined) return fault('missing_key', 'the object has no "action"')
  if (typeof action !== 'string') return fault('wrong_type', '"action" must be a string')
  if (action !== 'expand' && action !== 'answer')
    return fault('unknown_action', '"action" must be "expand" or "answer"')
  const wrong = checkKeys(read.fields, action)
  if (wrong !== null) return wrong
  if (action === 'answer') {
    const content = read.fields['content'] as string
    if (content.trim() === '') return fault('empty_content', '"content" is empty')
    return { kind: 'answer', content }
  }
  const { from, via, target_identifier: target } = read.fields as Record<string, string | undefined>
  return { kind: 'expand', request: { from: from ?? null, via: via ?? '', target: target ?? '' } }
}

type ReadObject =
  | { readonly fields: Readonly<Record<string, unknown>> }
  | { readonly fault: ProtocolFault; readonly message: string }

/** The one object of a text, with null taken for absent. */
export function readObject(text: string): ReadObject {
  const body = withoutWrapping(text)
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    const open = body.indexOf('{')
    return open > 0 || (open === 0 && hasObjectAndMore(body))
      ? { fault: 'text_around_json', message: 'there is text around the JSON object' }
      : { fault: 'not_json', message: 'the output is not JSON' }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { fault: 'not_an_object', message: 'the output must be one JSON object' }
  const repeated = findRepeatedKey(body)
  if (repeated !== null)
    return { fault: 'duplicate_key', message: `the key ${JSON.stringify(repeated)} occurs twice` }
  const fields = Object.entries(value).filter(([, field]) => field !== null)
  return { fields: Object.fromEntries(fields) }
}

function checkKeys(
  fields: Readonly<Record<string, unknown>>,
  action: 'expand' | 'answer',
): ModelOutput | null {
  const allowed: readonly string[] = keysOf[action]
  for (const [key, value] of Object.entries(fields)) {
    if (!allowed.includes(key)) return fault('unknown_key', `"${action}" takes no ${shorten(key)}`)
    if (typeof value !== 'string') return fault('wrong_type', `"${key}" must be a string`)
  }
  const missing = allowed.find((key) => key !== 'from' && !Object.hasOwn(fields, key))
  return missing === undefined ? null : fault('missing_key', `"${action}" needs "${missing}"`)
}

function fault(name: ProtocolFault, message: string): ModelOutput {
  return { kind: 'fault', fault: name, message }
}

function shorten(key: string): string {
  return JSON.stringify(key.length > 40 ? `${key.slice(0, 37)}...` : key)
}

const fenceStart = /^```(?:json)?[ \t]*\r?\n/

/** A fence around everything is how many models write JSON; some send their thoughts in the same text. */
export function withoutWrapping(output: string): string {
  const thought = output.trimStart().startsWith('<think>') ? output.indexOf('</think>') : -1
  const text = (thought === -1 ? output : output.slice(thought + '</think>'.length)).trim()
  const start = fenceStart.exec(text)?.[0].length
  if (start === undefined || !text.endsWith('```') || text.length < start + 3) return text
  return text.slice(start, -3).trim()
}

/** Does the text start with a whole object and go on after it? */
function hasObjectAndMore(text: string): boolean {
  const end = new JsonWalk(text).endOfFirst()
  if (end === null || end === text.length) return false
  try {
    JSON.parse(text.slice(0, end))
    return true
  } catch {
    return false
  }
}

/** JSON.parse keeps the last of two equal keys without a word; only keys of the outermost object matter here. */
function findRepeatedKey(json: string): string | null {
  const seen = new Set<string>()
  for (const key of new JsonWalk(json).outerKeys()) {
    if (seen.has(key)) return key
    seen.add(key)
  }
  return null
}

/** Walks a JSON text once, knowing strings and depth. */
class JsonWalk {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  /** Where the first bracket closes again; null when it does not. */
  endOfFirst(): number | null {
    let depth = 0
    for (let at = 0; at < this.#text.length; at++) {
      const char = this.#text.charAt(at)
      if (char === '"') at = this.#endOfString(at) - 1
      else if (char === '{' || char === '[') depth++
      else if (char === '}' || char === ']') depth--
      if (depth === 0) return at + 1
    }
    return null
  }

  /** Keys of the outermost object of a valid JSON text, escapes read. */
  *outerKeys(): Generator<string> {
    let depth = 0
    for (let at = 0; at < this.#text.length; at++) {
      const char = this.#text.charAt(at)
      if (char === '{' || char === '[') depth++
      else if (char === '}' || char === ']') depth--
      else if (char === '"') {
        const end = this.#endOfString(at)
        if (depth === 1 && this.#isBeforeColon(end)) yield JSON.parse(this.#text.slice(at, end)) as string
        at = end - 1
      }
    }
  }

  #endOfString(start: number): number {
    let at = start + 1
    while (at < this.#text.length && this.#text.charAt(at) !== '"')
      at += this.#text.charAt(at) === '\\' ? 2 : 1
    return Math.min(at + 1, this.#text.length)
  }

  #isBeforeColon(from: number): boolean {
    let at = from
    while (' \t\r\n'.includes(this.#text.charAt(at)) && at < this.#text.length) at++
    return this.#text.charAt(at) === ':'
  }
}
