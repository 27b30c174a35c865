import { spawn, spawnSync } from 'node:child_process'
import { copyFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editArbitrary, editDatabase, hashFile, makeTestFolder } from '../../test/support/versions.ts'
import { collectVersions } from './collect-versions.ts'
import { openDirectoryStore } from './directory-store.ts'
import { materialise, versionPath } from './materialise-version.ts'
import { compactVersion, publishVersion } from './publish-version.ts'
import type { ObjectStore } from './store.ts'
import {
  allowsDelta,
  extendManifest,
  isBaseDue,
  type Manifest,
  maxDeltas,
  type VersionPart,
} from './version.ts'

interface Place {
  readonly folder: string
  readonly store: ObjectStore
  readonly workingFile: string
  /** Of the worker; query nodes have their own. */
  readonly directory: string
}

async function makePlace(): Promise<Place> {
  const folder = makeTestFolder()
  const store = await openDirectoryStore({ directory: path.join(folder, 'objects') })
  return { folder, store, workingFile: path.join(folder, 'work.db'), directory: path.join(folder, 'worker') }
}

async function publish(place: Place, manifest: Manifest): Promise<Manifest> {
  return extendManifest(manifest, await publishVersion({ corpus: 7, manifest, ...place }))
}

it('gives a query node the file of the worker, byte for byte, after any edits', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.array(editArbitrary, { maxLength: 3 }), fc.boolean()), {
        minLength: 1,
        maxLength: 8,
      }),
      async (rounds) => {
        const place = await makePlace()
        let manifest: Manifest = []
        editDatabase(place.workingFile, [{ kind: 'insert', rows: 300, seed: 1 }])
        for (const [edits, looks] of rounds) {
          editDatabase(place.workingFile, edits)
          manifest = await publish(place, manifest)
          if (!looks) continue
          // One node that follows, and one that is new.
          for (const node of ['follower', `new-${manifest.length}`]) {
            const directory = path.join(place.folder, node)
            const file = await materialise({ manifest, store: place.store, directory })
            expect(hashFile(file)).toBe(hashFile(place.workingFile))
          }
        }
      },
    ),
    { numRuns: 15 },
  )
})

it('publishes a base, then only what changed, and nothing when nothing did', async () => {
  const place = await makePlace()
  editDatabase(place.workingFile, [{ kind: 'insert', rows: 3000, seed: 1 }])
  const first = await publish(place, [])
  expect(first).toMatchObject([{ kind: 'base', minTxid: 1, maxTxid: 1 }])
  editDatabase(place.workingFile, [{ kind: 'insert', rows: 1, seed: 2 }])
  const second = await publish(place, first)
  expect(second).toMatchObject([{ kind: 'base' }, { kind: 'delta', minTxid: 2, maxTxid: 2 }])
  expect(second[1]!.size).toBeLessThan(second[0]!.size / 20)
  expect(await publish(place, second)).toBe(second)
})

it('keeps the published file and the one before it, no older ones, and counts on after an empty corpus', async () => {
  const place = await makePlace()
  let manifest: Manifest = []
  for (let seed = 0; seed < 4; seed++) {
    editDatabase(place.workingFile, [{ kind: 'insert', rows: 5, seed }])
    const before = manifest
    manifest = await publish(place, manifest)
    const kept = [before, manifest].filter(({ length }) => length > 0)
    expect(readdirSync(place.directory).sort()).toEqual(
      kept.map((each) => path.basename(versionPath(place.directory, each))).sort(),
    )
  }
  const part = await publishVersion({ corpus: 7, ...place, manifest: [], version: 9 })
  expect(part).toMatchObject({ kind: 'base', minTxid: 1, maxTxid: 9 })
})

