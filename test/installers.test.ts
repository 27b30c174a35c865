// Do the installers name what was released? Each is written from one description, and refuses a release without its target.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { nodeVersion, type Release, targets } from '../scripts/describe-release.ts'
import {
  writeDebianControl,
  writeFlake,
  writeFormula,
  writePowerShellInstaller,
  writeScoopManifest,
  writeShellInstaller,
} from '../scripts/write-installers.ts'

const read = (name: string): string => readFileSync(path.join(import.meta.dirname, '..', name), 'utf8')

/** A release with every target; each file has a hash of its own. */
const release: Release = {
  name: 'yore',
  version: '1.2.3',
  description: 'Context engine',
  homepage: 'https://example.org/yore',
  url: 'https://example.org/files',
  files: Object.fromEntries(
    targets.map(({ name, archives }, at) => [
      name,
      Object.fromEntries(
        archives.map((ending, second) => [
          ending,
          { file: `yore-1.2.3-${name}${ending}`, sha256: `${at}${second}`.padEnd(64, 'a') },
        ]),
      ),
    ]),
  ),
}

/** The hashes that a text holds. */
const hashesIn = (text: string): string[] => [...new Set(text.match(/\b[0-9a-f]{64}\b/g) ?? [])].sort()
const hashesOf = (...wanted: readonly (readonly [string, string])[]): string[] =>
  wanted.map(([target, ending]) => release.files[target]?.[ending]?.sha256 ?? '').sort()

it('installs on Linux and macOS by the hash of each archive', () => {
  const text = writeShellInstaller(release)
  const archives = targets.flatMap(({ name, archives: endings }) =>
    endings.filter((ending) => ending.startsWith('.tar')).map((ending) => [name, ending] as const),
  )
  expect(hashesIn(text)).toEqual(hashesOf(...archives))
  expect(text.split(release.url)).toHaveLength(2)
  expect(spawnSync('sh', ['-n'], { input: text, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' })
})

it('installs on Windows by the hash of the program', () => {
  for (const text of [writePowerShellInstaller(release), writeScoopManifest(release)]) {
    expect(hashesIn(text)).toEqual(hashesOf(['win32-x64', '.exe']))
    expect(text.split(release.url)).toHaveLength(2)
  }
})

it('describes itself to Homebrew, Nix and Debian', () => {
  const systems = ['darwin-arm64', 'darwin-x64'].map((name) => [name, '.tar.gz'] as const)
  const linux = ['linux-arm64', 'linux-x64'].map((name) => [name, '.tar.xz'] as const)
  expect(hashesIn(writeFormula(release))).toEqual(hashesOf(...systems, ...linux))
  expect(hashesIn(writeFlake(release))).toEqual(hashesOf(...linux))
  const { 'darwin-x64': _, 'darwin-arm64': __, ...files } = release.files
  expect(hashesIn(writeFormula({ ...release, files }))).toEqual(hashesOf(...linux))
  expect(writeDebianControl(release, 'arm64', 7)).toMatch(/^Version: 1\.2\.3\nArchitecture: arm64$/m)
})

it('refuses a release without the program that it would install', () => {
  const { 'win32-x64': _, ...files } = release.files
  expect(() => writeScoopManifest({ ...release, files })).toThrow('the release has no .exe for win32-x64')
})

it('puts one Node into executables and images', () => {
  const bases = [...read('server/Dockerfile').matchAll(/^FROM node:(\S+?)-/gm)].map(([, base]) => base)
  expect(new Set(bases)).toEqual(new Set([nodeVersion]))
  expect(read('.github/workflows/release.yml')).toContain(`node-version: ${nodeVersion}`)
})

it('publishes files: npm takes `release/yore.tgz` for a repository on GitHub, and `./release/yore.tgz` for a file', () => {
  const published = [...read('.github/workflows/release.yml').matchAll(/npm publish .* (\S+\.tgz)$/gm)]
  expect(published).toHaveLength(2)
  for (const [, file] of published) expect(file).toMatch(/^\.\//)
})

it('has one version', () => {
  const { version } = JSON.parse(read('package.json')) as { readonly version: string }
  const manifests = ['api', 'migrate', 'worker'].map((name) => read(`server/kubernetes/${name}.yaml`))
  const named = [
    (JSON.parse(read('server/package.json')) as { readonly version: string }).version,
    /^version = "(.+)"$/m.exec(read('server/clients/python/pyproject.toml'))?.[1],
    ...manifests.map((text) => /image: yore-server:(\S+)/.exec(text)?.[1]),
  ]
  expect(named).toEqual(named.map(() => version))
})
