// Does a reranker change the order as it says, and does a question get its answer when there is none?
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type RerankHandler, sendRaw, useRerankServer } from '../src/corpus/embed/rerank-server.fixture.ts'
import { ownProcess, TestCorpus } from '../src/corpus/indexing/corpus.fixture.ts'
import { loadSettings } from '../src/model/config/load-settings.ts'
import type { Settings } from '../src/model/config/settings.ts'
import type { Engine } from '../src/offer/engine/engine.ts'
import { openEngine } from '../src/offer/engine/open-engine.ts'

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

async function open(
  settings: Partial<Settings> = {},
  clock: () => number = () => now,
  more: Readonly<Record<string, string>> = {},
): Promise<Opened> {
  const corpus = new TestCorpus(
    { ...files, ...more },
    {
      'rerank.url': server.url,
      'rerank.model': 'test',
      ...settings,
    },
  )
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
  const { paths } = await open({ 'rerank.url': '' })
  expect(await paths()).toEqual(builtinOrder)
  expect(server.requests).toEqual([])
})

test('at full weight the order is the one of the reranker, and authority', async () => {
  preferHosts()
  const { paths } = await open({ 'rerank.weight': 1 })
  expect(await paths()).toEqual(builtinOrder.toReversed())
  const { body } = server.requests[0]!
  expect(body['query']).toBe(question)
  expect((body['documents'] as string[])[0]).toBe(
    'Certificates\n# Certificates\n\nHow to rotate a certificate: run rotate-certificate on each host.',
  )
})

test('at weight 0, and when all scores are alike, the built-in order holds', async () => {
  preferHosts()
  expect(await (await open({ 'rerank.weight': 0 })).paths()).toEqual(builtinOrder)
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

test('fifty sections are shown, and what was not shown comes behind', async () => {
  server.handler = (response, { body }) => {
    const texts = body['documents'] as string[]
    sendRaw(response, 200, { results: texts.map((_, index) => ({ index, relevance_score: index })) })
  }
  const more = Array.from({ length: 55 }, (_, at) => [
    `docs/x${at}.md`,
    `# X${at}\n\nRotate a certificate.\n`,
  ])
  const { engine } = await open({ 'rerank.weight': 1 }, undefined, Object.fromEntries(more))
  const { hits } = await engine.search(question, { limit: 58 })
  const shown = server.requests[0]!.body['documents'] as string[]
  expect(shown).toHaveLength(50)
  const isShown = hits.map(({ title }) => shown.some((text) => text.startsWith(`${title}\n`)))
  expect(isShown).toEqual(hits.map((_, at) => at < 50))
})

test('an explanation names the part of the reranker', async () => {
  preferHosts()
  const { engine } = await open()
  const { explanation } = await engine.assemble(question, { explain: true })
  expect(explanation).toMatch(/reranker [+−]0\.\d+/)
})

const misbehaviours: readonly [string, RerankHandler, string][] = [
  ['refuses', (response) => sendRaw(response, 500, { message: 'boom' }), 'status 500: boom'],
  ['is silent', () => {}, 'within 3000 ms'],
  ['answers nonsense', (response) => sendRaw(response, 200, '[]'), 'no list named results'],
]

test.each(misbehaviours)(
  'a server that %s leaves the built-in order and a notice, and is left alone for a minute',
  async (_, misbehave, reason) => {
    let time = now
    server.handler = misbehave
    const { engine, paths } = await open({}, () => time)
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

test('a repository cannot name a server or its model', () => {
  const corpus = new TestCorpus({})
  const wanted = { url: 'http://evil.example', model: 'x' }
  mkdirSync(corpus.root, { recursive: true })
  writeFileSync(path.join(corpus.root, 'yore.json'), JSON.stringify({ rerank: wanted }))
  const env = { XDG_CONFIG_HOME: corpus.root, YORE_RERANK_KEY: 'sk-1' }
  const { settings, warnings } = loadSettings({ root: corpus.root, env })
  expect(settings).toMatchObject({
    'rerank.url': '',
  })
  expect(warnings).toHaveLength(Object.keys(wanted).length)
})