it('puts a base in the place of parts while deltas follow: new nodes read it, and who had the parts fetches nothing', async () => {
  const place = await makePlace()
  const read: string[] = []
  const store: ObjectStore = {
    ...place.store,
    stream: (key) => {
      read.push(key)
      return place.store.stream(key)
    },
  }
  const follower = path.join(place.folder, 'follower')
  let manifest: Manifest = []
  for (let seed = 0; seed < 4; seed++) {
    editDatabase(place.workingFile, [{ kind: 'insert', rows: seed === 0 ? 3000 : 5, seed }])
    manifest = await publish(place, manifest)
  }
  await materialise({ manifest, store, directory: follower })
  const base = await compactVersion({ corpus: 7, manifest, ...place })
  expect(base).toMatchObject({ kind: 'base', minTxid: 1, maxTxid: 4, checksum: manifest.at(-1)?.checksum })
  editDatabase(place.workingFile, [{ kind: 'insert', rows: 5, seed: 9 }])
  const before = manifest.length
  manifest = await publish(place, manifest)
  const after = [base, ...manifest.slice(before)]
  read.length = 0
  expect(await materialise({ manifest: [base], store, directory: follower })).toContain(follower)
  expect(read).toEqual([])
  const file = await materialise({ manifest: after, store, directory: follower })
  expect(read).toEqual([after[1]?.key])
  const fresh = await materialise({ manifest: after, store, directory: path.join(place.folder, 'new') })
  for (const each of [file, fresh]) expect(hashFile(each)).toBe(hashFile(place.workingFile))
  // A second base stands for the first and what followed.
  const again = await compactVersion({ corpus: 7, manifest: after, ...place })
  read.length = 0
  await materialise({ manifest: [again], store, directory: follower })
  expect(read).toEqual([])
  const newest = await materialise({ manifest: [again], store, directory: path.join(place.folder, 'newest') })
  expect(hashFile(newest)).toBe(hashFile(place.workingFile))
})

it('writes the same bytes for the same pages, wherever it runs', async () => {
  const [one, other] = [await makePlace(), await makePlace()]
  const parts: VersionPart[] = []
  for (const place of [one, other]) {
    editDatabase(place.workingFile, [{ kind: 'insert', rows: 50, seed: 1 }])
    parts.push(await publishVersion({ corpus: 7, manifest: [], ...place }))
  }
  expect(parts[0]).toEqual(parts[1])
})

it('begins a new base itself where none was made beside it: after 64 deltas, or when they have its size', async () => {
  const place = await makePlace()
  editDatabase(place.workingFile, [{ kind: 'insert', rows: 6000, seed: 1 }])
  let manifest = await publish(place, [])
  for (let round = 0; round < 2 * maxDeltas; round++) {
    expect(isBaseDue(manifest)).toBe(round > maxDeltas)
    editDatabase(place.workingFile, [{ kind: 'insert', rows: 1, seed: round }])
    manifest = await publish(place, manifest)
  }
  expect(manifest).toHaveLength(1 + 2 * maxDeltas)
  editDatabase(place.workingFile, [{ kind: 'insert', rows: 1, seed: 99 }])
  manifest = await publish(place, manifest)
  expect(manifest).toMatchObject([{ kind: 'base', minTxid: 1, maxTxid: 2 * maxDeltas + 2 }])
  editDatabase(place.workingFile, [{ kind: 'update', every: 2 }])
  manifest = await publish(place, manifest)
  expect(manifest).toMatchObject([{ kind: 'base', maxTxid: 2 * maxDeltas + 3 }])
  const file = await materialise({ manifest, store: place.store, directory: path.join(place.folder, 'node') })
  expect(hashFile(file)).toBe(hashFile(place.workingFile))
})

it('wants a new base for deltas of half its size, and allows no more than its size, all together', () => {
  const part = (kind: VersionPart['kind'], size: number): VersionPart => ({
    kind,
    size,
    key: String(size),
    sha256: '',
    minTxid: 1,
    maxTxid: 1,
    checksum: '',
  })
  expect(allowsDelta([], 1)).toBe(false)
  expect(allowsDelta([part('base', 100)], 100)).toBe(true)
  expect(allowsDelta([part('base', 100), part('delta', 60)], 40)).toBe(true)
  expect(allowsDelta([part('base', 100), part('delta', 60)], 41)).toBe(false)
  expect(isBaseDue([part('base', 100), part('delta', 50)])).toBe(false)
  expect(isBaseDue([part('base', 100), part('delta', 50), part('delta', 1)])).toBe(true)
  for (const manifest of [[], [part('base', 100)]]) expect(isBaseDue(manifest)).toBe(false)
})

