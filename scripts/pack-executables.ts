// How are executables published? As archives and a Debian package, with the same bytes from the same commit, and manifests that name them.
//
// node scripts/pack-executables.ts EXECUTABLE TARGET FOLDER   writes the archives of one target
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { describeRelease, findTarget, nameArchive } from './describe-release.ts'
import { readManifest } from './stamp-release.ts'
import {
  writeDebianControl,
  writeFlake,
  writeFormula,
  writePowerShellInstaller,
  writeScoopManifest,
  writeShellInstaller,
} from './write-installers.ts'

const root = path.resolve(import.meta.dirname, '..')
const manifest = readManifest(root)

/** Two builds of one commit must agree on every time that a file carries. */
export const commitSeconds = (): string =>
  execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }).trim()

/** Writes the archives of one target: the executable, its manual page and the licences. */
export function packExecutable(executable: string, target: string, folder: string): void {
  const name = (ending: string): string => path.join(folder, nameArchive(manifest, target, ending))
  const { archives } = findTarget(target)
  if (archives.includes('.exe')) copyFileSync(executable, name('.exe'))
  if (!archives.includes('.tar.gz')) return
  const work = mkdtempSync(path.join(tmpdir(), 'yore-archive-'))
  try {
    cpSync(executable, path.join(work, 'yore'), { mode: 0 })
    for (const file of ['LICENSE', 'NOTICE', 'man/yore.1'])
      copyFileSync(path.join(root, file), path.join(work, path.basename(file)))
    const files = ['LICENSE', 'NOTICE', 'yore', 'yore.1']
    const stable = ['--format=ustar', '--owner=0', '--group=0', '--numeric-owner', '--mode=u+rw,go+r,go-w']
    const tar = path.join(work, 'archive.tar')
    // BSD's tar has other options; the archives of macOS are compared with nothing.
    const isGnu = execFileSync('tar', ['--version'], { encoding: 'utf8' }).includes('GNU')
    const options = isGnu ? [...stable, `--mtime=@${commitSeconds()}`] : []
    execFileSync('tar', [...options, '-cf', tar, '-C', work, ...files])
    writeFileSync(name('.tar.gz'), gzipSync(readFileSync(tar), { level: 9 }))
    if (archives.includes('.tar.xz')) {
      execFileSync('xz', ['-6', '--threads=1', '--keep', tar])
      copyFileSync(`${tar}.xz`, name('.tar.xz'))
    }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Writes yore_VERSION_ARCHITECTURE.deb. */
export function packDebian(
  executable: string,
  architecture: 'amd64' | 'arm64',
  folder: string,
  repository?: string,
): void {
  const work = mkdtempSync(path.join(tmpdir(), 'yore-deb-'))
  try {
    const place = (name: string): string => {
      const file = path.join(work, name)
      mkdirSync(path.dirname(file), { recursive: true })
      return file
    }
    const compress = (file: string): Buffer => gzipSync(readFileSync(path.join(root, file)), { level: 9 })
    copyFileSync(executable, place('usr/bin/yore'))
    writeFileSync(place('usr/share/man/man1/yore.1.gz'), compress('man/yore.1'))
    writeFileSync(place('usr/share/doc/yore/changelog.gz'), compress('CHANGELOG.md'))
    // Debian's rule: licence texts that the system has are not repeated in this file.
    const licence = readFileSync(path.join(root, 'LICENSE'), 'utf8')
    writeFileSync(
      place('usr/share/doc/yore/copyright'),
      `${licence}\nOther packages inside: see NOTICE.gz in this folder.\n`,
    )
    writeFileSync(place('usr/share/doc/yore/NOTICE.gz'), compress('NOTICE'))
    const kilobytes = Math.ceil(statSync(executable).size / 1024) + 64
    writeFileSync(
      place('DEBIAN/control'),
      writeDebianControl(describeRelease(folder, repository), architecture, kilobytes),
    )
    execFileSync('chmod', ['-R', 'u=rwX,go=rX', work])
    const file = path.join(folder, `yore_${manifest.version}_${architecture}.deb`)
    execFileSync('dpkg-deb', ['--root-owner-group', '-Zxz', '-z1', '--build', work, file], {
      env: { ...process.env, SOURCE_DATE_EPOCH: commitSeconds() },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Writes the installers and manifests for the archives that are in the folder. */
export function writeManifests(folder: string, repository?: string): void {
  const release = describeRelease(folder, repository)
  const texts = {
    'install.sh': writeShellInstaller(release),
    'install.ps1': writePowerShellInstaller(release),
    'yore.rb': writeFormula(release),
    'yore.json': writeScoopManifest(release),
    'flake.nix': writeFlake(release),
    'release.json': `${JSON.stringify(release, null, 2)}\n`,
  }
  for (const [name, text] of Object.entries(texts)) writeFileSync(path.join(folder, name), text)
}

if (import.meta.main) {
  const [executable = '', target = '', folder = ''] = process.argv.slice(2)
  mkdirSync(folder, { recursive: true })
  packExecutable(executable, target, folder)
}
