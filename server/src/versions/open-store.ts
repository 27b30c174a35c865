// Which object store does this address name? A folder, or a bucket of an S3-compatible service.
import type { ServerSideEncryption } from '@aws-sdk/client-s3'
import { ServiceError } from '../errors.ts'
import { openDirectoryStore } from './directory-store.ts'
import { openS3Store } from './s3-store.ts'
import type { ObjectStore } from './store.ts'

/**
 * Opens `dir:/path` or `s3:https://host/bucket`; the latter with the credentials that the environment names.
 * `?encryption=aws:kms&key=ID` after the bucket asks the service to encrypt new objects.
 *
 * @example await openStore('dir:/var/lib/yore/store', process.env)
 */
export async function openStore(address: string, environment: NodeJS.ProcessEnv): Promise<ObjectStore> {
  const [scheme, rest] = [address.slice(0, address.indexOf(':')), address.slice(address.indexOf(':') + 1)]
  if (scheme === 'dir' && rest.startsWith('/')) return await openDirectoryStore({ directory: rest })
  if (scheme !== 's3' || !URL.canParse(rest))
    throw new ServiceError('BAD_REQUEST', 'the store must be dir:/path or s3:https://host/bucket')
  const url = new URL(rest)
  const [region, accessKeyId, secretAccessKey = '', sessionToken] = [
    'AWS_REGION',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
  ].map((name) => environment[name])
  const [encryption, key] = ['encryption', 'key'].map((name) => url.searchParams.get(name))
  return openS3Store({
    endpoint: url.origin,
    bucket: url.pathname.slice(1),
    sdk: {
      ...(region ? { region } : {}),
      ...(accessKeyId
        ? { credentials: { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) } }
        : {}),
    },
    encryption: {
      ...(encryption ? { ServerSideEncryption: encryption as ServerSideEncryption } : {}),
      ...(key ? { SSEKMSKeyId: key } : {}),
    },
  })
}
