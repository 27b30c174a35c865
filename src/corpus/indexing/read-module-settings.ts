// How does this repository name its modules? By its package.json, tsconfig.json, go.mod and Cargo.toml files, which are read, never run.
import { parseLooseJson } from '../../model/config/parse-loose-json.ts'
import { folderOf } from '../../model/paths.ts'
import { decodeText } from '../../read/source/decode-text.ts'
import { readBytesInside } from '../../read/source/read-bytes-inside.ts'
import type { Root } from '../../read/source/walk/corpus-roots.ts'
import type { CodePackage, ModuleSettings, PathAliases } from '../resolve/code/code-catalogue.ts'

const maxBytes = 256 * 1024
/** Limit on folders of code. */
const maxFolders = 2_000
const slashed = /\.(?:[cm]?[jt]s|[jt]sx)$/

/** The text of a file by its path from the root; null when there is none. */
export type ReadText = (path: string) => string | null

export const textsBelow =
  (root: Root): ReadText =>
  (path) => {
    const read = readBytesInside(root, path, maxBytes)
    if ('reason' in read) return null
    const decoded = decodeText(read.bytes)
    return 'binary' in decoded ? null : decoded.text
  }

/** Reads the files in the folders of these paths and above them; unreadable files are ignored. */
export function readModuleSettings(readFile: ReadText, paths: readonly string[]): ModuleSettings {
  const packages: CodePackage[] = []
  const aliases: PathAliases[] = []
  for (const folder of foldersOf(paths.filter((path) => slashed.test(path)))) {
    const own = readPackage(readFile, folder)
    if (own !== null) packages.push(own)
    const found = readAliases(readFile, folder)
    if (found !== null) aliases.push(found)
  }
  for (const folder of foldersOf(paths.filter((path) => path.endsWith('.go')))) {
    const name = /^module\s+(\S{1,200})/m.exec(readText(readFile, folder, 'go.mod') ?? '')?.[1]
    if (name !== undefined) packages.push({ name, folder, entries: [] })
  }
  for (const folder of foldersOf(paths.filter((path) => path.endsWith('.rs')))) {
    const [, own = ''] = `\n${readText(readFile, folder, 'Cargo.toml') ?? ''}`.split('\n[package]')
    const name = /^name\s*=\s*"([\w-]{1,200})"/m.exec(own.split('\n[', 1)[0] ?? '')?.[1]
    if (name !== undefined)
      packages.push({ name: `crate::${name.replaceAll('-', '_')}`, folder, entries: [] })
  }
  return { packages, aliases }
}

function foldersOf(paths: readonly string[]): string[] {
  const folders = new Set<string>()
  for (const path of paths)
    for (let folder = folderOf(path); !folders.has(folder); folder = folderOf(folder)) folders.add(folder)
  return [...folders].sort().slice(0, maxFolders)
}

const readText = (readFile: ReadText, folder: string, name: string): string | null =>
  readFile(folder === '' ? name : `${folder}/${name}`)

function readObject(readFile: ReadText, folder: string, name: string): Record<string, unknown> | null {
  const text = readText(readFile, folder, name)
  const value = text === null ? null : parseLooseJson(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null
}

/** Built files are usually not indexed: their sources are tried by the same name. */
function readPackage(readFile: ReadText, folder: string): CodePackage | null {
  const json = readObject(readFile, folder, 'package.json')
  const name = json?.['name']
  if (json === null || typeof name !== 'string' || name === '') return null
  const main = json['exports']
  const fields = ['source', 'module', 'main', 'types'].map((key) => json[key])
  const entries = [...stringsIn(main), ...fields].filter(
    (entry): entry is string => typeof entry === 'string',
  )
  return { name, folder, entries: [...new Set(entries)].slice(0, 10) }
}

/** The targets of `"."` in a package's exports. */
function stringsIn(exports: unknown): string[] {
  if (typeof exports === 'string') return [exports]
  if (typeof exports !== 'object' || exports === null) return []
  const own = exports as Record<string, unknown>
  const dot = Object.hasOwn(own, '.') ? own['.'] : exports
  if (typeof dot === 'string') return [dot]
  if (typeof dot !== 'object' || dot === null) return []
  return Object.values(dot).filter((value): value is string => typeof value === 'string')
}

function readAliases(readFile: ReadText, folder: string): PathAliases | null {
  const json = readObject(readFile, folder, 'tsconfig.json') ?? readObject(readFile, folder, 'jsconfig.json')
  const options = json?.['compilerOptions'] as Record<string, unknown> | undefined
  if (options === undefined || options === null || typeof options !== 'object') return null
  const base = typeof options['baseUrl'] === 'string' ? options['baseUrl'] : null
  const prefix = base === null || base === '.' ? '' : `${base.replace(/^\.\//, '').replace(/\/$/, '')}/`
  const paths = (options['paths'] ?? {}) as Record<string, unknown>
  const aliases = Object.entries(paths).flatMap(([pattern, targets]) => {
    if (!Array.isArray(targets)) return []
    const texts = targets.filter((target) => typeof target === 'string')
    return [{ pattern, targets: texts.map((one) => prefix + one) }]
  })
  if (base !== null) aliases.push({ pattern: '*', targets: [`${prefix}*`] })
  return aliases.length === 0 ? null : { folder, aliases }
}
