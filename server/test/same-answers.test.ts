// Does a corpus answer alike on a laptop and in the service? The same digest bytes, and the worker's file byte for byte.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyFixture } from '../../test/temporary-corpus.ts'
import { Client, startService, type TestService } from './service.ts'

const repository = path.join(import.meta.dirname, '..', '..')
const now = '2025-11-29T15:23:00Z'
const modifiedAt = '2025-09-15T12:00:00Z'

let service: TestService
let client: Client
let folder: string
beforeAll(async () => {
  service = await startService({ now: () => Date.parse(now) })
  client = new Client(service.url, service.key)
  folder = mkdtempSync(path.join(tmpdir(), 'yore-same-'))
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A fixture as a folder of the laptop and as a corpus of the service. */
async function bring(fixture: string): Promise<string> {
  const root = path.join(folder, fixture)
  copyFixture(fixture, root)
  await client.call('POST', '/v1/corpora', { name: fixture })
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()
  const uploads: string[] = []
  for (const name of names) {
    const place = path.join(root, name)
    if (!statSync(place).isFile()) continue
    utimesSync(place, new Date(modifiedAt), new Date(modifiedAt))
    const { status, body } = await client.upload(name, readFileSync(place), {
      corpus: fixture,
      modified_at: modifiedAt,
    })
    expect(status, name).toBe(202)
    uploads.push(body.id)
  }
  for (const id of uploads) expect((await client.wait(id)).state).toBe('completed')
  return root
}

function onLaptop(root: string, question: string, ...flags: string[]): string {
  const program = path.join(repository, 'src', 'offer', 'cli', 'main.ts')
  const args = [program, 'assemble', question, '--root', root, '--now', now, ...flags]
  return execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
}

describe.each([
  ['services', ['How do I deploy a new service?', 'What happens when a rollout fails?']],
  ['crossref', ['Which retry semantics hold?', 'What does ADR-013 decide?']],
  ['mixed', ['Where is the retry done?']],
])('%s', (fixture, questions) => {
  it('gives the same digests through the command line and through the service', async () => {
    const root = await bring(fixture)
    const program = path.join(repository, 'src', 'offer', 'cli', 'main.ts')
    execFileSync(process.execPath, [program, 'index', '--root', root], { stdio: 'ignore' })
    for (const question of questions)
      for (const format of ['markdown', 'json'] as const) {
        const { body } = await client.call('POST', `/v1/corpora/${fixture}/assemble`, {
          question,
          format,
          maxTokens: 4000,
        })
        expect(body.output).toBe(
          onLaptop(root, question, '--format', format, '--max-tokens', '4000', '--layout', 'brief'),
        )
      }
  })

  it("has the worker's file on the node, byte for byte", async () => {
    const { body } = await client.call('GET', `/v1/corpora/${fixture}`)
    const data = path.join(service.folder, 'data')
    const working = readFileSync(
      path.join(data, 'work', 'worker-1', String(body.number), 'index', 'index.db'),
    )
    const held = readdirSync(path.join(data, 'versions'))
      .filter((name) => name.endsWith('.db'))
      .map((name) => readFileSync(path.join(data, 'versions', name)))
    expect(held.some((bytes) => bytes.equals(working))).toBe(true)
  })
})
