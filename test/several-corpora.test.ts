// Is one question answered from several corpora as from one? One budget, every source in its corpus, the likelier corpus first.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Engine, joinCorpora, type NamedCorpus } from '../src/index.ts'
import { loadTokenizer } from '../src/read/assets/load-tokenizer.ts'
import { parseDigest } from './parse-digest.ts'
import { copyFixture, makeFolder, openCorpus, writeFiles } from './temporary-corpus.ts'

const engines = new Map<string, Engine>()
let corpora: readonly NamedCorpus[]

async function open(name: string, fill: (root: string) => void): Promise<NamedCorpus> {
  const root = makeFolder()
  fill(root)
  const engine = openCorpus(root, { refresh: 'never' })
  await engine.index()
  engines.set(name, engine)
  return { name, engine }
}

const copied =
  '# Shared\n\n## Licence text\n\nPermission is granted to whoever obtains a copy of the ferry timetable.\n'

beforeAll(async () => {
  corpora = [
    await open('services', (root) => copyFixture('services', root)),
    await open('crossref', (root) => copyFixture('crossref', root)),
    await open('kitchen', (root) =>
      writeFiles(root, {
        'bread.md':
          '# Bread\n\n## Sourdough\n\nLet the sourdough rest overnight, then bake it at 230 degrees.\n',
        'shared.md': copied,
      }),
    ),
    await open('copy', (root) => writeFiles(root, { 'docs/shared.md': copied })),
  ]
})
afterAll(() => {
  for (const { engine } of corpora) engine.close()
})

const questions = [
  'How long does sourdough rest?',
  'How do I deploy a new service?',
  'Which retry semantics hold?',
  'What does ADR-013 decide?',
  'Who may copy the ferry timetable?',
  'Which purple zebra rides the quantum bicycle on Mondays?',
]

describe('a search', () => {
  it.each([
    ['How long does sourdough rest?', 'kitchen/bread.md'],
    ['How do I deploy a new service?', 'services/'],
    ['What does ADR-013 decide?', 'crossref/'],
  ])('puts the corpus first that answers: %s', async (question, place) => {
    const { hits, documentsScanned } = await joinCorpora(corpora).search(question)
    expect(hits[0]?.path.startsWith(place), JSON.stringify(hits.map(({ path }) => path))).toBe(true)
    expect(hits[0]?.artifact.startsWith(`${hits[0].corpus}/`)).toBe(true)
    expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => b - a))
    expect(documentsScanned).toBeGreaterThan(4)
  })

  it('keeps the order of each corpus', async () => {
    const { hits } = await joinCorpora(corpora).search('Which retry semantics hold?', { limit: 1000 })
    for (const { name, engine } of corpora) {
      const own = (await engine.search('Which retry semantics hold?', { limit: 1000 })).hits
      const merged = hits.filter(({ corpus }) => corpus === name)
      expect(merged.map(({ artifact }) => artifact)).toEqual(own.map(({ artifact }) => `${name}/${artifact}`))
    }
  })
})

