import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { describeStoreContract } from '../../test/support/store-contract.ts'
import { openDirectoryStore } from './directory-store.ts'

const folder = await mkdtemp(path.join(tmpdir(), 'yore-store-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const maxBytes = 20 << 20
describeStoreContract('a directory', {
  open: () => openDirectoryStore({ directory: path.join(folder, 'objects'), maxBytes }),
  maxBytes,
  manyParts: 6_000_001,
})

it('removes what a killed writer left behind long ago, and not what is being written', async () => {
  const directory = path.join(folder, 'swept')
  const below = path.join(directory, '.unfinished')
  await openDirectoryStore({ directory })
  await writeFile(path.join(below, '.a.unfinished'), 'half')
  await openDirectoryStore({ directory })
  expect(await readdir(below)).toEqual(['.a.unfinished'])
  await openDirectoryStore({ directory, now: Date.now() + 2 * 3_600_000 })
  expect(await readdir(below)).toEqual([])
})

it('keeps no folder of deleted objects, however many were written', async () => {
  const directory = path.join(folder, 'emptied')
  const store = await openDirectoryStore({ directory })
  const keyOf = (number: number): string => `corpora/1/${number}/object`
  for (let number = 0; number < 20; number++) await store.put(keyOf(number), Buffer.from('x'))
  for (let number = 0; number < 19; number++) await store.delete(keyOf(number))
  expect(await readdir(path.join(directory, 'corpora', '1'))).toEqual(['19'])
  await store.delete(keyOf(19))
  expect(await readdir(directory)).toEqual(['.unfinished'])
})

it('writes into folders that another process is deleting', async () => {
  const directory = path.join(folder, 'contended')
  const stores = await Promise.all([openDirectoryStore({ directory }), openDirectoryStore({ directory })])
  await Promise.all(
    stores.flatMap((store, at) =>
      Array.from({ length: 4 }, async (_, writer) => {
        const key = `a/b/${at}-${writer}`
        for (let round = 0; round < 50; round++) {
          expect(await store.put(key, Buffer.from(key), { ifAbsent: round % 2 === 0 })).toBe('created')
          expect(Buffer.from(await store.get(key)).toString()).toBe(key)
          await store.delete(key)
        }
      }),
    ),
  )
  expect(await readdir(directory)).toEqual(['.unfinished'])
})
