// How does a real model look for what it needs? It is offered the tools over an OpenAI-compatible endpoint, with and without yore.
//
// The prompt is `instruction`; with yore come the descriptions and instructions that its MCP server gives to every client.

import { assembleContext } from '../../src/offer/mcp/tools/assemble-context.ts'
import { search } from '../../src/offer/mcp/tools/search.ts'
import { instructions } from '../../src/offer/mcp/tools.ts'
import type { Policy } from './agent-policies.ts'
import type { AgentTools, Call } from './agent-tools.ts'

export interface ModelPlace {
  /** Up to and with `/v1`. */
  readonly url: string
  readonly model: string
  /** Empty where the server wants none. */
  readonly key: string
  /** Hears the tokens of each turn, as the server counts them. */
  readonly onUsage?: (tokens: { readonly input: number; readonly output: number }) => void
}

type Arguments = Readonly<Record<string, unknown>>

interface Offered {
  readonly description: string
  readonly parameters: Readonly<
    Record<string, { readonly type: string; readonly items?: object; readonly description: string }>
  >
  readonly required: readonly string[]
  readonly run: (given: Arguments, tools: AgentTools) => Call | Promise<Call>
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const whole = (value: unknown, otherwise: number): number =>
  Number.isSafeInteger(Number(value)) ? Number(value) : otherwise

const withoutYore: Readonly<Record<string, Offered>> = {
  grep: {
    description: 'Lines that hold one of the given texts, in any case. Separate texts with |.',
    parameters: {
      pattern: { type: 'string', description: 'texts, separated by |' },
      path: { type: 'string', description: 'a file or folder; everything when absent' },
    },
    required: ['pattern'],
    run: ({ pattern, path }, tools) => tools.grepLines(text(pattern), text(path)),
  },
  read: {
    description: 'Lines of a file, with their numbers.',
    parameters: {
      path: { type: 'string', description: 'the file' },
      start: { type: 'integer', description: 'first line, from 1' },
      end: { type: 'integer', description: 'last line' },
    },
    required: ['path'],
    run: ({ path, start, end }, tools) =>
      tools.read(text(path), whole(start, 1), whole(end, Number.MAX_SAFE_INTEGER)),
  },
}

const strings = { type: 'array', items: { type: 'string' } } as const
const list = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

const withYore: Readonly<Record<string, Offered>> = {
  [assembleContext.name]: {
    description: assembleContext.description,
    parameters: {
      question: { type: 'string', description: 'a question in words' },
      words: { ...strings, description: 'words that the answer contains' },
      names: { ...strings, description: 'identifiers that the answer contains' },
      maxTokens: { type: 'integer', description: '4000 when absent' },
    },
    required: ['question'],
    run: ({ question, words, names, maxTokens }, tools) =>
      tools.assemble(text(question), whole(maxTokens, 4000), { words: list(words), names: list(names) }),
  },
  [search.name]: {
    description: search.description,
    parameters: { query: { type: 'string', description: 'words, a name or an error message' } },
    required: ['query'],
    run: async ({ query }, tools) => (await tools.search(text(query))).call,
  },
  ...withoutYore,
}

interface Message {
  readonly role: string
  readonly content: string | null
  readonly tool_calls?: readonly {
    readonly id: string
    readonly function: { readonly name: string; readonly arguments: string }
  }[]
  readonly tool_call_id?: string
}

const instruction =
  'You are in a repository. Find and read the lines that answer the question, or that must change for it, with the tools. Read as little as possible. When you have read them, say where they are and stop calling tools.'

function describeTool([name, { description, parameters, required }]: readonly [string, Offered]): object {
  return {
    type: 'function',
    function: { name, description, parameters: { type: 'object', properties: parameters, required } },
  }
}

async function complete(
  place: ModelPlace,
  offered: Readonly<Record<string, Offered>>,
  messages: readonly Message[],
): Promise<Message> {
  const response = await fetch(`${place.url}/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(place.key === '' ? {} : { authorization: `Bearer ${place.key}` }),
    },
    body: JSON.stringify({
      model: place.model,
      temperature: 0,
      messages,
      tools: Object.entries(offered).map(describeTool),
    }),
    signal: AbortSignal.timeout(300_000),
  })
  if (!response.ok)
    throw new Error(`${place.url} answered ${response.status}: ${(await response.text()).slice(0, 300)}`)
  const { choices, usage } = (await response.json()) as {
    readonly choices?: readonly { readonly message: Message }[]
    readonly usage?: { readonly prompt_tokens?: number; readonly completion_tokens?: number }
  }
  place.onUsage?.({ input: usage?.prompt_tokens ?? 0, output: usage?.completion_tokens ?? 0 })
  const message = choices?.[0]?.message
  if (message === undefined) throw new Error(`${place.url} answered without a message`)
  return message
}

/** What the model wrote instead of JSON gives it an error to read, not a crash of the run. */
async function answerCall(
  name: string,
  given: string,
  offered: Readonly<Record<string, Offered>>,
  tools: AgentTools,
): Promise<Call> {
  try {
    const tool = offered[name]
    if (tool === undefined) throw new Error(`there is no tool ${name}`)
    return await tool.run(JSON.parse(given || '{}') as Arguments, tools)
  } catch (error) {
    return { tool: 'read', arguments: { asked: name }, text: `error: ${(error as Error).message}`, shown: [] }
  }
}

/** Asks the model what to do next, until it calls no tool any more. */
function letModel(place: ModelPlace, offered: Readonly<Record<string, Offered>>): Policy {
  return async function* (question, tools) {
    const messages: Message[] = [
      { role: 'system', content: offered === withYore ? `${instruction}\n\n${instructions}` : instruction },
      { role: 'user', content: question },
    ]
    for (;;) {
      const message = await complete(place, offered, messages)
      messages.push(message)
      const calls = message.tool_calls ?? []
      if (calls.length === 0) return
      for (const { id, function: called } of calls) {
        const call = await answerCall(called.name, called.arguments, offered, tools)
        messages.push({ role: 'tool', content: call.text, tool_call_id: id })
        yield call
      }
    }
  }
}

/** The same model with the same tools, once without and once with those of yore. */
export function modelPolicies(place: ModelPlace): Readonly<Record<string, Policy>> {
  return {
    [`${place.model}, grep and read`]: letModel(place, withoutYore),
    [`${place.model}, with yore`]: letModel(place, withYore),
  }
}
