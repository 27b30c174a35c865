// Which file or folder is a module? By the rules of the language: relative names, package roots, aliases, index files.

import type { ModuleRules } from '../../../model/code.ts'
import { folderOf, lastSegment } from '../../../model/paths.ts'
import { normalizeSegments } from '../page-keys.ts'
import type { CodeCatalogue, CodeFile } from './code-catalogue.ts'

export type FoundModule =
  | { readonly kind: 'file'; readonly path: string; readonly confidence: number }
  /** A folder whose files are one module, or a package without an index file. */
  | { readonly kind: 'folder'; readonly folder: string; readonly confidence: number }
  | { readonly kind: 'ambiguous'; readonly paths: readonly string[] }
  /** A module that should be in the corpus, but is missing. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'external' }

const missing: FoundModule = { kind: 'missing' }
const external: FoundModule = { kind: 'external' }

/** Finds the module that a file imports by this name. */
export function findModule(
  catalogue: CodeCatalogue,
  written: string,
  { path: origin, language }: Pick<CodeFile, 'path' | 'language'>,
): FoundModule {
  const rules = catalogue.rulesOf(language).modules
  const look: Look = { catalogue, rules, origin }
  switch (rules.relative) {
    case 'dots':
      return written.startsWith('.') ? findDotted(written, look) : findFromRoots(written.split('.'), look)
    case 'slashes':
      return /^\.{0,2}\//.test(written) || written === '.' || written === '..'
        ? (findAt(`${folderOf(origin)}/${written}`, look) ?? missing)
        : findByAlias(written, look)
    case 'keywords':
      return findByKeyword(written.split(rules.separator), look)
    case 'paths':
      return findByPath(written.split(rules.separator), look)
    case 'none':
      return rules.names === 'folder'
        ? findFolder(written, look)
        : findFromRoots(written.split(rules.separator), look)
  }
}

interface Look {
  readonly catalogue: CodeCatalogue
  readonly rules: ModuleRules
  readonly origin: string
}

/** The file of a path without extension, its index file, or the folder itself. */
function findAt(path: string, { catalogue, rules }: Look, confidence = 1): FoundModule | null {
  const key = normalizeSegments(path)
  if (key === null) return null
  const exact = catalogue.files.has(key) ? key : null
  const found =
    exact ??
    withExtension(key, catalogue, rules) ??
    replaceExtension(key, catalogue, rules) ??
    indexOf(key, catalogue, rules)
  if (found !== null) return { kind: 'file', path: found, confidence }
  return catalogue.folders.has(key) && rules.relative === 'dots'
    ? { kind: 'folder', folder: key, confidence }
    : null
}

const withExtension = (key: string, { files }: CodeCatalogue, { extensions }: ModuleRules): string | null =>
  extensions.map((extension) => `${key}${extension}`).find((file) => files.has(file)) ?? null

/** TypeScript imports `./a.js` for `./a.ts`. */
function replaceExtension(key: string, catalogue: CodeCatalogue, rules: ModuleRules): string | null {
  const dot = key.lastIndexOf('.')
  if (rules.relative !== 'slashes' || dot <= key.lastIndexOf('/')) return null
  return withExtension(key.slice(0, dot), catalogue, rules)
}

function indexOf(folder: string, catalogue: CodeCatalogue, rules: ModuleRules): string | null {
  for (const index of rules.index)
    for (const extension of rules.extensions) {
      const file = folder === '' ? `${index}${extension}` : `${folder}/${index}${extension}`
      if (catalogue.files.has(file)) return file
    }
  return null
}

/** `..util` from `a/b/c.py` is `a/util`. */
function findDotted(written: string, look: Look): FoundModule {
  let dots = 0
  while (written[dots] === '.') dots++
  let folder: string | null = folderOf(look.origin)
  for (let up = 1; up < dots && folder !== null; up++) folder = folder === '' ? null : folderOf(folder)
  if (folder === null) return missing
  return findAt(`${folder}/${written.slice(dots).split('.').join('/')}`, look) ?? missing
}

const usualRoots = [
  '',
  ...'src lib src/main/java src/test/java src/main/kotlin src/test/kotlin app'.split(' '),
]

