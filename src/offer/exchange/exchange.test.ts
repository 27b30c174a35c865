import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import { type PushReport, pushCorpus } from './push-corpus.ts'
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

/** Of a folder that holds nothing. */
function push(url: string): Promise<PushReport> {
  const reader = { masks: () => [], files: () => [] } as unknown as CorpusReader
  return pushCorpus(reader, 'x', { url, key: 'key', root: '/', maxFileSize: 1 })
}

it('takes its key nowhere else, and is told in words what was answered', async () => {
  let asked = 0
  const elsewhere = await serve((_, response) => {
    asked++
    response.end('{}')
  })
  const moved = await serve((_, response) => response.writeHead(307, { location: elsewhere }).end())
  await expect(push(moved)).rejects.toThrow('answered 307')
  expect(asked).toBe(0)
  const refusing = await serve((_, response) =>
    response.writeHead(403).end(JSON.stringify({ detail: 'the key\u001b[2J does not allow this' })),
  )
  await expect(push(refusing)).rejects.toThrow('answered 403: the key [2J does not allow this')
  await expect(push('ftp://x')).rejects.toMatchObject({ code: 'BAD_CONFIG' })
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
  expect(await push(busy)).toMatchObject({ version: 3, sent: 0 })
  expect(answers).toBe(6)
})

it('packs the same documents to the same archive', async () => {
  const documents = [{ path: 'ä.md', bytes: Buffer.from('x'), modifiedAt: 1234.5 }]
  expect((await writeTar(documents)).equals(await writeTar(documents))).toBe(true)
})
