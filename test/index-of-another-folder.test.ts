// Is an index used only for the folder whose files it holds?
import { renameSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { openForWriting } from '../src/corpus/store/open-database.ts'
import { defaultSettings } from '../src/model/config/settings.ts'
import type { Engine } from '../src/offer/engine/engine.ts'
import { openEngine } from '../src/offer/engine/open-engine.ts'
import { makeFolder, now, writeFiles } from './temporary-corpus.ts'

/** Two folders beside each other; the index is that of the first. */
async function makeTwo(): Promise<{ open: (root: string) => Engine; base: string }> {
  const base = makeFolder()
  writeFiles(base, { 'own/retry.md': '# Retry\n\nbackoff\n', 'other/fee.md': '# Fees\n\nbackoff\n' })
  const open = (root: string): Engine => {
    const settings = { ...defaultSettings, 'embedding.provider': 'none' as const }
    return openEngine({ root: path.join(base, root), indexDir: path.join(base, 'index'), settings, now })
  }
  const own = open('own')
  await own.index()
  own.close()
  return { open, base }
}

it('is refused for another folder by every operation, and stays as it was', async () => {
  const { open, base } = await makeTwo()
  const other = open('other')
  const refusal = { code: 'WRONG_ROOT', hint: expect.stringContaining(`--root ${path.join(base, 'own')}`) }
  await expect(other.search('backoff')).rejects.toMatchObject(refusal)
  await expect(other.assemble('backoff')).rejects.toMatchObject(refusal)
  await expect(other.status()).rejects.toMatchObject(refusal)
  await expect(other.index()).rejects.toMatchObject(refusal)
  await expect(other.index({ rebuild: true })).rejects.toMatchObject(refusal)
  expect(await other.doctor()).toContainEqual(
    expect.objectContaining({ name: 'index', verdict: 'problem', fix: expect.stringContaining('--root') }),
  )
  other.close()
  const own = open('own')
  expect((await own.search('backoff')).hits.map((hit) => hit.path)).toEqual(['retry.md'])
  own.close()
})

it('is refused for another folder also when its first run was stopped', async () => {
  const { open, base } = await makeTwo()
  const indexPath = path.join(base, 'index/index.db')
  rmSync(indexPath)
  openForWriting(indexPath, { rebuild: false, root: path.join(base, 'own') }).db.close()
  const other = open('other')
  await expect(other.search('backoff')).rejects.toMatchObject({ code: 'WRONG_ROOT' })
  await expect(other.index()).rejects.toMatchObject({ code: 'WRONG_ROOT' })
  other.close()
})

it('is used for its folder under another name, and after its folder was moved', async () => {
  const { open, base } = await makeTwo()
  symlinkSync(path.join(base, 'own'), path.join(base, 'link'))
  const linked = open('link')
  expect((await linked.search('backoff')).hits).toHaveLength(1)
  linked.close()
  renameSync(path.join(base, 'own'), path.join(base, 'moved'))
  const moved = open('moved')
  expect((await moved.search('backoff')).hits).toHaveLength(1)
  expect(await moved.index()).toMatchObject({ files: 1 })
  moved.close()
})