/** From the folder above the origin's own package, then from usual roots, then from anywhere it exists once. */
function findFromRoots(parts: readonly string[], look: Look): FoundModule {
  const path = parts.join('/')
  const own = packageRoot(look)
  for (const root of [own, ...usualRoots]) {
    const found = findAt(`${root}/${path}`, look, root === own ? 1 : 0.95)
    if (found !== null) return found
  }
  return findByEnding(parts, look)
}

/** The first folder above the origin without an index file: the root of its imports. */
function packageRoot({ catalogue, rules, origin }: Look): string {
  let folder = folderOf(origin)
  while (folder !== '' && indexOf(folder, catalogue, rules) !== null) folder = folderOf(folder)
  return folder
}

/** Elsewhere in the corpus, if only one place matches; a single segment is too vague. */
function findByEnding(parts: readonly string[], { catalogue, rules }: Look): FoundModule {
  if (parts.length < 2) return external
  const last = parts.at(-1) as string
  const files = rules.extensions.flatMap((extension) => catalogue.names.get(`${last}${extension}`) ?? [])
  const inner = rules.index.flatMap((index) =>
    rules.extensions.flatMap((extension) => catalogue.names.get(`${last}/${index}${extension}`) ?? []),
  )
  const path = `/${parts.join('/')}`
  const fits = [
    ...files.filter((file) => `/${file.slice(0, file.lastIndexOf('.'))}`.endsWith(path)),
    ...inner.filter((file) => `/${folderOf(file)}`.endsWith(path)),
  ]
  return onlyOf(fits)
}

function onlyOf(files: readonly string[]): FoundModule {
  if (files.length === 1) return { kind: 'file', path: files[0] as string, confidence: 0.85 }
  return files.length === 0 ? external : { kind: 'ambiguous', paths: [...new Set(files)].sort() }
}

