// Is a digest the same bytes wherever it is asked for? Library, command line, MCP and explorer, on 50 questions; server/test compares the service.
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadSettings } from '../src/model/config/load-settings.ts'
import { runLine } from '../src/offer/cli/run-line.ts'
import { openEngine } from '../src/offer/engine/open-engine.ts'
import { serveUi } from '../src/offer/ui/serve-ui.ts'
import { loadTokenizer } from '../src/read/assets/load-tokenizer.ts'
import { call, type Served, serveStdio } from './mcp-clients.ts'
import { corpusFixtures, questions } from './one-digest-questions.ts'
import { plainVariables } from './run-command-line.ts'
import { copyFixture, makeFolder, now } from './temporary-corpus.ts'

const root = makeFolder()
const epoch = { SOURCE_DATE_EPOCH: String(now / 1000) }
const env = { ...plainVariables(), ...epoch }
const engine = openEngine(root, { now, env })
const stop = new AbortController()
let agent: Served
let explorer = ''
let headers: Record<string, string> = {}
let serving: Promise<void>

beforeAll(async () => {
  for (const name of corpusFixtures) copyFixture(name, path.join(root, name))
  await engine.index()
  agent = await serveStdio(root, 'legacy', { ...epoch, YORE_EMBEDDING_PROVIDER: 'builtin' })
  process.env['SOURCE_DATE_EPOCH'] = epoch.SOURCE_DATE_EPOCH
  const { settings } = loadSettings({ root, env: {} })
  await new Promise<void>((resolve) => {
    serving = serveUi(
      { engine, name: 'corpus', settings },
      {
        port: 0,
        signal: stop.signal,
        onListening: (url) => {
          explorer = new URL(url).origin
          headers = { authorization: `Bearer ${new URL(url).searchParams.get('token')}` }
          resolve()
        },
      },
    )
  })
})
afterAll(async () => {
  await agent.close()
  stop.abort()
  await serving
  engine.close()
})

/** The command line in this process; its output is taken instead of written. */
async function byCommand(question: string, maxTokens: number, layout = 'brief'): Promise<string> {
  const written: string[] = []
  const given = ['assemble', question, '--root', root, '--layout', layout, '--max-tokens', String(maxTokens)]
  const { write } = process.stdout
  process.stdout.write = (text) => written.push(String(text)) > 0
  try {
    expect(await runLine([...given, '--quiet'])).toBe(0)
  } finally {
    process.stdout.write = write
  }
  return written.join('')
}

async function byExplorer(question: string, maxTokens: number): Promise<string> {
  const query = new URLSearchParams({ q: question, max: String(maxTokens) })
  return (await fetch(`${explorer}/ask.md?${query}`, { headers })).text()
}

it('has at least 50 questions', () => {
  expect(new Set(questions).size).toBeGreaterThanOrEqual(50)
})

// A small budget is full, a large one has tokens left.
it.each(questions.map((question, at) => [question, [700, 1500, 4000, 8000][at % 4] as number] as const))(
  'answers "%s" in %i tokens with the same bytes everywhere',
  async (question, maxTokens) => {
    const { output } = await engine.assemble(question, { maxTokens })
    const cli = await byCommand(question, maxTokens)
    const ui = await byExplorer(question, maxTokens)
    expect({ cli, ui }).toEqual({ cli: output, ui: output })
    // An agent gets numbered lines.
    const { output: numbered } = await engine.assemble(question, { maxTokens, layout: 'numbered' })
    const cliNumbered = await byCommand(question, maxTokens, 'numbered')
    const { text: mcp } = await call(agent.client, 'assemble_context', { question, maxTokens })
    expect({ cli: cliNumbered, mcp }).toEqual({ cli: numbered, mcp: numbered })
  },
)

it('answers a search with ten hits in at most 500 tokens, each path once, and says first how sure it is', async () => {
  const count = loadTokenizer()
  let full = 0
  for (const query of questions) {
    const { text } = await call(agent.client, 'search', { query })
    expect(text).toMatch(/^Confidence (?:high|medium|low|none): .+\. (?:Read|Search|Try) .+\n/)
    const hits = [...text.matchAll(/^\d+\. (.+?):\d.*$/gm)] as unknown as [string, string][]
    if (hits.length === 10) full++
    expect(count(text)).toBeLessThanOrEqual(500)
    for (const [line, path] of hits) expect(line.split(path)).toHaveLength(2)
  }
  expect(full).toBeGreaterThan(questions.length / 2)
})

it('shows the text of a hit below its name, not its heading again', async () => {
  const { text } = await call(agent.client, 'search', { query: 'retry budget' })
  expect(text).toMatch(/ Retry semantics\n {3}Retry behavior/i)
})
