// Is a full disk the trouble of one worker, and of no upload? On a small file system of its own, which fills and empties.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createKey } from '../src/control/keys.ts'
import { createOrganisation } from '../src/control/organisations.ts'
import { findMachineFault, ServiceError } from '../src/errors.ts'
import { makeProblem } from '../src/http/make-problem.ts'
import { createDatabase, type TestDatabase } from './databases.ts'
import { canMount, freePort, NodeProcess, ownDisk } from './processes.ts'
import { Client, keySecret } from './service.ts'
import { makeTarGz } from './support/archives.ts'

let database: TestDatabase
let folder: string
let client: Client
let api: NodeProcess
const envOf = (name: string): Record<string, string> => {
  mkdirSync(path.join(folder, name), { recursive: true })
  return {
    YORE_DATABASE_URL: database.appUrl,
    YORE_STORE: `dir:${path.join(folder, 'store')}`,
    YORE_DATA: path.join(folder, name),
  }
}
beforeAll(async () => {
  database = await createDatabase()
  folder = mkdtempSync(path.join(tmpdir(), 'yore-disks-'))
  const organisation = (await createOrganisation(database.owner, 'acme')).id
  const wanted = { name: 'all', access: 'admin', corpora: null, expiresAt: null } as const
  const key = (await createKey(database.owner, organisation, wanted, keySecret)).text
  api = new NodeProcess(['--role', 'api', '--port', '0'], envOf('api'))
  client = new Client(/http:\S+/.exec(await api.start())?.[0] ?? '', key)
})
afterAll(async () => {
  await api.end('SIGKILL')
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

async function upload(corpus: string, name: string, text: string): Promise<string> {
  await client.call('POST', '/v1/corpora', { name: corpus })
  return (await client.upload(name, text, { corpus })).body.id
}

async function uploadArchive(corpus: string): Promise<string> {
  await client.call('POST', '/v1/corpora', { name: corpus })
  const files = Array.from({ length: 50 }, (_, number) => ({
    name: `${number}.md`,
    content: `# ${number}\n`,
  }))
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(makeTarGz(files))]), 'a.tgz')
  return (await client.call('POST', `/v1/ingest/archive?corpus=${corpus}`, form)).body.id
}

it.skipIf(!canMount)(
  'fails no upload while the disk is full: the worker takes no jobs, says why, and goes on when there is space',
  async () => {
    const env = envOf('small')
    const port = await freePort()
    const args = ['--role', 'worker', '--health-port', String(port)]
    const worker = new NodeProcess(args, env, ownDisk(env['YORE_DATA'] as string, 64))
    await worker.start()
    const look = async (route: string): Promise<{ status: number; worker: string }> => {
      const answer = await fetch(`http://127.0.0.1:${port}${route}`)
      return { status: answer.status, worker: ((await answer.json()) as { worker: string }).worker }
    }
    try {
      expect(await client.wait(await upload('before', 'a.md', '# Before\n'))).toMatchObject({
        state: 'completed',
      })
      expect(await look('/readyz')).toEqual({ status: 200, worker: 'working' })
      // Seen from outside, the file system of the process.
      const ballast = `/proc/${worker.pid}/root${env['YORE_DATA']}/ballast`
      expect(() => writeFileSync(ballast, new Uint8Array(80 << 20))).toThrow('ENOSPC')
      const uploads: string[] = []
      for (let number = 0; number < 6; number++)
        uploads.push(await upload(`full-${number}`, 'a.md', `# Page ${number}\n`))
      uploads.push(await uploadArchive('full-archive'))
      await expect
        .poll(() => look('/readyz'), { timeout: 60_000 })
        .toEqual({ status: 503, worker: 'paused: no space left on the disk' })
      expect(await look('/healthz')).toMatchObject({ status: 200 })
      await sleep(3000)
      for (const id of uploads)
        expect((await client.call('GET', `/v1/ingestions/${id}`)).body).toMatchObject({ error: null })
      rmSync(ballast)
      for (const id of uploads) expect(await client.wait(id, 120_000)).toMatchObject({ state: 'completed' })
      expect(await look('/readyz')).toEqual({ status: 200, worker: 'working' })
      expect(worker.errors).toContain('"event":"worker paused","fault":"no space left on the disk"')
    } finally {
      await worker.end('SIGKILL')
    }
  },
)

