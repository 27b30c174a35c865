// Is text that was extracted from a file found, cited with its place, and shown again exactly?
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../src/offer/engine/engine.ts'
import { parseDigest } from './parse-digest.ts'
import { runCommandLine } from './run-command-line.ts'
import { docx, handbook, pptx } from './support/sample-files.ts'
import {
  type Files,
  makeFolder,
  openCorpus,
  removeFolder,
  usualTime,
  writeFiles,
} from './temporary-corpus.ts'

const notebook = JSON.stringify({
  cells: [
    { cell_type: 'markdown', source: ['# Tides\n', '\n', 'How the harbour gauge is read.\n'] },
    { cell_type: 'code', source: 'gauge = read_gauge("harbour")\n', outputs: [{ text: ['OUTPUT 4711'] }] },
    {
      cell_type: 'markdown',
      source: '## Spring tide\n\nThe moon and the sun pull together, see [rules](rules.md#ebb).',
    },
    { cell_type: 'code', source: ['height = gauge.max()\n', 'print(f"```{height}```")'] },
  ],
  metadata: { language_info: { name: 'python' } },
  nbformat: 4,
})

const files: Files = {
  'tides.ipynb': notebook,
  'rules.md': '# Rules\n\n## Ebb\n\nBoats leave before the ebb.\n',
  'broken.ipynb': '{"cells": [',
}

/** Every line, as `yore read --raw` prints them. */
const whole = { maxTokens: Number.POSITIVE_INFINITY }

describe('a notebook', () => {
  let root: string
  let engine: Engine
  beforeAll(async () => {
    root = makeFolder()
    writeFiles(root, files)
    engine = openCorpus(root, { 'embedding.provider': 'none', refresh: 'auto' })
    await engine.index()
  })
  afterAll(() => {
    engine.close()
    removeFolder(root)
  })

  it('is read as the Markdown of its cells, without what they printed', async () => {
    const { text } = (await engine.read('tides.ipynb', whole)).passage
    expect(text).toBe(
      [
        '# Tides\n\nHow the harbour gauge is read.',
        '```python\ngauge = read_gauge("harbour")\n```',
        '## Spring tide\n\nThe moon and the sun pull together, see [rules](rules.md#ebb).',
        '````python\nheight = gauge.max()\nprint(f"```{height}```")\n````',
      ].join('\n\n'),
    )
  })

  it('is cited by lines and cells in a digest, in JSON, in search and by agents', async () => {
    const question = 'What pulls together at spring tide?'
    const { output, digest } = await engine.assemble(question, { sections: 1, layout: 'full' })
    expect(output).toContain('**Source:** tides.ipynb:9-16 (cell 3-4) (canonical: ')
    const [passage] = parseDigest(output).passages
    expect(passage).toMatchObject({ path: 'tides.ipynb', ranges: [{ start: 9, end: 16 }], place: 'cell 3-4' })
    expect(passage?.texts[0]?.[0]).toContain('The moon and the sun')
    expect(digest.primary[0]?.place).toBe('cell 3-4')
    const json = JSON.parse((await engine.assemble(question, { sections: 1, format: 'json' })).output)
    expect(json.primary[0]).toMatchObject({ lines: [[9, 16]], place: 'cell 3-4' })
    const brief = await engine.assemble(question, { sections: 1, layout: 'brief' })
    expect(brief.output).toContain('**Source:** tides.ipynb:9-16 (cell 3-4)\n')
    const [hit] = (await engine.search(question)).hits
    expect(hit).toMatchObject({ path: 'tides.ipynb', place: 'cell 3-4' })
    const { hits } = await engine.search('sun pull', { match: 'exact' })
    expect(hits[0]?.place).toBe('cell 3')
  })

  it('shows exactly the cited lines again, also when the citation is pasted whole', async () => {
    for (const cited of ['tides.ipynb:9-11', 'tides.ipynb:9-11 (cell 3)']) {
      expect((await engine.read(cited, whole)).passage).toMatchObject({
        path: 'tides.ipynb',
        lines: { start: 9, end: 11 },
        place: 'cell 3',
        text: '## Spring tide\n\nThe moon and the sun pull together, see [rules](rules.md#ebb).',
      })
      expect((await engine.read(cited)).output).toContain('**Source:** tides.ipynb:9-11 (cell 3)')
    }
    const args = ['--root', root, '--refresh', 'never']
    const run = (...words: string[]): string =>
      runCommandLine([...words, ...args], { XDG_STATE_HOME: process.env['XDG_STATE_HOME'] ?? '' })
    expect(run('read', '--raw', 'tides.ipynb:6-6')).toBe('gauge = read_gauge("harbour")\n')
    expect(run('read', 'tides.ipynb:6')).toContain('tides.ipynb:6-6 (cell 2)')
    expect(run('search', 'spring tide')).toContain('tides.ipynb:9-16 (cell 3-4)')
  })

  it('brings along what it links to, and says where the link stands', async () => {
    const { output } = await engine.assemble('What pulls together at spring tide?')
    expect(output).toContain('**Referenced by:** tides.ipynb:11 (cell 3)')
  })

  it('that cannot be read is listed with its reason', async () => {
    const { skipped } = await engine.status()
    expect(skipped).toEqual([
      {
        path: 'broken.ipynb',
        reason: 'parse-failed',
        detail: 'it is not a notebook: its JSON cannot be read',
      },
    ])
  })

  it('is not extracted again while its bytes stay the same, and keeps its places when it is parsed from what is stored', async () => {
    expect(await engine.index()).toMatchObject({ indexed: 0, unchanged: 2 })
    const folder = makeFolder()
    const put = Object.entries(files).map(([file, content]) => ({
      path: file,
      bytes: Buffer.from(content as string),
      modifiedAt: usualTime,
    }))
    {
      using fed = openCorpus(folder, { 'embedding.provider': 'none' })
      await fed.index({ changes: { put } })
    }
    using again = openCorpus(folder, { 'embedding.provider': 'none', ids: ['TIDE'] })
    await again.index({ changes: { put: [] } })
    expect((await again.read('tides.ipynb:9-11', { ...whole, refresh: 'never' })).passage).toMatchObject({
      place: 'cell 3',
    })
    removeFolder(folder)
  })
})

