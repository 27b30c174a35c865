// How does the package become one executable? Node of the wanted platform with the packed package inside.
//
// node scripts/build-executable.ts TARBALL FOLDER [TARGET…]   writes FOLDER/yore-TARGET[.exe]; this machine's target by default
//
// Needs the dependencies of the lockfile in node_modules. Targets: scripts/describe-release.ts.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { constants, zstdCompressSync } from 'node:zlib'
// @ts-expect-error: it ships no types.
import postject from 'postject'
import { findTarget, nodeVersion, type Target } from './describe-release.ts'
import { readManifest } from './stamp-release.ts'

const root = path.resolve(import.meta.dirname, '..')
const cache = path.join(root, 'node_modules', '.cache', 'yore-executable')
const host = `${process.platform}-${process.arch}`

/** Optional packages that users of an executable cannot add. */
const optional = ['ai', '@ai-sdk/anthropic', '@ai-sdk/openai-compatible']
/** Bundled into dist/ already, or a second copy of what assets/ holds. */
const superfluous = /^node_modules\/(?:commander|picocolors|web-tree-sitter\/(?:debug\/|.*\.wasm$))/
/** The package's files for people who use it as a library. */
const forLibraries = /^(?:docs\/images|man)\/|\.d\.ts$/
const loaded = /\.(?:[cm]?js|json|wasm)$|(?:^|\/)(?:licen[cs]e|notice)[^/]*$/i

type Files = Map<string, Buffer>

function filesBelow(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => statSync(path.join(folder, name)).isFile())
    .map((name) => name.replaceAll('\\', '/'))
}

/** The folders of a package and everything that it depends on, as the lockfile places them. */
function installedFolders(names: readonly string[]): string[] {
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly dependencies?: Readonly<Record<string, string>> }>>
  }
  const found = new Set<string>()
  const add = (from: string, name: string): void => {
    const parts = from.split('/node_modules/')
    const places = parts.map((_, at) => [...parts.slice(0, parts.length - at), name].join('/node_modules/'))
    const place = [...(from === '' ? [] : places), `node_modules/${name}`].find(
      (known) => lock.packages[known],
    )
    if (place === undefined) throw new Error(`the lockfile has no ${name}, which ${from || 'yore'} needs`)
    if (found.has(place)) return
    found.add(place)
    for (const dependency of Object.keys(lock.packages[place]?.dependencies ?? {})) add(place, dependency)
  }
  for (const name of names) add('', name)
  return [...found]
}

