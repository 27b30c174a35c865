// Does a node stay the same size? Many corpora on one worker, uploads, archives and questions for as long as asked, and a release among them. (YORE_SLOW only.)
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { randomFrom } from '../../test/edit-sequences.ts'
import { createKey } from '../src/control/keys.ts'
import { setLimits } from '../src/control/limits.ts'
import { createOrganisation } from '../src/control/organisations.ts'
import { schemaVersion } from '../src/yore.ts'
import { createDatabase } from './databases.ts'
import { freePort, measureProcess, megabytesIn, NodeProcess } from './processes.ts'
import { type Answer, Client, keySecret } from './service.ts'
import { makeTarGz } from './support/archives.ts'
import { makeNextBuild, migrateWith } from './support/next-build.ts'

const corpora = Number(process.env['YORE_CORPORA'] ?? 1000)
const minutes = Number(process.env['YORE_SOAK_MINUTES'] ?? 10)
const workMegabytes = Number(process.env['YORE_WORK_MEGABYTES'] ?? 200)
/** Uploads per minute, and five times as many questions and first uploads; as fast as possible if not given. */
const pace = Number(process.env['YORE_PACE'] ?? Number.POSITIVE_INFINITY)

/** After half of the time both nodes are replaced by those of a release with another format of the index. */
const hasRelease = process.env['YORE_RELEASE'] !== undefined

/** The only API node is away for a moment, and refuses questions until their corpus is rebuilt. */
class PatientClient extends Client {
  refused = 0

  override async call(...given: Parameters<Client['call']>): Promise<Answer> {
    for (const until = Date.now() + 300_000; ; await sleep(500)) {
      const answer = await super.call(...given).catch(() => null)
      if (answer !== null && (answer.status !== 503 || answer.headers.get('retry-after') === null))
        return answer
      if (Date.now() > until) throw new Error('refused for five minutes')
      this.refused++
    }
  }
}

/** Resolves at most this often per minute. */
function takePace(perMinute: number): () => Promise<void> {
  let next = performance.now()
  return async () => {
    next = Math.max(next, performance.now()) + 60_000 / perMinute
    await sleep(Math.max(0, next - performance.now()))
  }
}

