// Does one version win? Publishers that race, and one that was overtaken, on real PostgreSQL and a real store.
import { hash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { sql } from 'kysely'
import type { Job, PgBoss } from 'pg-boss'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCorpus } from '../src/control/corpora.ts'
import { asTenant } from '../src/control/open-database.ts'
import { createOrganisation } from '../src/control/organisations.ts'
import { pruneRows } from '../src/control/prune-rows.ts'
import {
  enqueuePublish,
  hasAnotherPublication,
  openQueues,
  type ParseTask,
  type PublishTask,
  publishOneAtATime,
  publishQueue,
} from '../src/control/queues.ts'
import { acceptIngestion } from '../src/ingest/accept-ingestion.ts'
import { blobKey } from '../src/ingest/blobs.ts'
import { type JobContext, retryIngestion } from '../src/ingest/ingestions.ts'
import { type IndexAnswer, type IndexTask, KillableProcesses } from '../src/ingest/killable-process.ts'
import { parseUpload } from '../src/ingest/parse-upload.ts'
import { publishCorpus } from '../src/ingest/publish-corpus.ts'
import { openDirectoryStore } from '../src/versions/directory-store.ts'
import { materialise } from '../src/versions/materialise-version.ts'
import { readManifest } from '../src/versions/read-manifest.ts'
import { type ObjectStore, StoreError } from '../src/versions/store.ts'
import type { Manifest } from '../src/versions/version.ts'
import { openCorpusFile } from '../src/yore.ts'
import { createDatabase, type TestDatabase } from './databases.ts'
import { makeTarGz } from './support/archives.ts'
import { hashFile } from './support/versions.ts'

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

/** Uploads a document; reading it is left to the test. */
async function acceptDocument(corpus: string, name: string, text: string): Promise<ParseTask> {
  return await acceptBytes(corpus, new TextEncoder().encode(text), { kind: 'file', path: name })
}

async function acceptBytes(
  corpus: string,
  bytes: Uint8Array,
  what: { readonly kind: 'file' | 'archive'; readonly path: string },
): Promise<ParseTask> {
  const blob = hash('sha256', bytes)
  await store.put(blobKey(organisation, blob), bytes, { ifAbsent: true })
  const ingestion = await acceptIngestion(database.app, boss, caller(), {
    ...what,
    corpus,
    blob,
    size: bytes.length,
    modifiedAt: new Date(0),
    idempotencyKey: null,
  })
  return { organisation, ingestion: ingestion.id }
}

/** Uploads and reads a document; publishing is left to the test. */
async function addDocument(corpus: string, name: string, text: string): Promise<string> {
  const task = await acceptDocument(corpus, name, text)
  await parseUpload(task, { ...contextOf(0), directory: folder })
  return task.ingestion
}

async function removeDocument(corpus: string, name: string): Promise<void> {
  const ingestion = await acceptIngestion(database.app, boss, caller(), {
    ...{ kind: 'delete', corpus, path: name, blob: null, size: 0 },
    modifiedAt: new Date(0),
    idempotencyKey: null,
  })
  await parseUpload({ organisation, ingestion: ingestion.id }, contextOf(0))
}

const jobFor = (corpus: number): Job<PublishTask> =>
  ({ id: '00000000-0000-4000-8000-000000000001', data: { organisation, corpus } }) as Job<PublishTask>

/** What publishers began beside their jobs. */
const besides: Promise<void>[] = []

