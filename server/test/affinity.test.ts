// Does the worker that has a corpus publish it again? Two workers as processes, and one of them that goes.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { chooseWorker } from '../src/control/live-workers.ts'
import { NodeProcess } from './processes.ts'
import { Client, startService } from './service.ts'

it('moves only the corpora of a worker that is gone', () => {
  const workers = ['a', 'b', 'c', 'd']
  const chosen = Array.from({ length: 400 }, (_, corpus) => chooseWorker(workers, corpus))
  for (const worker of workers) {
    const share = chosen.filter((each) => each === worker).length
    expect(share).toBeGreaterThan(60)
    expect(share).toBeLessThan(140)
  }
  for (const [corpus, worker] of chosen.entries())
    if (worker !== 'd') expect(chooseWorker(['a', 'b', 'c'], corpus)).toBe(worker)
})

it('publishes a corpus on one worker, and on the other one when that is gone', async () => {
  const service = await startService({ role: 'api' })
  const folder = mkdtempSync(path.join(tmpdir(), 'yore-affinity-'))
  const workers = ['one', 'two'].map(
    (name) =>
      new NodeProcess(['--role', 'worker'], {
        YORE_DATABASE_URL: service.database.appUrl,
        YORE_STORE: `dir:${path.join(service.folder, 'store')}`,
        YORE_DATA: path.join(folder, name),
      }),
  )
  onTestFinished(async () => {
    for (const worker of workers) await worker.end('SIGKILL')
    await service.close()
    rmSync(folder, { recursive: true, force: true })
  })
  await Promise.all(workers.map((worker) => worker.start()))
  // Until each knows of the other.
  await new Promise((resolve) => setTimeout(resolve, 3000))
  const client = new Client(service.url, service.key)
  const names = Array.from({ length: 8 }, (_, number) => `docs-${number}`)
  for (const name of names) await client.call('POST', '/v1/corpora', { name })
  const upload = async (round: number): Promise<void> => {
    const sent = await Promise.all(
      names.map((corpus) => client.upload(`${round}.md`, `# Round ${round}\n`, { corpus })),
    )
    for (const { body } of sent) expect(await client.wait(body.id)).toMatchObject({ state: 'completed' })
  }
  /** Which workers published each corpus. */
  const publishers = (): ReadonlyMap<number, ReadonlySet<number>> => {
    const found = new Map<number, Set<number>>()
    for (const [worker, { errors }] of workers.entries())
      for (const line of errors.split('\n').filter((each) => each.includes('"event":"publish"'))) {
        const { corpus } = JSON.parse(line) as { corpus: number }
        found.set(corpus, (found.get(corpus) ?? new Set()).add(worker))
      }
    return found
  }
  for (const round of [1, 2, 3]) await upload(round)
  const before = publishers()
  expect(before.size).toBe(names.length)
  const once = [...before.values()].filter(({ size }) => size === 1).length
  expect(once).toBeGreaterThanOrEqual(names.length - 1)
  expect(new Set([...before.values()].flatMap((each) => [...each])).size).toBe(2)
  await workers[0]?.end('SIGKILL')
  await upload(4)
  await expect.poll(() => [...publishers().values()].every((each) => each.has(1))).toBe(true)
}, 180_000)
