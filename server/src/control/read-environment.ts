// Where does the service run? Everything that differs between machines comes from environment variables.
import { ServiceError } from '../errors.ts'

/** Each variable with its description, as `yore-server --help` prints it. */
export const variables = {
  YORE_OWNER_URL: 'PostgreSQL as the owner of the database; only `admin` uses it',
  YORE_APP_PASSWORD: 'password that `admin migrate` gives to yore_app; none is changed without',
  YORE_DATABASE_URL: 'PostgreSQL as a role that owns nothing, such as yore_app',
  YORE_KEY_SECRET:
    'secret of at least 32 characters that API keys are hashed with; NEW,OLD while it is replaced',
  YORE_STORE: 'object store: dir:/path, or s3:http://host:port/bucket',
  YORE_DATA: 'folder for working copies and fetched versions; all of it can be made again',
  YORE_PUBLIC_URL: 'where clients reach the service, when that is not where it listens',
} as const

export function readVariable(environment: NodeJS.ProcessEnv, name: keyof typeof variables): string {
  const value = environment[name] ?? ''
  if (value === '') throw new ServiceError('BAD_REQUEST', `${name} is not set: ${variables[name]}`)
  if (name === 'YORE_KEY_SECRET' && value.split(',').some(({ length }) => length < 32))
    throw new ServiceError('BAD_REQUEST', `${name} is too short: ${variables[name]}`)
  return value
}
