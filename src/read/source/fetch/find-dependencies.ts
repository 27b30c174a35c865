// Which packages does this folder use, and where is their documentation? Read from manifests and package folders; nothing is run.

import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { endsWith } from '../../../model/file-extensions.ts'
import { folderOf } from '../../../model/paths.ts'
import { markupExtensions } from '../../parse/text/text-formats.ts'
import { decodeText } from '../decode-text.ts'
import { readBytesInside } from '../read-bytes-inside.ts'
import { childPath } from '../walk/walk-state.ts'

/** An installed package, at a path below the root. */
export interface InstalledPackage {
  readonly path: string
  /** `fastify 5.8.5`. */
  readonly origin: string
}

const MANIFEST_BYTES = 1024 * 1024
const MOST_PACKAGES = 2000

function textOf(root: string, path: string): string | null {
  const read = readBytesInside(root, path, MANIFEST_BYTES)
  if (!('bytes' in read)) return null
  const decoded = decodeText(read.bytes)
  return 'binary' in decoded ? null : decoded.text
}

function jsonOf(root: string, path: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(textOf(root, path) ?? '{}')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

const keysOf = (value: unknown): string[] =>
  typeof value === 'object' && value !== null ? Object.keys(value) : []

function foldersIn(root: string, path: string): string[] {
  try {
    return readdirSync(join(root, path), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .map(({ name }) => name)
      .sort()
  } catch {
    return []
  }
}

const isFolder = (root: string, path: string): boolean =>
  lstatSync(join(root, path), { throwIfNoEntry: false }) !== undefined

const npmName = /^(?:@[\w.-]{1,100}\/)?[\w.-]{1,200}$/
const isPlain = (name: string): boolean => npmName.test(name) && !/(?:^|\/)\.{1,2}(?:$|\/)/.test(name)

/** The npm packages that a manifest names, each from the nearest node_modules above it. */
function* npmPackages(root: string, folders: readonly string[]): Generator<InstalledPackage> {
  for (const folder of folders) {
    const manifest = jsonOf(root, childPath(folder, 'package.json'))
    const kinds = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']
    for (const name of new Set(kinds.flatMap((kind) => keysOf(manifest[kind])))) {
      if (!isPlain(name)) continue
      const above = [folder, ...folder.split('/').map((_, at, all) => all.slice(0, -at - 1).join('/'))]
      const places = above.map((one) => childPath(one, `node_modules/${name}`))
      const place = places.find((one) => isFolder(root, one))
      if (place === undefined) continue
      const installed = jsonOf(root, `${place}/package.json`)
      yield { path: place, origin: `${String(installed['name'])} ${String(installed['version'])}` }
    }
  }
}

/** Python's rule for names: case, dots, dashes and underscores do not matter. */
const pythonKey = (name: string): string => name.toLowerCase().replaceAll(/[-_.]+/g, '-')

/** Names of requirements: `requests[socks]>=2` gives `requests`. */
function pythonNames(root: string, folder: string): ReadonlySet<string> {
  const names = new Set<string>()
  const add = (text: string): void => {
    const name = /^\s{0,20}([A-Za-z0-9][\w.-]{0,100})\s{0,5}(?:$|[[<>=!~;@(\s])/.exec(text)?.[1]
    if (name !== undefined) names.add(pythonKey(name))
  }
  const lists = ['requirements.txt', 'requirements-dev.txt', 'dev-requirements.txt', 'requirements/base.txt']
  for (const list of lists)
    for (const line of (textOf(root, childPath(folder, list)) ?? '').split('\n'))
      add(line.split('#', 1)[0] ?? '')
  const project = textOf(root, childPath(folder, 'pyproject.toml')) ?? ''
  let isPoetry = false
  for (const line of project.split('\n')) {
    if (line.startsWith('[')) isPoetry = /^\[tool\.poetry.{0,60}dependencies\]/.test(line)
    for (const [, text = ''] of line.matchAll(/["']([^"']{1,200})["']/g)) add(text)
    if (isPoetry) add(line)
  }
  const setup = textOf(root, childPath(folder, 'setup.cfg')) ?? ''
  for (const line of setup.split('\n')) if (/^\s/.test(line)) add(line)
  return names
}

/** The site-packages folders of the usual environments below a folder. */
const sitePackages = (root: string, folder: string): string[] =>
  ['.venv', 'venv', 'env'].flatMap((environment) => {
    const base = childPath(folder, environment)
    const unix = foldersIn(root, `${base}/lib`).map((python) => `${base}/lib/${python}/site-packages`)
    return [...unix, `${base}/Lib/site-packages`].filter((place) => isFolder(root, place))
  })

function* pythonPackages(root: string, folders: readonly string[]): Generator<InstalledPackage> {
  for (const folder of folders) {
    const names = pythonNames(root, folder)
    for (const site of sitePackages(root, folder))
      for (const info of foldersIn(root, site)) {
        const [, name = '', version = ''] = /^(.{1,100}?)-([^-]{1,60})\.dist-info$/.exec(info) ?? []
        if (name === '' || !names.has(pythonKey(name))) continue
        const origin = `${name} ${version}`
        yield { path: `${site}/${info}`, origin }
        const tops = (textOf(root, `${site}/${info}/top_level.txt`) ?? name).split('\n')
        for (const top of tops.map((one) => one.trim()))
          if (isPlain(top) && isFolder(root, `${site}/${top}`)) yield { path: `${site}/${top}`, origin }
      }
  }
}

/** Packages of Composer and Go in `vendor`, by the manifest next to it. */
function* vendoredPackages(root: string, folders: readonly string[]): Generator<InstalledPackage> {
  for (const folder of folders) {
    const composer = jsonOf(root, childPath(folder, 'composer.json'))
    const wanted = new Set([...keysOf(composer['require']), ...keysOf(composer['require-dev'])])
    const { packages } = jsonOf(root, childPath(folder, 'vendor/composer/installed.json'))
    for (const { name, version } of Array.isArray(packages) ? packages : []) {
      if (typeof name !== 'string' || !/^[\w.-]{1,100}\/[\w.-]{1,100}$/.test(name) || !isPlain(name)) continue
      if (wanted.has(name))
        yield { path: childPath(folder, `vendor/${name}`), origin: `${name} ${String(version)}` }
    }
    const modules = textOf(root, childPath(folder, 'vendor/modules.txt')) ?? ''
    const module = /^# (\S{1,300}) (v\S{1,100})\n(## explicit)?/gm
    for (const [, name = '', version = '', kind = ''] of modules.matchAll(module))
      if (kind !== '' && name.split('/').every((part) => isPlain(part)))
        yield { path: childPath(folder, `vendor/${name}`), origin: `${name} ${version}` }
  }
}

/** The installed packages that the manifests below the root name. */
export function findDependencies(root: string, files: readonly string[]): readonly InstalledPackage[] {
  const manifest =
    /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.cfg|requirements[\w-]{0,40}\.txt|composer\.json|go\.mod)$/
  const folders = [...new Set(files.filter((path) => manifest.test(path)).map((path) => folderOf(path)))]
  const found = new Map<string, InstalledPackage>()
  for (const packages of [npmPackages, pythonPackages, vendoredPackages])
    for (const one of packages(root, folders)) {
      if (found.size >= MOST_PACKAGES) break
      if (!found.has(one.path) && isFolder(root, one.path)) found.set(one.path, one)
    }
  return [...found.values()]
}

const readme = /^(?:readme|changelog|history|migration|migrating|upgrading)\b[^/]*$/i
const documents = /(?:^|\/)(?:docs?|documentation|guides?|website\/docs)\//i
const isMarkup = endsWith(markupExtensions)

/** Is this file of a package meant for its users: README, documents, types? */
export function isDocumentation(path: string): boolean {
  if (/(?:^|\/)(?:node_modules|tests?|__tests__|fixtures)\//.test(path)) return false
  if (readme.test(path) || path === 'METADATA' || /\.(?:d\.[cm]?ts|pyi)$/.test(path)) return true
  return documents.test(path) && isMarkup.test(path)
}
