// Does one version win? Publishers that race, and one that was overtaken, on real PostgreSQL and a real store.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Job, PgBoss } from 'pg-boss'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createCorpus } from '../src/control/corpora.ts'
import { asTenant } from '../src/control/open-database.ts'
import { createOrganisation } from '../src/control/organisations.ts'
import { openQueues, type PublishTask } from '../src/control/queues.ts'
import { acceptIngestion } from '../src/ingest/accept-ingestion.ts'
import { blobKey } from '../src/ingest/blobs.ts'
import type { JobContext } from '../src/ingest/ingestions.ts'
import { KillableProcesses } from '../src/ingest/killable-process.ts'
import { parseUpload } from '../src/ingest/parse-upload.ts'
import { publishCorpus } from '../src/ingest/publish-corpus.ts'
import { openDirectoryStore } from '../src/versions/directory-store.ts'
import type { ObjectStore } from '../src/versions/store.ts'
import { createDatabase, type TestDatabase } from './databases.ts'

let database: TestDatabase
let boss: PgBoss
let store: ObjectStore
let folder: string
let organisation: string
const processes = new KillableProcesses()
beforeAll(async () => {
  database = await createDatabase()
  folder = mkdtempSync(path.join(tmpdir(), 'yore-publish-'))
  store = await openDirectoryStore({ directory: path.join(folder, 'store') })
  organisation = (await createOrganisation(database.owner, 'acme')).id
  boss = await openQueues({ connectionString: database.appUrl }, { works: false, onError: () => {} })
})
afterAll(async () => {
  processes.close()
  await boss.stop({ graceful: false })
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

const caller = (): { organisation: string; key: string; access: 'admin'; corpora: null } => ({
  organisation,
  key: '00000000-0000-4000-8000-000000000000',
  access: 'admin',
  corpora: null,
})

async function makeCorpus(name: string): Promise<number> {
  return (
    await asTenant(database.app, organisation, (transaction) => createCorpus(transaction, caller(), name))
  ).number
}

/** Uploads and reads a document; publishing is left to the test. */
async function addDocument(corpus: string, name: string, text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text)
  const blob = (await import('node:crypto')).hash('sha256', bytes)
  await store.put(blobKey(organisation, blob), bytes, { ifAbsent: true })
  const { ingestion } = await acceptIngestion(database.app, boss, caller(), {
    kind: 'file',
    corpus,
    path: name,
    blob,
    size: bytes.length,
    modifiedAt: new Date(0),
    idempotencyKey: null,
  })
  const context = {
    db: database.app,
    boss,
    store,
    processes,
    directory: folder,
    timeoutMs: 30_000,
    git: null,
  }
  await parseUpload({ organisation, ingestion: ingestion.id }, context)
  return ingestion.id
}

const jobFor = (corpus: number): Job<PublishTask> =>
  ({ id: '00000000-0000-4000-8000-000000000001', data: { organisation, corpus } }) as Job<PublishTask>

const contextOf = (worker: number): JobContext => ({
  db: database.app,
  boss,
  store,
  processes,
  directory: path.join(folder, `worker-${worker}`),
  timeoutMs: 60_000,
  git: null,
})

async function versionsOf(corpus: number): Promise<readonly number[]> {
  const rows = await asTenant(database.app, organisation, (transaction) =>
    transaction
      .selectFrom('versions')
      .select('number')
      .where('corpus', '=', corpus)
      .orderBy('number')
      .execute(),
  )
  return rows.map(({ number }) => number)
}

it('lets one of sixteen racing publishers win', async () => {
  const corpus = await makeCorpus('raced')
  const id = await addDocument('raced', 'a.md', '# A\n')
  const outcomes = await Promise.all(
    Array.from({ length: 16 }, (_, worker) => publishCorpus(jobFor(corpus), contextOf(worker))),
  )
  expect(outcomes.filter((outcome) => outcome === 'published')).toHaveLength(1)
  expect(await versionsOf(corpus)).toEqual([1])
  const { state, version } = await asTenant(database.app, organisation, (transaction) =>
    transaction.selectFrom('ingestions').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  )
  expect([state, version]).toEqual(['completed', 1])
})

it('refuses what a publisher writes that was frozen while others went on', async () => {
  const corpus = await makeCorpus('frozen')
  await addDocument('frozen', 'a.md', '# A\n')
  let thaw = (): void => {}
  const frozen = new Promise<void>((resolve) => {
    thaw = resolve
  })
  // Stops where it has claimed the corpus and built its version, and has not swapped the pointer.
  const slow: ObjectStore = {
    put: async (...given) => {
      await frozen
      return await store.put(...given)
    },
    get: (...given) => store.get(...given),
    stream: (key) => store.stream(key),
    head: (key) => store.head(key),
    delete: (key) => store.delete(key),
    list: (prefix) => store.list(prefix),
  }
  const late = publishCorpus(jobFor(corpus), { ...contextOf(50), store: slow })
  await new Promise((resolve) => setTimeout(resolve, 3000))
  await addDocument('frozen', 'b.md', '# B\n')
  expect(await publishCorpus(jobFor(corpus), contextOf(51))).toBe('published')
  thaw()
  expect(await late).toBe('overtaken')
  expect(await versionsOf(corpus)).toEqual([1])
  await addDocument('frozen', 'c.md', '# C\n')
  // The one that was overtaken goes on from what was published, whatever its own copy holds.
  expect(await publishCorpus(jobFor(corpus), contextOf(50))).toBe('published')
  expect(await versionsOf(corpus)).toEqual([1, 2])
})

it('publishes nothing new when nothing changed', async () => {
  const corpus = await makeCorpus('same')
  await addDocument('same', 'a.md', '# A\n')
  expect(await publishCorpus(jobFor(corpus), contextOf(60))).toBe('published')
  expect(await publishCorpus(jobFor(corpus), contextOf(60))).toBe('unchanged')
  expect(await versionsOf(corpus)).toEqual([1])
})

it('keeps of old versions what the generation before the current one needs', async () => {
  const corpus = await makeCorpus('collected')
  const word = (seed: number): string => ((seed * 2_654_435_761) >>> 0).toString(36)
  for (let round = 0; round < 12; round++) {
    // Big enough changes make new bases.
    const words = Array.from({ length: 2000 }, (_, at) => word(round * 10_000 + at)).join(' ')
    await addDocument('collected', `${round}.md`, `# ${round}\n\n${words}\n`)
    expect(await publishCorpus(jobFor(corpus), contextOf(70))).toBe('published')
  }
  const parts = await asTenant(database.app, organisation, (transaction) =>
    transaction
      .selectFrom('versions')
      .select(['kind', 'part'])
      .where('corpus', '=', corpus)
      .orderBy('number')
      .execute(),
  )
  const bases = parts.flatMap(({ kind }, index) => (kind === 'base' ? [index] : []))
  expect(bases.length).toBeGreaterThan(2)
  const keys: string[] = []
  for await (const key of store.list(`corpora/${corpus}/`)) keys.push(key)
  const needed = parts.slice(bases.at(-2)).map(({ part }) => (part as unknown as { key: string }).key)
  expect(keys).toEqual(needed.sort())
})

it('forgets the working copy and the objects of a corpus that is gone', async () => {
  const corpus = await makeCorpus('gone')
  await addDocument('gone', 'a.md', '# A\n')
  await publishCorpus(jobFor(corpus), contextOf(61))
  await asTenant(database.app, organisation, (transaction) =>
    transaction.deleteFrom('corpora').where('number', '=', corpus).execute(),
  )
  expect(await publishCorpus(jobFor(corpus), contextOf(61))).toBe('gone')
  for await (const key of store.list(`corpora/${corpus}/`)) expect(key).toBe('deleted')
})
