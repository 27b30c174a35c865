// Does the daemon answer this command line? Only where the user allows it; loads almost nothing, as a cold command pays for it.
import { readFileSync, statSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Environment, userConfigPath } from '../../model/config/state-folder.ts'
import { product } from '../../model/version.ts'
import { askResident, findResident } from '../service/ask-resident.ts'

/** A command line with what its answer depends on. */
export interface DaemonRequest {
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Environment
  readonly stdout: { readonly isTTY: boolean; readonly columns: number }
  readonly stderr: { readonly isTTY: boolean }
}

/** Everything that the command wrote, in its order; null when it has to run in its own process. */
export interface DaemonAnswer {
  readonly status: number
  readonly written: readonly (readonly [stream: 'stdout' | 'stderr', text: string])[]
}

/** What the daemon tells of itself. */
export interface DaemonReport {
  readonly pid: number
  readonly startedAt: number
  readonly answered: number
  readonly corpora: readonly string[]
  readonly bytes: number
}

/** What answers depend on; the rest of an environment is nobody's business. */
const telling =
  /^(?:YORE_.*|XDG_.*|GIT_.*|HOME|PATH|USERPROFILE|LOCALAPPDATA|TERM|NO_COLOR|FORCE_COLOR|SOURCE_DATE_EPOCH|EXPANSION_BUDGET|MAX_EXPANSION_DEPTH)$/

/** The part of the environment that goes with a command line. */
export function tellingVariables(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => telling.test(name)))
}

/** What the daemon runs. In the package every file lies flat beside the others. */
export const daemonFile = fileURLToPath(new URL(`./daemon${extname(import.meta.url)}`, import.meta.url))

/** Which yore this is: of two installations, and of one before and after an update, each knows its own. */
export function buildOf(): string {
  return `${daemonFile} ${statSync(daemonFile, { throwIfNoEntry: false })?.mtimeMs ?? 'gone'}`
}

/** May a process stay? The environment and the user's own config say so, never a repository. */
export function allowsDaemon(env: Environment): boolean {
  const said = env[`${product.environment}DAEMON`]
  if (said !== undefined && said !== '') return said === 'on'
  try {
    const config = JSON.parse(readFileSync(userConfigPath(env), 'utf8')) as { daemon?: unknown } | null
    return config?.daemon === 'on'
  } catch {
    return false // No config, or one that the command itself complains about.
  }
}

/** The answer; `declined` when the daemon is there and leaves it to this process; null when none is there for us. */
export async function askDaemon(args: readonly string[]): Promise<DaemonAnswer | 'declined' | null> {
  const place = findResident(process.env)
  if (place === null || place.build !== buildOf()) return null
  const request: DaemonRequest = {
    args,
    cwd: process.cwd(),
    env: tellingVariables(process.env),
    stdout: { isTTY: process.stdout.isTTY, columns: process.stdout.columns },
    stderr: { isTTY: process.stderr.isTTY },
  }
  const answer = (await askResident(place, request)) as (DaemonAnswer & { declined?: true }) | null
  return answer?.declined === true ? 'declined' : answer
}
