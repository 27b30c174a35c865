import { hash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { pullCorpus, pullDefaults } from './pull-corpus.ts'
import { writeTar } from './write-tar.ts'

/** A service that says what it wants; where it listens. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A service whose corpus holds these documents, whatever they are. */
function serveDocuments(
  documents: Readonly<Record<string, string>>,
  changes: { sha256?: string; size?: number; served?: string } = {},
): Promise<string> {
  return serve((request, response) => {
    const url = new URL(request.url ?? '', 'http://x')
    if (url.pathname.endsWith('/content')) {
      response.end(changes.served ?? documents[url.searchParams.get('path') ?? ''])
      return
    }
    const items = Object.entries(documents).map(([path, text]) => ({
      path,
      size: changes.size ?? Buffer.byteLength(text),
      sha256: changes.sha256 ?? hash('sha256', text),
      modified_at: '2025-09-15T12:00:00.000Z',
    }))
    const isList = url.pathname.endsWith('/documents')
    response.end(JSON.stringify(isList ? { items, next_cursor: null } : { version: 1 }))
  })
}

const pull = (root: string, url: string): ReturnType<typeof pullCorpus> =>
  pullCorpus(root, 'x', { ...pullDefaults, overwrite: true, address: { url, key: 'key' } })

it('writes nothing outside the folder, and nothing that steers a tool, whatever a service lists', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'yore-pull-'))
  const root = join(folder, 'root')
  mkdirSync(root)
  mkdirSync(join(folder, 'outside'))
  writeFileSync(join(folder, 'outside', 'kept.md'), 'kept')
  symlinkSync(join(folder, 'outside'), join(root, 'linked'))
  symlinkSync(join(folder, 'outside', 'kept.md'), join(root, 'linked.md'))
  writeFileSync(join(root, 'file'), 'a file')
  const hostile = [
    ...[
      '../up.md',
      '/etc/up.md',
      'a/../../up.md',
      'a/./b.md',
      'a//b.md',
      'a\\..\\up.md',
      '~/up.md',
      'C:/up.md',
    ],
    ...['.git/hooks/post-checkout', '.GIT/config', '.yore/index.db', 'a/.Git/x', 'node_modules/x/index.js'],
    ...[
      '.env',
      'id_rsa',
      '.ssh/config',
      'yore.json',
      '.gitignore',
      '.vscode/tasks.json',
      'a\u0000b.md',
      'x/..%2fup.md',
    ],
    ...['linked/in.md', 'file/below.md'],
  ]
  const url = await serveDocuments({
    ...Object.fromEntries(hostile.map((path) => [path, 'hostile'])),
    'linked.md': 'a document',
    'docs/fine.md': 'fine',
  })
  const report = await pull(root, url)
  expect(report.refused.map(({ path }) => path)).toEqual([...hostile].sort((a, b) => (a < b ? -1 : 1)))
  expect(report.written).toBe(2)
  expect(readdirSync(folder).sort()).toEqual(['outside', 'root'])
  expect(readdirSync(join(folder, 'outside'))).toEqual(['kept.md'])
  expect(readFileSync(join(folder, 'outside', 'kept.md'), 'utf8')).toBe('kept')
  expect(readdirSync(root).sort()).toEqual(['docs', 'file', 'linked', 'linked.md'])
  expect(readFileSync(join(root, 'linked.md'), 'utf8')).toBe('a document')
})

it('refuses bytes that are not those that were listed, and more of them than were', async () => {
  const root = mkdtempSync(join(tmpdir(), 'yore-pull-'))
  const other = await serveDocuments({ 'a.md': 'one' }, { served: 'two' })
  await expect(pull(root, other)).rejects.toMatchObject({ code: 'SERVICE_FAILED' })
  const longer = await serveDocuments({ 'a.md': 'one' }, { served: 'one and more' })
  await expect(pull(root, longer)).rejects.toThrow('larger than 3 bytes')
  expect(readdirSync(root)).toEqual([])
})

it('takes its key nowhere else, and is told in words what was answered', async () => {
  let asked = 0
  const elsewhere = await serve((_, response) => {
    asked++
    response.end('{}')
  })
  const moved = await serve((_, response) => response.writeHead(307, { location: elsewhere }).end())
  const root = mkdtempSync(join(tmpdir(), 'yore-pull-'))
  await expect(pull(root, moved)).rejects.toThrow('answered 307')
  expect(asked).toBe(0)
  const refusing = await serve((_, response) =>
    response.writeHead(403).end(JSON.stringify({ detail: 'the key\u001b[2J does not allow this' })),
  )
  await expect(pull(root, refusing)).rejects.toThrow('answered 403: the key [2J does not allow this')
  await expect(pull(root, 'ftp://x')).rejects.toMatchObject({ code: 'BAD_CONFIG' })
})

it('waits as long as a busy service asks, and then goes on', async () => {
  let answers = 0
  const busy = await serve((request, response) => {
    answers++
    if (answers % 2 === 1) response.writeHead(429, { 'retry-after': '0' }).end('{}')
    else
      response.end(
        JSON.stringify(
          request.url?.includes('/documents') ? { items: [], next_cursor: null } : { version: 3 },
        ),
      )
  })
  const root = mkdtempSync(join(tmpdir(), 'yore-pull-'))
  expect(await pull(root, busy)).toMatchObject({ version: 3, written: 0 })
  expect(existsSync(root)).toBe(true)
  expect(answers).toBe(4)
})

it('packs the same documents to the same archive', async () => {
  const documents = [{ path: 'ä.md', bytes: Buffer.from('x'), modifiedAt: 1234.5 }]
  expect((await writeTar(documents)).equals(await writeTar(documents))).toBe(true)
})
