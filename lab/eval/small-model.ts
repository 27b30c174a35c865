// How far does a small LLM get with `ask` and `chat`? A real model behind a real server, step by step; not part of CI.
//
//   node lab/eval/small-model.ts --url http://localhost:8080/v1 [--model NAME] [--questions 10] [--budget 500] [--prompt 1500] [--json FILE]
//
// The server is any that speaks chat completions, such as llama.cpp's. Asked are the documents of this repository and two
// real packages: each question by itself, then a follow-up whose words say nothing without the first answer.
import { appendFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Answered, AskResult, Outcome, TraceStep } from '../../src/model/conversation.ts'
import type { Engine } from '../../src/offer/engine/engine.ts'
import { openEngine } from '../../src/offer/engine/open-engine.ts'
import { type PreparedCorpus, prepareCorpus } from './prepare-corpus.ts'
import { readReal } from './real-set.ts'
import { readOwnQuestions } from './score-own.ts'
import { openReal } from './score-real.ts'

const { values: options } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://localhost:8080/v1' },
    model: { type: 'string', default: 'small' },
    questions: { type: 'string', default: '10' },
    budget: { type: 'string', default: '500' },
    prompt: { type: 'string', default: '1500' },
    packages: { type: 'string', default: 'fastify,ripgrep' },
    json: { type: 'string' },
  },
})

interface Row {
  readonly corpus: string
  readonly question: string
  readonly followUp: boolean
  readonly seconds: number
  /** Null where the server failed. */
  readonly outcome: Outcome | null
  readonly error: string
}

const isStep =
  <Name extends TraceStep['step']>(name: Name) =>
  (step: TraceStep): step is Extract<TraceStep, { step: Name }> =>
    step.step === name

const stepsOf = ({ outcome }: Row): readonly TraceStep[] => outcome?.trace ?? []
const isAnswered = ({ outcome }: Row): boolean => outcome?.outcome === 'answered'
const isCited = ({ outcome }: Row): boolean =>
  outcome?.outcome === 'answered' &&
  (outcome as Answered).citations.some(({ verdict }) => verdict === 'shown')

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
  for (const followUp of [false, true]) {
    const some = rows.filter((row) => row.followUp === followUp)
    const asked = some.flatMap((row) =>
      stepsOf(row).filter((step) => step.step === 'expanded' || step.step === 'denied'),
    )
    const lines = {
      'no failure of the server': share(some, ({ outcome }) => outcome !== null),
      'shown text of a section': share(some, ({ outcome }) => (outcome?.shown.length ?? 0) > 0),
      'first turn keeps to the protocol': share(some, startsValid),
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
      'seconds, mean': (some.reduce((sum, { seconds }) => sum + seconds, 0) / some.length).toFixed(0),
    }
    process.stdout.write(`\n${followUp ? 'follow-ups of a chat' : 'questions'}\n`)
    for (const [name, value] of Object.entries(lines)) process.stdout.write(`  ${name.padEnd(36)}${value}\n`)
  }
}

async function askOnce(
  ask: () => Promise<AskResult>,
  about: Pick<Row, 'corpus' | 'question' | 'followUp'>,
): Promise<[Row, AskResult | null]> {
  const started = performance.now()
  let [result, error]: [AskResult | null, string] = [null, '']
  try {
    result = await ask()
  } catch (failure) {
    error = (failure as Error).message
  }
  const seconds = (performance.now() - started) / 1000
  const row = { ...about, seconds, outcome: result?.outcome ?? null, error }
  if (options.json !== undefined) appendFileSync(options.json, `${JSON.stringify({ ...row, result })}\n`)
  const told = stepsOf(row).map((step) => (step.step === 'malformed' ? `malformed ${step.fault}` : step.step))
  process.stderr.write(
    `${seconds.toFixed(0).padStart(4)} s  ${about.corpus}: ${about.question.slice(0, 60)}: ${told.join(', ')} ${error} ${isCited(row) ? 'cited' : ''}\n`,
  )
  return [row, result]
}

/** Asks one question, and every third one again with a follow-up. */
async function askBoth(engine: Engine, about: Pick<Row, 'corpus' | 'question'>, at: number): Promise<Row[]> {
  const maxTokens = Number(options.budget)
  const { question } = about
  const [row, result] = await askOnce(() => engine.ask(question, { maxTokens }), {
    ...about,
    followUp: false,
  })
  if (at % 3 !== 0 || result?.outcome.outcome !== 'answered') return [row]
  const history = [{ question, answer: result.outcome.content, cited: result.cited, at: 1 }]
  const next = { ...about, question: 'and how do I turn it off?', followUp: true }
  const [followed] = await askOnce(() => engine.ask(next.question, { maxTokens, history }), next)
  return [row, followed]
}

function reopen({ engine, opened }: PreparedCorpus): Engine {
  engine.close()
  const llm = { 'llm.provider': 'openai', 'llm.url': options.url, 'llm.model': options.model } as const
  const settings = { ...opened.settings, ...llm, 'llm.promptTokens': Number(options.prompt) }
  return openEngine({ ...opened, settings })
}

const corpora = new Map<string, { readonly engine: Engine; readonly questions: readonly string[] }>()
corpora.set('own', {
  engine: reopen(await prepareCorpus('own')),
  questions: readOwnQuestions().map(({ question }) => question),
})
for (const name of options.packages.split(',')) {
  const [one] = readReal({ half: 'all', only: name, words: 'none' })
  if (one === undefined) continue
  const questions = one.questions.filter(({ needs }) => needs.length > 0).map(({ text }) => text)
  corpora.set(name, { engine: reopen(await openReal(one)), questions })
}
const rows: Row[] = []
for (let at = 0; at < Number(options.questions); at++)
  for (const [corpus, { engine, questions }] of corpora) {
    const question = questions[at]
    if (question !== undefined) rows.push(...(await askBoth(engine, { corpus, question }, at)))
  }
for (const { engine } of corpora.values()) engine.close()
report(rows)
