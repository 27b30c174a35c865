// Does a corpus travel from a laptop to the service? Against a real service, with the same answers.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Engine, openEngine, type PushOptions, type PushReport } from '../../src/index.ts'
import { Client, startService, type TestService } from './service.ts'
import { stores } from './stores.ts'

const repository = path.join(import.meta.dirname, '..', '..')
const program = path.join(repository, 'src', 'offer', 'cli', 'main.ts')
const now = '2025-11-29T15:23:00Z'
const longName = `docs/${'ein sehr langer Name für ein Kapitel '.repeat(4)}ende.md`

describe.each(stores)('with a service on %s', (_, makeStore) => {
  let service: TestService
  let client: Client
  let folder: string
  let laptop: string
  beforeAll(async () => {
    service = await startService({ now: () => Date.parse(now), ...(await makeStore()) })
    client = new Client(service.url, service.key)
    folder = mkdtempSync(path.join(tmpdir(), 'yore-push-'))
    laptop = path.join(folder, 'laptop')
    cpSync(path.join(repository, 'assets', 'demo', 'documents'), laptop, { recursive: true })
    writeFileSync(path.join(laptop, longName), '# A long name\n\nIt has a long name.\n')
    // Times with milliseconds, as file systems have them.
    utimesSync(path.join(laptop, longName), 1_757_900_000.123, 1_757_900_000.123)
  })
  afterAll(async () => {
    await service.close()
    rmSync(folder, { recursive: true, force: true })
  })

  interface Run {
    readonly status: number
    readonly out: string
    readonly errors: string
  }

  function yore(root: string, ...args: string[]): Promise<Run> {
    const env = { ...process.env, YORE_SERVER_URL: service.url, YORE_SERVER_KEY: service.key, NO_COLOR: '1' }
    return new Promise((resolve) => {
      execFile(process.execPath, [program, ...args, '--root', root], { env }, (error, out, errors) =>
        resolve({ status: error === null ? 0 : Number(error.code), out, errors }),
      )
    })
  }

  /** As the command does it, without a process of its own. */
  function open(root: string, key = service.key): Engine {
    return openEngine(root, {
      env: { ...process.env, YORE_SERVER_URL: service.url, YORE_SERVER_KEY: key },
      now: Date.parse(now),
    })
  }

  async function push(root: string, corpus: string, options: Partial<PushOptions> = {}): Promise<PushReport> {
    using engine = open(root)
    return await engine.push(corpus, options)
  }

  async function digestHere(root: string): Promise<string> {
    using engine = open(root)
    return (await engine.assemble('How do I deploy a new service?', { maxTokens: 4000, layout: 'full' }))
      .output
  }

  async function digestThere(corpus: string): Promise<string> {
    const question = { question: 'How do I deploy a new service?', maxTokens: 4000, layout: 'full' }
    return (await client.call('POST', `/v1/corpora/${corpus}/assemble`, question)).body.output
  }

  it('sends what the service does not hold, takes out what it should not, and answers alike', async () => {
    const missing = await yore(laptop, 'push', 'handbook')
    expect(missing.status).toBe(1)
    expect(missing.errors).toContain('has no corpus "handbook" for this key')
    expect(missing.errors).toContain('--create')

    const first = await push(laptop, 'handbook', { create: true })
    expect(first).toMatchObject({ removed: 0, unchanged: 0, withheld: [], version: 1 })
    expect(first.skipped).toEqual({ count: 0, first: [] })
    expect(await digestThere('handbook')).toBe(await digestHere(laptop))

    const again = await yore(laptop, 'push', 'handbook')
    expect(again.out).toBe(
      `handbook at ${service.url}: 0 documents sent (0 B), 0 removed, ${first.sent} unchanged; version 1\n`,
    )

    writeFileSync(path.join(laptop, 'docs', 'new.md'), '# Deploying\n\nA new service is deployed by hand.\n')
    rmSync(path.join(laptop, longName))
    expect(await push(laptop, 'handbook')).toMatchObject({ sent: 1, removed: 0, elsewhere: 1 })
    expect(await digestThere('handbook')).not.toBe(await digestHere(laptop))
    expect(await push(laptop, 'handbook', { prune: true })).toMatchObject({ sent: 0, removed: 1 })
    expect(await digestThere('handbook')).toBe(await digestHere(laptop))
  })

  it('sends no file in which a secret was masked', async () => {
    const root = path.join(folder, 'secretive')
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`
    mkdirSync(root)
    writeFileSync(path.join(root, 'README.md'), '# Readme\n\nNothing here.\n')
    writeFileSync(path.join(root, 'setup.md'), `# Setup\n\nThe token is ${secret} for now.\n`)
    writeFileSync(path.join(root, '.env'), `TOKEN=${secret}\n`)
    const report = await push(root, 'secretive', { create: true })
    expect(report).toMatchObject({ sent: 1, withheld: [{ path: 'setup.md' }] })
    const paths = async (): Promise<string[]> =>
      (await client.call('GET', '/v1/corpora/secretive/documents')).body.items.map(
        (item: { path: string }) => item.path,
      )
    expect(await paths()).toEqual(['README.md'])
  })

  it('says what is wrong with a key, an address or a service that is away', async () => {
    using nowhere = openEngine(laptop, { env: {} })
    await expect(nowhere.push('x')).rejects.toThrow('no service is set')
    using keyless = open(laptop, '')
    await expect(keyless.push('x')).rejects.toMatchObject({
      hint: expect.stringContaining('YORE_SERVER_KEY'),
    })
    using wrong = open(laptop, 'x')
    await expect(wrong.push('x')).rejects.toThrow('answered 401')
  })

  it('counts what an archive holds against the quota, and not what it is packed to', async () => {
    const organisation = await service.makeOrganisation('small', { quota_bytes: 50_000 })
    const small = new Client(service.url, await service.makeKey(organisation, 'admin'))
    const root = path.join(folder, 'large')
    mkdirSync(root)
    for (const name of ['a', 'b'])
      writeFileSync(path.join(root, `${name}.md`), `# ${name}\n\n${'word '.repeat(8000)}\n`)
    using engine = open(root, small.key)
    await expect(engine.push('big', { create: true })).rejects.toThrow('would exceed its quota (QUOTA)')
    expect((await small.call('GET', '/v1/corpora/big/documents')).body.items).toEqual([])
    expect((await small.call('GET', '/v1/usage')).body.used.quota_bytes).toBe(0)
  })
})