describe('a digest', () => {
  it('of one corpus among others is that of the corpus, with its name before each path', async () => {
    const question = 'How long does sourdough rest?'
    const { digest } = await joinCorpora(corpora).assemble(question)
    const alone = await (engines.get('kitchen') as Engine).assemble(question)
    expect(digest.primary.map(({ path, excerpts }) => [path, excerpts])).toEqual(
      alone.digest.primary.map(({ path, excerpts }) => [`kitchen/${path}`, excerpts]),
    )
    expect(digest.confidence).toEqual(alone.digest.confidence)
  })

  it('shows a text once that two corpora hold, and names both places', async () => {
    const { output, digest } = await joinCorpora(corpora).assemble('Who may copy the ferry timetable?')
    expect(output.match(/Permission is granted/g)).toHaveLength(1)
    expect(digest.primary[0]?.path).toBe('copy/docs/shared.md')
    expect(digest.primary[0]?.alsoAt.map(({ path }) => path)).toEqual(['kitchen/shared.md'])
  })

  it('is as sure as its surest corpus, and says so when that is not sure', async () => {
    const question = 'Which purple zebra rides the quantum bicycle on Mondays?'
    const { digest, output } = await joinCorpora(corpora).assemble(question)
    const alone = await Promise.all(corpora.map(({ engine }) => engine.search(question)))
    expect(digest.confidence.score).toBe(Math.max(...alone.map(({ confidence }) => confidence.score)))
    expect(digest.confidence.label).not.toBe('high')
    expect(output.split('\n')[2]).toContain(digest.confidence.why)
  })

  it('stays within its budget, in both formats, and is the same in whatever order the corpora are named', async () => {
    const countTokens = loadTokenizer()
    const counted = fc.record({
      question: fc.constantFrom(...questions),
      maxTokens: fc.integer({ min: 600, max: 6000 }),
      format: fc.constantFrom('markdown' as const, 'json' as const),
      fill: fc.boolean(),
      chosen: fc.shuffledSubarray([0, 1, 2, 3], { minLength: 1 }),
    })
    await fc.assert(
      fc.asyncProperty(counted, async ({ question, chosen, ...options }) => {
        const some = chosen.map((at) => corpora[at] as NamedCorpus)
        const { output, digest, tokensUsed } = await joinCorpora(some).assemble(question, options)
        expect(countTokens(output)).toBeLessThanOrEqual(options.maxTokens)
        expect(tokensUsed).toBe(countTokens(output))
        const names = new Set(some.map(({ name }) => name))
        const shown = [...digest.primary, ...digest.expanded.flatMap(({ passages }) => passages)]
        for (const { path } of shown) expect(names.has(path.split('/')[0] ?? '')).toBe(true)
        const ids = digest.primary.flatMap(({ artifacts }) => artifacts)
        expect(new Set(ids).size).toBe(ids.length)
        const again = await joinCorpora(some.toReversed()).assemble(question, options)
        expect(again.output).toBe(output)
        if (options.format === 'markdown')
          expect(parseDigest(output).passages.length).toBe(digest.primary.length)
      }),
      { numRuns: process.env['YORE_SLOW'] === undefined ? 40 : 1000 },
    )
  })

  it('fills its budget from whichever corpus has something to say', async () => {
    const { tokensUsed, digest } = await joinCorpora(corpora).assemble('Which retry semantics hold?', {
      maxTokens: 1200,
      fill: true,
    })
    expect(tokensUsed).toBeGreaterThan(1000)
    expect(new Set(digest.primary.map(({ path }) => path.split('/')[0])).size).toBeGreaterThan(1)
  })
})

describe('expansions', () => {
  it('name what came by its corpus, in the text, too', async () => {
    const joined = joinCorpora(corpora)
    const from = 'crossref/docs/testing/KUBERNETES_TEST_EXECUTION.md'
    const target = 'crossref/docs/operations/CLEANUP_RUNBOOK.md'
    const { outcome, output, offers, left } = await joined.expand({
      from,
      via: 'links',
      target,
      maxTokens: 500,
    })
    expect(outcome).toMatchObject({ allowed: true, approval: { target }, brought: { path: target } })
    expect(output).toContain(`**Source:** ${target}:`)
    expect(offers.every(({ target: one }) => one.startsWith('crossref/'))).toBe(true)
    expect(left.budgetLeft).toBe(3)
  })

  it('start from a name that begins with a corpus, or that one corpus has; others are refused with a hint', async () => {
    const joined = joinCorpora(corpora)
    const { offers, left } = await joined.expand({ from: 'services/README.md' })
    expect([offers[0]?.from, left.budgetLeft]).toEqual(['services/README.md#harbour.where-to-find-things', 4])
    expect((await joined.expand({ from: 'bread.md' })).left.budgetLeft).toBe(4)
    await expect(joined.expand({ from: 'nowhere.md' })).rejects.toMatchObject({
      code: 'BAD_INPUT',
      hint: expect.stringContaining('name a path'),
    })
  })
})

it('reads a place of any of them, within the budget and under its whole name', async () => {
  const joined = joinCorpora(corpora)
  const { output, passage, tokensUsed } = await joined.read('kitchen/bread.md#bread.sourdough', {
    maxTokens: 60,
  })
  expect(passage).toMatchObject({ id: 'kitchen/bread.md#bread.sourdough', path: 'kitchen/bread.md' })
  expect(output).toContain('kitchen/bread.md:3-5')
  expect(tokensUsed).toBeLessThanOrEqual(60)
  await expect(joined.read('elsewhere/bread.md')).rejects.toMatchObject({ code: 'BAD_INPUT' })
})

it('refuses names that could not be told apart', () => {
  const [first] = corpora as [NamedCorpus]
  for (const names of [['a', 'a'], ['a/b'], [''], []])
    expect(() => joinCorpora(names.map((name) => ({ ...first, name })))).toThrow('without a slash')
})
