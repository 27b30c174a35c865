// Is a file that is not in UTF-8 found, quoted and read with its letters and its lines?
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Engine } from '../src/offer/engine/engine.ts'
import { makeFolder, openCorpus, writeFiles } from './temporary-corpus.ts'

let root: string
let engine: Engine
beforeEach(() => {
  root = makeFolder()
  engine = openCorpus(root, { 'embedding.provider': 'none', refresh: 'auto' })
})
afterEach(() => engine.close())

it('indexes Latin-1, and quotes its lines as they are', async () => {
  const accents = Array.from({ length: 40 }, (_, index) => `# ligne ${index}: é è à ç`)
  const code = [
    '# -*- coding: latin-1 -*-',
    ...accents,
    'x = 1',
    '',
    'def déployer():',
    '    return "prêt"',
    '',
  ]
  writeFiles(root, {
    'app.py': Buffer.from(code.join('\r\n'), 'latin1'),
    'notes.txt': Buffer.from('Größe der Straße\n', 'latin1'),
    'picture.txt': Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0x10, 0x4a, 0x46, 0x49, 0x46, 0x01]),
  })
  const report = await engine.index()
  expect(report.skipped.map(({ path, reason }) => `${path}: ${reason}`)).toEqual(['picture.txt: binary'])
  const [hit] = (await engine.search('déployer')).hits
  expect(hit).toMatchObject({ path: 'app.py', lines: { start: 44, end: 45 } })
  const passage = await engine.read('app.py:44-45')
  expect(JSON.stringify(passage)).toContain('def déployer():')
  expect((await engine.search('Größe')).hits[0]?.path).toBe('notes.txt')
  expect((await engine.assemble('prêt')).output).toContain('    return "prêt"')
  expect((await engine.status()).freshness.state).toBe('fresh')
})
