// Do documents and code answer together? One budget over both, each bringing the other along where it names it.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { CorpusReader } from '../src/corpus/store/corpus-reader.ts'
import { openForReading } from '../src/corpus/store/open-database.ts'
import type { ReferenceRow } from '../src/corpus/store/rows/reference-reader.ts'
import { indexFixture } from './indexed-fixture.ts'
import { parseDigest } from './parse-digest.ts'
import { copyFixture, makeFolder, openCorpus, writeFiles } from './temporary-corpus.ts'

const { root, engine } = await indexFixture('mixed')

function names(): ReferenceRow[] {
  const reader = new CorpusReader(openForReading(path.join(root, '.yore/index.db')))
  try {
    return [...reader.references().inCode('all'), ...reader.references().everything()]
  } finally {
    reader.close()
  }
}

const target = (origin: string, text: string): string | null => {
  const row = names().find((one) => one.origin === origin && one.text === text)
  return row === undefined ? null : row.outcome === 'resolved' ? (row.section ?? row.path) : row.outcome
}

describe('names', () => {
  it('in code marks become DOCUMENTS relations', () => {
    const section = 'docs/runbook.md#runbook.deliveries-that-fail'
    expect(target(section, 'call_with_retry()')).toBe('src/retry.py#call_with_retry')
    expect(target(section, 'Policy.longest_pause')).toBe('src/retry.py#Policy.longest_pause')
    expect(target('README.md#courier', 'src/retry.py')).toBe('src/retry.py')
  })

  it('that are ordinary words never match', () => {
    const section = 'docs/runbook.md#runbook.restarting'
    expect(names().filter(({ origin }) => origin === section)).toEqual([])
  })

  it('in comments become CITES relations from code', () => {
    expect(target('src/retry.py#call_with_retry', 'ADR-004')).toBe('docs/adr/ADR-004-retries.md')
  })

  it('in code are resolved by imports and scope', () => {
    expect(target('src/retry.py#call_with_retry', 'give_up')).toBe('src/retry.py#give_up')
    expect(target('src/retry.py#call_with_retry', 'Pauses')).toBe('src/pauses.py#Pauses')
    expect(target('src/test_retry.py#test_a_delivery_is_retried', 'call_with_retry')).toBe(
      'src/retry.py#call_with_retry',
    )
  })

  it('follow a definition that moves, without reading unchanged files again', async () => {
    const moved = makeFolder()
    copyFixture('mixed', moved)
    const other = openCorpus(moved, { 'embedding.provider': 'none' })
    await other.index()
    writeFileSync(path.join(moved, 'src/pauses.py'), 'from other import Pauses\n')
    writeFileSync(path.join(moved, 'src/other.py'), 'class Pauses:\n    pass\n')
    const report = await other.index()
    const reader = new CorpusReader(openForReading(path.join(moved, '.yore/index.db')))
    const row = [...reader.references().inCode('all')].find(
      (one) => one.origin === 'src/retry.py#call_with_retry' && one.text === 'Pauses',
    )
    reader.close()
    other.close()
    expect(report.indexed).toBe(2)
    expect(row?.section).toBe('src/other.py#Pauses')
  })
})

describe('files that are no code anybody reads', () => {
  it('are skipped with their reason: 20 MB of minified code, and one line without an end', async () => {
    const folder = makeFolder()
    copyFixture('mixed', folder)
    writeFileSync(path.join(folder, 'bundle.min.js'), '!function(e){return e(1)}(x);'.repeat(700_000))
    writeFileSync(path.join(folder, 'line.js'), `x=[${'1,'.repeat(200_000)}1]`)
    const other = openCorpus(folder, { 'embedding.provider': 'none' })
    const { skipped } = await other.index()
    other.close()
    expect(skipped.map(({ path: file, reason }) => [file, reason]).sort()).toEqual([
      ['bundle.min.js', 'too-large'],
      ['line.js', 'long-line'],
    ])
  })
})

