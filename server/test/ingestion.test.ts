// Is every upload taken once, in its order, and never half? Over real HTTP, PostgreSQL and a store.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Answer, Client, startService, type TestService } from './service.ts'
import { makeTarGz } from './support/archives.ts'

let service: TestService
let client: Client
beforeAll(async () => {
  service = await startService()
  client = new Client(service.url, service.key)
  await client.call('POST', '/v1/corpora', { name: 'docs' })
})
afterAll(() => service.close())

const corpus = { corpus: 'docs' }

it('takes a request with one Idempotency-Key once, also when it comes many times at once', async () => {
  const headers = { 'idempotency-key': 'key-1' }
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => client.upload('once.md', '# Once\n', corpus, headers)),
  )
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(202))
  const other = await client.upload('once.md', '# Other\n', corpus, headers)
  expect([other.status, other.body.code]).toEqual([422, 'KEY_REUSED'])
  await client.wait(answers[0]?.body.id)
})

it('ends with the later of two uploads of one path, whatever the order in which they are read', async () => {
  const uploads: string[] = []
  for (let round = 0; round < 6; round++)
    uploads.push((await client.upload('race.md', `# Race\n\nround${round}\n`, corpus)).body.id)
  const ends = await Promise.all(uploads.map((id) => client.wait(id)))
  expect(ends.map(({ state }) => state)).toEqual(Array(6).fill('completed'))
  const { body } = await client.call('POST', '/v1/corpora/docs/read', { place: 'race.md' })
  expect(body.output).toContain('round5')
})

it('says why a file is not indexed, and leaves the corpus as it was', async () => {
  const binary = await client.upload('noise.md', new Uint8Array(1000), corpus)
  expect(await client.wait(binary.body.id)).toMatchObject({ state: 'failed', error: { code: 'LEFT_OUT' } })
  const secret = await client.upload('.env', 'TOKEN=1\n', corpus)
  expect(await client.wait(secret.body.id)).toMatchObject({ state: 'failed', error: { code: 'LEFT_OUT' } })
  for (const { body } of [binary, secret]) {
    const { detail } = (await client.wait(body.id)).error
    expect(detail).toMatch(/^no file to index: /)
    expect(detail).not.toMatch(/\/|parse-/)
  }
  const paths = (await client.call('GET', '/v1/corpora/docs/documents')).body.items
  expect(paths.map((item: { path: string }) => item.path)).not.toContain('.env')
})

it('refuses paths that lead elsewhere, uploads that are too large, forms without a file and foreign times', async () => {
  for (const name of ['../x.md', '/etc/x.md', 'a/../../b.md', '.git/config'])
    expect((await client.upload(name, '# x\n', corpus)).body).toMatchObject({ status: 400, code: 'BAD_PATH' })
  const large = await client.upload('large.md', 'x'.repeat(2 * 1024 * 1024 + 1), corpus)
  expect(large.body).toMatchObject({ status: 413, code: 'TOO_LARGE' })
  const empty = new FormData()
  empty.append('corpus', 'docs')
  expect((await client.call('POST', '/v1/ingest/file', empty)).body.code).toBe('BAD_REQUEST')
  expect((await client.call('POST', '/v1/ingest/file', { corpus: 'docs' })).body.code).toBe('BAD_REQUEST')
  const time = await client.upload('t.md', '# t\n', { ...corpus, modified_at: 'yesterday' })
  expect(time.body.code).toBe('BAD_REQUEST')
  expect(readdirSync(path.join(service.folder, 'data', 'spool'))).toEqual([])
})

