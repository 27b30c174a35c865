// How far does a small LLM get with `ask` and `chat`? A real model behind a real server, step by step; not part of CI.
//
//   node lab/eval/small-model.ts --url http://localhost:8080/v1 [--model NAME] [--questions 10] [--budget 500] [--prompt 1500]
//     [--packages own,fastify,ripgrep] [--output 96] [--json FILE]
//
// The server is any that speaks chat completions, such as llama.cpp's. Asked are real packages, or the documents of this
// repository (`own`): each question by itself, then with `--chat` a follow-up whose words say nothing without the answer.
// A proxy caps what the model writes (`--output`) and records every turn: what was offered and what the model wrote.
// Questions that FILE holds are not asked again, so that a run that was broken off can go on.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import type { Answered, AskResult, Outcome, TraceStep } from '../../src/model/conversation.ts'
import type { Engine } from '../../src/offer/engine/engine.ts'
import { openEngine } from '../../src/offer/engine/open-engine.ts'
import { type PreparedCorpus, prepareCorpus } from './prepare-corpus.ts'
import { type Place, readReal } from './real-set.ts'
import { readOwnQuestions } from './score-own.ts'
import { openReal, touches } from './score-real.ts'

const { values: options } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://localhost:8080/v1' },
    model: { type: 'string', default: 'small' },
    questions: { type: 'string', default: '10' },
    budget: { type: 'string', default: '500' },
    prompt: { type: 'string', default: '1500' },
    packages: { type: 'string', default: 'own,fastify,ripgrep' },
    output: { type: 'string', default: '96' },
    chat: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
})

interface Asked {
  readonly corpus: string
  readonly question: string
  /** Places that an answer needs; empty where nobody wrote them down. */
  readonly needs: readonly Place[]
}

/** One turn as it went over the wire. */
interface Turn {
  /** Requests of the rulebook that the schema allows. */
  readonly offered: number
  readonly sent: string
  readonly written: string
}

interface Row extends Asked {
  readonly turns: readonly Turn[]
  readonly followUp: boolean
  readonly seconds: number
  /** Null where the server failed. */
  readonly outcome: Outcome | null
  readonly error: string
}

interface ChatBody {
  readonly max_tokens?: number
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  readonly response_format?: unknown
}

let turns: Turn[] = []

