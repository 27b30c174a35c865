// How is the daemon started? As a detached process, at most once in ten seconds.
import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import path from 'node:path'
import { daemonFolder, isPrivateFolder } from '../service/call-daemon.ts'
import { daemonFile, relevantVariables } from './ask-daemon.ts'

/** Minimum time between two starts, so that a crashing daemon is not restarted by every command. */
const pauseMilliseconds = 10_000

/** Variables that Node, git and HTTP clients need in addition. */
const needed = /^(?:NODE_.*|SSL_CERT_.*|(?:HTTPS?|ALL|NO)_PROXY|SYSTEMROOT|TE?MP|TMPDIR|LANG|LC_.*|TZ)$/i

/** Starts the daemon without waiting; false if one was just started or the user has no state folder. */
export function startDaemon(pause = pauseMilliseconds): boolean {
  const folder = daemonFolder(process.env)
  if (folder === null) return false
  const log = path.join(folder, 'log')
  try {
    const last = statSync(log, { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (Math.abs(Date.now() - last) < pause) return false
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (!isPrivateFolder(folder)) return false
    // Holds the error if it crashes.
    const words = openSync(log, 'w', 0o600)
    const others = Object.entries(process.env).filter(([name]) => needed.test(name))
    const env = { ...Object.fromEntries(others), ...relevantVariables(process.env) }
    const options = { cwd: folder, detached: true, env, windowsHide: true }
    const child = spawn(process.execPath, [daemonFile], { ...options, stdio: ['ignore', 'ignore', words] })
    child.on('error', () => {})
    child.unref()
    closeSync(words)
    return true
  } catch {
    return false
  }
}
