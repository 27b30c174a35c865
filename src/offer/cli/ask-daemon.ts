// Does the daemon answer this command line? Only where the user allows it; loads almost nothing, as a cold command pays for it.
import { readFileSync, statSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Environment, userConfigPath } from '../../model/config/state-folder.ts'
import { product } from '../../model/version.ts'
import { callDaemon, findDaemon } from '../service/call-daemon.ts'

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

/** The state that `daemon status` prints. */
export interface DaemonReport {
  readonly pid: number
  readonly startedAt: number
  readonly answered: number
  readonly corpora: readonly string[]
  readonly bytes: number
}

/** Variables that answers depend on; no others are sent. */
const relevantNames =
  /^(?:YORE_.*|XDG_.*|GIT_.*|HOME|PATH|USERPROFILE|LOCALAPPDATA|TERM|NO_COLOR|FORCE_COLOR|SOURCE_DATE_EPOCH|EXPANSION_BUDGET|MAX_EXPANSION_DEPTH)$/

export function relevantVariables(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => relevantNames.test(name)))
}

/** The module of the daemon. In the package all files are in one folder. */
export const daemonFile = fileURLToPath(new URL(`./daemon${extname(import.meta.url)}`, import.meta.url))

/** Identifies this installation and version: another one does not use its daemon. */
export function buildOf(): string {
  return `${daemonFile} ${statSync(daemonFile, { throwIfNoEntry: false })?.mtimeMs ?? 'gone'}`
}

/** True if the environment or the user's own config allows a daemon; a repository cannot. */
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

/** The answer; `declined` when the daemon leaves it to this process; null when no daemon of this installation runs. */
export async function askDaemon(args: readonly string[]): Promise<DaemonAnswer | 'declined' | null> {
  const place = findDaemon(process.env)
  if (place === null || place.build !== buildOf()) return null
  const request: DaemonRequest = {
    args,
    cwd: process.cwd(),
    env: relevantVariables(process.env),
    stdout: { isTTY: process.stdout.isTTY, columns: process.stdout.columns },
    stderr: { isTTY: process.stderr.isTTY },
  }
  const answer = (await callDaemon(place, request)) as (DaemonAnswer & { declined?: true }) | null
  return answer?.declined === true ? 'declined' : answer
}
