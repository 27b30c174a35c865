// Does a node outlive its database? PostgreSQL is killed and started again under load; the node's process stays the same. (T12)
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { createKey } from '../src/control/keys.ts'
import { createOrganisation } from '../src/control/organisations.ts'
import { createDatabase } from './databases.ts'
import { NodeProcess } from './processes.ts'
import { Client, keySecret } from './service.ts'
import { startScript } from './start-servers.ts'

it('answers again within 15 s, and finishes what was accepted', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'yore-restarts-'))
  const first = await startScript('start-postgres.sh')
  let pid = first.pids[0] as number
  const database = await createDatabase(Number(first.first))
  const organisation = (await createOrganisation(database.owner, 'acme')).id
  const wanted = { name: 'all', access: 'admin', corpora: null, expiresAt: null } as const
  const { text: key } = await createKey(database.owner, organisation, wanted, keySecret)
  const node = new NodeProcess(['--port', '0', '--stale-seconds', '0'], {
    YORE_DATABASE_URL: database.appUrl,
    YORE_STORE: `dir:${path.join(folder, 'store')}`,
    YORE_DATA: path.join(folder, 'data'),
  })
  onTestFinished(async () => {
    if (process.env['YORE_TEST_EVENTS'] !== undefined)
      console.error(node.errors.replaceAll(/.*(?:starting up|accepting connections).*\n/g, '').slice(-3000))
    await node.end('SIGKILL')
    await database.close()
    process.kill(pid, 'SIGINT')
    rmSync(folder, { recursive: true, force: true })
  })
  const client = new Client(/http:\S+/.exec(await node.start())?.[0] ?? '', key)
  await client.call('POST', '/v1/corpora', { name: 'docs' })
  const accepted: string[] = []
  let isOver = false
  const statuses = new Set<number>()
  const load = Promise.all(
    Array.from({ length: 4 }, async (_, lane) => {
      for (let number = 0; !isOver; number++) {
        const { status, body } = await client.upload(`${lane}-${number}.md`, '# x\n', { corpus: 'docs' })
        statuses.add(status)
        if (status === 202) accepted.push(body.id)
        await sleep(150)
      }
    }),
  )
  const waits: number[] = []
  for (let round = 0; round < 3; round++) {
    await sleep(1500)
    process.kill(pid, 'SIGKILL')
    await sleep(500)
    for (;;)
      try {
        pid = (await startScript('start-postgres.sh', { DATA: first.folder, PORT: first.first }))
          .pids[0] as number
        break
      } catch {
        await sleep(200)
      }
    const from = performance.now()
    while ((await client.call('GET', '/readyz')).status !== 200) await sleep(50)
    waits.push(Math.round(performance.now() - from))
  }
  isOver = true
  await load
  expect(Math.max(...waits)).toBeLessThan(15_000)
  expect([...statuses].sort()).toEqual([202, 503])
  for (const id of accepted) expect(await client.wait(id, 100_000)).toMatchObject({ state: 'completed' })
  console.log(`${accepted.length} accepted; ready again after ${waits.join(', ')} ms`)
}, 300_000)
