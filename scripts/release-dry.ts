// Would a release be what the commit says? Two clones, two builds of both packages: the same bytes; and the release notes.
//
// npm run release:dry [-- FOLDER]   where the tarballs, their hashes, server.json and the notes are written; release/ by default
// GITHUB_REPOSITORY=OWNER/NAME      stamps the packages with the repository that they come from
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describeServer, readManifest, stampManifest } from './stamp-release.ts'

const root = path.resolve(import.meta.dirname, '..')
const repository = process.env.GITHUB_REPOSITORY
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

/** Says in both manifests of a clone where the release comes from, when that is known. */
function stamp(clone: string): void {
  if (repository === undefined) return
  for (const folder of [undefined, 'server']) {
    const place = path.join(clone, folder ?? '.')
    const stamped = stampManifest(readManifest(place), repository, folder)
    writeFileSync(path.join(place, 'package.json'), `${JSON.stringify(stamped, null, 2)}\n`)
  }
}

/** Builds the commit in a clone of its own; gives the tarballs of yore and yore-server. */
function packClone(folder: string, commit: string): string[] {
  run(root, 'git', 'clone', '--quiet', '--no-local', root, folder)
  run(folder, 'git', 'checkout', '--quiet', '--detach', commit)
  run(folder, 'npm', 'ci', '--ignore-scripts', '--silent', '--no-fund', '--no-audit')
  stamp(folder)
  run(folder, 'npm', 'run', '--silent', 'build')
  run(folder, 'npm', 'run', '--silent', 'build:server')
  return ['.', './server/package'].map((what) => {
    const said = run(folder, 'npm', 'pack', '--silent', '--ignore-scripts', what)
    return path.join(folder, said.trim().split('\n').at(-1) ?? '')
  })
}

const manifest = readManifest(root)
const notes = notesOf(readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8'), manifest.version)
const commit = run(root, 'git', 'rev-parse', 'HEAD').trim()
const work = mkdtempSync(path.join(tmpdir(), 'yore-release-'))
try {
  const sums: string[] = []
  let tarballs: string[] = []
  // Paths of different lengths: nothing of them may be in the package.
  for (const name of ['a', 'another-clone']) {
    tarballs = packClone(path.join(work, name), commit)
    sums.push(
      tarballs
        .map(
          (file) =>
            `${createHash('sha256').update(readFileSync(file)).digest('hex')}  ${path.basename(file)}\n`,
        )
        .join(''),
    )
    console.log(`clone ${sums.length} of ${commit.slice(0, 12)}:\n${sums.at(-1)}`)
  }
  if (sums[0] !== sums[1]) throw new Error('two builds of one commit differ')
  mkdirSync(target, { recursive: true })
  for (const file of tarballs) copyFileSync(file, path.join(target, path.basename(file)))
  writeFileSync(path.join(target, 'SHA256SUMS'), sums[0] ?? '')
  writeFileSync(path.join(target, 'release-notes.md'), notes)
  if (repository !== undefined) {
    const described = describeServer(manifest, repository)
    writeFileSync(path.join(target, 'server.json'), `${JSON.stringify(described, null, 2)}\n`)
  }
  console.log(`the same bytes twice; written to ${target}`)
} finally {
  rmSync(work, { recursive: true, force: true })
}