it("lets 16 publishers race: each has an object of its own, and the losers' are collected", async () => {
  const place = await makePlace()
  editDatabase(place.workingFile, [{ kind: 'insert', rows: 2000, seed: 1 }])
  const seen = await publish(place, [])
  const parts = await Promise.all(
    Array.from({ length: 16 }, async (_, seed) => {
      const workingFile = path.join(place.folder, `work-${seed}.db`)
      copyFileSync(place.workingFile, workingFile)
      editDatabase(workingFile, [{ kind: 'insert', rows: 3, seed }])
      const part = await publishVersion({ corpus: 7, manifest: seen, ...place, workingFile })
      return { part, hash: hashFile(workingFile) }
    }),
  )
  expect(new Set(parts.map(({ part }) => part.key)).size).toBe(16)
  expect(parts.every(({ part }) => part.maxTxid === 2)).toBe(true)
  const winner = parts[11]!
  const current = extendManifest(seen, winner.part)
  const collected = await collectVersions({ corpus: 7, store: place.store, current, former: [] })
  expect(collected).toHaveLength(15)
  const directory = path.join(place.folder, 'node')
  const file = await materialise({ manifest: current, store: place.store, directory })
  expect(hashFile(file)).toBe(winner.hash)
})

/** SQLite keeps the page at 1 GiB free for its locks; 3 GB of disk. */
it.runIf(process.env['YORE_SLOW'])('moves a file of more than 1 GiB', async () => {
  const place = await makePlace()
  editDatabase(place.workingFile, [{ kind: 'insert', rows: 10, seed: 1 }], 65_536)
  const db = new DatabaseSync(place.workingFile)
  db.exec('PRAGMA synchronous = OFF')
  const insert = db.prepare('INSERT INTO notes (text) VALUES (zeroblob(60000000))')
  for (let row = 0; row < 19; row++) insert.run()
  db.close()
  let manifest = await publish(place, [])
  editDatabase(place.workingFile, [{ kind: 'insert', rows: 300, seed: 2 }])
  manifest = await publish(place, manifest)
  expect(manifest).toHaveLength(2)
  const directory = path.join(place.folder, 'node')
  const file = await materialise({ manifest, store: place.store, directory })
  expect(statSync(file).size).toBeGreaterThan(2 ** 30)
  expect(hashFile(file)).toBe(hashFile(place.workingFile))
})

it('begins a new base when the size of the pages changes', async () => {
  const place = await makePlace()
  editDatabase(place.workingFile, [{ kind: 'insert', rows: 100, seed: 1 }])
  const first = await publish(place, [])
  const db = new DatabaseSync(place.workingFile)
  db.exec('PRAGMA journal_mode = DELETE; PRAGMA page_size = 4096; VACUUM')
  db.close()
  const second = await publish(place, first)
  expect(second).toMatchObject([{ kind: 'base', maxTxid: 2 }])
  const file = await materialise({
    manifest: second,
    store: place.store,
    directory: path.join(place.folder, 'node'),
  })
  expect(hashFile(file)).toBe(hashFile(place.workingFile))
})

