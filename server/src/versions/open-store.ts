// Which object store does this address name? A folder, or a bucket of an S3-compatible service.
import { ServiceError } from '../errors.ts'
import { openDirectoryStore } from './directory-store.ts'
import { findCredentials } from './s3-credentials.ts'
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
  const [region, encryption, key] = [
    environment['AWS_REGION'],
    url.searchParams.get('encryption'),
    url.searchParams.get('key'),
  ]
  return openS3Store({
    endpoint: url.origin,
    bucket: url.pathname.slice(1),
    credentials: findCredentials(environment),
    encryption: {
      ...(encryption === null ? {} : { 'x-amz-server-side-encryption': encryption }),
      ...(key === null ? {} : { 'x-amz-server-side-encryption-aws-kms-key-id': key }),
    },
    ...(region === undefined ? {} : { region }),
  })
}