it.skipIf(process.env['YORE_SLOW'] === undefined)(
  `keeps memory, disk and rows flat with ${corpora} corpora for ${minutes} minutes`,
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'yore-soak-'))
    const database = await createDatabase()
    const organisation = (await createOrganisation(database.owner, 'acme')).id
    await setLimits(database.owner, organisation, {
      requests_per_minute: 1_000_000,
      quota_corpora: 2 * corpora,
    })
    const wanted = { name: 'all', access: 'admin', corpora: null, expiresAt: null } as const
    const key = (await createKey(database.owner, organisation, wanted, keySecret)).text
    const envOf = (name: string): Record<string, string> => ({
      YORE_DATABASE_URL: database.appUrl,
      YORE_STORE: `dir:${path.join(folder, 'store')}`,
      YORE_DATA: path.join(folder, name),
    })
    const bound = String(workMegabytes)
    const port = String(await freePort())
    const api = new NodeProcess(['--role', 'api', '--port', port, '--version-megabytes', bound], envOf('api'))
    const worker = new NodeProcess(['--role', 'worker', '--work-megabytes', bound], envOf('worker'))
    onTestFinished(async () => {
      for (const node of [api, worker]) await node.end('SIGKILL')
      await database.close()
      rmSync(folder, { recursive: true, force: true })
    })
    const client = new (hasRelease ? PatientClient : Client)(`http://127.0.0.1:${port}`, key)
    await api.start()
    await worker.start()
    const random = randomFrom(7)
    let uploads = 0
    let questions = 0
    const [uploadSlot, questionSlot] = [takePace(pace), takePace(5 * pace)]
    const upload = async (corpus: number): Promise<void> => {
      const count = uploads++
      const write = (name: string): string =>
        `# ${name} ${count} of ${corpus}\n\n${'The harbour opens at dawn. '.repeat(40)}\n`
      const names = ['page.md', 'guide/tides.md', 'guide/pilots.md']
      const packed = new FormData()
      const archive = makeTarGz(names.map((name) => ({ name, content: write(name) })))
      packed.append('file', new Blob([new Uint8Array(archive)]), 'pages.tgz')
      const { status, body } =
        count % 10 === 9
          ? await client.call('POST', `/v1/ingest/archive?corpus=corpus-${corpus}`, packed)
          : await client.upload('page.md', write('page.md'), { corpus: `corpus-${corpus}` })
      expect(status).toBe(202)
      expect(await client.wait(body.id, 600_000)).toMatchObject({ state: 'completed' })
    }
    const sample = async (): Promise<Record<string, number>> => {
      const { rows } = await sql<Record<'ingestions' | 'rebuilt' | 'rows' | 'jobs' | 'megabytes', number>>`
        select (select count(*)::int from ingestions) as ingestions,
          (select count(*)::int from formats where format > ${schemaVersion}) as rebuilt,
          (select count(*)::int from documents) + (select count(*)::int from versions)
            + (select count(*)::int from leases) + (select count(*)::int from blobs) as rows,
          (select count(*)::int from pgboss.job where state < 'completed') as jobs,
          pg_database_size(current_database()) / 1e6 as megabytes`.execute(database.owner)
      const [asking, working] = [measureProcess(api.pid), measureProcess(worker.pid)]
      const figures = {
        minute: performance.now() / 60_000,
        ...{ uploads, questions },
        ...{ apiMemory: asking.memory, apiSeconds: asking.seconds },
        ...{ workerMemory: working.memory, workerSeconds: working.seconds },
        indexMemory: working.memory - working.own,
        apiDisk: megabytesIn(path.join(folder, 'api')),
        workerDisk: megabytesIn(path.join(folder, 'worker')),
        store: megabytesIn(path.join(folder, 'store')),
        ...{ ingestions: rows[0]?.ingestions ?? 0, rows: rows[0]?.rows ?? 0 },
        ...{ jobs: rows[0]?.jobs ?? 0, database: rows[0]?.megabytes ?? 0 },
        ...(client instanceof PatientClient
          ? { refused: client.refused, rebuilt: rows[0]?.rebuilt ?? 0 }
          : {}),
      }
      const rounded = Object.entries(figures).map(([name, value]) => [
        name,
        Math.round(Number(value) * 10) / 10,
      ])
      console.log(JSON.stringify(Object.fromEntries(rounded)))
      return figures
    }
    await sample()
    let next = 0
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let corpus = next++; corpus < corpora; corpus = next++) {
          await questionSlot()
          const { status } = await client.call('POST', '/v1/corpora', { name: `corpus-${corpus}` })
          expect(status).toBe(201)
          await upload(corpus)
          if (corpus % Math.ceil(corpora / 10) === 0) await sample()
        }
      }),
    )
    const samples = [await sample()]
    const end = performance.now() + minutes * 60_000
    const release = async (): Promise<void> => {
      const next = makeNextBuild(folder)
      migrateWith(next, database.ownerUrl)
      for (const node of [worker, api]) {
        node.become(next)
        await node.end('SIGTERM')
        await node.start()
      }
    }
    let isDue = hasRelease
    while (performance.now() < end) {
      const releasing = isDue && performance.now() > end - minutes * 30_000 ? release() : null
      isDue &&= releasing === null
      const pause = performance.now() + Math.min(60_000, (minutes * 60_000) / 8)
      await Promise.all([
        releasing,
        ...Array.from({ length: 2 }, async () => {
          while (performance.now() < pause) {
            await uploadSlot()
            await upload(Math.floor(random() * corpora))
          }
        }),
        (async () => {
          while (performance.now() < pause) {
            await questionSlot()
            const corpus = Math.floor(random() * corpora)
            const route = `/v1/corpora/corpus-${corpus}/search`
            const { status, body } = await client.call('POST', route, { query: 'harbour' })
            expect(status, JSON.stringify(body)).toBe(200)
            expect(body.hits?.[0]?.path).toMatch(/page|tides|pilots/)
            expect(JSON.stringify(body.hits[0])).toContain(` of ${corpus}"`)
            questions++
          }
        })(),
      ])
      samples.push(await sample())
    }
    const later = samples.slice(samples.length >> 1)
    const most = (name: string, of: typeof samples): number => Math.max(...of.map((one) => one[name] ?? 0))
    const earlier = samples.slice(0, samples.length >> 1)
    // In the first minutes of questions a node warms up.
    for (const name of minutes < 10 ? [] : ['apiMemory', 'workerMemory'])
      expect(most(name, later), name).toBeLessThan(1.25 * most(name, earlier) + 20)
    // Copies and versions are kept up to the limit; a node needs a little more for itself.
    for (const name of ['apiDisk', 'workerDisk'])
      expect(most(name, samples), name).toBeLessThan(1.1 * workMegabytes + 20)
    if (hasRelease) {
      const rebuilt = async (): Promise<number> => (await sample())['rebuilt'] ?? 0
      await expect.poll(rebuilt, { timeout: 600_000, interval: 5000 }).toBe(corpora)
      // A hundred are rebuilt at once.
    } else expect(most('jobs', later)).toBeLessThan(50)
  },
  (minutes + 60) * 60_000,
)