it('ends endless forms and keeps nothing of uploads that were cut off', async () => {
  const parts = new FormData()
  for (let number = 0; number < 5000; number++) parts.append(`field-${number}`, 'x')
  parts.append('file', new Blob(['# x\n']), 'x.md')
  const many = await client.call('POST', '/v1/ingest/file', parts)
  expect(many.status).toBeGreaterThanOrEqual(400)
  expect(many.status).toBeLessThan(500)
  // A body that never ends: refused after the limit, long before anything is full.
  const endless = new ReadableStream<Uint8Array>({
    start: (stream) => {
      const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="e.md"\r\n\r\n'
      stream.enqueue(new TextEncoder().encode(head))
    },
    pull: (stream) => stream.enqueue(new Uint8Array(65_536).fill(65)),
  })
  const sent = fetch(`${service.url}/v1/ingest/file?corpus=docs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'multipart/form-data; boundary=b' },
    body: endless,
    duplex: 'half',
  } as RequestInit)
  const status = await sent.then(
    (response) => response.status,
    () => 'hung up',
  )
  expect([413, 'hung up']).toContain(status)
  expect(readdirSync(path.join(service.folder, 'data', 'spool'))).toEqual([])
})

it('refuses a document where a folder of documents is', async () => {
  await client.wait((await client.upload('part/one.md', '# One\n', corpus)).body.id)
  const above = await client.upload('part', '# Part\n', corpus)
  expect(await client.wait(above.body.id)).toMatchObject({ state: 'failed', error: { code: 'CONFLICT' } })
  const below = await client.upload('part/one.md/two.md', '# Two\n', corpus)
  expect(await client.wait(below.body.id)).toMatchObject({ state: 'failed', error: { code: 'CONFLICT' } })
})

it('cancels only what is not part of the corpus yet, and begins again when asked', async () => {
  const { body } = await client.upload('noise2.md', new Uint8Array(100), corpus)
  await client.wait(body.id)
  const cancelled = await client.call('POST', `/v1/ingestions/${body.id}/cancel`)
  expect(cancelled.body.state).toBe('cancelled')
  const again = await client.call('POST', `/v1/ingestions/${body.id}/retry`)
  expect([again.status, again.body.state]).toEqual([202, 'queued'])
  expect(await client.wait(body.id)).toMatchObject({ state: 'failed', attempts: 2 })
  const done = await client.upload('fine.md', '# Fine\n', corpus)
  await client.wait(done.body.id)
  expect((await client.call('POST', `/v1/ingestions/${done.body.id}/cancel`)).status).toBe(409)
})

it('lists documents in pages that join', async () => {
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const next: string = cursor === null ? '' : `&cursor=${cursor}`
    const { body } = await client.call('GET', `/v1/corpora/docs/documents?limit=2${next}`)
    seen.push(...body.items.map((item: { path: string }) => item.path))
    cursor = body.next_cursor
  } while (cursor !== null)
  const whole = (await client.call('GET', '/v1/corpora/docs/documents')).body.items
  expect(seen).toEqual(whole.map((item: { path: string }) => item.path))
  expect(seen).toEqual([...seen].sort())
  expect(seen.length).toBeGreaterThan(3)
})

it('takes an archive whole, in one version, and one that leads out not at all', async () => {
  await client.call('POST', '/v1/corpora', { name: 'unpacked' })
  const send = async (bytes: Uint8Array): Promise<Answer['body']> => {
    const form = new FormData()
    form.append('file', new Blob([bytes as Uint8Array<ArrayBuffer>]), 'repository.tgz')
    const { status, body } = await client.call('POST', '/v1/ingest/archive?corpus=unpacked&strip=1', form)
    expect(status).toBe(202)
    return await client.wait(body.id)
  }
  const names = Array.from({ length: 30 }, (_, number) => `docs/page-${String(number).padStart(2, '0')}.md`)
  const files = [
    ...names.map((name) => ({ name: `repo/${name}`, content: `# ${name}\n` })),
    { name: 'repo/.env', content: 'TOKEN=abc\n' },
    { name: 'repo/image.png', content: '\0\0\0' },
  ]
  expect(await send(makeTarGz(files))).toMatchObject({ state: 'completed', version: 1, error: null })
  const listed = async (): Promise<string[]> =>
    (await client.call('GET', '/v1/corpora/unpacked/documents')).body.items.map(
      (item: { path: string }) => item.path,
    )
  expect((await listed()).filter((name) => name.endsWith('.md'))).toEqual(names)
  expect(await listed()).not.toContain('.env')
  const before = await listed()
  const hostile = makeTarGz([
    { name: 'repo/fine.md', content: '# Fine\n' },
    { name: 'repo/../../out.md', content: '# Out\n' },
  ])
  expect(await send(hostile)).toMatchObject({ state: 'failed', error: { code: 'BAD_ARCHIVE' } })
  expect(await send(makeTarGz([{ name: 'repo/more.md', content: '# More\n' }]))).toMatchObject({ version: 2 })
  expect(await listed()).toEqual([...before, 'more.md'].sort())
})