/** Forwards to the real server, with a cap on the output, and records the turns. */
const proxy = createServer(async (incoming, outgoing) => {
  const body = JSON.parse(await new Response(incoming as never).text()) as ChatBody
  const capped = {
    ...body,
    temperature: 0,
    max_tokens: Math.min(body.max_tokens ?? 1e6, Number(options.output)),
  }
  // A connection that the server closes meanwhile fails; a new one for each turn does not.
  const headers = { 'content-type': 'application/json', connection: 'close' }
  const answer = await fetch(`${options.url}/chat/completions`, {
    method: 'POST',
    headers,
    body: JSON.stringify(capped),
  })
  const text = await answer.text()
  const written = [...text.matchAll(/^data: (\{.*)$/gm)].map(
    ([, event = '']) => JSON.parse(event).choices?.[0]?.delta?.content ?? '',
  )
  const offered = [
    ...JSON.stringify(body.response_format ?? '').matchAll(/"target_identifier":\{[^}]*?"enum":\[([^\]]*)/g),
  ]
  turns.push({
    offered: offered.reduce((sum, [, names = '']) => sum + names.split('","').length, 0),
    sent: body.messages.map(({ role, content }) => `${role}: ${content}`).join('\n\n'),
    written: written.join('') || text.slice(0, 300),
  })
  outgoing.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' })
  outgoing.end(text)
})
await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
const proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/v1`

const isStep =
  <Name extends TraceStep['step']>(name: Name) =>
  (step: TraceStep): step is Extract<TraceStep, { step: Name }> =>
    step.step === name

const stepsOf = ({ outcome }: Row): readonly TraceStep[] => outcome?.trace ?? []
const isAnswered = ({ outcome }: Row): boolean => outcome?.outcome === 'answered'
const isCited = ({ outcome }: Row): boolean =>
  outcome?.outcome === 'answered' &&
  (outcome as Answered).citations.some(({ verdict }) => verdict === 'shown')

const citesNeed = ({ outcome, needs }: Row): boolean =>
  outcome?.outcome === 'answered' &&
  outcome.citations.some((one) => one.verdict === 'shown' && needs.some((need) => touches(need, one)))

/** The model's first turn: an answer or a request as the protocol wants it. */
function startsValid(row: Row): boolean {
  const spoken = stepsOf(row).find(({ step }) =>
    ['malformed', 'expanded', 'denied', 'answered'].includes(step),
  )
  return spoken !== undefined && spoken.step !== 'malformed'
}

function report(rows: readonly Row[]): void {
  const share = (some: readonly Row[], is: (row: Row) => boolean): string =>
    `${some.filter(is).length} of ${some.length}`
  for (const followUp of options.chat ? [false, true] : [false]) {
    const some = rows.filter((row) => row.followUp === followUp)
    const asked = some.flatMap((row) =>
      stepsOf(row).filter((step) => step.step === 'expanded' || step.step === 'denied'),
    )
    const lines = {
      'no failure of the server': share(some, ({ outcome }) => outcome !== null),
      'shown text of a section': share(some, ({ outcome }) => (outcome?.shown.length ?? 0) > 0),
      'first turn keeps to the protocol': share(some, startsValid),
      'offered a request in some turn': share(some, (row) => row.turns.some(({ offered }) => offered > 0)),
      'asked for a section': share(some, (row) =>
        stepsOf(row).some(({ step }) => step === 'expanded' || step === 'denied'),
      ),
      'requests that the rulebook allows': `${asked.filter(isStep('expanded')).length} of ${asked.length}`,
      'words or a rewriting taken': share(some, (row) =>
        stepsOf(row).some(({ step }) => step === 'rewritten'),
      ),
      answered: share(some, isAnswered),
      'answered as the protocol asks': share(
        some,
        ({ outcome }) => outcome?.outcome === 'answered' && outcome.form === 'protocol',
      ),
      'cites lines that it was shown': share(some, isCited),
      'cites a needed place': share(some, citesNeed),
      'first section is a needed place': share(some, ({ outcome, needs }) => {
        const first = outcome?.shown[0]
        return first !== undefined && needs.some((need) => touches(need, first))
      }),
      'seconds, mean': (some.reduce((sum, { seconds }) => sum + seconds, 0) / some.length).toFixed(0),
    }
    process.stdout.write(`\n${followUp ? 'follow-ups of a chat' : 'questions'}\n`)
    for (const [name, value] of Object.entries(lines)) process.stdout.write(`  ${name.padEnd(36)}${value}\n`)
  }
}

async function askOnce(
  ask: () => Promise<AskResult>,
  about: Asked & Pick<Row, 'followUp'>,
): Promise<[Row, AskResult | null]> {
  const started = performance.now()
  turns = []
  let [result, error]: [AskResult | null, string] = [null, '']
  try {
    result = await ask()
  } catch (failure) {
    error = (failure as Error).message
  }
  const seconds = (performance.now() - started) / 1000
  const row = { ...about, turns, seconds, outcome: result?.outcome ?? null, error }
  if (options.json !== undefined) appendFileSync(options.json, `${JSON.stringify({ ...row, result })}\n`)
  const told = stepsOf(row).map((step) => (step.step === 'malformed' ? `malformed ${step.fault}` : step.step))
  process.stderr.write(
    `${seconds.toFixed(0).padStart(4)} s  ${about.corpus}: ${about.question.slice(0, 60)}: ${told.join(', ')} ${error} ${isCited(row) ? 'cited' : ''}\n`,
  )
  return [row, result]
}

/** Asks one question, and every third one again with a follow-up. */
async function askBoth(engine: Engine, about: Asked, at: number): Promise<Row[]> {
  const maxTokens = Number(options.budget)
  const { question } = about
  const [row, result] = await askOnce(() => engine.ask(question, { maxTokens }), {
    ...about,
    followUp: false,
  })
  if (!options.chat || at % 3 !== 0 || result?.outcome.outcome !== 'answered') return [row]
  const history = [{ question, answer: result.outcome.content, cited: result.cited, at: 1 }]
  const next = { ...about, question: 'and how do I turn it off?', followUp: true }
  const [followed] = await askOnce(() => engine.ask(next.question, { maxTokens, history }), next)
  return [row, followed]
}

function reopen({ engine, opened }: PreparedCorpus): Engine {
  engine.close()
  const llm = { 'llm.provider': 'openai', 'llm.url': proxyUrl, 'llm.model': options.model } as const
  const settings = { ...opened.settings, ...llm, 'llm.promptTokens': Number(options.prompt) }
  return openEngine({ ...opened, settings })
}

interface Corpus {
  readonly engine: Engine
  readonly questions: readonly Omit<Asked, 'corpus'>[]
}

async function openPackage(name: string): Promise<Corpus | null> {
  if (name === 'own') {
    const questions = readOwnQuestions().map(({ question }) => ({ question, needs: [] }))
    return { engine: reopen(await prepareCorpus('own')), questions }
  }
  const [one] = readReal({ half: 'all', only: name, words: 'none' })
  if (one === undefined) return null
  const questions = one.questions
    .filter(({ needs }) => needs.length > 0)
    .map(({ text, needs }) => ({ question: text, needs: needs.flat() }))
  return { engine: reopen(await openReal(one)), questions }
}

const corpora = new Map<string, Corpus>()
for (const name of options.packages.split(',')) {
  const corpus = await openPackage(name)
  if (corpus !== null) corpora.set(name, corpus)
}
const recorded =
  options.json !== undefined && existsSync(options.json) ? readFileSync(options.json, 'utf8') : ''
const rows: Row[] = recorded.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Row]))
const isKnown = ({ corpus, question }: Asked): boolean =>
  rows.some((row) => row.corpus === corpus && row.question === question)
for (let at = 0; at < Number(options.questions); at++)
  for (const [corpus, { engine, questions }] of corpora) {
    const asked = questions[at]
    if (asked !== undefined && !isKnown({ corpus, ...asked }))
      rows.push(...(await askBoth(engine, { corpus, ...asked }, at)))
  }
for (const { engine } of corpora.values()) engine.close()
proxy.close()
report(rows)
