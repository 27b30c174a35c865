// Are references, standings and successors stored as the documents say?
import { expect, it } from 'vitest'
import { TestCorpus } from '../../../test/support/corpus.ts'

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
    Array.from(corpus.read().references().everything(), ({ outcome }) => outcome)
  expect(outcomes()).toEqual(['missing'])
  const again = { ...corpus.settings, ids: ['TIP:tips/*'] }
  Object.assign(corpus, { settings: again })
  const report = await corpus.index()
  expect([report.indexed, outcomes()]).toEqual([0, ['resolved']])
})

it('writes nothing for references that stay as they are', async () => {
  const corpus = new TestCorpus({ 'a.md': '[b](b.md)', 'b.md': '# B\n\n[a](a.md)\n' })
  await corpus.index()
  const before = [...corpus.read().references().everything()]
  corpus.write({ 'b.md': '# B\n\nMore text. [a](a.md)\n' })
  await corpus.index()
  const after = [...corpus.read().references().everything()]
  expect(after.map(({ origin, path, outcome }) => [origin, path, outcome]).sort()).toEqual(
    before.map(({ origin, path, outcome }) => [origin, path, outcome]).sort(),
  )
})

const sphinx = {
  'docs/index.rst':
    'Start\n=====\n\n:ref:`setup`, :ref:`gone`, :class:`Server`, :meth:`Server.start`, :class:`Client`, :setting:`DEBUG`,\n:doc:`/more`\n\n.. toctree::\n\n   more\n',
  'docs/more.rst':
    'More\n====\n\n.. _setup:\n\nSetting up\n----------\n\n.. setting:: DEBUG\n\nThe client\n----------\n\n.. class:: Client()\n\n   Text.\n',
  'app/server.py': 'class Server:\n    def start(self):\n        return 1\n',
}
const outcomesIn = (corpus: TestCorpus): string[] =>
  [...corpus.read().references().everything(), ...corpus.read().references().inCode('all')]
    .filter(({ originPath }) => originPath === 'docs/index.rst')
    .map(({ text, outcome, path, section }) => `${text}: ${section ?? path ?? outcome}`)

it('finds labels, settings and described objects of reStructuredText, and code where it is', async () => {
  const corpus = new TestCorpus(sphinx)
  await corpus.index()
  expect(outcomesIn(corpus)).toEqual([
    'setup: docs/more.rst#more.setting-up',
    'gone: external',
    'DEBUG: docs/more.rst#more.setting-up',
    '/more: docs/more.rst',
    'more: docs/more.rst',
    'Server: app/server.py#Server',
    'Server.start: app/server.py#Server.start',
    'Client: docs/more.rst#more.the-client',
  ])
})

it('follows a label and a described object to another document', async () => {
  const corpus = new TestCorpus(sphinx)
  await corpus.index()
  const { 'docs/more.rst': text } = sphinx
  corpus.write({ 'docs/more.rst': 'More\n====\n', 'docs/other.rst': text })
  await corpus.index()
  expect(outcomesIn(corpus)).toEqual(
    expect.arrayContaining([
      'setup: docs/other.rst#more.setting-up',
      'Client: docs/other.rst#more.the-client',
    ]),
  )
})
