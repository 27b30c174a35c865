// What does one page cost on a worker with a copy of its corpus, and on one without? Printed for a folder of documents:
// YORE_MEASURE=/folder/of/documents npx vitest run test/publication-cost.test.ts
import { hash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import type { Job } from 'pg-boss'
import { expect, it } from 'vitest'
import { createCorpus } from '../src/control/corpora.ts'
import type { Caller } from '../src/control/keys.ts'
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
import { createDatabase } from './databases.ts'
import { megabytesIn } from './processes.ts'
import { makeTarGz } from './support/archives.ts'

const measured = process.env['YORE_MEASURE'] ?? ''
/** Processor seconds of this process and its children; those of children that ended are lost. */
function readSeconds(): number {
  const { user, system } = process.cpuUsage()
  const children = readdirSync('/proc/self/task').flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  )
  const ticks = children.map((pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return Number(fields[11]) + Number(fields[12])
  })
  return (user + system) / 1e6 + ticks.reduce((sum, each) => sum + each, 0) / 100
}

it.runIf(measured !== '')(
  'prints what a page costs',
  async () => {
    const database = await createDatabase()
    const folder = mkdtempSync(path.join(process.env['YORE_SCRATCH'] ?? tmpdir(), 'yore-cost-'))
    const organisation = (await createOrganisation(database.owner, 'acme')).id
    const boss = await openQueues({ connectionString: database.appUrl }, { works: false, onError: () => {} })
    const directory = await openDirectoryStore({ directory: path.join(folder, 'store') })
    let [gets, put] = [0, 0]
    const store: ObjectStore = {
      ...directory,
      stream: (key) => {
        gets++
        return directory.stream(key)
      },
      put: async (...given) => {
        const outcome = await directory.put(...given)
        if (given[0].startsWith('corpora/')) put += (await directory.head(given[0]))?.size ?? 0
        return outcome
      },
    }
    const processes = new KillableProcesses(1)
    const contextOf = (worker: number): JobContext => ({
      ...{ db: database.app, boss, store, processes, idleMs: 3_600_000, git: null },
      directory: path.join(folder, `worker-${worker}`),
      archives: { fileBytes: 2 << 20, totalBytes: 1 << 30, entries: 20_000 },
      background: () => {},
    })
    const caller: Caller = {
      ...{ organisation, key: '00000000-0000-4000-8000-000000000000' },
      ...({ access: 'admin', corpora: null } as const),
    }
    const { number: corpus } = await asTenant(database.app, organisation, (transaction) =>
      createCorpus(transaction, caller, 'docs'),
    )
    const job = { id: caller.key, data: { organisation, corpus } } as Job<PublishTask>
    const upload = async (bytes: Uint8Array, kind: 'file' | 'archive', name: string): Promise<void> => {
      const blob = hash('sha256', bytes)
      await store.put(blobKey(organisation, blob), bytes)
      const { id } = await acceptIngestion(database.app, boss, caller, {
        ...{ corpus: 'docs', kind, path: name, blob, size: bytes.length },
        ...{ modifiedAt: new Date(1e12), idempotencyKey: null },
      })
      await parseUpload(
        { organisation, ingestion: id },
        { ...contextOf(0), directory: path.join(folder, 'parse') },
      )
      const { rows } = await sql`select state, error from ingestions where id = ${id}`.execute(database.owner)
      expect(rows).toEqual([{ state: 'indexing', error: null }])
    }
    const measureUpload = async (...given: Parameters<typeof upload>): Promise<void> => {
      const before = readSeconds()
      await upload(...given)
      console.log(`reading it: ${(readSeconds() - before).toFixed(2)} s of CPU`)
    }
    const publish = async (worker: number, what: string): Promise<void> => {
      ;[gets, put] = [0, 0]
      const before = readSeconds()
      expect(await publishCorpus(job, contextOf(worker))).toBe('published')
      const seconds = (readSeconds() - before).toFixed(2)
      const copy = megabytesIn(path.join(folder, `worker-${worker}`)).toFixed(1)
      console.log(`${what}: ${seconds} s of CPU, ${gets} GET, ${put} bytes of versions, copy of ${copy} MB`)
    }
    try {
      const names = readdirSync(measured, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(measured, path.join(entry.parentPath, entry.name)))
      const files = names.map((name) => ({ name, content: readFileSync(path.join(measured, name), 'utf8') }))
      await upload(makeTarGz(files), 'archive', 'strip=0')
      await publish(1, `${names.length} files, the first version`)
      for (const [round, worker] of [1, 1, 2, 2, 1].entries()) {
        const text = `# Page ${round}\n\nA new page about harbours and the weather of week ${round}.\n`
        await measureUpload(new TextEncoder().encode(text), 'file', `new-${round}.md`)
        await publish(
          worker,
          `a page, worker ${worker} (${['warm', 'warm', 'cold', 'warm', 'overtaken'][round]})`,
        )
      }
      const { rows } = await sql`
        select name, max(octet_length(data::text)) as bytes from pgboss.job group by name`.execute(
        database.owner,
      )
      console.log(`largest data of a job: ${JSON.stringify(rows)}`)
    } finally {
      processes.close()
      await boss.stop({ graceful: false })
      await database.close()
      rmSync(folder, { recursive: true, force: true })
    }
  },
  3_600_000,
)
