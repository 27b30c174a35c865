// Does the service survive its own releases? Two builds with different index formats run together, forth and back, under questions and uploads.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { schemaVersion } from '../src/yore.ts'
import { NodeProcess } from './processes.ts'
import { Client, startService } from './service.ts'
import { makeNextBuild, migrateWith } from './support/next-build.ts'

it('answers and accepts through a release with another format and back, with nothing stale and nothing lost', async () => {
  const service = await startService({ role: 'api' })
  const folder = mkdtempSync(path.join(tmpdir(), 'yore-upgrade-'))
  const nextProgram = makeNextBuild(folder)
  const nodeOf = (name: string, role: string, program?: string): NodeProcess => {
    const data = {
      YORE_DATABASE_URL: service.database.appUrl,
      YORE_STORE: `dir:${path.join(service.folder, 'store')}`,
      YORE_DATA: path.join(folder, name),
    }
    return new NodeProcess(['--role', role, '--port', '0', '--threads', '1'], data, [], program)
  }
  const worker = nodeOf('worker', 'worker')
  const nextApi = nodeOf('next-api', 'api', nextProgram)
  const nextWorker = nodeOf('next-worker', 'worker', nextProgram)
  onTestFinished(async () => {
    if (process.env['YORE_TEST_EVENTS'] !== undefined)
      for (const node of [worker, nextApi, nextWorker]) console.error(node.errors.slice(-3000))
    for (const node of [worker, nextApi, nextWorker]) await node.end('SIGKILL')
    await service.close()
    rmSync(folder, { recursive: true, force: true })
  })
  await worker.start()
  const client = new Client(service.url, service.key)
  const names = ['docs-0', 'docs-1', 'docs-2', 'docs-3']
  for (const name of names) {
    await client.call('POST', '/v1/corpora', { name })
    const sent = await client.upload('guide.md', '# Guide\n\nKites need wind.\n', { corpus: name })
    expect(await client.wait(sent.body.id)).toMatchObject({ state: 'completed' })
  }
  migrateWith(nextProgram, service.database.ownerUrl)

  const asked = new Map([[service.url, client]])
  const counts: Record<string, number> = {}
  const wrong: string[] = []
  const completed = new Map<string, { round: number; at: number }[]>(names.map((name) => [name, []]))
  let isOver = false
  const ask = async (): Promise<void> => {
    for (let turn = 0; !isOver; turn++) {
      await sleep(60)
      const [url, node] = [...asked][turn % asked.size] as [string, Client]
      const name = names[turn % names.length] as string
      const before = performance.now()
      // A change reaches every node within a second.
      const known = (completed.get(name) ?? []).filter(({ at }) => at < before - 1500)
      const least = Math.max(0, ...known.map(({ round }) => round))
      const question = { question: 'Which round is it?', maxTokens: 500 }
      const answer = await node.call('POST', `/v1/corpora/${name}/assemble`, question).catch(() => null)
      if (answer === null && asked.has(url)) wrong.push('no answer')
      if (answer === null) continue
      const what = `${url === service.url ? 'old' : 'new'} ${answer.status}`
      counts[what] = (counts[what] ?? 0) + 1
      if (answer.status === 503 && answer.headers.get('retry-after') !== null) continue
      const shown = Number(/Round (\d+)/.exec(answer.body.output ?? '')?.[1] ?? 0)
      if (answer.status !== 200) wrong.push(`${what} ${JSON.stringify(answer.body)}`)
      else if (shown < least) wrong.push(`${what}: round ${shown} instead of ${least} of ${name}`)
    }
  }
  const accepted: string[] = []
  const upload = async (): Promise<void> => {
    for (let round = 1; !isOver; round++) {
      const name = names[round % 3] as string
      const { status, body } = await client.upload('round.md', `# Round ${round}\n\nThis is it.\n`, {
        corpus: name,
      })
      if (status !== 202) wrong.push(`upload ${status}`)
      accepted.push(body.id)
      const { state } = await client.wait(body.id, 120_000)
      if (state === 'completed') completed.get(name)?.push({ round, at: performance.now() })
      else wrong.push(`upload ${state}`)
      await sleep(1500)
    }
  }
  const load = Promise.all([ask(), upload()])
  const isRebuilt = async (format: number): Promise<boolean> => {
    const { rows } = await sql<{ format: number }>`select format from formats`.execute(service.database.owner)
    return rows.length === names.length && rows.every((row) => row.format === format)
  }
  const patience = { timeout: 180_000, interval: 500 }
  await sleep(3000)
  // Forth: the nodes of the next release come, and the worker of this one goes.
  const url = /http:\S+/.exec((await Promise.all([nextApi.start(), nextWorker.start()]))[0])?.[0] ?? ''
  const next = new Client(url, service.key)
  asked.set(url, next)
  await sleep(5000)
  await worker.end('SIGTERM')
  await expect.poll(() => isRebuilt(schemaVersion + 1), patience).toBe(true)
  await sleep(5000)
  const env = { ...process.env, YORE_OWNER_URL: service.database.ownerUrl }
  const status = spawnSync(process.execPath, [nextProgram, 'admin', 'upgrade', '--status'], {
    env,
    encoding: 'utf8',
  })
  expect(status.stdout).toContain(`format ${schemaVersion + 1}: 4 corpora\n`)
  // A corpus that nobody changed is answered by both releases.
  for (const node of [client, next])
    expect((await node.call('POST', '/v1/corpora/docs-3/search', { query: 'kites' })).status).toBe(200)
  // And back.
  await worker.start()
  await sleep(5000)
  asked.delete(url)
  await nextWorker.end('SIGTERM')
  await nextApi.end('SIGTERM')
  await expect.poll(() => isRebuilt(schemaVersion), patience).toBe(true)
  await sleep(3000)
  isOver = true
  await load
  console.log(`${accepted.length} uploads; questions by node and status: ${JSON.stringify(counts)}`)
  expect(wrong).toEqual([])
  for (const name of names)
    expect((await client.call('POST', `/v1/corpora/${name}/search`, { query: 'kites' })).status).toBe(200)
}, 900_000)
