// How does an S3-compatible store hold objects? The AWS SDK signs, retries and splits; this file keeps the port's promises.
import { Readable } from 'node:stream'
import {
  type PutObjectCommandInput,
  paginateListObjectsV2,
  S3,
  type S3ClientConfig,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { gatherBytes } from '../yore.ts'
import { type ByteRange, checkKey, checkPrefix, inspect, type ObjectStore, StoreError } from './store.ts'

export interface S3StoreOptions {
  /** `https://host`; requests append the bucket to the path. */
  readonly endpoint: string
  readonly bucket: string
  /** Region, keys and attempts. Without keys, the SDK looks for a role: web identity, container, virtual machine. */
  readonly sdk?: Pick<S3ClientConfig, 'region' | 'credentials' | 'maxAttempts'>
  /** Of new objects. */
  readonly encryption?: Pick<PutObjectCommandInput, 'ServerSideEncryption' | 'SSEKMSKeyId'>
  /** Larger objects are neither written nor read into memory. */
  readonly maxBytes?: number
  /** Larger objects are uploaded in parts of this size, one in memory at a time. S3 requires at least 5 MiB. */
  readonly partBytes?: number
  /** A request fails after so long without an answer, or without a further byte of it. */
  readonly idleMs?: number
}

export const s3Defaults = { maxBytes: 5 * 2 ** 30, partBytes: 16 * 2 ** 20, idleMs: 20_000 } as const

/** Checksums only where S3 requires them: other services refuse the SDK's trailing ones, and manifests hold SHA-256. */
export function connectS3({ endpoint, idleMs = s3Defaults.idleMs, sdk }: S3StoreOptions): S3 {
  return new S3({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    maxAttempts: 5,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { requestTimeout: idleMs, throwOnRequestTimeout: true, socketTimeout: 0 },
    ...sdk,
  })
}

const statusOf = (cause: unknown): number | undefined =>
  (cause as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode

/** S3 asks clients to repeat concurrent conditional writes, which fail with 409. */
function describeFailure(what: string, cause: unknown): StoreError {
  if (cause instanceof StoreError) return cause
  const { name, message } = cause as Error
  const status = statusOf(cause)
  const isKeyless = name === 'CredentialsProviderError'
  const why = isKeyless ? 'no credentials: set AWS_ACCESS_KEY_ID or give the node a role' : message
  const mayPass = status === undefined || status >= 500 || [408, 409, 429].includes(status)
  const fault = status === 404 ? 'missing' : mayPass ? 'unavailable' : 'refused'
  return new StoreError(fault, `${what}: ${status === undefined ? why : `${status} ${name}`}`, { cause })
}

/** Fails when the store is silent for too long; the time that the caller takes does not count. */
async function* watchIdle(body: Readable, idleMs: number): AsyncGenerator<Uint8Array> {
  const start = (): NodeJS.Timeout =>
    setTimeout(() => body.destroy(new Error(`nothing for ${idleMs} ms`)), idleMs)
  let timer = start()
  try {
    for await (const piece of body) {
      clearTimeout(timer)
      yield piece as Uint8Array
      timer = start()
    }
  } finally {
    clearTimeout(timer)
    body.destroy()
  }
}

export function openS3Store(options: S3StoreOptions): ObjectStore {
  const { bucket: Bucket, encryption, maxBytes, partBytes, idleMs } = { ...s3Defaults, ...options }
  const client = connectS3(options)

  const head: ObjectStore['head'] = async (Key) => {
    checkKey(Key)
    try {
      return { size: (await client.headObject({ Bucket, Key })).ContentLength ?? 0 }
    } catch (cause) {
      if (statusOf(cause) === 404) return null
      throw describeFailure(`HEAD ${Key}`, cause)
    }
  }

  /**
   * Some stores ignore the condition on the request that joins parts (Ceph 16 does), so a large object is looked up
   * first. Several concurrent writers may then all be told that they created it, which is harmless for keys that name
   * the content of their object.
   */
  const put: ObjectStore['put'] = async (Key, source, { ifAbsent = false, sha256 } = {}) => {
    checkKey(Key)
    let [size, isThere, broken] = [0, false, null as unknown]
    async function* check(): AsyncGenerator<Uint8Array> {
      try {
        for await (const piece of inspect(source, maxBytes, sha256)) {
          const isFirstPart = size <= partBytes
          size += piece.byteLength
          if (ifAbsent && isFirstPart && size > partBytes) isThere = (await head(Key)) !== null
          if (isThere) throw new Error(`${Key} exists`)
          yield piece
        }
      } catch (cause) {
        broken = cause
        throw cause
      }
    }
    const Body = Readable.from(check(), { highWaterMark: 1 })
    const params = { Bucket, Key, Body, ...encryption, ...(ifAbsent ? { IfNoneMatch: '*' } : {}) }
    try {
      await new Upload({ client, params, partSize: partBytes, queueSize: 1 }).done()
      return 'created'
    } catch (cause) {
      if (isThere || statusOf(cause) === 412) return 'exists'
      throw broken ?? describeFailure(`PUT ${Key}`, cause)
    }
  }

  /** Resumes after a broken connection: objects do not change. */
  async function* read(Key: string, { start, end }: ByteRange): AsyncGenerator<Uint8Array> {
    checkKey(Key)
    for (let at = start; end === undefined || at < end; ) {
      const isWhole = at === 0 && end === undefined
      const Range = isWhole ? undefined : `bytes=${at}-${end === undefined ? '' : end - 1}`
      const before = at
      try {
        const answer = await client.getObject({ Bucket, Key, Range })
        if (!isWhole && answer.$metadata.httpStatusCode !== 206)
          throw new StoreError('refused', `GET ${Key}: the store ignores ranges`)
        for await (const piece of watchIdle(answer.Body as Readable, idleMs)) {
          at += piece.byteLength
          yield piece
        }
        return
      } catch (cause) {
        if (statusOf(cause) === 416) return
        const failure = describeFailure(`GET ${Key}`, cause)
        // The SDK has repeated a request without an answer.
        if (failure.fault !== 'unavailable' || at === before) throw failure
      }
    }
  }

  async function* list(Prefix: string): AsyncGenerator<string> {
    checkPrefix(Prefix)
    try {
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix }))
        for (const { Key = '' } of Contents) yield Key
    } catch (cause) {
      throw describeFailure(`LIST ${Prefix}`, cause)
    }
  }

  return {
    put,
    head,
    list,
    stream: (key) => read(key, { start: 0 }),
    get: async (key, range = { start: 0 }) => {
      // S3 has no empty ranges.
      const isEmpty = range.end !== undefined && range.end <= range.start
      if (isEmpty && (await head(key)) === null) throw new StoreError('missing', `no object ${key}`)
      const bytes = await gatherBytes(read(key, range), maxBytes)
      if (bytes === null) throw new StoreError('too-large', `GET ${key}: more than ${maxBytes} bytes`)
      return bytes
    },
    delete: async (Key) => {
      checkKey(Key)
      await client.deleteObject({ Bucket, Key }).catch((cause) => {
        if (statusOf(cause) !== 404) throw describeFailure(`DELETE ${Key}`, cause)
      })
    },
  }
}
