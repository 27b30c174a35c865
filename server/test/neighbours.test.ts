// Does one tenant's load slow down another's questions and uploads? Real processes, a real PostgreSQL, both tenants on one node; measured in turns.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { createKey } from '../src/control/keys.ts'
import { setLimits } from '../src/control/limits.ts'
import { createOrganisation } from '../src/control/organisations.ts'
import { createDatabase, type TestDatabase } from './databases.ts'
import { NodeProcess } from './processes.ts'
import { Client, keySecret } from './service.ts'

const clients = Number(process.env['YORE_CLIENTS'] ?? 60)
const turns = Number(process.env['YORE_TURNS'] ?? 4)
let database: TestDatabase
let folder: string
let nodes: readonly NodeProcess[]
let loud: Client
let quiet: Client

async function newTenant(url: string, name: string, archive: Buffer): Promise<Client> {
  const { id } = await createOrganisation(database.owner, name)
  await setLimits(database.owner, id, { requests_per_minute: 1_000_000 })
  const wanted = { name, access: 'admin', corpora: null, expiresAt: null } as const
  const tenant = new Client(url, (await createKey(database.owner, id, wanted, keySecret)).text)
  await tenant.call('POST', '/v1/corpora', { name: 'docs' })
  const form = new FormData()
  form.append('file', new Blob([archive as Uint8Array<ArrayBuffer>]), 'docs.tgz')
  const { body } = await tenant.call('POST', '/v1/ingest/archive?corpus=docs', form)
  expect((await tenant.wait(body.id, 240_000)).state).toBe('completed')
  return tenant
}

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'yore-neighbours-'))
  database = await createDatabase()
  const archive = path.join(folder, 'docs.tgz')
  execFileSync('tar', ['-czf', archive, '-C', path.resolve(import.meta.dirname, '../..'), 'docs'])
  nodes = ['api', 'worker'].map((role) => {
    const data = { YORE_STORE: `dir:${path.join(folder, 'store')}`, YORE_DATA: path.join(folder, role) }
    return new NodeProcess(['--role', role, '--port', '0'], {
      YORE_DATABASE_URL: database.appUrl,
      ...data,
    })
  })
  const [said = ''] = await Promise.all(nodes.map((node) => node.start()))
  const url = /http:\S+/.exec(said)?.[0] ?? ''
  const bytes = readFileSync(archive)
  ;[loud, quiet] = [await newTenant(url, 'loud', bytes), await newTenant(url, 'quiet', bytes)]
}, 600_000)
afterAll(async () => {
  for (const node of nodes) await node.end('SIGKILL')
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

async function ask(): Promise<void> {
  const question = 'How does a deployed service keep the versions of a corpus?'
  const { status } = await quiet.call('POST', '/v1/corpora/docs/assemble', { question })
  expect(status).toBe(200)
}

let pages = 0
async function upload(): Promise<void> {
  const { status, body } = await quiet.upload('page.md', `# Page ${pages++}\n`, { corpus: 'docs' })
  expect(status).toBe(202)
  expect(await quiet.wait(body.id)).toMatchObject({ state: 'completed' })
}

/** Times with the flood's process stopped and running, by turns: whatever else the machine does slows both. */
async function compare(what: 'questions' | 'uploads', work: () => Promise<void>): Promise<number> {
  const program = path.join(import.meta.dirname, 'flood-process.ts')
  const args = [program, loud.url, loud.key, String(clients), what]
  const flood = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void flood.kill('SIGKILL'))
  await once(flood.stdout, 'data')
  const times = { alone: [] as number[], beside: [] as number[] }
  for (let turn = 0; turn < turns; turn++)
    for (const when of ['alone', 'beside'] as const) {
      flood.kill(when === 'alone' ? 'SIGSTOP' : 'SIGCONT')
      await sleep(2000)
      // What the flood has sent is done first.
      const open = sql`select from ingestions where state not in ('completed', 'failed', 'cancelled')`
      while (when === 'alone' && (await open.execute(database.owner)).rows.length > 0) await sleep(100)
      for (let at = 0; at < 12; at++) {
        const start = performance.now()
        await work()
        // The first of a turn still meet the one before.
        if (at > 1) times[when].push(performance.now() - start)
      }
    }
  const [alone, beside] = [times.alone, times.beside].map((all) => {
    all.sort((a, b) => a - b)
    return { p50: all[all.length >> 1] ?? 0, p95: all[Math.floor(all.length * 0.95)] ?? 0 }
  }) as [Record<'p50' | 'p95', number>, Record<'p50' | 'p95', number>]
  const say = ({ p50, p95 }: typeof alone): string => `${p50.toFixed(0)} and ${p95.toFixed(0)} ms`
  console.log(`${what}, p50 and p95: alone ${say(alone)}, beside ${clients} clients ${say(beside)}`)
  return beside.p95 / alone.p95
}

/** The goals are 3 and 4; first in, first out takes 34 for questions. The margin is for a machine that others use. */
const mostTimes = { questions: 6, uploads: 8 }

it('answers a tenant nearly as fast as alone while another asks with many clients', {
  timeout: 1_200_000,
}, async () => {
  expect(await compare('questions', ask)).toBeLessThanOrEqual(mostTimes.questions)
})

it('publishes uploads of a tenant nearly as fast as alone while another uploads with many clients', {
  timeout: 1_200_000,
}, async () => {
  expect(await compare('uploads', upload)).toBeLessThanOrEqual(mostTimes.uploads)
})
