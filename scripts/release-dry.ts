// Would a release be what the commit says? Two clones, two builds: the same bytes; then everything that a release publishes, in one folder.
//
// npm run release:dry [-- FOLDER]   release/ by default; archives of macOS that are in it already are included
// GITHUB_REPOSITORY=OWNER/NAME      stamps the packages with this repository instead of the one that package.json names
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { hashFile, targets } from './describe-release.ts'
import { packDebian, packExecutable, writeManifests } from './pack-executables.ts'
import {
  describeServer,
  isPacked,
  readManifest,
  repositoryOf,
  stampLinks,
  stampManifest,
} from './stamp-release.ts'

const root = path.resolve(import.meta.dirname, '..')
const manifest = readManifest(root)
const repository = process.env.GITHUB_REPOSITORY ?? repositoryOf(manifest)
const target = path.resolve(process.argv[2] ?? path.join(root, 'release'))

function run(cwd: string, program: string, ...args: readonly string[]): string {
  return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}

/** What stands in the changelog under this version, or under Unreleased before it has a date. */
function notesOf(changelog: string, version: string): string {
  const parts = changelog.split(/^## /m).slice(1)
  const own = parts.find((part) => part.startsWith(`[${version}]`) || part.startsWith(version))
  const notes = own ?? parts.find((part) => part.startsWith('Unreleased'))
  if (notes === undefined) throw new Error(`CHANGELOG.md says nothing of ${version}`)
  return `${notes.slice(notes.indexOf('\n')).trim()}\n`
}

/** Names the repository of the release in both manifests of a clone, and in links of documents that leave the package. */
function stamp(clone: string): void {
  for (const folder of [undefined, 'server']) {
    const place = path.join(clone, folder ?? '.')
    const stamped = stampManifest(readManifest(place), repository, folder)
    writeFileSync(path.join(place, 'package.json'), `${JSON.stringify(stamped, null, 2)}\n`)
  }
  for (const name of readdirSync(path.join(clone, 'docs'), { recursive: true, encoding: 'utf8' })) {
    const from = path.posix.join('docs', name)
    if (!name.endsWith('.md') || !isPacked(manifest, from)) continue
    const place = path.join(clone, from)
    writeFileSync(place, stampLinks(readFileSync(place, 'utf8'), from, manifest, repository))
  }
}

interface Built {
  readonly tarballs: readonly string[]
  readonly executables: readonly string[]
}

/** Those with a Node on npm; the others need a machine of their own. */
const built = targets.filter(({ node }) => node !== undefined).map(({ name }) => name)

/** Builds the commit in a clone of its own: the tarballs of yore and yore-server, and the executables. */
function buildClone(folder: string, commit: string): Built {
  run(root, 'git', 'clone', '--quiet', '--no-local', root, folder)
  run(folder, 'git', 'checkout', '--quiet', '--detach', commit)
  run(folder, 'npm', 'ci', '--ignore-scripts', '--silent', '--no-fund', '--no-audit')
  stamp(folder)
  run(folder, 'npm', 'run', '--silent', 'build')
  run(folder, 'npm', 'run', '--silent', 'build:server')
  const tarballs = ['.', './server/package'].map((what) => {
    const said = run(folder, 'npm', 'pack', '--silent', '--ignore-scripts', what)
    return path.join(folder, said.trim().split('\n').at(-1) ?? '')
  })
  const executables = path.join(folder, 'executables')
  run(folder, 'node', 'scripts/build-executable.ts', tarballs[0] ?? '', executables, ...built)
  return { tarballs, executables: readdirSync(executables).map((name) => path.join(executables, name)) }
}

const describeHashes = (files: readonly string[]): string =>
  files.map((file) => `${hashFile(file)}  ${path.basename(file)}\n`).join('')

/** What the images install, with a lockfile and a bill of materials of its own. */
function writeImages(folder: string, version: string): void {
  copyFileSync(path.join(root, 'server', 'Dockerfile'), path.join(folder, 'Dockerfile'))
  const images = { yore: ['yore'], 'yore-server': ['yore', 'yore-server'] }
  for (const [name, packages] of Object.entries(images)) {
    const place = path.join(folder, 'image', name)
    mkdirSync(place, { recursive: true })
    const dependencies = Object.fromEntries(
      packages.map((needed) => [needed, `file:../../${needed}-${version}.tgz`]),
    )
    writeFileSync(
      path.join(place, 'package.json'),
      `${JSON.stringify({ name: `${name}-image`, version, private: true, dependencies }, null, 2)}\n`,
    )
    const quiet = ['--ignore-scripts', '--silent', '--no-fund', '--no-audit']
    run(place, 'npm', 'install', '--package-lock-only', ...quiet)
    const sbom = run(place, 'npm', 'sbom', '--package-lock-only', '--sbom-format', 'cyclonedx')
    writeFileSync(path.join(folder, `sbom-${name}.cdx.json`), sbom)
  }
}

const notes = notesOf(readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8'), manifest.version)
const commit = run(root, 'git', 'rev-parse', 'HEAD').trim()
const work = mkdtempSync(path.join(tmpdir(), 'yore-release-'))
try {
  const sums: string[] = []
  let last: Built = { tarballs: [], executables: [] }
  // Paths of different lengths: nothing of them may be in the package.
  for (const name of ['a', 'another-clone']) {
    last = buildClone(path.join(work, name), commit)
    sums.push(describeHashes([...last.tarballs, ...last.executables]))
    console.log(`clone ${sums.length} of ${commit.slice(0, 12)}:\n${sums.at(-1)}`)
  }
  if (sums[0] !== sums[1]) throw new Error('two builds of one commit differ')
  mkdirSync(target, { recursive: true })
  for (const file of last.tarballs) copyFileSync(file, path.join(target, path.basename(file)))
  for (const file of last.executables) {
    const name = path.basename(file, '.exe').slice('yore-'.length)
    packExecutable(file, name, target)
    if (name.startsWith('linux-'))
      packDebian(file, name.endsWith('-x64') ? 'amd64' : 'arm64', target, repository)
  }
  writeManifests(target, repository)
  writeImages(target, manifest.version)
  for (const folder of ['plugin', '.claude-plugin'])
    cpSync(path.join(root, folder), path.join(target, 'marketplace', folder), { recursive: true })
  writeFileSync(path.join(target, 'release-notes.md'), notes)
  const described = describeServer(manifest, repository)
  writeFileSync(path.join(target, 'server.json'), `${JSON.stringify(described, null, 2)}\n`)
  const files = readdirSync(target)
    .filter((name) => name !== 'SHA256SUMS')
    .map((name) => path.join(target, name))
    .filter((file) => statSync(file).isFile())
  writeFileSync(path.join(target, 'SHA256SUMS'), describeHashes(files.sort()))
  console.log(`the same bytes twice; written to ${target}`)
} finally {
  rmSync(work, { recursive: true, force: true })
}