/** What each file says of the ebb, so that one question needs them all. */
const harbour: Files = {
  'docs/rules.md':
    '# Harbour rules\n\n## Leaving before the ebb\n\nA boat leaves the harbour before the ebb begins.\n',
  'docs/signals.html': `<!DOCTYPE html><html><body><main><h1 id="signals">Signals</h1><p>The harbour has three signals.</p><h2 id="ebb-signal">The ebb signal</h2><p>A black ball tells boats that leave the harbour that the ebb begins.</p><p>At night it is a lamp.</p></main></body></html>`,
  'docs/moorings.rst':
    'Moorings\n========\n\n.. _ebb-moorings:\n\nAt the ebb\n----------\n\nBoats that stay in the harbour at the ebb lie at the outer moorings.\n',
  'handbook/handbook.pdf': handbook,
  'handbook/keeper.docx': docx,
  'talks/tides.pptx': pptx,
  'notes/tides.ipynb': JSON.stringify({
    cells: [
      { cell_type: 'markdown', source: '# Ebb at the harbour\n\nHow long boats have before the ebb.' },
      { cell_type: 'code', source: 'ebb = gauge.falling()\nprint(ebb.begin - boats.leave)' },
    ],
  }),
}

it('one digest of a corpus with seven formats cites six, each with its place; the page of the documentation is this very digest', async () => {
  const root = makeFolder()
  writeFiles(root, harbour)
  using engine = openCorpus(root, { 'embedding.provider': 'none' })
  const { indexed, skipped } = await engine.index()
  expect({ indexed, skipped }).toEqual({ indexed: 7, skipped: [] })
  const question = 'When do boats leave the harbour, before or after the ebb?'
  const { output } = await engine.assemble(question, { layout: 'brief', maxTokens: 2000 })
  const cited = new Set(parseDigest(output).passages.map(({ path }) => path.slice(path.lastIndexOf('.'))))
  expect(cited.size).toBeGreaterThanOrEqual(6)
  const page = path.join(import.meta.dirname, '../docs/examples/formats.md')
  const introduction =
    '# One digest of seven formats\n\nA folder holds Markdown, reStructuredText, a web page, a PDF, a Word document, slides and a notebook about the same harbour. `yore assemble` answers one question from them; behind the lines of each source stands its page, slide, anchor or cell. A test makes this page and compares it.'
  const written = `${introduction}\n\n\`\`\`\`\`markdown\n${output}\`\`\`\`\`\n`
  if (process.env['YORE_UPDATE'] === '1') writeFileSync(page, written)
  expect(readFileSync(page, 'utf8')).toBe(written)
  const { graph } = await engine.graph('handbook/handbook.pdf')
  expect(graph.subject).toMatchObject({ kind: 'pdf_document', place: 'p. 1-3' })
  expect(graph.edges.map(({ kind }) => kind)).toContain('DEFINES')
  expect(graph.neighbours).toContainEqual(
    expect.objectContaining({ id: 'handbook/handbook.pdf#3-ebb', kind: 'pdf_section', place: 'p. 3' }),
  )
  removeFolder(root)
})
