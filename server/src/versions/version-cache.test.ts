import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editDatabase, makeTestFolder } from '../../test/support/versions.ts'
import { openDirectoryStore } from './directory-store.ts'
import { publishVersion } from './publish-version.ts'
import type { ObjectStore } from './store.ts'
import { extendManifest, type Manifest } from './version.ts'
import { chooseEvictions, VersionCache } from './version-cache.ts'

interface Published {
  readonly folder: string
  readonly store: ObjectStore
  /** Each with one row more than the one before, beginning with 1. */
  readonly manifests: readonly Manifest[]
}

async function publishSome(count: number): Promise<Published> {
  const folder = makeTestFolder()
  const store = await openDirectoryStore({ directory: path.join(folder, 'objects') })
  const workingFile = path.join(folder, 'work.db')
  const manifests: Manifest[] = []
  for (let seed = 0; seed < count; seed++) {
    editDatabase(workingFile, [{ kind: 'insert', rows: 1, seed }])
    const manifest = manifests.at(-1) ?? []
    const directory = path.join(folder, 'worker')
    const part = await publishVersion({ corpus: 1, workingFile, manifest, store, directory })
    manifests.push(extendManifest(manifest, part))
  }
  return { folder, store, manifests }
}

const openFile = (file: string): DatabaseSync =>
  new DatabaseSync(`file:${file}?immutable=1`, { readOnly: true })
const countRows = (db: DatabaseSync): unknown => db.prepare('SELECT count(*) AS rows FROM notes').get()

describe('the files of versions on disk', () => {
  it('go in the order of their last use, and not while somebody uses them', async () => {
    const { folder, store, manifests } = await publishSome(4)
    const directory = path.join(folder, 'node')
    let clock = 1_000_000
    const now = (): number => clock++ * 1000
    const size = statSync(path.join(folder, 'work.db')).size
    const options = { directory, store, now, maxBytes: 2 * size }
    const cache = await VersionCache.open(options)
    const names: string[] = []
    for (const manifest of manifests.slice(0, 2)) {
      const held = await cache.hold(manifest)
      names.push(path.basename(held.path))
      await held.release()
    }
    const first = await cache.hold(manifests[0]!)
    const third = await cache.hold(manifests[2]!)
    names.push(path.basename(third.path))
    expect(readdirSync(directory).sort()).toEqual([names[0], names[2]].sort())
    const fourth = await cache.hold(manifests[3]!)
    names.push(path.basename(fourth.path))
    // All three are in use: more than allowed, and none goes.
    expect(readdirSync(directory)).toHaveLength(3)
    await first.release()
    await first.release()
    expect(readdirSync(directory).sort()).toEqual([names[2], names[3]].sort())
    // Started again, with less room: the order is still known.
    await VersionCache.open({ ...options, maxBytes: size })
    expect(readdirSync(directory)).toEqual([names[3]])
  })

  it('are chosen so that the rest fits or is in use, oldest first', () => {
    const files = fc.array(fc.record({ bytes: fc.nat(100), usedAt: fc.nat(5), inUse: fc.boolean() }), {
      maxLength: 12,
    })
    fc.assert(
      fc.property(files, fc.nat(600), (list, maxBytes) => {
        const given = list.map((file, at) => ({ ...file, name: `file-${at}` }))
        const table = new Map(given.map((file) => [file.name, file]))
        const gone = new Set(chooseEvictions(table, (name) => table.get(name)!.inUse, maxBytes))
        const [kept, evicted] = [
          given.filter(({ name }) => !gone.has(name)),
          given.filter(({ name }) => gone.has(name)),
        ]
        const left = kept.reduce((sum, { bytes }) => sum + bytes, 0)
        expect(evicted.some(({ inUse }) => inUse)).toBe(false)
        expect(left <= maxBytes || kept.every(({ inUse }) => inUse)).toBe(true)
        const youngest = Math.max(-1, ...evicted.map(({ usedAt }) => usedAt))
        expect(kept.every(({ inUse, usedAt }) => inUse || usedAt >= youngest)).toBe(true)
      }),
    )
  })

  it('may be missing a part in the store: who asks hears it, and nothing is held', async () => {
    const { folder, store, manifests } = await publishSome(2)
    const cache = await VersionCache.open({
      directory: path.join(folder, 'node'),
      store,
      now: () => 0,
      maxBytes: 0,
    })
    const part = manifests[1]![1] ?? manifests[1]![0]!
    await store.delete(part.key)
    await expect(cache.hold(manifests[1]!)).rejects.toMatchObject({ fault: 'missing' })
    expect(readdirSync(path.join(folder, 'node'))).toEqual([])
  })
})

describe('a file of a corpus', () => {
  it('keeps a file readable for who has it open, even when it is removed', async () => {
    const { folder, store, manifests } = await publishSome(1)
    const cache = await VersionCache.open({
      directory: path.join(folder, 'node'),
      store,
      now: Date.now,
      maxBytes: 0,
    })
    const held = await cache.hold(manifests[0]!)
    const db = openFile(held.path)
    await held.release()
    expect(readdirSync(path.join(folder, 'node'))).toEqual([])
    expect(countRows(db)).toEqual({ rows: 1 })
    db.close()
  })

  it('loses the files of deleted corpora, and no others', async () => {
    const { folder, store, manifests } = await publishSome(1)
    const directory = path.join(folder, 'node')
    const cache = await VersionCache.open({ directory, store, now: Date.now, maxBytes: 1e9 })
    await (await cache.hold(manifests[0]!)).release()
    await cache.forget(new Set([123_456]))
    expect(readdirSync(directory)).toHaveLength(1)
    const corpus = Number(manifests[0]![0]!.key.split('/')[1])
    await cache.forget(new Set([corpus]))
    expect(readdirSync(directory)).toEqual([])
    expect(cache.has(manifests[0]!)).toBe(false)
  })
})
