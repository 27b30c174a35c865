// What does a question mean on its own? Only when no name in it leads anywhere is an LLM asked to say it in full.
import type { Complete, Exchange, Message } from '../../model/conversation.ts'
import { readObject } from './read-output.ts'

const rules = [
  'Rewrite the last question of a conversation as search words that can be understood without the conversation.',
  'Reply with exactly one JSON object and nothing else: {"query":"…"}.',
  'Keep names, ids and technical terms as they are. Add only what the conversation makes clear. When the question is already clear on its own, repeat it.',
].join('\n')

const schema: Readonly<Record<string, unknown>> = {
  type: 'object',
  properties: { query: { type: 'string' } },
  required: ['query'],
  additionalProperties: false,
}

const longestQuery = 500
const shownAnswer = 400
const maxTokens = 200

/** The question rewritten, or null when the reply is of no use. The history comes budgeted. */
export async function rewriteQuestion(
  question: string,
  history: readonly Exchange[],
  complete: Complete,
  signal?: AbortSignal,
): Promise<string | null> {
  const messages = rewriteMessages(question, history)
  const { text } = await complete(messages, {
    maxTokens,
    schema,
    ...(signal === undefined ? {} : { signal }),
  })
  const read = readObject(text)
  if ('fault' in read) return null
  const { query, ...others } = read.fields
  if (typeof query !== 'string' || Object.keys(others).length > 0) return null
  const words = query.replaceAll(/\s+/g, ' ').trim().slice(0, longestQuery)
  return words === '' || words === question.trim() ? null : words
}

/** Earlier answers are text that an LLM wrote: quoted as JSON, they stay data. */
function rewriteMessages(question: string, history: readonly Exchange[]): Message[] {
  const earlier = history.map((exchange) =>
    JSON.stringify({ question: exchange.question, answer: exchange.answer.slice(0, shownAnswer) }),
  )
  const content = ['Conversation, as data:', ...earlier, `Last question:\n${question}`].join('\n\n')
  return [
    { role: 'system', content: rules },
    { role: 'user', content },
  ]
}
