// Does a reranker change the order as it says, and does a question get its answer when there is none?
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadSettings } from '../src/config/load-settings.ts'
import type { Settings } from '../src/config/settings.ts'
import { type RerankHandler, sendRaw, useRerankServer } from '../src/embed/rerank-server.fixture.ts'
import type { Engine } from '../src/engine/engine.ts'
import { openEngine } from '../src/engine/open-engine.ts'
import { ownProcess, TestCorpus } from '../src/indexing/corpus.fixture.ts'

const now = Date.parse('2026-11-15T00:00:00Z')
const question = 'How do I rotate a certificate?'
const files = {
  'docs/certificates.md':
    '# Certificates\n\nHow to rotate a certificate: run rotate-certificate on each host.\n',
  'docs/keys.md': '# Keys\n\nA certificate and its key expire. Nobody has to rotate a key by hand.\n',
  'docs/hosts.md': '# Hosts\n\nEach host has a certificate.\n',
}

const server = await useRerankServer()

/** A server that likes hosts best and certificates least. */
function preferHosts(): void {
  server.handler = (response, { body }) => {
    const texts = body['documents'] as string[]
    const results = texts.map((text, index) => {
      const relevance_score = text.startsWith('Hosts') ? 9 : text.startsWith('Keys') ? 2 : -4
      return { index, relevance_score }
    })
    sendRaw(response, 200, { results })
  }
}

interface Opened {
  readonly engine: Engine
  readonly paths: () => Promise<string[]>
}

async function open(settings: Partial<Settings> = {}, clock: () => number = () => now): Promise<Opened> {
  const corpus = new TestCorpus(files, {
    reranker: 'http',
    rerankUrl: server.url,
    rerankModel: 'test',
    ...settings,
  })
  await corpus.index()
  const { root, indexDir } = corpus
  const engine = openEngine({ root, indexDir, settings: corpus.settings, now, ...ownProcess, clock })
  onTestFinished(() => engine.close())
  const paths = async (): Promise<string[]> =>
    (await engine.search(question)).hits.map((hit) => path.basename(hit.path))
  return { engine, paths }
}

const builtinOrder = ['certificates.md', 'keys.md', 'hosts.md']

test('the built-in order asks nobody', async () => {
  const { paths } = await open({ reranker: 'builtin' })
  expect(await paths()).toEqual(builtinOrder)
  expect(server.requests).toEqual([])
})

test('at full weight the order is the one of the reranker, and authority', async () => {
  preferHosts()
  const { paths } = await open({ rerankWeight: 1 })
  expect(await paths()).toEqual(builtinOrder.toReversed())
  const { body } = server.requests[0]!
  expect(body['query']).toBe(question)
  expect((body['documents'] as string[])[0]).toBe(
    'Certificates\n# Certificates\n\nHow to rotate a certificate: run rotate-certificate on each host.',
  )
})

test('at weight 0, and when all scores are alike, the built-in order holds', async () => {
  preferHosts()
  expect(await (await open({ rerankWeight: 0 })).paths()).toEqual(builtinOrder)
  server.handler = (response, { body }) => {
    const results = (body['documents'] as string[]).map((_, index) => ({ index, relevance_score: 0.5 }))
    sendRaw(response, 200, { results })
  }
  expect(await (await open()).paths()).toEqual(builtinOrder)
})

test('the same scores give the same bytes, from the server or from memory, and a digest is asked for once', async () => {
  preferHosts()
  const { engine } = await open()
  const first = await engine.assemble(question)
  const again = await engine.assemble(question)
  expect(again.output).toBe(first.output)
  expect(server.requests).toHaveLength(1)
  const other = await (await open()).engine.assemble(question)
  expect(other.output).toBe(first.output)
})

test('only as many sections are shown as the settings say, and what was not shown comes behind', async () => {
  preferHosts()
  const { paths } = await open({ rerankSections: 2, rerankWeight: 1 })
  expect(await paths()).toEqual(['keys.md', 'certificates.md', 'hosts.md'])
  expect((server.requests[0]!.body['documents'] as string[]).length).toBe(2)
})

test('an explanation names the part of the reranker', async () => {
  preferHosts()
  const { engine } = await open()
  const { explanation } = await engine.assemble(question, { explain: true })
  expect(explanation).toMatch(/reranker [+−]0\.\d+/)
})

const misbehaviours: readonly [string, RerankHandler, string][] = [
  ['refuses', (response) => sendRaw(response, 500, { message: 'boom' }), 'status 500: boom'],
  ['is silent', () => {}, 'within 200 ms'],
  ['answers nonsense', (response) => sendRaw(response, 200, '[]'), 'no list named results'],
]

test.each(misbehaviours)(
  'a server that %s leaves the built-in order and a notice, and is left alone for a minute',
  async (_, misbehave, reason) => {
    let time = now
    server.handler = misbehave
    const { engine, paths } = await open({ rerankMilliseconds: 200 }, () => time)
    const result = await engine.search(question)
    expect(result.hits.map((hit) => path.basename(hit.path))).toEqual(builtinOrder)
    expect(result.notices[0]).toContain('Ordered without the reranker: ')
    expect(result.notices[0]).toContain(reason)
    expect((await engine.assemble(question)).output).toContain('Ordered without the reranker')
    expect(server.requests).toHaveLength(1)
    time += 61_000
    preferHosts()
    await paths()
    expect(server.requests).toHaveLength(2)
  },
)

test('a setting is missing: a notice says which', async () => {
  const { engine } = await open({ rerankUrl: '' })
  expect((await engine.search(question)).notices).toContain(
    'Ordered without the reranker: the http reranker needs rerankUrl.',
  )
})

test('an evaluation does not pass off the built-in order as the one of a reranker', async () => {
  server.handler = (response) => sendRaw(response, 500, 'no')
  const { engine } = await open()
  const asked = {
    id: '1',
    question,
    expectedContains: ['rotate-certificate'],
    expectedDocs: [],
    expectedSections: [],
    forbiddenDocs: [],
    generated: false,
  }
  await expect(engine.evaluate({ questions: [asked] })).rejects.toThrow('Ordered without the reranker')
})

test('a repository cannot name a server, a folder or a key, nor raise what is sent or waited for', () => {
  const corpus = new TestCorpus({})
  const wanted = {
    reranker: 'http',
    rerankUrl: 'http://evil.example',
    rerankModel: 'x',
    rerankDialect: 'tei',
    rerankFolder: '/tmp',
    rerankSections: 200,
    rerankMilliseconds: 60_000,
    queryPrefix: 'x',
    pooling: 'cls',
  }
  mkdirSync(corpus.root, { recursive: true })
  writeFileSync(path.join(corpus.root, 'yore.json'), JSON.stringify(wanted))
  const env = { XDG_CONFIG_HOME: corpus.root, YORE_RERANK_KEY: 'sk-1' }
  const { settings, warnings } = loadSettings({ root: corpus.root, env })
  expect(settings).toMatchObject({
    reranker: 'builtin',
    rerankUrl: '',
    rerankFolder: '',
    rerankSections: 50,
    rerankMilliseconds: 3000,
    queryPrefix: '',
    pooling: 'auto',
  })
  expect(warnings).toHaveLength(Object.keys(wanted).length)
})
