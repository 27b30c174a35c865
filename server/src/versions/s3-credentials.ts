// Which credentials open the bucket? Keys of the environment, or those of a role, renewed before they expire.
import { readFile } from 'node:fs/promises'
import { StoreError } from './store.ts'

export interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

interface RoleCredentials extends Credentials {
  readonly expiresAt: number
}

type Environment = Readonly<Record<string, string | undefined>>

/** Before they expire, in milliseconds: longer than any request takes. */
const renewBeforeMs = 5 * 60_000
const timeoutMs = 5000

async function request(url: string, init: RequestInit = {}): Promise<string> {
  const answer = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
  if (!answer.ok) throw new Error(`${new URL(url).origin} answered ${answer.status}`)
  return await answer.text()
}

function checkRole(fields: Readonly<Record<string, unknown>>, token: string): RoleCredentials {
  const [accessKeyId, secretAccessKey, sessionToken, expiration] = [
    'AccessKeyId',
    'SecretAccessKey',
    token,
    'Expiration',
  ].map((name) => String(fields[name] ?? ''))
  const expiresAt = Date.parse(expiration ?? '')
  if (!accessKeyId || !secretAccessKey || !sessionToken || Number.isNaN(expiresAt))
    throw new Error('the answer has no credentials')
  return { accessKeyId, secretAccessKey, sessionToken, expiresAt }
}

/** Roles of Kubernetes' service accounts: a token on disk is exchanged at the token service. */
async function assumeWithWebIdentity(environment: Environment, tokenFile: string): Promise<RoleCredentials> {
  const region = environment['AWS_REGION']
  const host = region === undefined ? 'sts' : `sts.${region}`
  const text = await request(environment['AWS_ENDPOINT_URL_STS'] ?? `https://${host}.amazonaws.com/`, {
    method: 'POST',
    body: new URLSearchParams({
      Action: 'AssumeRoleWithWebIdentity',
      Version: '2011-06-15',
      RoleArn: environment['AWS_ROLE_ARN'] ?? '',
      RoleSessionName: environment['AWS_ROLE_SESSION_NAME'] ?? 'yore-server',
      // Read each time: the token is replaced before it expires.
      WebIdentityToken: (await readFile(tokenFile, 'utf8')).trim(),
    }),
  })
  const fields = [...text.matchAll(/<(\w+)>([^<]*)<\/\1>/g)].map(([, name = '', value]) => [name, value])
  return checkRole(Object.fromEntries(fields), 'SessionToken')
}

/** Roles of containers: ECS, and EKS with pod identity. */
async function askContainer(environment: Environment, url: string): Promise<RoleCredentials> {
  const file = environment['AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE']
  const token =
    file === undefined ? environment['AWS_CONTAINER_AUTHORIZATION_TOKEN'] : await readFile(file, 'utf8')
  const headers = token === undefined ? {} : { authorization: token.trim() }
  return checkRole(JSON.parse(await request(url, { headers })), 'Token')
}

/** The role of a virtual machine, from its metadata service (version 2). */
async function askInstance(environment: Environment): Promise<RoleCredentials> {
  const base = `${environment['AWS_EC2_METADATA_SERVICE_ENDPOINT'] ?? 'http://169.254.169.254'}/latest`
  const lifetime = { 'x-aws-ec2-metadata-token-ttl-seconds': '300' }
  const token = await request(`${base}/api/token`, { method: 'PUT', headers: lifetime })
  const headers = { 'x-aws-ec2-metadata-token': token }
  const roles = `${base}/meta-data/iam/security-credentials`
  const role = (await request(`${roles}/`, { headers })).trim()
  return checkRole(JSON.parse(await request(`${roles}/${role}`, { headers })), 'Token')
}

function askRole(environment: Environment): Promise<RoleCredentials> {
  const tokenFile = environment['AWS_WEB_IDENTITY_TOKEN_FILE']
  if (tokenFile !== undefined) return assumeWithWebIdentity(environment, tokenFile)
  const relative = environment['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI']
  const url = environment['AWS_CONTAINER_CREDENTIALS_FULL_URI']
  if (relative !== undefined) return askContainer(environment, `http://169.254.170.2${relative}`)
  return url === undefined ? askInstance(environment) : askContainer(environment, url)
}

/**
 * In AWS's order: keys, web identity, container, virtual machine. The returned function caches a role's credentials;
 * when renewing fails, it returns them until they expire.
 */
export function findCredentials(environment: Environment): () => Promise<Credentials> {
  const accessKeyId = environment['AWS_ACCESS_KEY_ID']
  if (accessKeyId) {
    const secretAccessKey = environment['AWS_SECRET_ACCESS_KEY'] ?? ''
    const sessionToken = environment['AWS_SESSION_TOKEN']
    const keys = { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) }
    return () => Promise.resolve(keys)
  }
  let cached: RoleCredentials | null = null
  let asking: Promise<RoleCredentials> | null = null
  return async () => {
    if (cached !== null && Date.now() < cached.expiresAt - renewBeforeMs) return cached
    asking ??= askRole(environment).finally(() => {
      asking = null
    })
    try {
      cached = await asking
    } catch (cause) {
      if (cached === null || Date.now() >= cached.expiresAt)
        throw new StoreError('unavailable', 'no credentials: set AWS_ACCESS_KEY_ID or give the node a role', {
          cause,
        })
    }
    return cached
  }
}
