// How does an S3-compatible store hold objects? Small ones in one request, large ones in parts.
import {
  gather,
  isUnavailable,
  maxTextBytes,
  S3Client,
  type S3Settings,
  type S3StoreOptions,
  s3Defaults,
} from './s3-client.ts'
import {
  type ByteRange,
  checkKey,
  checkPrefix,
  Inspection,
  inOnePiece,
  type ObjectSource,
  type ObjectStore,
  type PutOptions,
  StoreError,
} from './store.ts'

/** Pieces of exactly `length` bytes, the last one shorter; at least one. */
async function* inParts(source: ObjectSource, length: number): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = []
  let size = 0
  for await (const piece of inOnePiece(source)) {
    for (let at = 0; at < piece.byteLength; ) {
      const taken = piece.subarray(at, at + length - size)
      held.push(taken)
      size += taken.byteLength
      at += taken.byteLength
      if (size < length) continue
      yield Buffer.concat(held)
      held = []
      size = 0
    }
  }
  yield Buffer.concat(held)
}

const onlyNew = { 'if-none-match': '*' }

async function putWhole(
  client: S3Client,
  key: string,
  body: Uint8Array,
  ifAbsent: boolean,
): Promise<'created' | 'exists'> {
  const headers = ifAbsent ? onlyNew : {}
  const answers = [200, 412]
  const { status } = await client.sendShort({ method: 'PUT', key, body, headers, creates: true, answers })
  return status === 412 ? 'exists' : 'created'
}

interface Upload {
  readonly key: string
  readonly uploadId: string
}