/** Everything that the executable unpacks: the packed package, and what it depends on. */
function collectFiles(tarball: string): Files {
  const files: Files = new Map()
  mkdirSync(cache, { recursive: true })
  const packed = mkdtempSync(path.join(cache, 'package-'))
  try {
    execFileSync('tar', ['-xzf', path.resolve(tarball), '-C', packed])
    for (const name of filesBelow(path.join(packed, 'package')))
      if (!forLibraries.test(name)) files.set(name, readFileSync(path.join(packed, 'package', name)))
  } finally {
    rmSync(packed, { recursive: true, force: true })
  }
  const { dependencies } = JSON.parse(String(files.get('package.json'))) as { dependencies: object }
  for (const folder of installedFolders([...Object.keys(dependencies), ...optional]))
    for (const name of filesBelow(path.join(root, folder))) {
      const place = `${folder}/${name}`
      if (loaded.test(name) && !name.startsWith('node_modules/') && !superfluous.test(place))
        files.set(place, readFileSync(path.join(root, place)))
    }
  // Node's own, of the same version on every platform.
  const installed = path.dirname(process.execPath)
  const licence = ['..', '.']
    .map((up) => path.join(installed, up, 'LICENSE'))
    .find((file) => existsSync(file))
  if (licence === undefined) throw new Error(`Node has no LICENSE next to ${process.execPath}`)
  files.set('LICENSE.node', readFileSync(licence))
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** What Node's single executables carry: the main script and the package, as one blob. */
function makeBlob(files: Files, work: string): Buffer {
  const bytes = Buffer.concat([...files.values()])
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const list = [...files].map(([name, { length }]) => [name, length])
  const named = createHash('sha256')
    .update(JSON.stringify([sha256, list]))
    .digest('hex')
  const folder = `${readManifest(root).version}-${named.slice(0, 16)}`
  const params = { [constants.ZSTD_c_compressionLevel]: 12, [constants.ZSTD_c_windowLog]: 26 }
  writeFileSync(path.join(work, 'contents'), JSON.stringify({ folder, sha256, files: list }))
  writeFileSync(path.join(work, 'package'), zstdCompressSync(bytes, { params }))
  const config = {
    // Relative: the blob repeats it.
    main: 'main.cjs',
    output: 'blob',
    disableExperimentalSEAWarning: true,
    assets: { contents: 'contents', package: 'package' },
  }
  writeFileSync(
    path.join(work, 'main.cjs'),
    readFileSync(path.join(import.meta.dirname, 'start-executable.cjs')),
  )
  writeFileSync(path.join(work, 'config.json'), JSON.stringify(config))
  execFileSync(process.execPath, ['--experimental-sea-config', 'config.json'], { cwd: work, stdio: 'pipe' })
  return readFileSync(path.join(work, 'blob'))
}

/** The program of a target's Node, from its npm package with the hash that the release names, or this process's own. */
function fetchNode({ name, node }: Target): string {
  if (node === undefined) {
    if (name === host && process.versions.node === nodeVersion) return process.execPath
    throw new Error(`${name} is built on such a machine by Node ${nodeVersion}`)
  }
  const program = path.join(cache, `${node.package}-${nodeVersion}`, 'package', node.program)
  if (statSync(program, { throwIfNoEntry: false }) !== undefined) return program
  const folder = path.join(cache, `${node.package}-${nodeVersion}`)
  mkdirSync(folder, { recursive: true })
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  execFileSync(npm, ['pack', '--silent', `${node.package}@${nodeVersion}`], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  const tarball = path.join(folder, `${node.package}-${nodeVersion}.tgz`)
  const found = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`
  if (found !== node.integrity) throw new Error(`${node.package}@${nodeVersion} has another hash: ${found}`)
  execFileSync('tar', ['-xzf', tarball, '-C', folder])
  rmSync(tarball)
  return program
}

/** An ELF program without symbols and debug information: nothing after its last loaded segment is needed to run it. */
function stripElf(program: Buffer): Buffer {
  const isElf64 = program.readUInt32BE(0) === 0x7f454c46 && program[4] === 2
  if (!isElf64) return program
  const [table, size, count] = [
    Number(program.readBigUInt64LE(32)),
    program.readUInt16LE(54),
    program.readUInt16LE(56),
  ]
  let end = table + size * count
  for (let at = table; at < table + size * count; at += size)
    if (program.readUInt32LE(at) === 1)
      end = Math.max(end, Number(program.readBigUInt64LE(at + 8) + program.readBigUInt64LE(at + 32)))
  const stripped = Buffer.from(program.subarray(0, end))
  // No table of sections: where it starts, how many there are, which one names them.
  stripped.writeBigUInt64LE(0n, 40)
  stripped.writeUInt16LE(0, 60)
  stripped.writeUInt16LE(0, 62)
  return stripped
}

async function buildExecutable(target: Target, blob: Buffer, folder: string): Promise<string> {
  const file = path.join(folder, `yore-${target.name}${target.name.startsWith('win32') ? '.exe' : ''}`)
  const isMac = target.name.startsWith('darwin')
  writeFileSync(file, stripElf(readFileSync(fetchNode(target))), { mode: 0o755 })
  // An injected program has no valid signature; macOS runs none without.
  if (isMac) execFileSync('codesign', ['--remove-signature', file])
  await postject.inject(file, 'NODE_SEA_BLOB', blob, {
    sentinelFuse: 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2',
    ...(isMac ? { machoSegmentName: 'NODE_SEA' } : {}),
  })
  if (isMac) execFileSync('codesign', ['--sign', '-', file])
  return file
}

async function main([tarball, folder, ...names]: readonly string[]): Promise<void> {
  if (tarball === undefined || folder === undefined)
    throw new Error('usage: build-executable.ts TARBALL FOLDER [TARGET…]')
  const wanted = (names.length === 0 ? [host] : names).map(findTarget)
  // The blob is compressed and written by the Node that reads it.
  if (process.versions.node !== nodeVersion) {
    const { status } = spawnSync(fetchNode(findTarget(host)), process.argv.slice(1), { stdio: 'inherit' })
    process.exitCode = status ?? 1
    return
  }
  mkdirSync(folder, { recursive: true })
  mkdirSync(cache, { recursive: true })
  const work = mkdtempSync(path.join(cache, 'blob-'))
  try {
    const blob = makeBlob(collectFiles(tarball), work)
    for (const target of wanted) {
      const file = await buildExecutable(target, blob, folder)
      const hash = createHash('sha256').update(readFileSync(file)).digest('hex')
      console.log(`${hash}  ${path.basename(file)}  ${(statSync(file).size / 1e6).toFixed(1)} MB`)
    }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

await main(process.argv.slice(2))
