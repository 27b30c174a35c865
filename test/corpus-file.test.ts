// Can a corpus file be asked alone? As a server has it: verified, unchanged, without the folder that it was made from.
import { chmodSync, copyFileSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { defaultSettings, openEngine } from '../src/index.ts'
import { makeFolder, writeFiles } from './temporary-corpus.ts'

const now = Date.UTC(2026, 0, 2)

it('answers as the folder does, byte for byte, and leaves nothing beside the file', async () => {
  const root = makeFolder()
  writeFiles(root, {
    'README.md':
      '# Overview\n\nWhat it is.\n\n## Installation\n\nRun the installer.\n\n## Usage\n\nCall it.\n',
    'docs/retry.md': '# Retries\n\nA call is retried three times. See [usage](../README.md#usage).\n',
  })
  const settings = defaultSettings
  const engine = openEngine({ root, indexDir: path.join(root, '.yore'), settings, now })
  await engine.index()
  const [digest, hits, graph] = [
    await engine.assemble('How often is a call retried?'),
    await engine.search('installer'),
    await engine.graph('README.md#overview.installation'),
  ]
  const ids = await engine.artifactIds()
  engine.close()

  const folder = mkdtempSync(path.join(tmpdir(), 'yore-file-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const corpusFile = path.join(folder, 'corpus.db')
  copyFileSync(path.join(root, '.yore', 'index.db'), corpusFile)
  chmodSync(corpusFile, 0o444)
  renameSync(root, `${root}-gone`)
  onTestFinished(() => rmSync(`${root}-gone`, { recursive: true, force: true }))
  const alone = openEngine({ root: folder, indexDir: folder, settings, now, corpusFile })
  expect((await alone.assemble('How often is a call retried?')).output).toBe(digest.output)
  expect(await alone.search('installer')).toEqual(hits)
  expect(await alone.graph('README.md#overview.installation')).toEqual(graph)
  expect(await alone.artifactIds()).toEqual(ids)
  expect(ids).toEqual([
    'README.md',
    'README.md#overview',
    'README.md#overview.installation',
    'README.md#overview.usage',
    'docs/retry.md',
    'docs/retry.md#retries',
  ])
  alone.close()
  expect(readdirSync(folder)).toEqual(['corpus.db'])
})
