// Is text that was extracted from a file found, cited with its place, and shown again exactly?
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseDigest } from '../src/assemble/parse-digest.ts'
import type { Engine } from '../src/engine/engine.ts'
import { runCommandLine } from './run-command-line.ts'
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

describe('a notebook', () => {
  let root: string
  let engine: Engine
  beforeAll(async () => {
    root = makeFolder()
    writeFiles(root, files)
    engine = openCorpus(root, { embedder: 'none', refresh: 'auto' })
    await engine.index()
  })
  afterAll(() => {
    engine.close()
    removeFolder(root)
  })

  it('is read as the Markdown of its cells, without what they printed', async () => {
    const { text } = await engine.text('tides.ipynb')
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
      expect(await engine.text(cited)).toMatchObject({
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
    expect(run('text', 'tides.ipynb:6-6')).toBe('gauge = read_gauge("harbour")\n')
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
      { path: 'broken.ipynb', reason: 'parse-failed', detail: 'it is no notebook: its JSON cannot be read' },
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
      using fed = openCorpus(folder, { embedder: 'none' })
      await fed.applyChanges({ put })
    }
    using again = openCorpus(folder, { embedder: 'none', ids: ['TIDE'] })
    await again.applyChanges({ put: [] })
    expect(await again.text('tides.ipynb:9-11', { refresh: 'never' })).toMatchObject({ place: 'cell 3' })
    removeFolder(folder)
  })
})
