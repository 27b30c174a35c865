// Do the lines of a hit say something? Frontmatter and the comments of a site's tools do not.
import { expect, it, onTestFinished } from 'vitest'
import { openEngine } from '../src/offer/engine/open-engine.ts'
import { TestCorpus } from './support/corpus.ts'

async function excerptOf(text: string): Promise<{ line: number; text: string }> {
  const corpus = new TestCorpus({ 'walrus.md': text })
  await corpus.index()
  const { root, indexDir, settings } = corpus
  const engine = openEngine({ root, indexDir, settings, now: 0 })
  onTestFinished(() => engine.close())
  const { hits } = await engine.search('walrus', { refresh: 'never' })
  return hits[0]!.excerpt
}

it.each([
  ['yaml', '---\ntitle: Walrus\nid: walrus\n---\n\n<!-- overview -->\n\nIt likes ice.\n', 8],
  ['toml', '+++\ntitle = "Walrus"\n+++\nIt likes ice.\n', 4],
])('shows the body of a page that its %s frontmatter matches', async (_, text, line) => {
  expect(await excerptOf(text)).toMatchObject({ line, text: 'It likes ice.' })
})

it('shows the fields of a page that is nothing but frontmatter, without the fences', async () => {
  expect(await excerptOf('---\ntitle: Walrus\nstatus: draft\n---\n')).toMatchObject({
    line: 2,
    text: 'title: Walrus\nstatus: draft',
  })
})

it('shows the lines that match, where the body has some', async () => {
  const text = '---\ntitle: Walrus\n---\nIt likes ice.\n\nMore.\n\nEven more.\n\nThe walrus swims.\n'
  expect((await excerptOf(text)).text).toContain('The walrus swims.')
})

it.each([
  ['how do deplyoments behave', 'deplyoments', 'Near terms: “deployments”.'],
  ['how does Postgres behave', 'Postgres', 'Near terms: “posture”.'],
])('never replaces a word that occurs nowhere: %s', async (question, word, offer) => {
  const pages = (name: string): [string, string] => [
    `${name}.md`,
    `# ${name}\n\nHow ${name} behave.\n\n## More\n\nAlso of ${name}.\n`,
  ]
  const names = ['walruses', 'penguins', 'deployments', 'posture']
  const corpus = new TestCorpus(Object.fromEntries(names.map(pages)))
  await corpus.index()
  const { root, indexDir, settings } = corpus
  using engine = openEngine({ root, indexDir, settings, now: 0 })
  const { digest } = await engine.assemble(question, { refresh: 'never', mode: 'lexical' })
  expect(digest.confidence.why).toContain(`“${word}”`)
  expect(digest.notices.filter((notice) => notice.includes('terms') || notice.includes('instead'))).toEqual([
    offer,
  ])
  const { analysis } = await engine.search(question, { refresh: 'never', mode: 'lexical' })
  expect(analysis.terms.map((term) => term.word.toLowerCase())).toContain(word.toLowerCase())
})

const shop: Readonly<Record<string, string>> = {
  'src/shop/session.py':
    'def load_cookie(request):\n    return request.cookie\n\n\ndef save_cookie(response):\n    response.cookie = 1\n',
  'src/shop/cookies.py': 'class Jar:\n    def store(self, cookie):\n        self.cookie = cookie\n',
  'src/shop/orders.py': 'def place():\n    return None\n',
}

async function openShop(): Promise<ReturnType<typeof openEngine>> {
  const corpus = new TestCorpus(shop)
  await corpus.index()
  const { root, indexDir, settings } = corpus
  const engine = openEngine({ root, indexDir, settings, now: 0 })
  onTestFinished(() => engine.close())
  return engine
}

it('lists each file once, with its best section and the lines of the others', async () => {
  const engine = await openShop()
  const { hits } = await engine.search('cookie', { refresh: 'never', mode: 'lexical' })
  expect(hits.map(({ path }) => path).sort()).toEqual(['src/shop/cookies.py', 'src/shop/session.py'])
  expect(hits.find(({ path }) => path === 'src/shop/session.py')?.furtherLines).toHaveLength(1)
})

it('lists every section on request, and where all are of one file', async () => {
  const engine = await openShop()
  const options = { refresh: 'never', mode: 'lexical' } as const
  const all = await engine.search('cookie', { ...options, allSections: true })
  const ofSession = all.hits.filter(({ path }) => path === 'src/shop/session.py')
  expect(ofSession).toHaveLength(2)
  const scoped = await engine.search('cookie', { ...options, path: 'src/shop/session.py' })
  expect(scoped.hits.map(({ artifact }) => artifact).sort()).toEqual(
    ofSession.map(({ artifact }) => artifact).sort(),
  )
})

it('lists first the file that is called what a topic says', async () => {
  const engine = await openShop()
  const { hits } = await engine.search('cookie storage', { refresh: 'never', mode: 'lexical' })
  expect(hits[0]?.path).toBe('src/shop/cookies.py')
})