const contextOf = (worker: number): JobContext => ({
  db: database.app,
  boss,
  store,
  processes,
  directory: path.join(folder, `worker-${worker}`),
  idleMs: 60_000,
  archives: { fileBytes: 2 << 20, totalBytes: 1 << 30, entries: 20_000 },
  background: (_, work) => void besides.push(work()),
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

describe('an upload', () => {
  const stateOf = async ({ ingestion }: ParseTask): Promise<unknown> =>
    await asTenant(database.app, organisation, (transaction) =>
      transaction
        .selectFrom('ingestions')
        .select(['state', 'error_code', 'attempts'])
        .where('id', '=', ingestion)
        .executeTakeFirstOrThrow(),
    )

  it('that makes no progress is given up after four attempts with a code of its own', async () => {
    await makeCorpus('silent')
    const task = await acceptDocument('silent', 'a.md', '# A\n')
    const hasty = { ...contextOf(0), idleMs: 1 }
    for (let attempt = 1; attempt <= 3; attempt++)
      await expect(parseUpload(task, hasty)).rejects.toMatchObject({ code: 'TIMED_OUT' })
    await parseUpload(task, hasty)
    expect(await stateOf(task)).toEqual({ state: 'failed', error_code: 'TIMED_OUT', attempts: 4 })
  })

  it('of many files goes on where a killed worker was', async () => {
    await makeCorpus('archive')
    const files = Array.from({ length: 4100 }, (_, number) => ({
      name: `${number}.md`,
      content: '# Page\n',
    }))
    const task = await acceptBytes('archive', makeTarGz(files), { kind: 'archive', path: 'strip=0' })
    const runs: IndexTask[] = []
    /** Reads as many batches; then nothing is heard again, as of a worker that was killed. */
    const readSome = (most: number): KillableProcesses =>
      ({
        run: async (...given: Parameters<KillableProcesses['run']>) => {
          runs.push(given[0])
          return runs.length > most ? await new Promise(() => {}) : await processes.run(...given)
        },
      }) as unknown as KillableProcesses
    void parseUpload(task, { ...contextOf(90), processes: readSome(1) })
    await expect.poll(() => runs.length, { timeout: 60_000 }).toBe(2)
    expect(runs.map(({ paths }) => paths?.length)).toEqual([2000, 2000])
    runs.length = 0
    await parseUpload(task, { ...contextOf(91), processes: readSome(9) })
    expect(runs.map(({ paths }) => paths?.length)).toEqual([2000, 100])
    expect(runs[0]?.paths?.[0]).toBe('2000.md')
    expect(await stateOf(task)).toMatchObject({ state: 'indexing', attempts: 2 })
    const { rows } = await asTenant(database.app, organisation, (transaction) =>
      sql<{ documents: number; checkpoints: number }>`
        select (select count(*) from documents where blob is not null
            and corpus = (select corpus from ingestions where id = ${task.ingestion}))::int as documents,
          (select count(*) from checkpoints)::int as checkpoints`.execute(transaction),
    )
    expect(rows).toEqual([{ documents: 4100, checkpoints: 0 }])
  })

  it('of many files is left by a worker that stops, and costs it no attempt of its four', async () => {
    await makeCorpus('leaving')
    const files = Array.from({ length: 2100 }, (_, number) => ({ name: `${number}.md`, content: '# Page\n' }))
    const task = await acceptBytes('leaving', makeTarGz(files), { kind: 'archive', path: 'strip=0' })
    const stopping = new AbortController()
    const runs: IndexTask[] = []
    const stopped = {
      run: async (...given: Parameters<KillableProcesses['run']>) => {
        runs.push(given[0])
        stopping.abort()
        return await processes.run(...given)
      },
    } as unknown as KillableProcesses
    const context = { ...contextOf(92), processes: stopped, stopping: stopping.signal }
    for (let attempt = 1; attempt <= 5; attempt++)
      await expect(parseUpload(task, context)).rejects.toMatchObject({ name: 'AbortError' })
    expect(runs).toHaveLength(1)
    await parseUpload(task, contextOf(93))
    expect(await stateOf(task)).toMatchObject({ state: 'indexing', attempts: 6 })
  })

  it('is given up after four crashes of its reader, and begins anew when asked', async () => {
    await makeCorpus('fatal')
    const task = await acceptDocument('fatal', 'a.md', '# A\n')
    const crashing = { run: async () => ({ kind: 'crashed', message: 'the process ended with SIGSEGV' }) }
    const broken = { ...contextOf(0), processes: crashing as unknown as KillableProcesses }
    for (let attempt = 1; attempt <= 3; attempt++)
      await expect(parseUpload(task, broken)).rejects.toMatchObject({ code: 'POISON' })
    await parseUpload(task, broken)
    expect(await stateOf(task)).toEqual({ state: 'failed', error_code: 'POISON', attempts: 4 })
    await retryIngestion(database.app, boss, caller(), task.ingestion)
    await parseUpload(task, contextOf(0))
    expect(await stateOf(task)).toMatchObject({ state: 'indexing', attempts: 5 })
  })

  it('is given up where its bytes are gone', async () => {
    await makeCorpus('bytes-gone')
    const task = await acceptDocument('bytes-gone', 'a.md', '# Gone\n')
    await store.delete(blobKey(organisation, hash('sha256', '# Gone\n')))
    for (let attempt = 1; attempt <= 3; attempt++)
      await expect(parseUpload(task, contextOf(0))).rejects.toMatchObject({ fault: 'missing' })
    await parseUpload(task, contextOf(0))
    expect(await stateOf(task)).toMatchObject({ state: 'failed', error_code: 'POISON' })
  })

  it('outlives many workers and a store that was away', async () => {
    await makeCorpus('unlucky')
    const task = await acceptDocument('unlucky', 'a.md', '# A\n')
    // As of a worker that was killed: nothing is heard of the attempt again.
    const silent: ObjectStore = { ...store, stream: () => new PassThrough() }
    for (let worker = 0; worker < 10; worker++) {
      void parseUpload(task, { ...contextOf(0), store: silent })
      await expect.poll(() => stateOf(task)).toMatchObject({ attempts: worker + 1 })
    }
    const gone = new StoreError('unavailable', 'away')
    const away: ObjectStore = { ...store, stream: () => new PassThrough().destroy(gone) }
    for (let attempt = 0; attempt < 60; attempt++)
      await expect(parseUpload(task, { ...contextOf(0), store: away })).rejects.toThrow('away')
    await parseUpload(task, contextOf(0))
    expect(await stateOf(task)).toMatchObject({ state: 'indexing', error_code: null })
  })
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
  expect((await versionsOf(corpus)).at(-1)).toBe(2)
})

it('goes on from the version where a worker knows nothing of the corpus, and answers as one that read everything', async () => {
  const corpus = await makeCorpus('handed-on')
  const files = {
    'a.md': '# A\n\nKites need wind.\n',
    'b.md': '# B\n\nSee [kites](a.md).\n',
    'c.md': '# C\n\nString.\n',
  }
  for (const [name, text] of Object.entries(files)) await addDocument('handed-on', name, text)
  expect(await publishCorpus(jobFor(corpus), contextOf(80))).toBe('published')
  await addDocument('handed-on', 'd.md', '# D\n\nPaper, as in [kites](a.md).\n')
  const answers: IndexAnswer[] = []
  const context = contextOf(81)
  const counting = {
    run: async (...given: Parameters<KillableProcesses['run']>) => {
      const answer = await processes.run(...given)
      answers.push(answer)
      return answer
    },
  } as unknown as KillableProcesses
  expect(await publishCorpus(jobFor(corpus), { ...context, processes: counting })).toBe('published')
  expect(answers).toMatchObject([{ kind: 'indexed', files: 4, changed: 1 }])
  // One that has nothing and cannot go on from it, as after an upgrade, reads all of it.
  await addDocument('handed-on', 'e.md', '# E\n\nGlue.\n')
  const deaf = {
    run: ({ start: _, ...task }: IndexTask, ...rest: [{ idleMs: number }]) =>
      processes.run({ ...task, start: null }, ...rest),
  }
  const { version, manifest } = await currentOf(corpus)
  expect(version).toBe(2)
  const digestOf = async (of: Manifest): Promise<string> => {
    const directory = mkdtempSync(path.join(folder, 'node-'))
    const file = await materialise({ manifest: of, store, directory })
    const engine = openCorpusFile(file, { sha256: hashFile(file), now: () => 0 })
    try {
      const { output } = await engine.assemble('What do kites need, and who says so?', { maxTokens: 2000 })
      return output
    } finally {
      engine.close()
    }
  }
  const handed = await digestOf(manifest)
  expect(
    await publishCorpus(jobFor(corpus), {
      ...contextOf(82),
      processes: deaf as unknown as KillableProcesses,
    }),
  ).toBe('published')
  await removeDocument('handed-on', 'e.md')
  expect(await publishCorpus(jobFor(corpus), contextOf(82))).toBe('published')
  expect(await digestOf((await currentOf(corpus)).manifest)).toBe(handed)
})

it('fetches the version and one original for one page, also where a worker read the page and knows nothing else', async () => {
  const corpus = await makeCorpus('cold')
  const pages = Array.from({ length: 137 }, (_, number) => ({
    name: `${number}.md`,
    content:
      `# Page ${number}\n\nKites of kind ${number} need wind. See [the next](${number + 1}.md).\n`.repeat(8),
  }))
  await parseUpload(await acceptBytes('cold', makeTarGz(pages), { kind: 'archive', path: 'strip=0' }), {
    ...contextOf(83),
  })
  expect(await publishCorpus(jobFor(corpus), contextOf(83))).toBe('published')
  const page = await acceptDocument('cold', 'new.md', '# New\n\nA page about string, as in [one](1.md).\n')
  await parseUpload(page, contextOf(84))
  expect(readdirSync(path.join(folder, 'worker-84'))).toEqual([])
  const keys: string[] = []
  const counting: ObjectStore = {
    ...store,
    stream: (key) => {
      keys.push(key)
      return store.stream(key)
    },
  }
  expect(await publishCorpus(jobFor(corpus), { ...contextOf(84), store: counting })).toBe('published')
  expect(keys.filter((key) => key.startsWith('blobs/'))).toHaveLength(1)
  expect(keys.length).toBeLessThanOrEqual(10)
  const { manifest } = await currentOf(corpus)
  expect(manifest.at(-1)).toMatchObject({ kind: 'delta' })
  // And a worker that was overtaken takes that version, and not its own copy.
  await addDocument('cold', 'newer.md', '# Newer\n')
  keys.length = 0
  expect(await publishCorpus(jobFor(corpus), { ...contextOf(83), store: counting })).toBe('published')
  expect(keys).toHaveLength(2)
})

it('publishes nothing new when nothing changed', async () => {
  const corpus = await makeCorpus('same')
  await addDocument('same', 'a.md', '# A\n')
  expect(await publishCorpus(jobFor(corpus), contextOf(60))).toBe('published')
  expect(await publishCorpus(jobFor(corpus), contextOf(60))).toBe('unchanged')
  expect(await versionsOf(corpus)).toEqual([1])
})

/** As `publishVersion` decides it: big enough changes make new bases. */
async function addMuch(corpus: string, round: number): Promise<void> {
  const word = (seed: number): string => ((seed * 2_654_435_761) >>> 0).toString(36)
  const words = Array.from({ length: 2000 }, (_, at) => word(round * 10_000 + at)).join(' ')
  await addDocument(corpus, `${round}.md`, `# ${round}\n\n${words}\n`)
}

const listKeys = async (corpus: number): Promise<string[]> => {
  const keys: string[] = []
  for await (const key of store.list(`corpora/${corpus}/`)) keys.push(key)
  return keys.sort()
}
const keysOf = (manifest: Manifest): string[] => manifest.map(({ key }) => key).sort()
interface CurrentVersion {
  readonly version: number
  readonly manifest: Manifest
}

const currentOf = (corpus: number): Promise<CurrentVersion> =>
  asTenant(database.app, organisation, async (transaction) => {
    const { version } = await transaction
      .selectFrom('corpora')
      .select('version')
      .where('number', '=', corpus)
      .executeTakeFirstOrThrow()
    return { version, manifest: await readManifest(transaction, corpus, version) }
  })

it('keeps of old versions neither rows nor objects, and who fetches one finds a part missing', async () => {
  const corpus = await makeCorpus('collected')
  let round = 0
  const publishMore = async (): Promise<CurrentVersion> => {
    await addMuch('collected', round++)
    expect(await publishCorpus(jobFor(corpus), contextOf(70))).toBe('published')
    await Promise.all(besides.splice(0))
    return await currentOf(corpus)
  }
  /** Until there is another base, whose publication or replacement collects what was before. */
  const publishBase = async (before: CurrentVersion): Promise<CurrentVersion> => {
    const next = await publishMore()
    return next.manifest[0]?.key === before.manifest[0]?.key ? await publishBase(before) : next
  }
  // So much that a document more is a small part of it.
  while (round < 4) await addMuch('collected', round++)
  const first = await publishBase(await publishMore())
  expect(first.manifest[0]).toMatchObject({ kind: 'base', of: expect.any(String) })
  expect(await listKeys(corpus)).toEqual(keysOf(first.manifest))
  expect(await versionsOf(corpus)).toHaveLength(first.manifest.length)

  const next = await publishBase(first)
  expect(await listKeys(corpus)).toEqual(keysOf(next.manifest))
  expect(await versionsOf(corpus)).toHaveLength(next.manifest.length)
  const directory = mkdtempSync(path.join(folder, 'node-'))
  const fetching = materialise({ manifest: first.manifest, store, directory })
  await expect(fetching).rejects.toMatchObject({ fault: 'missing' })
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

it('passes over a corpus that is at work, and takes it in the moment it is not', async () => {
  const send = (corpus: number): Promise<void> =>
    asTenant(database.app, organisation, (transaction) =>
      enqueuePublish(boss, transaction, { organisation, corpus }),
    )
  const take = async (): Promise<Job<PublishTask> | undefined> =>
    (await boss.fetch<PublishTask>(publishQueue, publishOneAtATime))[0]
  await boss.deleteQueuedJobs(publishQueue)
  await send(1)
  const first = await take()
  expect(first?.data.corpus).toBe(1)
  // Enqueued twice while the first is at work: one waits.
  for (const corpus of [1, 1, 2]) await send(corpus)
  expect((await take())?.data.corpus).toBe(2)
  expect(await take()).toBeUndefined()
  await boss.getQueueStats(publishQueue, { force: true })
  await boss.complete(publishQueue, first?.id ?? '')
  expect((await take())?.data.corpus).toBe(1)
  expect(await take()).toBeUndefined()
})

it('forgets a removed document with its upload, and a working copy that did not see it go', async () => {
  const corpus = await makeCorpus('pruned')
  for (const name of ['a.md', 'b.md']) await addDocument('pruned', name, `# Page ${name}\n`)
  // Two workers have both documents; the first publishes that one is removed.
  for (const worker of [71, 72]) {
    await publishCorpus(jobFor(corpus), contextOf(worker))
    await addDocument('pruned', `${worker}.md`, '# Another\n')
  }
  await removeDocument('pruned', 'b.md')
  await publishCorpus(jobFor(corpus), contextOf(71))
  const countRows = async (): Promise<number> =>
    (
      await asTenant(database.app, organisation, (transaction) =>
        transaction.selectFrom('documents').select('path').where('corpus', '=', corpus).execute(),
      )
    ).length
  const days = { ingestionDays: 30, auditDays: 365 }
  await pruneRows(database.app, days)
  expect(await countRows()).toBe(4)
  await sql`update ingestions set updated_at = now() - interval '31 days' where corpus = ${corpus}`.execute(
    database.owner,
  )
  await pruneRows(database.app, days)
  expect(await countRows()).toBe(3)
  await addDocument('pruned', 'c.md', '# Page c\n')
  expect(await publishCorpus(jobFor(corpus), contextOf(72))).toBe('published')
  const { manifest } = await currentOf(corpus)
  const file = await materialise({ manifest, store, directory: mkdtempSync(path.join(folder, 'node-')) })
  const engine = openCorpusFile(file, { sha256: hashFile(file), now: () => 0 })
  const held = (await engine.artifactIds()).filter((id) => !id.includes('#'))
  engine.close()
  expect(held.sort()).toEqual(['71.md', '72.md', 'a.md', 'c.md'])
})

it('waits with a version for the other uploads of its corpus, and not longer than for the last of them', async () => {
  const corpus = await makeCorpus('gathered')
  const startsIn = async (): Promise<readonly number[]> => {
    const { rows } = await sql<{ seconds: number }>`
      select round(extract(epoch from start_after - now()))::int as seconds from pgboss.job
      where name = ${publishQueue} and singleton_key = ${String(corpus)} and state = 'created'`.execute(
      database.owner,
    )
    return rows.map(({ seconds }) => Math.max(0, seconds))
  }
  const context = { ...contextOf(0), directory: folder }
  await addDocument('gathered', 'alone.md', '# Alone\n')
  expect(await startsIn()).toEqual([0])
  await boss.deleteQueuedJobs(publishQueue)
  const uploads: ParseTask[] = []
  for (const name of ['a.md', 'b.md', 'c.md'])
    uploads.push(await acceptDocument('gathered', name, `# ${name}\n`))
  for (const [read, task] of uploads.entries()) {
    await parseUpload(task, context)
    const starts = await startsIn()
    expect(starts).toHaveLength(1)
    if (read < 2) expect(starts[0]).toBeGreaterThan(0)
    else expect(starts).toEqual([0])
  }
})

it('leaves one job of a corpus to be tried again, however many uploads come while publishing fails', async () => {
  await boss.deleteQueuedJobs(publishQueue)
  const data = { organisation, corpus: 3 }
  const send = (): Promise<void> =>
    asTenant(database.app, organisation, (transaction) => enqueuePublish(boss, transaction, data))
  /** As a worker does whose store is away. */
  const failNext = async (): Promise<void> => {
    const [job] = await boss.fetch<PublishTask>(publishQueue, publishOneAtATime)
    if (job === undefined) throw new Error('there is no job')
    if (await hasAnotherPublication(database.app, job)) await boss.complete(publishQueue, job.id)
    else await boss.fail(publishQueue, job.id)
  }
  for (let upload = 0; upload < 5; upload++) {
    await send()
    await failNext()
  }
  const { rows } = await sql<{ state: string }>`
    select state from pgboss.job where name = ${publishQueue} and singleton_key = '3' and state < 'completed'
  `.execute(database.owner)
  expect(rows).toEqual([{ state: 'retry' }])
})

it('keeps no path in a job: a sweep names its organisation, and a publication its corpus', async () => {
  const corpus = await makeCorpus('pathless')
  await addDocument('pathless', 'secret-name.md', '# A\n')
  await publishCorpus(jobFor(corpus), contextOf(0))
  const { rows } = await sql<{ name: string; data: object }>`
    select name, data from pgboss.job where name in ('sweep', 'publish', 'parse')`.execute(database.owner)
  const named = new Map(rows.map(({ name, data }) => [name, Object.keys(data).sort().join(' ')]))
  expect(named.get('sweep')).toBe('organisation')
  expect(named.get('publish') ?? 'corpus organisation').toBe('corpus organisation')
  expect(JSON.stringify(rows)).not.toContain('secret-name')
})

it('publishes one upload of an organisation before those of another with many', async () => {
  await boss.deleteQueuedJobs(publishQueue)
  const { id: quiet } = await createOrganisation(database.owner, 'quiet')
  await makeCorpus('many')
  for (let upload = 0; upload < 20; upload++) await acceptDocument('many', `${upload}.md`, `# ${upload}\n`)
  const send = (of: string, corpus: number): Promise<void> =>
    asTenant(database.app, of, (transaction) =>
      enqueuePublish(boss, transaction, { organisation: of, corpus }),
    )
  for (const corpus of [11, 12, 13]) await send(organisation, corpus)
  await send(quiet, 14)
  const [first] = await boss.fetch<PublishTask>(publishQueue, publishOneAtATime)
  expect(first?.data.corpus).toBe(14)
})