async function putParts(
  client: S3Client,
  { key, uploadId }: Upload,
  parts: AsyncIterable<Buffer>,
): Promise<string> {
  const tags: string[] = []
  for await (const body of parts) {
    if (body.byteLength === 0) continue
    const query = { partNumber: String(tags.length + 1), uploadId }
    const answer = await client.send({ method: 'PUT', key, query, body, answers: [200] })
    await gather(answer.pieces, maxTextBytes)
    tags.push(answer.headers.get('etag') ?? '')
  }
  const listed = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${tag}</ETag></Part>`)
  return `<CompleteMultipartUpload>${listed.join('')}</CompleteMultipartUpload>`
}

/**
 * Parts become an object only when all are there. Some stores ignore the condition on the last request (Ceph 16 does):
 * then several concurrent writers of one large object may all be told that they created it. That is harmless for
 * keys that name the content of their object.
 */
async function putInParts(
  client: S3Client,
  key: string,
  parts: AsyncIterable<Buffer>,
  ifAbsent: boolean,
): Promise<'created' | 'exists'> {
  const query = { uploads: '' }
  const started = await client.sendShort({ method: 'POST', key, query, creates: true, answers: [200] })
  const uploadId = /<UploadId>([^<]+)<\/UploadId>/.exec(started.text)?.[1]
  if (uploadId === undefined) throw new StoreError('refused', `POST ${key}: no id for the upload`)
  try {
    const list = await putParts(client, { key, uploadId }, parts)
    const found = ifAbsent ? await headObject(client, key) : null
    if (found === null) {
      const completed = await client.sendShort({
        method: 'POST',
        key,
        query: { uploadId },
        headers: ifAbsent ? onlyNew : {},
        body: Buffer.from(list),
        answers: [200, 412],
      })
      // Completing may fail after the status was sent.
      if (completed.text.includes('<Error>'))
        throw new StoreError('unavailable', `POST ${key}: the parts were not joined`)
      if (completed.status === 200) return 'created'
    }
    await abandon(client, { key, uploadId })
    return 'exists'
  } catch (cause) {
    await abandon(client, { key, uploadId }).catch(() => undefined)
    throw cause
  }
}

async function abandon(client: S3Client, { key, uploadId }: Upload): Promise<void> {
  await client.sendShort({ method: 'DELETE', key, query: { uploadId }, answers: [204, 404] })
}

async function headObject(client: S3Client, key: string): Promise<{ readonly size: number } | null> {
  const { status, headers, pieces } = await client.send({ method: 'HEAD', key, answers: [200, 404] })
  await gather(pieces, 0)
  return status === 404 ? null : { size: Number(headers.get('content-length')) }
}

async function getRange(client: S3Client, key: string, range: ByteRange, maxBytes: number): Promise<Buffer> {
  const { start, end } = range
  // S3 has no empty ranges.
  if (end !== undefined && end <= start) {
    if ((await headObject(client, key)) === null) throw new StoreError('missing', `no object ${key}`)
    return Buffer.alloc(0)
  }
  const headers = { range: `bytes=${start}-${end === undefined ? '' : end - 1}` }
  const answer = await client.send({ method: 'GET', key, headers, answers: [206, 416] })
  const bytes = await gather(answer.pieces, maxBytes)
  return answer.status === 416 ? Buffer.alloc(0) : bytes
}

/** Resumes after a broken connection: objects do not change. */
async function* streamObject(client: S3Client, key: string, attempts: number): AsyncGenerator<Uint8Array> {
  let offset = 0
  for (let attempt = 1; ; attempt++) {
    const headers = offset === 0 ? {} : { range: `bytes=${offset}-` }
    const answer = await client.send({
      method: 'GET',
      key,
      headers,
      answers: [offset === 0 ? 200 : 206, 416],
    })
    if (answer.status === 416) return void (await gather(answer.pieces, maxTextBytes))
    const before = offset
    try {
      for await (const piece of answer.pieces) {
        offset += piece.byteLength
        yield piece
      }
      return
    } catch (cause) {
      if (offset > before) attempt = 1
      if (!isUnavailable(cause) || attempt >= attempts) throw cause
      await client.wait(attempt)
    }
  }
}

async function* listKeys(client: S3Client, prefix: string): AsyncGenerator<string> {
  let token: string | undefined
  do {
    const query = {
      'list-type': '2',
      prefix,
      ...(token === undefined ? {} : { 'continuation-token': token }),
    }
    const { text } = await client.sendShort({ method: 'GET', query, answers: [200] })
    for (const [, key = ''] of text.matchAll(/<Key>([^<]*)<\/Key>/g)) yield key
    token = /<NextContinuationToken>([^<]+)<\/NextContinuationToken>/.exec(text)?.[1]
  } while (token !== undefined)
}

export function openS3Store(options: S3StoreOptions): ObjectStore {
  const settings: S3Settings = { ...s3Defaults, ...options }
  const { maxBytes, partBytes } = settings
  const client = new S3Client(settings)

  const put = async (
    key: string,
    source: ObjectSource,
    { ifAbsent = false, sha256 }: PutOptions = {},
  ): Promise<'created' | 'exists'> => {
    checkKey(key)
    const inspection = new Inspection(maxBytes, sha256)
    const parts = inParts(source, partBytes)
    const first = (await parts.next()).value ?? Buffer.alloc(0)
    inspection.add(first)
    if (first.byteLength < partBytes) {
      inspection.end()
      return putWhole(client, key, first, ifAbsent)
    }
    const all = async function* (): AsyncGenerator<Buffer> {
      yield first
      for await (const part of parts) {
        inspection.add(part)
        yield part
      }
      inspection.end()
    }
    return putInParts(client, key, all(), ifAbsent)
  }

  return {
    put,
    get: async (key, range = { start: 0 }) => {
      checkKey(key)
      if (range.start !== 0 || range.end !== undefined) return getRange(client, key, range, maxBytes)
      const { pieces } = await client.send({ method: 'GET', key, answers: [200] })
      return gather(pieces, maxBytes)
    },
    stream: (key) => {
      checkKey(key)
      return streamObject(client, key, settings.attempts)
    },
    head: async (key) => {
      checkKey(key)
      return headObject(client, key)
    },
    delete: async (key) => {
      checkKey(key)
      await client.sendShort({ method: 'DELETE', key, answers: [200, 204, 404] })
    },
    list: (prefix) => {
      checkPrefix(prefix)
      return listKeys(client, prefix)
    },
  }
}
