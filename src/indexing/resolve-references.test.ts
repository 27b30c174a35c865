// Are references, standings and successors stored as the documents say?
import { expect, it } from 'vitest'
import { TestCorpus } from './corpus.fixture.ts'

it('counts the documents that refer to each other, not the references', async () => {
  const corpus = new TestCorpus({
    'a.md': '[b](b.md) [b](b.md) [b](b.md#x)',
    'b.md': '# B\n\n## X\n\n[b itself](#x) [out](https://example.com) ![i](i.png)',
    'c.md': '[b](b.md) [gone](gone.md)',
  })
  await corpus.index()
  const inbound = corpus
    .read()
    .files()
    .map(({ path, inbound: count }) => [path, count])
  expect(inbound).toEqual([
    ['a.md', 0],
    ['b.md', 2],
    ['c.md', 0],
  ])
})

it.each(['superseded_by: ADR-002', 'superseded-by: ADR-002-new.md', 'replacedBy: [ADR-002-new.md]'])(
  'finds the successor in "%s"',
  async (front) => {
    const corpus = new TestCorpus({
      'adr/ADR-001-old.md': `---\n${front}\n---\n# ADR-001: Old\n`,
      'adr/ADR-002-new.md': '# ADR-002: New\n',
    })
    await corpus.index()
    const [old, other] = corpus.read().files()
    expect([old?.successor, other?.successor]).toEqual(['adr/ADR-002-new.md', null])
  },
)

it('resolves everything anew when the families of ids change', async () => {
  const files = { 'a.md': 'See TIP-12.', 'tips/12-x.md': '# Twelve\n', 'tips/13-y.md': '# Thirteen\n' }
  const corpus = new TestCorpus(files, { ids: ['TIP'] })
  await corpus.index()
  const outcomes = (): string[] =>
    corpus
      .read()
      .references()
      .everything()
      .map(({ outcome }) => outcome)
  expect(outcomes()).toEqual(['missing'])
  const again = { ...corpus.settings, ids: ['TIP:tips/*'] }
  Object.assign(corpus, { settings: again })
  const report = await corpus.index()
  expect([report.indexed, outcomes()]).toEqual([0, ['resolved']])
})

it('writes nothing for references that stay as they are', async () => {
  const corpus = new TestCorpus({ 'a.md': '[b](b.md)', 'b.md': '# B\n\n[a](a.md)\n' })
  await corpus.index()
  const before = corpus.read().references().everything()
  corpus.write({ 'b.md': '# B\n\nMore text. [a](a.md)\n' })
  await corpus.index()
  const after = corpus.read().references().everything()
  expect(after.map(({ origin, path, outcome }) => [origin, path, outcome]).sort()).toEqual(
    before.map(({ origin, path, outcome }) => [origin, path, outcome]).sort(),
  )
})
