// Does every text become part of the index, and is the rest accounted for?
import { chmodSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { openEngine } from '../src/offer/engine/open-engine.ts'
import { TestCorpus } from './support/corpus.ts'

const files = {
  'README.md': '# Build\n\nSee the [rules](Makefile).\n',
  Makefile: '# Only on request.\nwalrus: walrus.o\n\tcc -o $@ $<\n\nall: walrus\n',
  'docs/x.1': '.TH x 1\n.SH NAME\nx \\- feeds the pelican\n',
  'yarn.lock': '# yarn lockfile v1\n',
  'logo.png': 'x',
  'data.bin2': 'a\0b',
  'po/de.po': '\nmsgid "Yes"\nmsgstr "Ja"\n',
}

it('serves masked text everywhere, says where, and reads everything again when the setting changes', async () => {
  const secret = 'q7XvT2mKp9RzLw4BnYc8'
  const text = `# Deploy\n\nThe token: ${secret}\n`
  const corpus = new TestCorpus({
    'src/credentials.rs': `// token: ${secret}\nfn walrus() {}\n`,
    'a.md': text,
  })
  const open = (maskSecrets: 'on' | 'off') =>
    openEngine({
      root: corpus.root,
      indexDir: corpus.indexDir,
      settings: { ...corpus.settings, maskSecrets },
      now: 0,
    })
  const masked = open('on')
  await masked.index()
  expect((await masked.read('a.md')).output).toContain('The token: ⟦masked:secret⟧')
  expect((await masked.search('walrus')).hits[0]?.path).toBe('src/credentials.rs')
  const places = [
    { path: 'a.md', line: 3, kind: 'secret' },
    { path: 'src/credentials.rs', line: 1, kind: 'secret' },
  ]
  expect((await masked.status()).masked).toEqual(places)
  masked.close()
  const open1 = open('off')
  expect((await open1.status()).freshness).toMatchObject({ state: 'stale', changedFiles: 2 })
  expect((await open1.read('a.md')).output).toContain(secret)
  expect((await open1.status()).masked).toEqual([])
  open1.close()
  const again = open('on')
  expect((await again.read('a.md')).output).not.toContain(secret)
  expect((await again.status()).masked).toEqual(places)
  again.close()
})

it('finds generic text and prose of any name, fenced or not, and says what stays out', async () => {
  const corpus = new TestCorpus(files)
  await corpus.index()
  using engine = openEngine({
    root: corpus.root,
    indexDir: corpus.indexDir,
    settings: corpus.settings,
    now: 0,
  })
  const { hits } = await engine.search('walrus')
  expect(hits[0]?.path).toBe('Makefile')
  const { output } = await engine.assemble('walrus')
  expect(output).toContain('```text\n# Only on request.\nwalrus: walrus.o\n')
  const status = await engine.status()
  expect(status.languages).toEqual({ generic: 1, markdown: 1, text: 1 })
  expect(status.generic).toEqual({ '': 1 })
  expect(status.unsupported).toEqual({ '.png': 1 })
  expect(status.skipped.map(({ path: file, reason }) => [file, reason])).toEqual([
    ['data.bin2', 'binary'],
    ['po/de.po', 'translation'],
    ['yarn.lock', 'lock-file'],
  ])
})

it('does not open again what was left out for what it holds, until it changes', async () => {
  const corpus = new TestCorpus(files)
  await corpus.index()
  const place = path.join(corpus.root, 'data.bin2')
  if (process.getuid?.() !== 0) chmodSync(place, 0)
  const again = await corpus.index()
  expect(again.skipped.find((file) => file.path === 'data.bin2')?.reason).toBe('binary')
  expect(again).toMatchObject({ indexed: 0, unchanged: 3 })
  chmodSync(place, 0o644)
  corpus.write({ 'data.bin2': 'plain words now\n' })
  const { skipped, indexed } = await corpus.index()
  expect([indexed, skipped.some((file) => file.path === 'data.bin2')]).toEqual([1, false])
})

it('divides a long Julia module with much documentation by its definitions', async () => {
  const sentences = Array.from(
    { length: 12 },
    (_, line) => `  Sentence ${line} says what becomes of a parcel that nobody collects.`,
  )
  const lines = ['"""', ...sentences, '"""', 'module ParcelStore', '']
  for (let number = 0; lines.length < 1000; number++)
    lines.push(
      '  @doc """',
      ...sentences,
      '  """',
      `  function put_${number}(store)`,
      '    store',
      '  end',
      '',
    )
  const corpus = new TestCorpus({ 'lib/store.jl': `${lines.join('\n')}\nend\n` })
  using engine = openEngine({
    root: corpus.root,
    indexDir: corpus.indexDir,
    settings: corpus.settings,
    now: 0,
  })
  await engine.index()
  const { sections, language } = await engine.describeDocument('lib/store.jl')
  expect(language).toBe('generic')
  const put = sections.find(({ id }) => id === 'lib/store.jl#put_7')!
  expect(lines[put.lines.start - 1]).toBe('  @doc """')
  expect(lines.slice(put.lines.start, put.lines.end)).toContain('  function put_7(store)')
  expect(Math.max(...sections.slice(1).map((one) => one.lines.end - one.lines.start))).toBeLessThan(25)
})
