import { createHmac, hash, randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, inject, it, vi } from 'vitest'
import { describeStoreContract } from '../../test/support/store-contract.ts'
import { createBucket, credentials, keys, makeTestFolder } from '../../test/support/versions.ts'
import { openStore } from './open-store.ts'
import { connectS3, openS3Store, type S3StoreOptions, s3Defaults } from './s3-store.ts'
import type { ObjectStore } from './store.ts'

const url = inject('s3Url')
const maxBytes = 20 << 20
const optionsFor = (endpoint: string): S3StoreOptions => ({
  endpoint,
  bucket: `b-${randomUUID()}`,
  sdk: { credentials },
  maxBytes,
  partBytes: 5 << 20,
})

async function openFresh(endpoint: string): Promise<ObjectStore> {
  const options = optionsFor(endpoint)
  await createBucket(options)
  return openS3Store(options)
}

const servers: Server[] = []
afterEach(() => {
  vi.unstubAllEnvs()
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

async function listen(answer: RequestListener): Promise<S3StoreOptions> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  servers.push(server)
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return { ...optionsFor(`http://127.0.0.1:${port}`), idleMs: 300 }
}

type Role = Readonly<Record<'AccessKeyId' | 'SecretAccessKey' | 'SessionToken', string>>

const inXml = (role: Role): string => {
  const fields = { ...role, Expiration: new Date(Date.now() + 3_600_000).toISOString() }
  const lines = Object.entries(fields).map(([name, value]) => `<${name}>${value}</${name}>`)
  const result = `<Credentials>${lines.join('')}</Credentials>`
  return `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
    <AssumeRoleWithWebIdentityResult>${result}</AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`
}

/** Temporary credentials of the run's S3, from its own token service; the request is signed by Signature Version 4. */
async function assumeRole(endpoint: string): Promise<Role> {
  const fields = { Action: 'AssumeRole', RoleArn: 'arn:aws:iam:::role/yore', RoleSessionName: 'tests' }
  const body = new URLSearchParams({ ...fields, Version: '2011-06-15' }).toString()
  const at = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
  const scope = [at.slice(0, 8), 'us-east-1', 'sts', 'aws4_request']
  const sum = (given: string): string => hash('sha256', given)
  const named = { host: new URL(endpoint).host, 'x-amz-date': at }
  const listed = Object.entries(named).map(([name, value]) => `${name}:${value}\n`)
  const signed = Object.keys(named).join(';')
  const canonical = ['POST', '/', '', listed.join(''), signed, sum(body)].join('\n')
  const message = ['AWS4-HMAC-SHA256', at, scope.join('/'), sum(canonical)].join('\n')
  let key: string | Buffer = `AWS4${credentials.secretAccessKey}`
  for (const part of [...scope, message]) key = createHmac('sha256', key).update(part).digest()
  const credential = `${credentials.accessKeyId}/${scope.join('/')}`
  const signature = (key as Buffer).toString('hex')
  const authorization = `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${signed}, Signature=${signature}`
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-amz-date': at, authorization }
  const answer = await (await fetch(`${endpoint}/`, { method: 'POST', headers, body })).text()
  const field = (name: string): string => new RegExp(`<${name}>([^<]+)<`).exec(answer)?.[1] ?? ''
  const [AccessKeyId, SecretAccessKey] = [field('AccessKeyId'), field('SecretAccessKey')]
  return { AccessKeyId, SecretAccessKey, SessionToken: field('SessionToken') }
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
      const sdk = { credentials: { ...credentials, secretAccessKey: 'wrong' } }
      const store = openS3Store({ ...optionsFor(url), sdk })
      await expect(store.get('a')).rejects.toMatchObject({ fault: 'refused' })
    })

    it('accepts the session token of a role, and refuses its keys without it', async () => {
      await createBucket({ endpoint: url, bucket: 'of-a-role' })
      const role = await assumeRole(url)
      const tokenFile = path.join(makeTestFolder(), 'token')
      writeFileSync(tokenFile, 'of the pod')
      const service = await listen(async (request, response) => {
        const token = new URLSearchParams(await text(request)).get('WebIdentityToken')
        response
          .writeHead(token === 'of the pod' ? 200 : 403, { 'content-type': 'text/xml' })
          .end(inXml(role))
      })
      vi.stubEnv('AWS_WEB_IDENTITY_TOKEN_FILE', tokenFile)
      vi.stubEnv('AWS_ROLE_ARN', 'arn:aws:iam::123456789012:role/yore')
      vi.stubEnv('AWS_ENDPOINT_URL_STS', service.endpoint)
      vi.stubEnv('AWS_REGION', 'us-east-1')
      const store = await openStore(`s3:${url}/of-a-role`, process.env)
      expect(await store.put('a', Buffer.from('text'))).toBe('created')
      expect(Buffer.from(await store.get('a')).toString()).toBe('text')
      const bare = await openStore(`s3:${url}/of-a-role`, {
        AWS_ACCESS_KEY_ID: role.AccessKeyId,
        AWS_SECRET_ACCESS_KEY: role.SecretAccessKey,
      })
      await expect(bare.get('a')).rejects.toMatchObject({ fault: 'refused' })
    })

    it('encrypts new objects, small and large, with the key that the address names', async () => {
      const options = { endpoint: url, bucket: 'encrypted', sdk: { credentials } }
      await createBucket(options)
      const store = await openStore(`s3:${url}/encrypted?encryption=aws:kms&key=yore-key`, keys)
      const large = Buffer.alloc(s3Defaults.partBytes + 1, 7)
      await store.put('small', Buffer.from('text'))
      await store.put('large', large)
      expect(Buffer.from(await store.get('large')).equals(large)).toBe(true)
      for (const Key of ['small', 'large'])
        expect(await connectS3(options).headObject({ Bucket: 'encrypted', Key })).toMatchObject({
          ServerSideEncryption: 'aws:kms',
          SSEKMSKeyId: 'yore-key',
        })
    })

    it('leaves no parts of an upload that failed', async () => {
      const options = optionsFor(url)
      await createBucket(options)
      const wrong = { sha256: '0'.repeat(64), ifAbsent: true }
      const source = Readable.from([Buffer.alloc(6 << 20), Buffer.alloc(6 << 20)])
      await expect(openS3Store(options).put('large', source, wrong)).rejects.toMatchObject({
        fault: 'wrong-checksum',
      })
      const left = await connectS3(options).listMultipartUploads({ Bucket: options.bucket })
      expect(left.Uploads ?? []).toEqual([])
    })
  })
}

it('has no credentials: an outage that names what to set', async () => {
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_PROFILE'])
    vi.stubEnv(name, undefined)
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true')
  const store = await openStore('s3:http://127.0.0.1:9/bucket', {})
  await expect(store.get('a')).rejects.toMatchObject({
    fault: 'unavailable',
    message: expect.stringContaining('AWS_ACCESS_KEY_ID'),
  })
})

/** Answers as a store in trouble does; whether the real one keeps the contract is tried above. */
describe('a store in trouble', () => {
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
    await expect(
      openS3Store({ ...options, sdk: { credentials, maxAttempts: 2 } }).get('a'),
    ).rejects.toMatchObject({
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
    for await (const piece of openS3Store({ ...options, idleMs: 1000 }).stream('a')) {
      if (size === 0) await new Promise((resolve) => setTimeout(resolve, 3000))
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
    // What had arrived when it broke off is not asked for again; nothing may have arrived.
    expect([...new Set(ranges)]).toEqual(['0', '30000', '60000'])
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
    await expect(openS3Store(leading).get('a')).rejects.toMatchObject({ fault: 'refused' })
  })
})
