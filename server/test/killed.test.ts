// Is everything acknowledged still there when API, workers, PostgreSQL and the store are killed at random, and disks fill? (T9, short; YORE_SLOW for the long form.)
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { randomFrom } from '../../test/edit-sequences.ts'
import { createKey } from '../src/control/keys.ts'
import { setLimits } from '../src/control/limits.ts'
import { createOrganisation } from '../src/control/organisations.ts'
import { openStore } from '../src/versions/open-store.ts'
import { createDatabase } from './databases.ts'
import { canMount, freePort, measureProcess, megabytesIn, NodeProcess, ownDisk } from './processes.ts'
import { type Answer, Client, keySecret } from './service.ts'
import { startScript } from './start-servers.ts'
import { makeTarGz } from './support/archives.ts'
import { makeNextBuild, migrateWith } from './support/next-build.ts'
import { createBucket, keys } from './support/versions.ts'

const slow = process.env['YORE_SLOW'] !== undefined
const leastUploads = slow ? Number(process.env['YORE_UPLOADS'] ?? 10_000) : 40
/** A folder cannot be killed: the long form has a store that can. Its gateway is; what it holds is in the memory of another. */
const onS3 = slow && process.env['YORE_TEST_S3'] !== undefined
/** Each victim in its turn; uploads go on meanwhile. */
const leastKills = 8
const poisoned = slow ? 20 : 3
const corpora = Array.from(
  { length: Number(process.env['YORE_CORPORA'] ?? (slow ? 64 : 3)) },
  (_, at) => `corpus-${at}`,
)
const corpusOf = (number: number): string => corpora[number % corpora.length] as string
/** Many uploads are on their way whenever something is killed. */
const senders = slow ? 32 : 4
/** Between two kills, in the mean. */
const pauseMs = Number(process.env['YORE_KILLS_MS'] ?? (slow ? 4000 : 1000))
/** Others are killed while one is starting again: more kills, of which none waits for the one before. */
const overlapping = process.env['YORE_KILLS_MS'] !== undefined
/** Then each worker is killed this often for every kill of the API, PostgreSQL and the store: those need seconds to start. */
const workerShare = overlapping ? 6 : 1
/** Then the next kill waits until this many uploads were completed since the one before: nodes need time to start. */
const leastProgress = Number(process.env['YORE_PROGRESS'] ?? 16)
/** Sending and killing end after this, however many uploads were sent and completed. */
const minutes = Number(process.env['YORE_MINUTES'] ?? 45)
const workerCount = Number(process.env['YORE_WORKERS'] ?? 2)
/** The long form fills the workers' disks twice: each has one of its own. */
const diskMegabytes = slow && canMount ? 128 : null
const fillings = diskMegabytes === null ? 0 : 2
const fullMs = 15_000
/** The long form replaces every node by one of the next release when half of the uploads are sent. */
const hasRelease = slow && process.env['YORE_RELEASE'] !== undefined

interface KillableStore {
  readonly env: Readonly<Record<string, string>>
  /** Null for a folder. */
  kill: (() => Promise<void>) | null
  end(): void
}

async function startStore(folder: string): Promise<KillableStore> {
  if (!onS3) return { env: { YORE_STORE: `dir:${path.join(folder, 'store')}` }, kill: null, end: () => {} }
  const { first: endpoint, folder: data, pids } = await startScript('start-s3.sh')
  const [, ...others] = pids
  let gateway = pids[0] as number
  await createBucket({ endpoint, bucket: 'killed' })
  return {
    env: { YORE_STORE: `s3:${endpoint}/killed`, ...keys },
    kill: async () => {
      process.kill(gateway, 'SIGKILL')
      gateway = (await startScript('start-s3.sh', { DATA: data })).pids[0] as number
    },
    end: () => {
      for (const pid of [gateway, ...others]) process.kill(pid, 'SIGTERM')
      rmSync(data, { recursive: true, force: true })
    },
  }
}

