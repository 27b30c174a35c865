// How is a peer run? Installed into a folder of its own, and called in a process of its own with a folder and questions.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { benchFolder } from '../corpora.ts'
import { runNode } from '../measure.ts'
import type { PeerCall, PeerResult } from './peer.ts'

/** What npm has to bring for a peer; each has its script here. */
const packages: Readonly<Record<string, string>> = {
  qmd: '@tobilu/qmd',
  repomix: 'repomix',
}

/** Installs a peer into a folder of its own, without its install scripts. */
export function installPeer(name: string): { folder: string; version: string } {
  const folder = join(benchFolder(), 'peers', name)
  mkdirSync(folder, { recursive: true })
  const wanted = packages[name]
  if (wanted === undefined) return { folder, version: '' }
  if (!existsSync(join(folder, 'node_modules', wanted))) {
    writeFileSync(join(folder, 'package.json'), '{"private":true}\n')
    const args = [
      'install',
      '--no-save',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--prefix',
      folder,
      wanted,
    ]
    const run = spawnSync('npm', args, { encoding: 'utf8', timeout: 600_000 })
    if (run.status !== 0) throw new Error(`npm install ${wanted} failed: ${run.stderr.slice(-400)}`)
  }
  const meta = readFileSync(join(folder, 'node_modules', wanted, 'package.json'), 'utf8')
  return { folder, version: (JSON.parse(meta) as { version: string }).version }
}

export function runPeer(name: string, asked: Omit<PeerCall, 'work'>): { raw: PeerResult; version: string } {
  const { folder, version } = installPeer(name)
  const call = join(folder, 'call.json')
  writeFileSync(call, JSON.stringify({ ...asked, work: folder } satisfies PeerCall))
  const env = { XDG_CACHE_HOME: join(folder, 'cache'), XDG_CONFIG_HOME: join(folder, 'config') }
  const { stdout } = runNode(['--no-warnings', join(import.meta.dirname, `${name}.ts`), call], { env })
  return { raw: JSON.parse(stdout) as PeerResult, version }
}
