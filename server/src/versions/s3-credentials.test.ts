import { writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { AwsClient } from 'aws4fetch'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { createBucket, keys, makeTestFolder } from '../../test/support/versions.ts'
import { openStore } from './open-store.ts'
import { S3Client, s3Defaults } from './s3-client.ts'
import { type Credentials, findCredentials } from './s3-credentials.ts'

const url = inject('s3Url')
const hour = 3_600_000

/** Answers as a platform's endpoint does; a string is the body of a 200. */
async function listen(
  answer: (request: IncomingMessage, body: string) => Promise<string | number> | string | number,
): Promise<string> {
  const server = createServer(async (request, response) => {
    const given = await answer(request, await text(request))
    response.writeHead(typeof given === 'number' ? given : 200).end(typeof given === 'number' ? '' : given)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const inXml = ({ accessKeyId, secretAccessKey, sessionToken }: Credentials, expiresAt: number): string =>
  `<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials>
    <AccessKeyId>${accessKeyId}</AccessKeyId><SecretAccessKey>${secretAccessKey}</SecretAccessKey>
    <SessionToken>${sessionToken}</SessionToken><Expiration>${new Date(expiresAt).toISOString()}</Expiration>
  </Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`

const inJson = (name: string): string =>
  JSON.stringify({
    ...{ Code: 'Success', AccessKeyId: name, SecretAccessKey: 'secret', Token: 'token' },
    Expiration: new Date(Date.now() + hour).toISOString(),
  })
const read = (name: string): Credentials & { expiresAt: number } =>
  expect.objectContaining({ accessKeyId: name, secretAccessKey: 'secret', sessionToken: 'token' })

/** Temporary credentials of the run's S3, from its own token service. */
async function assumeRole(endpoint: string): Promise<Credentials> {
  const client = new AwsClient({
    ...{ accessKeyId: 'yorekey', secretAccessKey: 'yoresecret' },
    ...{ region: 'us-east-1', service: 'sts', retries: 0 },
  })
  const fields = { Action: 'AssumeRole', RoleArn: 'arn:aws:iam:::role/yore', RoleSessionName: 'tests' }
  const body = new URLSearchParams({ ...fields, Version: '2011-06-15' }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await (await client.fetch(`${endpoint}/`, { method: 'POST', headers, body })).text()
  const field = (name: string): string => new RegExp(`<${name}>([^<]+)<`).exec(answer)?.[1] ?? ''
  const [accessKeyId, secretAccessKey] = [field('AccessKeyId'), field('SecretAccessKey')]
  return { accessKeyId, secretAccessKey, sessionToken: field('SessionToken') }
}

describe('credentials', () => {
  it('are the keys of the environment, before any role', async () => {
    const environment = { ...keys, AWS_WEB_IDENTITY_TOKEN_FILE: '/nowhere' }
    const plain = { accessKeyId: 'yorekey', secretAccessKey: 'yoresecret' }
    expect(await findCredentials(environment)()).toEqual(plain)
    expect(await findCredentials({ ...environment, AWS_SESSION_TOKEN: 't' })()).toEqual({
      ...plain,
      sessionToken: 't',
    })
  })

  it('of a web identity are renewed before they expire, with the token that is on the disk then', async () => {
    const tokenFile = path.join(makeTestFolder(), 'token')
    const seen: string[] = []
    let [lasts, status] = [60_000, 200]
    const service = await listen((_, body) => {
      const form = new URLSearchParams(body)
      expect([form.get('Action'), form.get('RoleArn')]).toEqual(['AssumeRoleWithWebIdentity', 'arn:of:role'])
      seen.push(form.get('WebIdentityToken') ?? '')
      const name = `key-${seen.length}`
      if (status !== 200) return status
      return inXml(
        { accessKeyId: name, secretAccessKey: 'secret', sessionToken: 'token' },
        Date.now() + lasts,
      )
    })
    const find = findCredentials({
      AWS_WEB_IDENTITY_TOKEN_FILE: tokenFile,
      AWS_ROLE_ARN: 'arn:of:role',
      AWS_ENDPOINT_URL_STS: service,
    })
    writeFileSync(tokenFile, 'first\n')
    expect(await Promise.all([find(), find()])).toEqual([read('key-1'), read('key-1')])
    // The token service is away: the credentials still hold for a minute.
    writeFileSync(tokenFile, 'second\n')
    status = 503
    expect(await find()).toEqual(read('key-1'))
    status = 200
    lasts = hour
    expect(await find()).toEqual(read('key-3'))
    expect(await find()).toEqual(read('key-3'))
    expect(seen).toEqual(['first', 'second', 'second'])
  })

  it('of a container come from its endpoint, with its token', async () => {
    const endpoint = await listen(({ headers }) =>
      headers.authorization === 'of the container' ? inJson('container') : 403,
    )
    const environment = { AWS_CONTAINER_CREDENTIALS_FULL_URI: `${endpoint}/v1/credentials` }
    const token = { AWS_CONTAINER_AUTHORIZATION_TOKEN: 'of the container' }
    expect(await findCredentials({ ...environment, ...token })()).toEqual(read('container'))
    await expect(findCredentials(environment)()).rejects.toThrow('no credentials')
  })

  it('of a virtual machine come from its metadata, for a session of it', async () => {
    const endpoint = await listen(({ method, url, headers }) => {
      if (method === 'PUT' && url === '/latest/api/token') return 'session'
      if (headers['x-aws-ec2-metadata-token'] !== 'session') return 401
      if (url === '/latest/meta-data/iam/security-credentials/') return 'reader'
      return url === '/latest/meta-data/iam/security-credentials/reader' ? inJson('machine') : 404
    })
    const environment = { AWS_EC2_METADATA_SERVICE_ENDPOINT: endpoint }
    expect(await findCredentials(environment)()).toEqual(read('machine'))
  })

  it('that are nowhere are an outage that names what to set', async () => {
    const endpoint = await listen(() => 404)
    const store = await openStore('s3:http://127.0.0.1:9/bucket', {
      AWS_EC2_METADATA_SERVICE_ENDPOINT: endpoint,
    })
    await expect(store.get('a')).rejects.toMatchObject({
      fault: 'unavailable',
      message: expect.stringContaining('AWS_ACCESS_KEY_ID'),
    })
  })
})

if (url === null) it.skip('S3: not tried, because YORE_TEST_S3 is not set')
else
  describe('S3', () => {
    it('accepts the session token of a role, and refuses its keys without it', async () => {
      await createBucket({ endpoint: url, bucket: 'of-a-role' })
      const role = await assumeRole(url)
      const tokenFile = path.join(makeTestFolder(), 'token')
      writeFileSync(tokenFile, 'of the pod')
      const service = await listen((_, body) =>
        new URLSearchParams(body).get('WebIdentityToken') === 'of the pod'
          ? inXml(role, Date.now() + hour)
          : 403,
      )
      const store = await openStore(`s3:${url}/of-a-role`, {
        AWS_WEB_IDENTITY_TOKEN_FILE: tokenFile,
        AWS_ROLE_ARN: 'arn:of:role',
        AWS_ENDPOINT_URL_STS: service,
      })
      expect(await store.put('a', Buffer.from('text'))).toBe('created')
      expect(Buffer.from(await store.get('a')).toString()).toBe('text')
      const bare = await openStore(`s3:${url}/of-a-role`, {
        AWS_ACCESS_KEY_ID: role.accessKeyId,
        AWS_SECRET_ACCESS_KEY: role.secretAccessKey,
      })
      await expect(bare.get('a')).rejects.toMatchObject({ fault: 'refused' })
    })

    it('encrypts new objects, small and large, with the key that the address names', async () => {
      const options = { endpoint: url, bucket: 'encrypted', credentials: findCredentials(keys) }
      await createBucket(options)
      const store = await openStore(`s3:${url}/encrypted?encryption=aws:kms&key=yore-key`, keys)
      const large = Buffer.alloc(s3Defaults.partBytes + 1, 7)
      await store.put('small', Buffer.from('text'))
      await store.put('large', large)
      expect(Buffer.from(await store.get('large')).equals(large)).toBe(true)
      const client = new S3Client({ ...s3Defaults, ...options })
      for (const key of ['small', 'large']) {
        const { headers } = await client.send({ method: 'HEAD', key, answers: [200] })
        expect(headers.get('x-amz-server-side-encryption')).toBe('aws:kms')
        expect(headers.get('x-amz-server-side-encryption-aws-kms-key-id')).toBe('yore-key')
      }
    })
  })
