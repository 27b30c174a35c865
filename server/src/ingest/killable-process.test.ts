// What does the process know that reads files of strangers? Nothing that opens the service.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it, vi } from 'vitest'
import { makeTestFolder } from '../../test/support/versions.ts'
import { KillableProcesses } from './killable-process.ts'

/** Of the processes that this one started. */
function environments(): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const parent = /\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]
      return Number(parent) === process.pid ? [readFileSync(`/proc/${pid}/environ`, 'utf8')] : []
    } catch {
      return []
    }
  })
}

it.skipIf(process.platform !== 'linux')(
  'has no key of the store, of the database or of an LLM in its environment',
  async () => {
    const secrets = [
      'AWS_SECRET_ACCESS_KEY',
      'AWS_SESSION_TOKEN',
      'YORE_KEY_SECRET',
      'PGPASSWORD',
      'NODE_AUTH_TOKEN',
    ]
    for (const name of secrets) vi.stubEnv(name, 'a-secret')
    const folder = makeTestFolder()
    vi.stubEnv('XDG_STATE_HOME', path.join(folder, 'state'))
    const root = path.join(folder, 'files')
    mkdirSync(root)
    writeFileSync(path.join(root, 'a.md'), '# A\n')
    const processes = new KillableProcesses(1)
    try {
      const task = { root, indexDir: path.join(folder, 'index'), embed: false }
      expect(await processes.run(task, { idleMs: 60_000 })).toMatchObject({ kind: 'indexed', files: 1 })
      const known = environments()
      expect(known.join()).toContain('XDG_STATE_HOME=')
      expect(known.join()).not.toContain('a-secret')
    } finally {
      processes.close()
      vi.unstubAllEnvs()
    }
  },
)