it('takes what is still in the write-ahead log, and is not disturbed by a writer', async () => {
  const place = await makePlace()
  editDatabase(place.workingFile, [{ kind: 'insert', rows: 2000, seed: 1 }])
  // Another process: locks of this one would not keep it out.
  const script = `const { DatabaseSync } = require('node:sqlite')
    const db = new DatabaseSync(process.argv[1], { timeout: 5000 })
    db.exec('PRAGMA wal_autocheckpoint = 5; PRAGMA synchronous = OFF')
    const insert = db.prepare('INSERT INTO notes (text) VALUES (?)')
    for (let n = 0; n < 2000; n++) insert.run('x'.repeat(900))`
  const writer = spawn(process.execPath, ['-e', script, place.workingFile], { stdio: 'ignore' })
  const ended = new Promise((resolve) => writer.once('exit', resolve))
  let manifest: Manifest = []
  const directory = path.join(place.folder, 'node')
  while (writer.exitCode === null) {
    manifest = await publish(place, manifest)
    const file = await materialise({ manifest, store: place.store, directory })
    const db = new DatabaseSync(`file:${file}?immutable=1`, { readOnly: true })
    expect(db.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    db.close()
  }
  expect(await ended).toBe(0)
  manifest = await publish(place, manifest)
  const last = await materialise({ manifest, store: place.store, directory })
  expect(hashFile(last)).toBe(hashFile(place.workingFile))
})

describe('what was published', () => {
  async function publishTwo(): Promise<Place & { readonly manifest: Manifest }> {
    const place = await makePlace()
    editDatabase(place.workingFile, [{ kind: 'insert', rows: 500, seed: 1 }])
    const first = await publish(place, [])
    editDatabase(place.workingFile, [{ kind: 'insert', rows: 10, seed: 2 }])
    return { ...place, manifest: await publish(place, first) }
  }

  it('is refused with a byte changed or missing in the store, and nothing is left behind', async () => {
    const { folder, store, manifest } = await publishTwo()
    for (const [at, part] of manifest.entries()) {
      const bytes = Buffer.from(await store.get(part.key))
      const changed = Buffer.from(bytes)
      changed[200]! ^= 1
      for (const wrong of [changed, bytes.subarray(0, -1), Buffer.concat([bytes, bytes])]) {
        await store.put(part.key, wrong)
        const directory = path.join(folder, `node-${at}`)
        await expect(materialise({ manifest, store, directory })).rejects.toThrow()
        expect(readdirSync(directory)).toEqual([])
      }
      await store.put(part.key, bytes)
    }
  })

  it('is refused in another order, or without its base', async () => {
    const { folder, store, manifest } = await publishTwo()
    const directory = path.join(folder, 'node')
    const [base, delta] = manifest
    await expect(materialise({ manifest: [delta!], store, directory })).rejects.toThrow('begins with a base')
    const twice = [base!, delta!, delta!]
    await expect(materialise({ manifest: twice, store, directory })).rejects.toThrow('does not follow')
    const wrong = [base!, { ...delta!, checksum: base!.checksum }]
    await expect(materialise({ manifest: wrong, store, directory })).rejects.toThrow(
      'does not give the checksum',
    )
  })

  it('is fetched anew where the file on disk was damaged', async () => {
    const { folder, store, manifest, workingFile } = await publishTwo()
    const directory = path.join(folder, 'node')
    // Another process made it: this one has not verified it.
    const place = new URL('./materialise-version.ts', import.meta.url).href
    const stores = new URL('./directory-store.ts', import.meta.url).href
    const script = `const { materialise } = await import(${JSON.stringify(place)})
      const { openDirectoryStore } = await import(${JSON.stringify(stores)})
      const store = await openDirectoryStore({ directory: ${JSON.stringify(path.join(folder, 'objects'))} })
      console.log(await materialise({ manifest: ${JSON.stringify(manifest)}, store, directory: ${JSON.stringify(directory)} }))`
    const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
    const file = run.stdout.trim()
    expect(hashFile(file)).toBe(hashFile(workingFile))
    writeFileSync(file, Buffer.alloc(100), { flag: 'r+' })
    expect(hashFile(file)).not.toBe(hashFile(workingFile))
    expect(await materialise({ manifest, store, directory })).toBe(file)
    expect(hashFile(file)).toBe(hashFile(workingFile))
  })

  it('is put together once, however many ask at the same time', async () => {
    const { folder, store, manifest } = await publishTwo()
    let streams = 0
    const counting: ObjectStore = {
      ...store,
      stream: (key) => {
        streams++
        return store.stream(key)
      },
    }
    const directory = path.join(folder, 'node')
    const files = await Promise.all(
      Array.from({ length: 16 }, () => materialise({ manifest, store: counting, directory })),
    )
    expect(new Set(files).size).toBe(1)
    expect(streams).toBe(2)
    expect(readdirSync(directory)).toHaveLength(1)
    expect(statSync(files[0]!).size).toBeGreaterThan(0)
  })
})

describe('a version of yore-server 0.2.0', () => {
  const old: Manifest = [
    {
      kind: 'base',
      key: `corpora/7/${'0'.repeat(15)}1-${'0'.repeat(15)}5/${'a'.repeat(64)}.ltx`,
      sha256: 'a'.repeat(64),
      size: 1000,
      minTxid: 1,
      maxTxid: 5,
      checksum: '8000000000000005',
    },
  ]

  it('is not read as something else: the error says how the corpus is rebuilt', async () => {
    const { folder, store } = await makePlace()
    const directory = path.join(folder, 'node')
    await expect(materialise({ manifest: old, store, directory })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('upload a document'),
    })
  })

  it('is replaced by the next publication, and then collected', async () => {
    const place = await makePlace()
    await place.store.put(old[0]!.key, Buffer.from('LTX1'))
    editDatabase(place.workingFile, [{ kind: 'insert', rows: 50, seed: 1 }])
    const manifest = await publish(place, old)
    expect(manifest).toMatchObject([{ kind: 'base', minTxid: 1, maxTxid: 6 }])
    const directory = path.join(place.folder, 'node')
    const file = await materialise({ manifest, store: place.store, directory })
    expect(hashFile(file)).toBe(hashFile(place.workingFile))
    const state = { current: manifest, former: [] }
    expect(await collectVersions({ corpus: 7, store: place.store, ...state })).toEqual([old[0]!.key])
  })
})