/** `lib/util.h` from the folder of the origin or one above it, also below `include`; otherwise where it exists once. */
function findByPath(written: readonly string[], look: Look): FoundModule {
  // The text before the last variable is unknown until run time: `$(dirname "$0")/lib.sh`.
  const last = written.findLastIndex((part) => /[$"')}]/.test(part))
  const parts = written.slice(last + 1).filter((part, index) => part !== '' || index > 0)
  const path = parts.join('/')
  if (path === '') return external
  for (let folder = folderOf(look.origin), up = 0; ; folder = folderOf(folder), up++) {
    for (const below of includeFolders) {
      const found = findAt([folder, below, path].filter(Boolean).join('/'), look, up === 0 ? 1 : 0.95)
      if (found !== null) return found
    }
    if (folder === '' || path.startsWith('.')) break
  }
  if (path.startsWith('.')) return missing
  return findByPathEnding(path, parts, look)
}

const includeFolders = ['', 'include', 'lib', 'src']

function findByPathEnding(path: string, parts: readonly string[], { catalogue, rules }: Look): FoundModule {
  const name = parts.at(-1) as string
  // A single word may be any library.
  if (parts.length < 2 && !name.includes('.')) return external
  const names = ['', ...rules.extensions].map((extension) => `${name}${extension}`)
  const endings = ['', ...rules.extensions].map((extension) => `/${path}${extension}`)
  const fits = names
    .flatMap((one) => catalogue.names.get(one) ?? [])
    .filter((file) => endings.some((ending) => file.endsWith(ending)))
  return onlyOf(fits)
}

/** A name without a leading dot: aliases of the nearest configuration, then packages of the corpus. */
function findByAlias(written: string, look: Look): FoundModule {
  const { aliases, packages } = look.catalogue.settings
  const near = aliases
    .filter(({ folder }) => folder === '' || look.origin.startsWith(`${folder}/`))
    .sort((a, b) => b.folder.length - a.folder.length)
  for (const { folder, aliases: patterns } of near)
    for (const target of targetsOf(written, patterns)) {
      const found = findAt(`${folder}/${target}`, look, 0.95)
      if (found !== null) return found
    }

  const own = packages
    .filter(({ name }) => written === name || written.startsWith(`${name}/`))
    .sort((a, b) => b.name.length - a.name.length)[0]
  if (own === undefined) return external
  const rest = written.slice(own.name.length + 1)
  const places =
    rest === '' ? [...own.entries, 'src/index', 'index', 'lib/index'] : [rest, `src/${rest}`, `lib/${rest}`]
  for (const place of places) {
    const found = findAt(`${own.folder}/${place}`, look, 0.9)
    if (found !== null) return found
  }
  return missing
}

/** Paths of an alias: `@app/*` with `src/*` gives `src/util` for `@app/util`. */
function targetsOf(
  written: string,
  patterns: readonly { readonly pattern: string; readonly targets: readonly string[] }[],
): string[] {
  const ordered = [...patterns].sort((a, b) => b.pattern.length - a.pattern.length)
  return ordered.flatMap(({ pattern, targets }) => {
    const star = pattern.indexOf('*')
    if (star === -1) return written === pattern ? targets : []
    const [before, after] = [pattern.slice(0, star), pattern.slice(star + 1)]
    if (written.length < before.length + after.length) return []
    if (!written.startsWith(before) || !written.endsWith(after)) return []
    const middle = written.slice(before.length, written.length - after.length)
    return targets.map((target) => target.replace('*', () => middle))
  })
}

/** A folder of the corpus that an import path ends with; below a declared module when there is one. */
function findFolder(written: string, { catalogue, rules }: Look): FoundModule {
  const { packages } = catalogue.settings
  const declared = packages.filter(({ name }) => written === name || written.startsWith(`${name}/`))
  const has = (folder: string): boolean =>
    (catalogue.folders.get(folder) ?? []).some((path) => rules.extensions.some((one) => path.endsWith(one)))
  for (const { name, folder } of declared) {
    const rest = written.slice(name.length + 1)
    const place = folder === '' ? rest : rest === '' ? folder : `${folder}/${rest}`
    if (has(place)) return { kind: 'folder', folder: place, confidence: 1 }
  }
  if (declared.length > 0) return missing
  const segments = written.split('/')
  for (let from = 1; packages.length === 0 && from < segments.length; from++) {
    const folder = segments.slice(from).join('/')
    if (has(folder)) return { kind: 'folder', folder, confidence: 0.85 }
  }
  return external
}

/** `crate::a::b`, `super::b`, `self::b`: the longest prefix that is a file; the rest are names in it. */
function findByKeyword(parts: readonly string[], look: Look): FoundModule {
  const [first = '', ...rest] = parts
  const here = moduleFolder(look)
  const crate = look.catalogue.settings.packages.find(({ name }) => name === `crate::${first}`)
  const start =
    first === 'crate'
      ? crateRoot(look)
      : first === 'self'
        ? here
        : first === 'super'
          ? folderOf(here)
          : crate === undefined
            ? null
            : `${crate.folder}/src`.replace(/^\//, '')
  if (start === null) return findAt(`${here}/${parts.join('/')}`, look, 0.9) ?? external
  for (let length = rest.length; length >= 1; length--) {
    const found = findAt(`${start}/${rest.slice(0, length).join('/')}`, look)
    if (found !== null) return found
  }
  const index = indexOf(start, look.catalogue, look.rules)
  return index === null ? missing : { kind: 'file', path: index, confidence: 1 }
}

/** The folder of a file's own modules: `a/mod.rs` and `a.rs` both mean `a`. */
function moduleFolder({ origin, rules }: Look): string {
  const name = lastSegment(origin).replace(/\.[^.]*$/, '')
  const folder = folderOf(origin)
  return rules.index.includes(name) ? folder : folder === '' ? name : `${folder}/${name}`
}

/** The nearest folder above that contains a `lib` or `main`. */
function crateRoot({ catalogue, rules, origin }: Look): string {
  const [extension = ''] = rules.extensions
  for (let folder = folderOf(origin); ; folder = folderOf(folder)) {
    const prefix = folder === '' ? '' : `${folder}/`
    if (['lib', 'main'].some((name) => catalogue.files.has(`${prefix}${name}${extension}`))) return folder
    if (folder === '') return folderOf(origin)
  }
}
