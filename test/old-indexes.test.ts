// What becomes of an index that an earlier yore wrote? One file of every schema version is kept; `YORE_UPDATE=1` adds today's.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { schemaVersion } from '../src/corpus/store/schema.ts'
import { openCorpusFile } from '../src/offer/engine/open-engine.ts'
import { type Files, indexFolder, makeFolder, openCorpus, writeFiles } from './temporary-corpus.ts'

const kept = path.join(import.meta.dirname, 'fixtures', 'old-indexes')
const fileOf = (version: number): string => path.join(kept, `schema-${version}.db.br`)

/** What every kept index holds. */
const files: Files = {
  'README.md': '# Orders\n\nThe service that takes orders. See [deploying](docs/deploy.md) and ADR-001.\n',
  'docs/deploy.md':
    '---\nstatus: accepted\n---\n# Deploying\n\n## To staging\n\nRun `make deploy` and watch the canary for ten minutes.\n\n## Rolling back\n\nRun `make rollback`; `src/retry.py` retries three times.\n',
  'docs/adr/ADR-001-retries.md':
    '# ADR-001: Retries\n\n## Decision\n\nA failed call is retried three times with backoff.\n',
  'src/retry.py':
    'import time\n\n\ndef retry(call, times=3):\n    """Calls again with backoff, as docs/adr/ADR-001-retries.md says."""\n    for attempt in range(times):\n        try:\n            return call()\n        except OSError:\n            time.sleep(2**attempt)\n',
}
const question = 'how do I roll back'
const answer = 'docs/deploy.md#deploying.rolling-back'

/** A folder with those files and an index of today's yore, and where that index is. */
async function indexedFolder(): Promise<{ root: string; index: string }> {
  const root = makeFolder()
  writeFiles(root, files)
  await indexFolder(root, { 'embedding.provider': 'none' })
  const index = path.join(root, '.yore', 'index.db')
  const db = new DatabaseSync(index)
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
  return { root, index }
}

if (process.env['YORE_UPDATE'] === '1' && !existsSync(fileOf(schemaVersion)))
  it(`keeps an index of schema ${schemaVersion}`, async () => {
    const { index } = await indexedFolder()
    mkdirSync(kept, { recursive: true })
    writeFileSync(fileOf(schemaVersion), brotliCompressSync(readFileSync(index)))
  })

const versions = readdirSync(kept)
  .map((name) => Number(/^schema-(\d+)\.db\.br$/.exec(name)?.[1]))
  .sort((a, b) => a - b)

it("has one of today's schema, for the day when it is old", () => {
  expect(versions, 'YORE_UPDATE=1 npx vitest run test/old-indexes.test.ts writes it').toContain(schemaVersion)
})

describe.each(versions)('an index of schema %i', (version) => {
  const bytes = brotliDecompressSync(readFileSync(fileOf(version)))

  it('is small, and what its name says', () => {
    expect(bytes.length).toBeLessThan(256 * 1024)
    expect(bytes.readUInt32BE(60), 'user_version in the header of SQLite').toBe(version)
  })

  it.runIf(version < schemaVersion)(
    'is refused in the place of our own, with a hint that mends it',
    async () => {
      const { root, index } = await indexedFolder()
      // In place, so that the marks of our own index still hold, as they do after an upgrade.
      writeFileSync(index, bytes)
      const engine = openCorpus(root, { 'embedding.provider': 'none' })
      onTestFinished(() => engine.close())
      const refusal = {
        code: 'INDEX_OUTDATED',
        message: expect.stringContaining(`schema ${version}, now ${schemaVersion}`),
        hint: 'run `yore index` to bring it up to date',
      }
      await expect(engine.assemble(question)).rejects.toMatchObject(refusal)
      await expect(engine.search(question)).rejects.toMatchObject(refusal)
      expect(await engine.index()).toMatchObject({ rebuilt: true, indexed: 4 })
      const { hits } = await engine.search(question)
      expect(hits[0]?.artifact).toBe(answer)
    },
  )

  it('is refused or read as a file alone', async () => {
    const folder = makeFolder()
    const file = path.join(folder, 'kept.db')
    writeFileSync(file, bytes)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const engine = openCorpusFile(file, { sha256, settings: { 'embedding.provider': 'none' } })
    onTestFinished(() => {
      engine.close()
    })
    const asked = engine.search(question)
    if (version < schemaVersion) await expect(asked).rejects.toMatchObject({ code: 'INDEX_OUTDATED' })
    else expect((await asked).hits[0]?.artifact).toBe(answer)
  })
})
