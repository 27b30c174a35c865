// What did the LLM say? Exactly one JSON object, expand or answer; anything else is a fault with its name.
import type { ContextSection, ProtocolFault, WrittenRequest } from '../../model/conversation.ts'
import { cut } from '../../model/mark-invisible.ts'

export type ModelOutput =
  | { readonly kind: 'expand'; readonly request: WrittenRequest }
  | { readonly kind: 'answer'; readonly content: string; readonly source?: string }
  | { readonly kind: 'fault'; readonly fault: ProtocolFault; readonly message: string }

/** The keys of each action, and those that may be absent. */
const keysOf = {
  expand: ['action', 'from', 'via', 'target_identifier'],
  answer: ['action', 'source', 'content'],
} as const
const optionalKeys: ReadonlySet<string> = new Set(['from', 'source'])
/** The source of an answer that rests on no section. */
const NO_SOURCE = 'none'

type Schema = Readonly<Record<string, unknown>>

/** An object with exactly these keys. */
export const shapeOf = (properties: Schema): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})
const oneOf = (...values: readonly string[]): Schema => ({ type: 'string', enum: [...new Set(values)] })

/** For a server that enforces it: an answer with the handle of its source, or a request that the sections offer within the budget. */
export function outputSchema(
  shown: ReadonlyMap<string, Pick<ContextSection, 'artifacts' | 'offers'>>,
  budget: number,
): Schema {
  const seen = new Set([...shown.values()].flatMap(({ artifacts }) => artifacts))
  const requests = [...shown].flatMap(([handle, { offers }]) => {
    const within = offers.filter(({ cost, target }) => cost <= budget && !seen.has(target))
    return [...Map.groupBy(within, ({ via }) => via)].map(([via, some]) => {
      const target_identifier = oneOf(...some.map(({ target }) => target))
      return shapeOf({ action: oneOf('expand'), from: oneOf(handle), via: oneOf(via), target_identifier })
    })
  })
  const source = oneOf(...shown.keys(), NO_SOURCE)
  const answerShape = shapeOf({ action: oneOf('answer'), source, content: { type: 'string' } })
  return requests.length === 0 ? answerShape : { anyOf: [answerShape, ...requests] }
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
    const { content, source } = read.fields as { readonly content: string; readonly source?: string }
    if (!/[\p{L}\p{N}]/u.test(content)) return fault('empty_content', '"content" has no words')
    return { kind: 'answer', content, ...(source === undefined ? {} : { source }) }
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
  const value = parse(body)
  const { keys, end } = walkJson(body)
  if (value === undefined) {
    const goesOn = end !== null && body.startsWith('{') && parse(body.slice(0, end)) !== undefined
    return goesOn || body.indexOf('{') > 0
      ? { fault: 'text_around_json', message: 'there is text around the JSON object' }
      : { fault: 'not_json', message: 'the output is not JSON' }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { fault: 'not_an_object', message: 'the output must be one JSON object' }
  // JSON.parse keeps the last of two equal keys without a word.
  const names = keys.map((key) => JSON.parse(key) as string)
  const repeated = names.find((name, at) => names.indexOf(name) < at)
  if (repeated !== undefined)
    return { fault: 'duplicate_key', message: `the key ${JSON.stringify(repeated)} occurs twice` }
  return { fields: Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null)) }
}

function checkKeys(fields: Readonly<Record<string, unknown>>, action: 'expand' | 'answer') {
  const allowed: readonly string[] = keysOf[action]
  for (const [key, value] of Object.entries(fields)) {
    if (!allowed.includes(key))
      return fault('unknown_key', `"${action}" takes no ${JSON.stringify(cut(key, 40))}`)
    if (typeof value !== 'string') return fault('wrong_type', `"${key}" must be a string`)
  }
  const missing = allowed.find((key) => !optionalKeys.has(key) && !Object.hasOwn(fields, key))
  return missing === undefined ? null : fault('missing_key', `"${action}" needs "${missing}"`)
}

const fault = (name: ProtocolFault, message: string): ModelOutput => ({ kind: 'fault', fault: name, message })

const fenceStart = /^```(?:json)?[ \t]*\r?\n/

/** A fence around everything is how many models write JSON; some send their thoughts in the same text. */
export function withoutWrapping(output: string): string {
  const thought = output.trimStart().startsWith('<think>') ? output.indexOf('</think>') : -1
  const text = (thought === -1 ? output : output.slice(thought + '</think>'.length)).trim()
  const start = fenceStart.exec(text)?.[0].length
  if (start === undefined || !text.endsWith('```') || text.length < start + 3) return text
  return text.slice(start, -3).trim()
}

/** The value of a text; undefined if it is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Strings, closed or not, and the characters that give an object its form. */
const jsonTokens = /"(?:[^"\\]|\\.)*(?:"|\\?$)|[{}[\]:]/gs

/** The keys of the outermost object, as they are written, and where its bracket closes; null when it does not. */
function walkJson(text: string): { readonly keys: readonly string[]; readonly end: number | null } {
  const keys: string[] = []
  let [depth, last] = [0, '']
  for (const { 0: token, index } of text.matchAll(jsonTokens)) {
    if (token === ':' && depth === 1 && last.startsWith('"')) keys.push(last)
    else if (token === '{' || token === '[') depth++
    else if ((token === '}' || token === ']') && --depth === 0) return { keys, end: index + 1 }
    last = token
  }
  return { keys, end: null }
}
