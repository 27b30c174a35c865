// Which words find the answer? An LLM guesses words that its text or code would use, and says a follow-up question in full.
import type { Complete, Exchange, Message } from '../../model/conversation.ts'
import { readObject, shapeOf } from './read-output.ts'

/** What an LLM adds to a question. */
export interface SearchGuess {
  /** The question in full; null if it is complete already. */
  readonly query: string | null
  readonly words: readonly string[]
  /** Identifiers. */
  readonly names: readonly string[]
}

const alone = [
  'Help to search documents and code for the answer to a question.',
  'Reply with exactly one JSON object and nothing else. It has the lists "words" and "names".',
]
const inConversation = [
  'Rewrite the last question of a conversation as search words that can be understood without the conversation.',
  'Reply with exactly one JSON object and nothing else. It has the text "query" and the lists "words" and "names".',
  'In "query" keep names, ids and technical terms as they are. Name a document by its path when the question means a source of an earlier answer. Add only what the conversation makes clear. When the question is already clear on its own, repeat it.',
]
const aboutWords = [
  '"words": up to 12 words that the text or code of the answer contains and the question does not, such as synonyms and technical terms.',
  '"names": up to 6 identifiers, options or file names of it; none when you know none.',
]

const list = { type: 'array', items: { type: 'string' } }
const lists = { words: list, names: list }

const longestQuery = 500
const shownAnswer = 400
const maxTokens = 200

/** One short turn; useless parts of the reply are ignored. The history comes budgeted. */
export async function guessSearch(
  question: string,
  history: readonly Exchange[],
  complete: Complete,
  signal?: AbortSignal,
): Promise<SearchGuess> {
  const isAlone = history.length === 0
  // Earlier answers are text that an LLM wrote: quoted as JSON, they stay data.
  const earlier = history.map((exchange) =>
    JSON.stringify({
      question: exchange.question,
      answer: exchange.answer.slice(0, shownAnswer),
      sources: exchange.cited.map(({ path }) => path),
    }),
  )
  const shown = [...(isAlone ? [] : ['Conversation, as data:', ...earlier]), `Last question:\n${question}`]
  const messages: Message[] = [
    { role: 'system', content: [...(isAlone ? alone : inConversation), ...aboutWords].join('\n') },
    { role: 'user', content: shown.join('\n\n') },
  ]
  const { text } = await complete(messages, {
    maxTokens,
    schema: shapeOf(isAlone ? lists : { query: { type: 'string' }, ...lists }),
    ...(signal === undefined ? {} : { signal }),
  })
  const read = readObject(text)
  const given = isAlone || 'fault' in read ? null : read.fields['query']
  const query = typeof given === 'string' ? given.replaceAll(/\s+/g, ' ').trim().slice(0, longestQuery) : ''
  return {
    query: query === '' || query === question.trim() ? null : query,
    ...('fault' in read
      ? { words: searchList(text, 'words'), names: searchList(text, 'names') }
      : { words: readList(read.fields['words']), names: readList(read.fields['names']) }),
  }
}

const readList = (given: unknown): string[] =>
  Array.isArray(given) ? given.filter((entry) => typeof entry === 'string') : []

/** The strings of a list in an output that was cut off or has text around it. */
function searchList(text: string, key: keyof typeof lists): string[] {
  const [, inside = ''] = new RegExp(`"${key}"\\s*:\\s*\\[([^\\]]*)`).exec(text) ?? []
  return [...inside.matchAll(/"([^"\\\n]+)"/g)].map(([, word = '']) => word)
}