/** As a client does that wants its upload taken: again, with the same key, until it is acknowledged. */
async function insist(call: () => Promise<Answer>, until: number): Promise<Answer> {
  for (;;) {
    try {
      const answer = await call()
      if (answer.status < 500) return answer
    } catch {
      // The node is away.
    }
    if (Date.now() > until) throw new Error('never acknowledged')
    await sleep(200)
  }
}

it(
  'loses nothing that was acknowledged, and takes nothing twice',
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'yore-killed-'))
    const first = await startScript('start-postgres.sh')
    const postgresPort = Number(first.first)
    let postgresPid = first.pids[0] as number
    const database = await createDatabase(postgresPort)
    const organisation = (await createOrganisation(database.owner, 'acme')).id
    await setLimits(database.owner, organisation, { requests_per_minute: 1_000_000 })
    const wanted = { name: 'all', access: 'admin', corpora: null, expiresAt: null } as const
    const key = (await createKey(database.owner, organisation, wanted, keySecret)).text
    const killable = await startStore(folder)
    const env = {
      YORE_DATABASE_URL: database.appUrl,
      YORE_DATA: path.join(folder, 'data'),
      ...killable.env,
    }
    const port = await freePort()
    const api = new NodeProcess(['--role', 'api', '--port', String(port)], env)
    const workers = Array.from({ length: workerCount }, (_, at) => {
      if (diskMegabytes === null) return new NodeProcess(['--role', 'worker'], env)
      const data = path.join(folder, `worker-${at}`)
      mkdirSync(data)
      const args = ['--role', 'worker', '--work-megabytes', String(diskMegabytes >> 1)]
      return new NodeProcess(args, { ...env, YORE_DATA: data }, ownDisk(data, diskMegabytes))
    })
    /** Until there is space again; a worker that is killed meanwhile starts with an empty disk, which is filled too. */
    const fillDisks = async (): Promise<void> => {
      const ballast = new Set<string>()
      for (const end = Date.now() + fullMs; Date.now() < end; await sleep(300))
        for (const [at, { pid }] of workers.entries()) {
          const file = `/proc/${pid}/root${path.join(folder, `worker-${at}`)}/ballast`
          if (ballast.has(file)) continue
          try {
            // More than fits, also on an empty disk.
            writeFileSync(file, new Uint8Array(((diskMegabytes ?? 0) + 1) << 20))
          } catch (error) {
            if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') continue
            ballast.add(file)
            kills.disk++
          }
        }
      for (const file of ballast) rmSync(file, { force: true })
    }
    onTestFinished(async () => {
      for (const node of [api, ...workers]) await node.end('SIGKILL')
      await database.close()
      process.kill(postgresPid, 'SIGINT')
      killable.end()
      rmSync(folder, { recursive: true, force: true })
    })
    await api.startPatiently()
    const client = new Client(`http://127.0.0.1:${port}`, key)
    for (const name of corpora) expect((await client.call('POST', '/v1/corpora', { name })).status).toBe(201)

    // Poison: its bytes are gone before a worker reads them, every time.
    const poison: string[] = []
    for (let number = 0; number < poisoned; number++) {
      const answer = await client.upload(`poison-${number}.md`, `# Poison ${number}\n`, {
        corpus: corpusOf(0),
      })
      poison.push(answer.body.id)
    }
    const store = await openStore(killable.env['YORE_STORE'] ?? '', killable.env)
    for await (const blob of store.list('blobs/')) await store.delete(blob)

    await Promise.all(workers.map((worker) => worker.startPatiently()))
    let isSent = false
    let next = 0
    let killed = 0
    /** Uploads that are unfinished, and completed ones. */
    let open = 0
    let done = 0
    const kills = { api: 0, worker: 0, postgres: 0, store: 0, disk: 0 }
    const random = randomFrom(9)
    type Victim = NodeProcess | 'postgres' | 'store'
    const all: readonly Victim[] = [
      ...[api, 'postgres' as const],
      ...Array.from({ length: workerShare }, () => workers).flat(),
      ...(killable.kill === null ? [] : ['store' as const]),
    ]
    /** Kills it; resolves when it is there again. */
    const strike = async (victim: Victim): Promise<void> => {
      if (victim === 'store') {
        kills.store++
        await killable.kill?.()
      } else if (victim === 'postgres') {
        process.kill(postgresPid, 'SIGKILL')
        kills.postgres++
        for (;;)
          try {
            await sleep(200)
            const env = { DATA: first.folder, PORT: String(postgresPort) }
            postgresPid = (await startScript('start-postgres.sh', env)).pids[0] as number
            return
          } catch {
            // Processes of the old one still hold its memory.
          }
      } else {
        kills[victim === api ? 'api' : 'worker']++
        await victim.end('SIGKILL')
        await victim.startPatiently()
      }
    }
    /** All of them in rounds, each round in an order of its own. */
    let victims: Victim[] = []
    const rising = new Map<Victim, Promise<void>>()
    const chaos = (async () => {
      while (killed < leastKills || !isSent) {
        await sleep(2 * pauseMs * random())
        for (const before = done; overlapping && !isSent && done < before + leastProgress; ) await sleep(200)
        if (victims.length === 0) victims = [...all]
        const up = victims.filter((victim) => !rising.has(victim))
        const victim = up[Math.floor(random() * up.length)]
        if (victim === undefined) continue
        victims.splice(victims.indexOf(victim), 1)
        const risen = strike(victim).finally(() => rising.delete(victim))
        rising.set(victim, risen)
        if (!overlapping) await risen
        killed++
      }
      await Promise.all(rising.values())
    })()

    let released = 0
    /** Node after node, while all of them are killed at random. */
    const release = async (): Promise<void> => {
      const program = makeNextBuild(folder)
      for (;;)
        try {
          migrateWith(program, database.ownerUrl)
          break
        } catch {
          await sleep(500)
        }
      for (const node of [...workers, api]) {
        node.become(program)
        while (rising.has(node)) await sleep(100)
        const risen = (async () => {
          await node.end('SIGTERM')
          await node.startPatiently()
        })().finally(() => rising.delete(node))
        rising.set(node, risen)
        await risen
        released++
      }
    }
    const releasing = (async () => {
      while (hasRelease && !isSent && next < leastUploads / 2) await sleep(500)
      if (hasRelease) await release()
    })()

    const accepted = new Map<string, string>()
    const sendUntil = Date.now() + minutes * 60_000
    const until = slow ? sendUntil + 1_800_000 : Date.now() + 240_000
    const sample = async (): Promise<void> => {
      const { rows } = await sql<{ states: Record<string, number>; errors: readonly string[] }>`
        select (select json_object_agg(state, count) from (select state, count(*) from ingestions group by state) as counts) as states,
          (select json_agg(to_json(ingestions)) from ingestions where state = 'failed' and id != all(${poison}::uuid[])) as errors,
          (select count(*)::int from pgboss.job where state < 'completed') as jobs,
          (select sum(n_live_tup)::int from pg_stat_user_tables) as rows,
          pg_database_size(current_database()) / 1e6 as database_mb`.execute(database.owner)
      const { completed = 0, failed = 0, ...others } = rows[0]?.states ?? {}
      open = Object.values(others).reduce((sum, count) => sum + count, 0)
      done = completed
      if (Date.now() < sampleAt) return
      sampleAt += 60_000
      const alive = [api, ...workers].map(({ pid }) => Math.round(measureProcess(pid).memory))
      const figures = {
        sent: next,
        acknowledged: accepted.size,
        completed,
        failed,
        open,
        kills,
        released,
        ...rows[0],
      }
      const disk = { apiDisk: megabytesIn(path.join(folder, 'data')), nodeMemory: alive }
      console.log(JSON.stringify({ minute: Math.round(performance.now() / 60_000), ...figures, ...disk }))
    }
    let sampleAt = Date.now()
    const sampling = (async () => {
      for (; slow && !isSent; await sleep(1000)) await sample().catch(() => {})
    })()

    const filling = (async () => {
      for (let time = 1; time <= fillings; time++) {
        const share = time / (fillings + 1)
        while (
          !isSent &&
          next < share * leastUploads &&
          Date.now() < sendUntil - (1 - share) * minutes * 60_000
        )
          await sleep(500)
        await fillDisks()
      }
    })()

    const send = async (number: number): Promise<void> => {
      const name = `document-${number}.md`
      const text = `# Document ${number}\n\nword${number}x\n`
      const key = { 'idempotency-key': name }
      const corpus = corpusOf(number)
      const call = (): Promise<Answer> => {
        if (number % 5 !== 3) return client.upload(name, text, { corpus }, key)
        const form = new FormData()
        const archive = makeTarGz([{ name, content: text }, { name: 'picture.png' }])
        form.append('file', new Blob([new Uint8Array(archive)]), 'documents.tgz')
        return client.call('POST', `/v1/ingest/archive?corpus=${corpus}`, form, key)
      }
      for (let twice = 0; twice < 2; twice++) {
        const { status, body } = await insist(call, until)
        expect(status).toBe(202)
        expect(accepted.get(name) ?? body.id).toBe(body.id)
        accepted.set(name, body.id)
      }
    }
    await Promise.all(
      Array.from({ length: senders }, async () => {
        while (Date.now() < sendUntil && (next < leastUploads || killed < leastKills)) {
          await send(next++)
          if (!slow) await sleep(400)
        }
      }),
    )
    // The kills meet the processing of all uploads, if there is time.
    while (overlapping && open > 0 && Date.now() < sendUntil) await sleep(500)
    const doneAtLastKill = done
    isSent = true
    await Promise.all([chaos, filling, sampling, releasing])
    const uploads = next
    expect(accepted.size).toBe(uploads)

    const ends = new Map<string, string>()
    for (const id of [...accepted.values(), ...poison])
      for (;;) {
        const { body } = await insist(() => client.call('GET', `/v1/ingestions/${id}`), until)
        ends.set(id, body.state)
        if (['completed', 'failed', 'cancelled'].includes(body.state) || Date.now() > until) break
        await sleep(200)
      }
    expect(poison.map((id) => ends.get(id))).toEqual(Array(poisoned).fill('failed'))
    expect([...accepted.values()].filter((id) => ends.get(id) !== 'completed')).toEqual([])
    const rows = await sql<{ count: number }>`select count(*)::int as count from ingestions`.execute(
      database.owner,
    )
    expect(rows.rows[0]?.count).toBe(uploads + poisoned)
    for (const name of corpora) {
      const paths: string[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const next: string = cursor === '' ? '' : `&cursor=${cursor}`
        const { body } = await client.call('GET', `/v1/corpora/${name}/documents?limit=1000${next}`)
        paths.push(...body.items.map(({ path }: { path: string }) => path))
        cursor = body.next_cursor
      }
      const expected = [...accepted.keys()].filter(
        (given) => corpusOf(Number(/\d+/.exec(given)?.[0])) === name,
      )
      expect(paths.sort()).toEqual(expected.sort())
    }
    for (let number = 0; number < uploads; number++) {
      const query = `word${number}x`
      const search = `/v1/corpora/${corpusOf(number)}/search`
      const { body } = await insist(() => client.call('POST', search, { query, mode: 'lexical' }), until)
      expect(
        body.hits.map(({ path }: { path: string }) => path),
        query,
      ).toEqual([`document-${number}.md`])
    }
    console.log(
      `uploads ${uploads}, each twice, ${doneAtLastKill} completed before the last kill; killed`,
      kills,
      `in ${Math.round(performance.now() / 1000)} s`,
    )
  },
  slow ? (minutes + 40) * 60_000 : 400_000,
)
