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
