// Do files that are given say what files in a folder say? The same corpus both ways, in steps and at once.
import { expect, it } from 'vitest'
import type { CorpusChanges } from '../src/corpus/indexing/given-files.ts'
import { readAnswers, readGraphs } from './index-answers.ts'
import { type Files, makeFolder, openCorpus, usualTime, writeFiles } from './temporary-corpus.ts'

const documents: Files = {
  'README.md': '# Courier\n\nSee [the guide](docs/guide.md#retry) and `retryCall()`. ADR-001 says why.\n',
  'docs/guide.md':
    '# Guide\n\n## Retry\n\nA failed call is retried with a longer pause.\n\n## Stop\n\nGive up.\n',
  'docs/adr/ADR-001-retries.md': '# ADR-001: Retries\n\nCalls are retried three times.\n',
  'notes/west.txt': Buffer.from('Caf\xe9 calls are retried, na\xefvely.\n', 'latin1'),
}
const code: Files = {
  'package.json': '{ "name": "courier", "main": "src/retry.ts" }\n',
  'tsconfig.json': '{ "compilerOptions": { "paths": { "#lib/*": ["./src/*"] } } }\n',
  'src/retry.ts':
    "import { pause } from '#lib/pause.ts'\n\n// See docs/guide.md.\nexport function retryCall(): void {\n  pause()\n}\n",
  'src/pause.ts': 'export function pause(): void {}\n',
}
const leftOut: Files = {
  '.env': 'TOKEN=x\n',
  'package-lock.json': '{}\n',
  'picture.png': Buffer.from([137, 80, 78, 71]),
  'data.bin.txt': Buffer.from([0, 1, 2, 3, 0, 0]),
}
const everything: Files = { ...documents, ...code, ...leftOut }

const changesOf = (files: Files): CorpusChanges => ({
  put: Object.entries(files).map(([path, content]) => ({
    path,
    bytes: typeof content === 'string' ? Buffer.from(content) : content,
    modifiedAt: usualTime,
  })),
})

const questions = ['How is a failed call retried?', '`retryCall`', 'caf\u00e9']
const named = ['README.md', 'docs/guide.md#retry', 'src/retry.ts#retryCall', 'ADR-001']

async function answersOf(root: string): Promise<Record<string, string>> {
  using engine = openCorpus(root, { 'embedding.provider': 'none', refresh: 'auto' })
  const answers = { ...(await readAnswers(engine, questions)), ...(await readGraphs(engine, named)) }
  // The disk is looked at for what is no part of the index.
  const { links: _, ...rest } = answers
  return Object.fromEntries(Object.entries(rest).map(([name, text]) => [name, text.replaceAll(root, 'ROOT')]))
}

it('files that are given, in steps, replaced and removed, answer as the same files in a folder', async () => {
  const [walked, fed] = [makeFolder(), makeFolder()]
  writeFiles(walked, everything)
  using first = openCorpus(walked, { 'embedding.provider': 'none', workers: 1 })
  await first.index()
  using engine = openCorpus(fed, { 'embedding.provider': 'none', workers: 1 })
  await engine.index({
    changes: changesOf({ ...documents, 'docs/old.md': '# Old\n\nretried\n', 'README.md': '# Draft\n' }),
  })
  // The first code: documents may name it now, and are parsed again from what is stored.
  await engine.index({
    changes: changesOf({ ...code, ...leftOut, 'src/pause.ts': 'export const old = 1\n' }),
  })
  const report = await engine.index({
    changes: {
      ...changesOf({
        'README.md': documents['README.md'] as string,
        'src/pause.ts': code['src/pause.ts'] as string,
      }),
      remove: ['docs/old.md', 'never/there.md'],
    },
  })
  expect(report).toMatchObject({ indexed: 2, removed: 1 })
  expect(await answersOf(fed)).toEqual(await answersOf(walked))
  const again = await engine.index({ changes: changesOf(documents) })
  expect(again).toMatchObject({ indexed: 0, removed: 0 })
})

it('refuses paths that lead out of the corpus', async () => {
  const root = makeFolder()
  using engine = openCorpus(root, { 'embedding.provider': 'none' })
  for (const path of ['../x.md', '/x.md', 'a//b.md', './x.md', ''])
    await expect(engine.index({ changes: changesOf({ [path]: '# X\n' }) })).rejects.toMatchObject({
      code: 'BAD_INPUT',
    })
})
