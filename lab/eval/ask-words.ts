// Does `ask` find more when its LLM writes words? A server on this machine answers requests for words with those that were written blind for the real questions.
//
//   node lab/eval/ask-words.ts [--half B] [--package NAME] [--budget 8000] [--url http://localhost:8080/v1]
//
// With `--url` a real model writes the words. What is judged is what the LLM is shown first.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { openEngine } from '../../src/offer/engine/open-engine.ts'
import type { Half } from './figures.ts'
import { readReal } from './real-set.ts'
import { judgePlaces, openReal } from './score-real.ts'

const { values: options } = parseArgs({
  options: {
    half: { type: 'string', default: 'B' },
    package: { type: 'string' },
    budget: { type: 'string', default: '8000' },
    url: { type: 'string' },
    most: { type: 'string', default: 'Infinity' },
  },
})

const done = '{"action":"answer","content":"Seen."}'
/** The reply to a request for words; null where the answer itself is asked for. */
let words: ((body: string) => Promise<string>) | null = null
const server = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', async () => {
    const body = Buffer.concat(parts).toString()
    const isAsked = body.includes('Help to search documents')
    const content = isAsked && words !== null ? await words(body) : done
    const choice = { index: 0, delta: { content }, finish_reason: 'stop' }
    const event = { id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [choice] }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(`data: ${JSON.stringify(event)}\n\ndata: [DONE]\n\n`)
  })
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`

/** The words of the model at `--url`. */
async function askModel(body: string): Promise<string> {
  const response = await fetch(`${options.url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...JSON.parse(body), stream: false, stream_options: undefined }),
  })
  const { choices } = (await response.json()) as { choices?: { message: { content: string } }[] }
  return choices?.[0]?.message.content ?? ''
}

interface Judged {
  readonly met: readonly boolean[]
  readonly first: boolean
  readonly asked: boolean
  readonly used: boolean
}

const judged: { readonly without: Judged; readonly with: Judged }[] = []
for (const one of readReal({ half: options.half as Half, only: options.package ?? null, words: 'names' })) {
  const { opened, engine: closed } = await openReal(one)
  closed.close()
  const llm = { 'llm.provider': 'openai', 'llm.url': url, 'llm.model': 'm' } as const
  const engine = openEngine({
    ...opened,
    settings: { ...opened.settings, ...llm, 'llm.promptTokens': 16_000 },
  })
  for (const question of one.questions
    .filter(({ needs }) => needs.length > 0)
    .slice(0, Number(options.most))) {
    const { text, caller } = question
    const judge = async (reply: typeof words): Promise<Judged> => {
      words = reply
      const { outcome } = await engine.ask(text, { maxTokens: Number(options.budget) })
      const { met, onNeed } = judgePlaces(question, outcome.shown)
      const searched = outcome.trace.find(({ step }) => step === 'searched')
      const use = searched?.step === 'searched' ? searched.strategy.callerWords : undefined
      return { met, first: onNeed, asked: use !== undefined, used: use?.used === true }
    }
    const guessed = async (body: string): Promise<string> => {
      const reply = options.url === undefined ? JSON.stringify(caller) : await askModel(body)
      process.stderr.write(`${question._id}: ${reply.replaceAll(/\s+/g, ' ').slice(0, 200)}\n`)
      return reply
    }
    judged.push({ without: await judge(async () => '{}'), with: await judge(guessed) })
  }
  engine.close()
}
server.close()

for (const kind of ['without', 'with'] as const) {
  const rows = judged.map((row) => row[kind])
  const met = rows.flatMap(({ met }) => met)
  const share = (flags: readonly boolean[]): string =>
    (flags.filter(Boolean).length / flags.length).toFixed(3)
  process.stdout.write(
    `${kind.padEnd(8)} words: needs ${share(met)} of ${met.length}, first ${share(rows.map(({ first }) => first))} of ${rows.length}, words given ${rows.filter(({ asked }) => asked).length}, used ${rows.filter(({ used }) => used).length}\n`,
  )
}
const count = (is: (row: (typeof judged)[number]) => boolean): number => judged.filter(is).length
const needs = ({ met }: Judged): number => met.filter(Boolean).length
process.stdout.write(
  `better ${count((row) => needs(row.with) > needs(row.without))}, worse ${count((row) => needs(row.with) < needs(row.without))} of ${judged.length}; first gained ${count((row) => row.with.first && !row.without.first)}, lost ${count((row) => !row.with.first && row.without.first)}\n`,
)
