// Which repositories may an organisation fetch, and what happens when a fetch fails? yore itself does the fetch.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { ServiceError } from '../errors.ts'
import {
  type AddressPolicy,
  type FetchedRepository,
  type FetchLimits,
  fetchRepository as fetchInto,
  isRef,
  readPublicUrl,
  YoreError,
} from '../yore.ts'
import { checkPath } from './check-path.ts'

function asServiceError(cause: unknown): unknown {
  if (!(cause instanceof YoreError) || cause.code !== 'CANNOT_FETCH') return cause
  const code = / more than \d/.test(cause.message) ? 'TOO_LARGE' : 'BAD_REPOSITORY'
  return new ServiceError(code, cause.message, { cause })
}

/** Parses a repository and ref as an ingestion names them: `https://host/name.git#main`. Throws BAD_REPOSITORY. */
export function nameRepository(given: string, ref: string, policy: AddressPolicy): string {
  if (!isRef(ref)) throw new ServiceError('BAD_REPOSITORY', 'ref is not the name of a branch, tag or commit')
  try {
    return `${readPublicUrl(given, policy).href}#${ref}`
  } catch (cause) {
    throw asServiceError(cause)
  }
}

function isDocumentPath(path: string): boolean {
  try {
    return checkPath(path) === path
  } catch {
    return false
  }
}

/** Writes the files of the commit below `root`; those that cannot be documents are skipped. Throws BAD_REPOSITORY and TOO_LARGE. */
export async function fetchRepository(
  name: string,
  root: string,
  options: FetchLimits,
): Promise<Pick<FetchedRepository, 'files' | 'skipped'>> {
  const at = name.lastIndexOf('#')
  try {
    const { files, skipped } = await fetchInto({ url: name.slice(0, at), ref: name.slice(at + 1) }, root, {
      ...options,
      env: process.env,
    })
    const bad = files.filter(({ path }) => !isDocumentPath(path))
    const reason = 'its path cannot be that of a document'
    return {
      files: files.filter((file) => !bad.includes(file)),
      skipped: [...skipped, ...bad.map(({ path }) => ({ path, reason }))],
    }
  } catch (cause) {
    throw asServiceError(cause)
  }
}

/** Older git versions resolve host names again, past the address check. Throws UNAVAILABLE. */
export async function requireGit(): Promise<void> {
  const said = await promisify(execFile)('git', ['--version']).catch(() => ({ stdout: '' }))
  const [, major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(said.stdout)?.map(Number) ?? []
  if (major < 2 || (major === 2 && minor < 37))
    throw new ServiceError('UNAVAILABLE', 'fetching repositories needs git 2.37 or newer')
}
