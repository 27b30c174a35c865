// How is the daemon started? A process of its own that outlives the command; not again and again when it does not stay.
import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import path from 'node:path'
import { isOwnFolder, residentFolder } from '../service/ask-resident.ts'
import { daemonFile, tellingVariables } from './ask-daemon.ts'

/** One that crashes as soon as it starts is not started by every command. */
const pauseMilliseconds = 10_000

/** What Node, git and a connection to a model server need beside what answers depend on. */
const needed = /^(?:NODE_.*|SSL_CERT_.*|(?:HTTPS?|ALL|NO)_PROXY|SYSTEMROOT|TE?MP|TMPDIR|LANG|LC_.*|TZ)$/i

/** Starts one and does not wait for it; false when one was started just now, or there is no place for it. */
export function startDaemon(pause = pauseMilliseconds): boolean {
  const folder = residentFolder(process.env)
  if (folder === null) return false
  const log = path.join(folder, 'log')
  try {
    const last = statSync(log, { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (Math.abs(Date.now() - last) < pause) return false
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (!isOwnFolder(folder)) return false
    // Its last words, when it crashes.
    const words = openSync(log, 'w', 0o600)
    const others = Object.entries(process.env).filter(([name]) => needed.test(name))
    const env = { ...Object.fromEntries(others), ...tellingVariables(process.env) }
    const options = { cwd: folder, detached: true, env, windowsHide: true }
    const child = spawn(process.execPath, [daemonFile], { ...options, stdio: ['ignore', 'ignore', words] })
    child.on('error', () => {})
    child.unref()
    closeSync(words)
    return true
  } catch {
    return false // Commands answer by themselves.
  }
}
