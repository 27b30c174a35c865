// Does the protocol hold with a weak model? A real small LLM behind a real server answers real questions; not part of CI.
//
//   node scripts/try-small-model.ts --library <folder of node-llama-cpp> --model <file.gguf> [--questions 3]
//
// The library is not a dependency of yore: install it somewhere else and name its folder. Each question is asked twice,
// with free text and with the JSON enforced by the server. What must hold is checked, what the model is worth is told.
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { defaultSettings, type Settings } from '../src/model/config/settings.ts'
import { openEngine } from '../src/offer/engine/open-engine.ts'

const { values } = parseArgs({
  options: {
    library: { type: 'string' },
    model: { type: 'string' },
    questions: { type: 'string', default: '3' },
  },
})
if (values.library === undefined || values.model === undefined) {
  process.stderr.write(
    'error: --library and --model are needed\nhint: see the top of scripts/try-small-model.ts\n',
  )
  process.exit(1)
}

interface ChatBody {
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  readonly max_tokens?: number
  readonly response_format?: { readonly json_schema?: { readonly schema: object } }
}

type Answering = (body: ChatBody, onText: (text: string) => void) => Promise<void>

/** The few parts of node-llama-cpp that are used here. */
interface Llama {
  loadModel(options: object): Promise<{ createContext(options: object): Promise<{ getSequence(): object }> }>
  createGrammarForJsonSchema(schema: object): Promise<object>
}

async function loadModel(): Promise<Answering> {
  const entry = path.join(path.resolve(values.library as string), 'dist', 'index.js')
  const library = await import(pathToFileURL(entry).href)
  const llama: Llama = await library.getLlama({
    gpu: false,
    build: 'never',
    maxThreads: 2,
    logLevel: 'error',
  })
  const model = await llama.loadModel({ modelPath: path.resolve(values.model as string) })
  const context = await model.createContext({ contextSize: 2048, threads: 2 })
  const session = new library.LlamaChatSession({ contextSequence: context.getSequence() })
  return async (body, onText) => {
    const schema = body.response_format?.json_schema?.schema
    const last = body.messages.at(-1)?.content ?? ''
    session.setChatHistory(
      body.messages.slice(0, -1).map(({ role, content }) => {
        if (role === 'assistant') return { type: 'model', response: [content] }
        return { type: role, text: content }
      }),
    )
    await session.prompt(last, {
      maxTokens: body.max_tokens ?? 200,
      temperature: 0,
      onTextChunk: onText,
      ...(schema === undefined ? {} : { grammar: await llama.createGrammarForJsonSchema(schema) }),
    })
  }
}

async function readBody(request: IncomingMessage): Promise<ChatBody> {
  let text = ''
  for await (const part of request) text += part
  return JSON.parse(text) as ChatBody
}

function serve(answer: Answering): Promise<{ url: string; close: () => void }> {
  const chunk = (delta: object, finish: string | null): string =>
    `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'small', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    await answer(body, (content) => response.write(chunk({ content }, null)))
    response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`)
  }
  const server = createServer((request, response) => {
    respond(request, response).catch((error: Error) => {
      process.stderr.write(`the model failed: ${error.message}\n`)
      response.destroy()
    })
  })
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      resolve({ url: `http://127.0.0.1:${port}/v1`, close: () => server.close() })
    }),
  )
}

const questions = [
  'How often is a failed job repeated?',
  'How long may one attempt take?',
  'What is to do before the namespace is used again?',
].slice(0, Number(values.questions))

const folder = mkdtempSync(path.join(tmpdir(), 'yore-small-'))
cpSync(path.join(import.meta.dirname, '..', 'test', 'fixtures', 'crossref'), folder, { recursive: true })
const { url, close } = await serve(await loadModel())
let broken = 0
{
  const settings: Settings = {
    ...defaultSettings,
    'embedding.provider': 'none',
    'llm.provider': 'openai',
    'llm.url': url,
    'llm.model': 'small',
    // The model's whole context is 2,048 tokens, counted by a coarser tokenizer than ours.
    'llm.promptTokens': 1500,
  }
  const engine = openEngine({ root: folder, indexDir: path.join(folder, '.yore'), settings, now: Date.now() })
  await engine.index()
  for (const question of questions) {
    const started = performance.now()
    const { outcome } = await engine.ask(question, { maxTokens: 400 })
    const seconds = ((performance.now() - started) / 1000).toFixed(0)
    const steps = outcome.trace.map((step) => {
      if (step.step === 'malformed') return `malformed ${step.fault}`
      return step.step === 'denied' ? `denied ${step.reason}` : step.step
    })
    const holds =
      outcome.turns <= 8 && outcome.budgetLeft >= 0 && outcome.budgetLeft <= settings.expansionBudget
    if (!holds) broken++
    process.stdout.write(`${seconds.padStart(4)} s  ${outcome.outcome.padEnd(8)}  ${steps.join(', ')}\n`)
    if (outcome.outcome === 'answered') {
      const places = outcome.citations.map(
        ({ path, start, end, verdict }) => `${path}:${start}-${end} ${verdict}`,
      )
      process.stdout.write(
        `       ${JSON.stringify(outcome.content)}\n       cites ${places.join(', ') || 'nothing'}\n`,
      )
    }
  }
  engine.close()
}
close()
rmSync(folder, { recursive: true })
process.stdout.write(broken === 0 ? 'the protocol held\n' : `the protocol broke ${broken} times\n`)
process.exit(broken === 0 ? 0 : 1)
