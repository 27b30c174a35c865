// Does the generated client speak with a real service? From an upload to an answer, its documents and its problems.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ProblemError, YoreClient } from '../client.ts'
import { startService, type TestService } from './service.ts'
import { stores } from './stores.ts'

describe.each(stores)('on %s', (_, makeStore) => {
  let service: TestService
  let yore: YoreClient
  beforeAll(async () => {
    service = await startService(await makeStore())
    yore = new YoreClient(`${service.url}/`, service.key)
  })
  afterAll(() => service.close())

  it('uploads, waits, asks, reads and removes', async () => {
    const { name, version } = await yore.createCorpus({ name: 'handbook' })
    expect([name, version]).toEqual(['handbook', 0])
    const file = new Blob(['# Deploying\n\nRun the deploy script, then look at the logs.\n'])
    const upload = { corpus: name, path: 'docs/deploying.md', file }
    const { id } = await yore.uploadFile(upload, {}, { idempotencyKey: 'once' })
    expect((await yore.uploadFile(upload, {}, { idempotencyKey: 'once' })).id).toBe(id)
    await expect
      .poll(async () => (await yore.readIngestion(id)).state, { timeout: 60_000, interval: 200 })
      .toBe('completed')

    const { hits } = await yore.search(name, { query: 'deploy script' })
    expect(hits.map((hit) => hit.path)).toEqual(['docs/deploying.md'])
    const { output, tokensUsed } = await yore.assemble(name, {
      question: 'How do I deploy?',
      maxTokens: 1000,
    })
    expect(output).toContain('Run the deploy script')
    expect(tokensUsed).toBeLessThanOrEqual(1000)
    expect((await yore.readNode(hits[0]!.document_id)).path).toBe('docs/deploying.md')

    const { items, next_cursor } = await yore.listDocuments(name, { limit: 10 })
    expect([items.length, next_cursor]).toEqual([1, null])
    expect(await (await yore.readDocument(name, { path: items[0]!.path })).text()).toBe(await file.text())
    await yore.deleteDocuments(name, { paths: [items[0]!.path] })
    await yore.deleteCorpus(name)
    expect((await yore.listCorpora()).items).toEqual([])
  })

  it('throws the problem that the service answers with', async () => {
    const failed = await yore.readCorpus('never-was').catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(ProblemError)
    expect(failed).toMatchObject({ problem: { code: 'NOT_FOUND', status: 404 }, retryAfter: null })
    const stopped = new AbortController()
    stopped.abort()
    await expect(yore.listCorpora({}, { signal: stopped.signal })).rejects.toThrow('abort')
  })
})
