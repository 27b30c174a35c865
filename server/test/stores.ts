// On which stores do tests run? A folder, and a bucket of the run's S3 where that was asked for: the same tests on both.
import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import type { ServeOptions } from '../src/serve.ts'
import { createBucket, keys } from './support/versions.ts'

const endpoint = inject('s3Url')

async function makeBucket(): Promise<Partial<ServeOptions>> {
  const bucket = `bucket-${randomBytes(6).toString('hex')}`
  await createBucket({ endpoint: endpoint ?? '', bucket })
  return { store: `s3:${endpoint}/${bucket}`, environment: { ...process.env, ...keys } }
}

/** For `describe.each`: what a service is started with. */
export const stores: readonly (readonly [string, () => Promise<Partial<ServeOptions>>])[] = [
  ['a folder', async () => ({})],
  ...(endpoint === null ? [] : [['S3', makeBucket] as const]),
]