it.skipIf(!canMount)('starts on a full disk, says so, and works when there is space', async () => {
  const env = envOf('full-at-start')
  const port = await freePort()
  const data = env['YORE_DATA'] as string
  const fill = ['sh', '-c', 'head -c 80m /dev/zero >"$0/ballast" 2>/dev/null; exec "$@"', data]
  const within = [...ownDisk(data, 64), ...fill]
  const worker = new NodeProcess(['--role', 'worker', '--health-port', String(port)], env, within)
  try {
    await worker.start()
    const id = await upload('full-at-start', 'a.md', '# Page\n')
    const look = async (): Promise<number> => (await fetch(`http://127.0.0.1:${port}/readyz`)).status
    await expect.poll(look, { timeout: 60_000 }).toBe(503)
    rmSync(`/proc/${worker.pid}/root${data}/ballast`)
    expect(await client.wait(id, 60_000)).toMatchObject({ state: 'completed' })
  } finally {
    await worker.end('SIGKILL')
  }
})

it('keeps the working copies of the corpora that were used last, and builds others again', async () => {
  const env = envOf('bounded')
  const worker = new NodeProcess(['--role', 'worker', '--work-megabytes', '2'], env)
  await worker.start()
  try {
    for (let number = 0; number < 12; number++)
      expect(await client.wait(await upload(`corpus-${number}`, 'a.md', `# Page ${number}\n`))).toMatchObject(
        {
          state: 'completed',
        },
      )
    const work = path.join(env['YORE_DATA'] as string, 'work', 'worker-1')
    const bytes = (): number =>
      readdirSync(work, { recursive: true, encoding: 'utf8' })
        .filter((name) => /^\d+\//.test(name))
        .reduce(
          (sum, name) => sum + (statSync(path.join(work, name), { throwIfNoEntry: false })?.size ?? 0),
          0,
        )
    // A job is done before the copies that it made too many are removed.
    await expect.poll(bytes, { timeout: 30_000 }).toBeLessThan(2.5 * 2 ** 20)
    expect(readdirSync(work).filter((name) => /^\d+$/.test(name)).length).toBeGreaterThan(1)
    const again = await upload('corpus-0', 'b.md', '# Another\n')
    expect(await client.wait(again)).toMatchObject({ state: 'completed' })
    const search = async (query: string): Promise<string[]> =>
      (await client.call('POST', '/v1/corpora/corpus-0/search', { query, mode: 'lexical' })).body.hits.map(
        (hit: { path: string }) => hit.path,
      )
    expect([await search('Page'), await search('Another')]).toEqual([['a.md'], ['b.md']])
    // Nor does the state folder keep what it knew of indexes that are gone.
    const marks = path.join(env['YORE_DATA'] as string, 'state', 'yore', 'indexes')
    const gone = (): string[] =>
      readdirSync(marks).filter((name) => !existsSync(readFileSync(path.join(marks, name), 'utf8')))
    await expect.poll(gone, { timeout: 10_000 }).toEqual([])
  } finally {
    await worker.end('SIGKILL')
  }
})

it('tells what is wrong with a machine from what is wrong with an upload', () => {
  const failing = (code: string): Error => Object.assign(new Error(code), { code })
  for (const code of ['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'ENOMEM', 'DISK_FULL', 'INDEX_LOCKED'])
    expect(findMachineFault(failing(code)), code).not.toBeNull()
  expect(findMachineFault(new ServiceError('UNAVAILABLE', 'x', { cause: failing('EMFILE') }))).toBe(
    'too many open files',
  )
  // A node that cannot receive an upload is not the client's fault, either.
  expect(makeProblem(failing('ENOSPC'))).toMatchObject({ status: 503, code: 'UNAVAILABLE' })
  for (const error of [failing('ENOENT'), new ServiceError('POISON', 'x'), 'x'])
    expect(findMachineFault(error)).toBeNull()
})