describe('code that comes later', () => {
  it('is found by documents that were indexed before it', async () => {
    const folder = makeFolder()
    writeFileSync(path.join(folder, 'guide.md'), '# Guide\n\nCall `start_server()` first.\n')
    const other = openCorpus(folder, { 'embedding.provider': 'none' })
    await other.index()
    writeFileSync(path.join(folder, 'server.py'), 'def start_server():\n    pass\n')
    await other.index()
    const reader = new CorpusReader(openForReading(path.join(folder, '.yore/index.db')))
    const rows = reader.references().naming('server.py', 'server.py#start_server')
    reader.close()
    other.close()
    expect(rows.map(({ origin }) => origin)).toEqual(['guide.md#guide'])
  })
})

describe('a digest', () => {
  it('brings the runbook, the decision behind it and the function that implements it', async () => {
    const { digest, output } = await engine.assemble('How does a failed delivery get retried?', {
      maxTokens: 3000,
    })
    const held = [...digest.primary, ...digest.expanded.flatMap(({ passages }) => passages)].map(
      (one) => one.path,
    )
    expect(held).toEqual(
      expect.arrayContaining(['docs/runbook.md', 'docs/adr/ADR-004-retries.md', 'src/retry.py']),
    )
    expect(output).toContain('```python\n')
    expect(output.indexOf('docs/runbook.md')).toBeLessThan(output.indexOf('src/retry.py'))
  })

  it('shows the class around a function first', async () => {
    const { digest } = await engine.assemble('`longest_pause`', {
      sections: 1,
      maxTokens: 3000,
      layout: 'full',
    })
    expect(digest.primary[0]?.artifacts).toEqual(['src/retry.py#Policy.longest_pause'])
    expect(digest.primary[0]?.excerpts[0]?.text.startsWith('class Policy:')).toBe(true)
  })

  it('reads back into the exact source lines', async () => {
    const { output, digest } = await engine.assemble('How does a failed delivery get retried?', {
      maxTokens: 3000,
    })
    const parsed = parseDigest(output)
    const expected = [...digest.primary, ...digest.expanded.flatMap(({ passages }) => passages)]
    const found = [...parsed.passages, ...parsed.expanded]
    expect(found.map(({ path: file, ranges }) => [file, ranges])).toEqual(
      expected.map(({ path: file, excerpts }) => [file, excerpts.map(({ lines }) => lines)]),
    )
  })

  it('names a definition first, before its uses and its tests', async () => {
    const { hits } = await engine.search('call_with_retry', { limit: 50 })
    expect(hits[0]?.artifact).toBe('src/retry.py#call_with_retry')
    const test = hits.find(({ path: file }) => file === 'src/test_retry.py')
    expect(test?.canonicality.reasons).toContainEqual({ reason: 'a test', effect: -0.2 })
  })
})

it('prose refers to no test by a word that only a test defines', async () => {
  const folder = makeFolder()
  const define = 'export function onTimeout() {\n  return 1\n}\n'
  writeFiles(folder, {
    'docs/hooks.md': '# Hooks\n\nThe hook `onTimeout` ends a request; see `test/hooks.test.js`.\n',
    'test/README.md': '# Tests\n\nThey share `onTimeout`.\n',
    'test/hooks.test.js': define,
  })
  using other = openCorpus(folder, { 'embedding.provider': 'none' })
  await other.index()
  const toOf = async (file: string) => (await other.describeDocument(file)).references.map(({ to }) => to)
  expect(await toOf('docs/hooks.md')).toEqual(['test/hooks.test.js'])
  expect(await toOf('test/README.md')).toEqual(['test/hooks.test.js#onTimeout'])
})

it('an implementation comes with its overloads and what documents them', async () => {
  const folder = makeFolder()
  const code = `/** Parses a date from text. */
export function parse(text: string): Date
/** Parses a date from seconds. */
export function parse(seconds: number): Date
export function parse(given: string | number): Date {
  return zebra(given)
}
`
  writeFileSync(path.join(folder, 'parse.ts'), code)
  using other = openCorpus(folder, { 'embedding.provider': 'none' })
  await other.index()
  const { output } = await other.assemble('zebra', { sections: 1, maxTokens: 600 })
  const [passage] = parseDigest(output).passages
  expect(passage).toMatchObject({ name: 'parse', ranges: [{ start: 1, end: 7 }] })
})
