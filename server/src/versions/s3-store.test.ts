import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, inject, it } from 'vitest'
import { describeStoreContract } from '../../test/support/store-contract.ts'
import { createBucket, keys } from '../../test/support/versions.ts'
import type { S3StoreOptions } from './s3-client.ts'
import { findCredentials } from './s3-credentials.ts'
import { openS3Store } from './s3-store.ts'
import type { ObjectStore } from './store.ts'

const url = inject('s3Url')
const maxBytes = 20 << 20
const optionsFor = (endpoint: string): S3StoreOptions => ({
  endpoint,
  bucket: `b-${randomUUID()}`,
  credentials: findCredentials(keys),
  maxBytes,
  partBytes: 5 << 20,
})

async function openFresh(endpoint: string): Promise<ObjectStore> {
  const options = optionsFor(endpoint)
  await createBucket(options)
  return openS3Store(options)
}

if (url === null) it.skip('S3: not tried, because YORE_TEST_S3 is not set')
else {
  describeStoreContract('S3', { open: () => openFresh(url), maxBytes, manyParts: 12_000_001 })

  describe('S3', () => {
    it('lists more keys than one answer holds, in order', async () => {
      const store = await openFresh(url)
      const keys = Array.from({ length: 1100 }, (_, at) => `k/${String(at).padStart(4, '0')}`)
      for (let at = 0; at < keys.length; at += 50)
        await Promise.all(keys.slice(at, at + 50).map((key) => store.put(key, Buffer.from(key))))
      const listed: string[] = []
      for await (const key of store.list('k/')) listed.push(key)
      expect(listed).toEqual(keys)
    })

    it('is refused with a wrong secret, at once', async () => {
      const credentials = findCredentials({ ...keys, AWS_SECRET_ACCESS_KEY: 'wrong' })
      const store = openS3Store({ ...optionsFor(url), credentials })
      await expect(store.get('a')).rejects.toMatchObject({ fault: 'refused' })
    })
  })
}

/** Answers as a store in trouble does; whether the real one keeps the contract is tried above. */
describe('a store in trouble', () => {
  const servers: Server[] = []
  afterEach(() => {
    for (const server of servers.splice(0)) server.close().closeAllConnections()
  })

  async function listen(answer: RequestListener): Promise<S3StoreOptions> {
    const server = createServer(answer).listen(0, '127.0.0.1')
    servers.push(server)
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    return { ...optionsFor(`http://127.0.0.1:${port}`), backoffMs: 1, idleMs: 300 }
  }

  it('is asked again after 5xx, and not after 4xx', async () => {
    let asked = 0
    const flaky = await listen((_, response) => {
      asked++
      response.writeHead(asked < 4 ? 503 : 200).end('text')
    })
    expect(Buffer.from(await openS3Store(flaky).get('a')).toString()).toBe('text')
    expect(asked).toBe(4)
    asked = 0
    const refusing = await listen((_, response) => {
      asked++
      response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>')
    })
    await expect(openS3Store(refusing).get('a')).rejects.toThrow('403 AccessDenied')
    expect(asked).toBe(1)
  })

  it('is given up after so many attempts', async () => {
    let asked = 0
    const options = await listen((_, response) => {
      asked++
      response.writeHead(500).end()
    })
    await expect(openS3Store(options).head('a')).rejects.toMatchObject({ fault: 'unavailable' })
    expect(asked).toBe(5)
  })

  it('may not stay silent', async () => {
    const options = await listen(() => undefined)
    await expect(openS3Store({ ...options, attempts: 2 }).get('a')).rejects.toMatchObject({
      fault: 'unavailable',
    })
  })

  it('is not blamed for a slow reader', async () => {
    let asked = 0
    const bytes = Buffer.alloc(4 << 20, 7)
    const options = await listen((_, response) => {
      asked++
      response.end(bytes)
    })
    let size = 0
    for await (const piece of openS3Store({ ...options, idleMs: 100 }).stream('a')) {
      if (size === 0) await new Promise((resolve) => setTimeout(resolve, 300))
      size += piece.byteLength
    }
    expect([size, asked]).toEqual([bytes.byteLength, 1])
  })

  it('may break off: a stream goes on where it stopped', async () => {
    const bytes = Buffer.from('0123456789'.repeat(10_000))
    const ranges: string[] = []
    const options = await listen((request, response) => {
      const start = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? 'bytes=0-')?.[1])
      ranges.push(String(start))
      response.writeHead(start === 0 ? 200 : 206, { 'content-length': bytes.byteLength - start })
      const isLast = start >= 60_000
      response.write(bytes.subarray(start, isLast ? undefined : start + 30_000), () =>
        isLast ? response.end() : setTimeout(() => response.destroy(), 20),
      )
    })
    const pieces: Uint8Array[] = []
    for await (const piece of openS3Store(options).stream('a')) pieces.push(piece)
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true)
    expect(ranges).toEqual(['0', '30000', '60000'])
  })

  it('may not send more than is allowed, nor lead elsewhere', async () => {
    const flooding = await listen((_, response) => {
      const piece = Buffer.alloc(1 << 20)
      const write = (): void => {
        while (response.write(piece)) if (response.destroyed) return
        response.once('drain', write)
      }
      response.writeHead(200)
      write()
    })
    await expect(openS3Store(flooding).get('a')).rejects.toMatchObject({ fault: 'too-large' })
    const leading = await listen((_, response) => {
      response.writeHead(301, { location: 'http://127.0.0.1:9/' }).end()
    })
    await expect(openS3Store({ ...leading, attempts: 1 }).get('a')).rejects.toMatchObject({
      fault: 'unavailable',
    })
  })
})
