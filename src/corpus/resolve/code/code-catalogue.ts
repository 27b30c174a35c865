// Which code can a reference mean? Files with their outlines, parsed on demand, and the names of modules.

import type { Artifact } from '../../../model/artifact.ts'
import type { CodeOutline, ModuleRules, OutlineSymbol } from '../../../model/code.ts'
import { folderOf, lastSegment } from '../../../model/paths.ts'
import { getOrAdd } from '../../../model/remember.ts'

interface CodeEntry {
  readonly path: string
  readonly language: string
  /** JSON of a `CodeOutline`. */
  readonly outline: string
}

/** A package of the corpus that others import by name. */
export interface CodePackage {
  readonly name: string
  readonly folder: string
  /** Its declared entry points, relative to the folder; the first that exists counts. */
  readonly entries: readonly string[]
}

/** `paths` of a tsconfig.json: `@app/*` → `src/*`, relative to the folder. */
export interface PathAliases {
  readonly folder: string
  readonly aliases: readonly { readonly pattern: string; readonly targets: readonly string[] }[]
}

export interface ModuleSettings {
  readonly packages: readonly CodePackage[]
  readonly aliases: readonly PathAliases[]
}

const noModuleSettings: ModuleSettings = { packages: [], aliases: [] }

/** A definition as the store finds it by name. */
export interface NamedDefinition extends Pick<Artifact, 'id' | 'path' | 'headings'> {
  readonly kind: string
}

export interface CodeCatalogue {
  readonly files: ReadonlyMap<string, CodeFile>
  /** Paths of the files of each folder, sorted. */
  readonly folders: ReadonlyMap<string, readonly string[]>
  /** Paths by their last segment, and by their last two. */
  readonly names: ReadonlyMap<string, readonly string[]>
  readonly settings: ModuleSettings
  readonly rulesOf: (language: string) => LanguageRules
  readonly definitionsNamed: (name: string) => readonly NamedDefinition[]
  /** Definitions that all files of their language see, by dotted name or by its last part. */
  readonly shared: (name: string) => readonly SharedDefinition[]
}

export interface SharedDefinition {
  readonly file: CodeFile
  readonly symbol: OutlineSymbol
}

export interface LanguageRules {
  readonly modules: ModuleRules
  readonly self: ReadonlySet<string>
  readonly bareMembers?: boolean
}

/** A file with its outline, which is parsed on demand: JSON until then. */
export class CodeFile {
  readonly path: string
  readonly language: string
  #outline: CodeOutline | string
  #symbols: ReadonlyMap<string, OutlineSymbol> | null = null

  constructor({ path, language, outline }: CodeEntry) {
    this.path = path
    this.language = language
    this.#outline = outline
  }

  get outline(): CodeOutline {
    if (typeof this.#outline === 'string') this.#outline = JSON.parse(this.#outline) as CodeOutline
    return this.#outline
  }

  /** By dotted name. */
  symbol(name: string): OutlineSymbol | null {
    this.#symbols ??= new Map(this.outline.symbols.map((symbol) => [symbol.name, symbol]))
    return this.#symbols.get(name) ?? null
  }

  /** By the part after `path#`; null for the file itself. The outline has the first of several definitions of a name. */
  symbolOfId(id: string): OutlineSymbol | null {
    const find = (named: string): OutlineSymbol | undefined =>
      this.outline.symbols.find((symbol) => symbol.id === named && symbol.alias === undefined)
    return find(id) ?? find(id.replaceAll(/-\d+(?=\.|$)/g, '')) ?? null
  }
}

interface CatalogueParts {
  readonly entries: Iterable<CodeEntry>
  readonly rulesOf: (language: string) => LanguageRules
  readonly settings?: ModuleSettings
  readonly definitionsNamed?: (name: string) => readonly NamedDefinition[]
}

export function makeCodeCatalogue({ entries, rulesOf, ...parts }: CatalogueParts): CodeCatalogue {
  const files = new Map<string, CodeFile>()
  const folders = new Map<string, string[]>()
  const names = new Map<string, string[]>()
  for (const entry of entries) {
    files.set(entry.path, new CodeFile(entry))
    push(folders, folderOf(entry.path), entry.path)
    push(names, lastSegment(entry.path), entry.path)
    if (entry.path.includes('/')) push(names, entry.path.split('/').slice(-2).join('/'), entry.path)
  }
  let shared: Map<string, SharedDefinition[]> | null = null
  return {
    files,
    folders,
    shared: (name) => {
      shared ??= gatherShared(files.values(), rulesOf)
      return shared.get(name) ?? []
    },
    names,
    settings: parts.settings ?? noModuleSettings,
    rulesOf,
    definitionsNamed: parts.definitionsNamed ?? (() => []),
  }
}

function gatherShared(files: Iterable<CodeFile>, rulesOf: (language: string) => LanguageRules) {
  const found = new Map<string, SharedDefinition[]>()
  for (const file of files) {
    const { scope, headers } = rulesOf(file.language).modules
    if (scope !== 'corpus') continue
    const isHeader = headers?.some((extension) => file.path.endsWith(extension)) === true
    for (const symbol of file.outline.symbols) {
      const isHidden = !isHeader && (symbol.private || (headers !== undefined && symbol.shape === 'block'))
      if (symbol.alias !== undefined || isHidden) continue
      push(found, symbol.name, { file, symbol })
      const last = symbol.name.slice(symbol.name.lastIndexOf('.') + 1)
      // A member is found through its class.
      if (last !== symbol.name && symbol.shape !== 'class_function') push(found, last, { file, symbol })
    }
  }
  return found
}

function push<T>(lists: Map<string, T[]>, key: string, value: T): void {
  getOrAdd(lists, key, () => []).push(value)
}