it('shows the words and the vectors of a large archive in one version', async () => {
  await client.call('POST', '/v1/corpora', { name: 'large' })
  const form = new FormData()
  const files = Array.from({ length: 100 }, (_, number) => ({
    name: `repo/page-${number}.md`,
    content: `# Page ${number}\n\nHow a ship number${number} is built.\n`,
  }))
  form.append('file', new Blob([new Uint8Array(makeTarGz(files))]), 'repository.tgz')
  const { body } = await client.call('POST', '/v1/ingest/archive?corpus=large&strip=1', form)
  expect(await client.wait(body.id)).toMatchObject({ state: 'completed', version: 1 })
  const search = async (mode: string): Promise<unknown[]> =>
    (await client.call('POST', '/v1/corpora/large/search', { query: 'ship number7', mode })).body.hits
  for (const mode of ['lexical', 'vector']) expect((await search(mode)).length).toBeGreaterThan(0)
})

it('lists ingestions, the last changed first, by state and corpus, and to a key of other corpora none of them', async () => {
  await client.call('POST', '/v1/corpora', { name: 'listed' })
  const { number } = (await client.call('GET', '/v1/corpora/listed')).body
  const ids: string[] = []
  for (const name of ['a.md', 'b.exe', 'c.md'])
    ids.push((await client.upload(name, '# A page\n', { corpus: 'listed' })).body.id)
  for (const id of ids) await client.wait(id)
  const list = async (query: string, by = client): Promise<Answer> =>
    await by.call('GET', `/v1/ingestions?corpus=listed${query}`)
  const all = (await list('')).body.items as { id: string; updated_at: string }[]
  expect(all.map(({ id }) => id).sort()).toEqual([...ids].sort())
  expect(all.map(({ updated_at }) => updated_at)).toEqual(
    all.map(({ updated_at }) => updated_at).sort((a, b) => (a < b ? 1 : -1)),
  )
  const failed = (await list('&state=failed')).body.items
  expect(failed).toMatchObject([{ id: ids[1], path: 'b.exe', error: { code: 'LEFT_OUT' } }])
  const paged: string[] = []
  for (let cursor = ''; ; ) {
    const { body } = await list(`&limit=2${cursor}`)
    paged.push(...body.items.map(({ id }: { id: string }) => id))
    if (body.next_cursor === null) break
    cursor = `&cursor=${body.next_cursor}`
  }
  expect(paged).toEqual(all.map(({ id }) => id))
  expect((await list('&cursor=eA')).status).toBe(400)
  const other = new Client(service.url, await service.makeKey(service.organisation, 'read', [number + 1]))
  expect((await list('', other)).status).toBe(404)
  expect((await other.call('GET', '/v1/ingestions')).body.items).toEqual([])
})

it('takes the name of the scheme in any case, and gives requests ids of their node', async () => {
  for (const scheme of ['bearer', 'BEARER']) {
    const { status } = await fetch(`${service.url}/v1/usage`, {
      headers: { authorization: `${scheme} ${service.key}` },
    })
    expect(status).toBe(200)
  }
  const { body } = await client.call('GET', '/v1/corpora/nowhere')
  expect(body.instance).toMatch(/^req-[0-9a-f]{8}-[0-9a-z]+$/)
})
