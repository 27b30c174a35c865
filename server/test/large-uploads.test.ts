// Do large uploads end well, and is everything that they lose named? Limits follow progress; a killed worker's successor goes on.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nodeLimitDefaults } from '../src/control/node-limits.ts'
import { type Answer, Client, startService, type TestService } from './service.ts'
import { makeTarGz } from './support/archives.ts'

const slow = process.env['YORE_SLOW'] !== undefined
const pages = slow ? 20_000 : 1500
/** Much shorter than reading all pages takes, and longer than reading the few between two signs of life. */
const idleSeconds = slow ? 30 : 2.5

let service: TestService
let client: Client
beforeAll(async () => {
  service = await startService({ limits: { ...nodeLimitDefaults, idleSeconds, archiveFiles: pages } })
  client = new Client(service.url, service.key)
})
afterAll(() => service.close())

async function sendArchive(
  corpus: string,
  files: Parameters<typeof makeTarGz>[0],
  ms = 120_000,
): Promise<Answer['body']> {
  await client.call('POST', '/v1/corpora', { name: corpus })
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(makeTarGz(files))]), 'documents.tgz')
  const { status, body } = await client.call('POST', `/v1/ingest/archive?corpus=${corpus}`, form)
  expect(status).toBe(202)
  return await client.wait(body.id, ms)
}

const page = (number: number): { readonly name: string; readonly content: string } => ({
  name: `d${number % 100}/page-${number}.md`,
  content: `# Page ${number}\n\nHow ship number${number} is built. See [the next](../d${(number + 1) % 100}/page-${number + 1}.md).\n\n## Details of ${number}\n\n${'The hull and the keel are laid out with care. '.repeat(8)}word${number}x\n`,
})

it(
  `reads ${pages} pages, which takes longer than a reader may be silent`,
  async () => {
    const files = Array.from({ length: pages }, (_, number) => page(number))
    const end = await sendArchive('large', files, slow ? 3_000_000 : 400_000)
    expect(end).toMatchObject({ state: 'completed', error: null })
    const { body } = await client.call('POST', '/v1/corpora/large/search', {
      query: `word${pages - 1}x`,
      mode: 'lexical',
    })
    expect(body.hits[0].path).toBe(page(pages - 1).name)
    const { body: first } = await client.call('GET', '/v1/corpora/large/documents?limit=1000')
    expect(first.items).toHaveLength(1000)
  },
  slow ? 3_600_000 : 500_000,
)

describe('what is skipped', () => {
  const files = [
    { name: 'a.md', content: '# A\n\nA page.\n' },
    { name: 'b.pdf', content: '%PDF-1.7\nnot really\n' },
    { name: 'big.md', content: 'x'.repeat(4_000_000) },
    { name: 'picture.png', content: '\0\0' },
    { name: 'notes.log', content: 'x\n' },
    { name: '.gitignore', content: '*.log\n' },
  ]

  it('is counted in the ingestion, each of the first with its reason', async () => {
    const end = await sendArchive('mixed', files)
    expect(end).toMatchObject({ state: 'completed', error: null, skipped: { count: 4 } })
    const reasons = Object.fromEntries(
      end.skipped.first.map(({ path, reason }: { path: string; reason: string }) => [path, reason]),
    )
    expect(Object.keys(reasons).sort()).toEqual(['b.pdf', 'big.md', 'notes.log', 'picture.png'])
    expect(reasons['big.md']).toContain('2 MB')
    expect(reasons['picture.png']).toContain('not text')
    const { body } = await client.call('GET', '/v1/corpora/mixed/documents')
    expect(body.items.map(({ path }: { path: string }) => path)).toEqual(['.gitignore', 'a.md'])
  })

  it('is decided by the ignore rules of its own upload, not of an earlier one', async () => {
    const { body } = await client.upload('later.log', 'The harbourmaster wrote this.\n', { corpus: 'mixed' })
    expect(await client.wait(body.id)).toMatchObject({ state: 'completed', skipped: { count: 0 } })
    const found = await client.call('POST', '/v1/corpora/mixed/search', { query: 'harbourmaster' })
    expect(found.body.hits[0].path).toBe('later.log')
  })

  it('is not a PDF between 2 and 32 MB for its size', async () => {
    const pdf = `%PDF-1.7\n${'x'.repeat(3_000_000)}\n`
    const end = await sendArchive('papers', [
      { name: 'a.md', content: '# A\n' },
      { name: 'b.pdf', content: pdf },
    ])
    expect(end.skipped.first[0].path).toBe('b.pdf')
    expect(end.skipped.first[0].reason).not.toContain('larger')
    expect((await client.upload('b.pdf', pdf, { corpus: 'papers' })).status).toBe(202)
  })

  it('says why when nothing is left, without a path of the server', async () => {
    const end = await sendArchive('nothing', files.slice(1, 4))
    expect(end).toMatchObject({ state: 'failed', error: { code: 'LEFT_OUT' }, skipped: { count: 3 } })
    expect(end.error.detail).toMatch(/^no file to index: 3 skipped \(b\.pdf: /)
    expect(JSON.stringify(end)).not.toContain('/')
  })
})

it('calls an archive with more entries or bytes than allowed too large', async () => {
  const many = Array.from({ length: pages + 1 }, (_, number) => ({ name: `${number}.md` }))
  expect(await sendArchive('entries', many)).toMatchObject({
    state: 'failed',
    attempts: 1,
    error: { code: 'TOO_LARGE', detail: `the archive has more than ${pages} entries` },
  })
})
