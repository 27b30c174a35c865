// What does a name in code mean? Resolved as the language does: its class, the file, its imports, and their re-exports.
// Long because its steps call each other: a member may be inherited from an imported class that is passed on.
import type { OutlineImport, OutlineSymbol } from '../../../model/code.ts'
import { folderOf } from '../../../model/paths.ts'
import type { Mention, Resolution, UnresolvedReason } from '../../../model/reference.ts'
import { normalizeSegments } from '../page-keys.ts'
import type { CodeCatalogue, CodeFile, SharedDefinition } from './code-catalogue.ts'
import { type FoundModule, findModule } from './find-module.ts'
import { narrowDefinitions } from './narrow-definitions.ts'

/** Longest chain of re-exports, aliases and base classes. */
const maxSteps = 12
const maxCandidates = 20

/** A definition, or a whole module. */
interface Found {
  readonly file: CodeFile
  /** Null for the module itself. */
  readonly symbol: OutlineSymbol | null
  readonly confidence: number
  readonly method: string
}

type UseOutcome = Found | { readonly outcome: UnresolvedReason; readonly candidates: readonly string[] }

const external: UseOutcome = { outcome: 'external', candidates: [] }
const missing: UseOutcome = { outcome: 'missing', candidates: [] }

function toFound({ file, symbol }: SharedDefinition): Found {
  return { file, symbol, confidence: 0.9, method: 'program' }
}

/** A declaration or a variable. */
const isDeclared = ({ symbol }: Found): boolean => symbol?.shape === 'block'

const isFound = (outcome: UseOutcome | null): outcome is Found => outcome !== null && 'file' in outcome

/** Resolves a name that code uses, a module that it imports, or a script that a page loads. */
export function resolveUse(mention: Mention, catalogue: CodeCatalogue): Resolution {
  const { path, id } = splitId(mention.origin, catalogue)
  const file = catalogue.files.get(path)
  if (file === undefined) return { outcome: 'missing', candidates: [] }
  const { target } = mention
  const lookup = new Lookup(catalogue)
  const found =
    mention.form === 'import'
      ? lookup.module(target, file)
      : mention.form === 'script'
        ? lookup.script(target, file)
        : lookup.name(target.split('.'), file, mention.form === 'class' ? '' : id)
  return settle(found, mention.origin)
}

function splitId(origin: string, catalogue: CodeCatalogue): { path: string; id: string } {
  const hash = catalogue.files.has(origin) ? -1 : origin.lastIndexOf('#')
  return hash === -1 ? { path: origin, id: '' } : { path: origin.slice(0, hash), id: origin.slice(hash + 1) }
}

function settle(found: UseOutcome, origin: string): Resolution {
  if (!isFound(found)) return found
  const { file, symbol, confidence, method } = found
  const section = symbol === null || symbol.id === '' ? null : `${file.path}#${symbol.id}`
  if ((section ?? file.path) === origin) return { outcome: 'self', candidates: [] }
  return { outcome: 'resolved', path: file.path, section, anchor: symbol?.name ?? null, confidence, method }
}

const typeShapes: ReadonlySet<string> = new Set(['class', 'type'])

/** `src/test/java/org/app`: the source set of a folder. */
const sourceSet = /^((?:.*\/)?src\/)(\w+)(\/(?:java|kotlin|scala|groovy)\/.*)$/

/** Names of the base class in some languages, besides `super`. */
const parents: ReadonlySet<string> = new Set(['parent', 'base'])

class Lookup {
  readonly #catalogue: CodeCatalogue
  #steps = 0
  readonly #seen = new Set<string>()

  constructor(catalogue: CodeCatalogue) {
    this.#catalogue = catalogue
  }

  module(written: string, origin: CodeFile): UseOutcome {
    const found = findModule(this.#catalogue, written, origin)
    return this.#inModule(found, [], 'import') ?? this.#unfound(found)
  }

  script(written: string, origin: CodeFile): UseOutcome {
    if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(written)) return external
    const bare = written.split(/[?#]/, 1)[0] as string
    const places = bare.startsWith('/') ? [bare.slice(1)] : [`${folderOf(origin.path)}/${bare}`, bare]
    for (const place of places) {
      const path = normalizeSegments(place)
      const file = path === null ? undefined : this.#catalogue.files.get(path)
      if (file !== undefined) return { file, symbol: null, confidence: 1, method: 'path' }
    }
    return missing
  }

  /** The dotted name of a member of what is around it; '' if it means no such member. */
  name(parts: readonly string[], file: CodeFile, id: string): UseOutcome {
    const [first = '', ...rest] = parts
    const { self, modules, bareMembers } = this.#catalogue.rulesOf(file.language)
    const byPath = modules.relative === 'keywords' && rest.length > 0 ? this.#byPath(parts, file, id) : null
    if (byPath !== null) return byPath
    const exported = /^(?:module\.)?exports\.(.+)/.exec(parts.join('.'))?.[1]
    if (modules.relative === 'slashes' && exported !== undefined)
      return this.#inFile(exported.split('.'), file) ?? external
    const isParent = first === 'super' || (parents.has(first) && self.has(first))
    if (self.has(first) || isParent) return this.#ofSelf(rest, file, id, isParent)
    for (const owner of bareMembers === true ? this.#classesAround(file, id) : []) {
      const [member = '', ...more] = parts
      const own = this.#member(owner.symbol, owner.file, member)
      const found = own === null ? null : this.#below(more, own)
      if (isFound(found)) return found
    }
    const here = this.#inFile(parts, file)
    if (modules.scope === 'corpus' && !isFound(here)) return this.#inCorpus(parts, file) ?? here ?? external
    if (isFound(here) && isDeclared(here) && modules.headers !== undefined) {
      const there = this.#inCorpus(parts, file)
      if (isFound(there) && !isDeclared(there)) return there
    }
    if (here !== null) return here
    if (modules.scope === 'folder') return this.#inFolder(parts, folderOf(file.path), file) ?? external
    return external
  }

  /** `crate::a::b`, `super::b`, `own_crate::a::b`: the longest prefix that is a module; the rest are names in it. */
  #byPath(parts: readonly string[], file: CodeFile, id: string): Found | null {
    const { separator } = this.#catalogue.rulesOf(file.language).modules
    // A module inside a file: `super` is what the file has around it.
    const around = parts[0] === 'super' && id.includes('.') ? this.#inFile(parts.slice(1), file) : null
    if (isFound(around)) return around
    for (let length = parts.length - 1; length >= 1; length--) {
      const found = findModule(this.#catalogue, parts.slice(0, length).join(separator), file)
      const inside = found.kind === 'file' ? this.#inModule(found, parts.slice(length), 'import') : null
      if (isFound(inside)) return inside
    }
    return null
  }

  /** `self.start` inside a function of a class. */
  #ofSelf(rest: readonly string[], file: CodeFile, id: string, onlyBases: boolean): UseOutcome {
    const [owner] = this.#classesAround(file, id)
    const [member, ...more] = rest
    if (owner === undefined || member === undefined) return external
    const found = onlyBases
      ? this.#inBases(owner.symbol, owner.file, member)
      : this.#member(owner.symbol, owner.file, member)
    if (found === null) return external
    return more.length === 0 ? found : external
  }

  /** The definitions around a symbol, innermost first; a class is around itself. */
  #classesAround(file: CodeFile, id: string): readonly SharedDefinition[] {
    const symbol = file.symbolOfId(id)
    if (symbol === null) return []
    const around: SharedDefinition[] = symbol.shape === 'class' ? [{ file, symbol }] : []
    for (let dot = symbol.name.lastIndexOf('.'); dot > 0; dot = symbol.name.lastIndexOf('.', dot - 1)) {
      const owner = file.symbol(symbol.name.slice(0, dot))
      if (owner !== null) around.push({ file, symbol: owner })
    }
    if (around.length > 0) return around
    // Functions of a C++ class are defined in another file than the class.
    const dot = symbol.name.lastIndexOf('.')
    const shared = dot === -1 ? [] : this.#shared(symbol.name.slice(0, dot), file)
    return shared.length === 1 ? shared : []
  }

  /** A member of a class, its own or inherited. */
  #member(owner: OutlineSymbol, file: CodeFile, name: string): Found | null {
    const own = file.symbol(`${owner.name}.${name}`)
    const isOpen = own === null || own.shape === 'block'
    const defined = isOpen ? this.#memberElsewhere(owner, file, name) : null
    if (defined !== null) return defined
    if (own !== null) {
      if (own.alias === undefined) return { file, symbol: own, confidence: 1, method: 'member' }
      const meant = file.symbol(`${owner.name}.${own.alias}`)
      return meant === null ? null : { file, symbol: meant, confidence: 0.95, method: 'alias' }
    }
    return this.#inBases(owner, file, name)
  }

  /** If a package is a folder, functions of a type may be in another file than the type. */
  #memberElsewhere(owner: OutlineSymbol, file: CodeFile, name: string): Found | null {
    const { scope } = this.#catalogue.rulesOf(file.language).modules
    if (scope === 'corpus') {
      const found = this.#shared(`${owner.name}.${name}`, file)
      return found.length === 1 ? toFound(found[0] as SharedDefinition) : null
    }
    if (scope !== 'folder') return null
    for (const path of this.#catalogue.folders.get(folderOf(file.path)) ?? []) {
      const other = this.#catalogue.files.get(path)
      const symbol = other?.symbol(`${owner.name}.${name}`) ?? null
      if (other !== undefined && symbol !== null)
        return { file: other, symbol, confidence: 0.95, method: 'package' }
    }
    return null
  }

  #inBases(owner: OutlineSymbol, file: CodeFile, name: string): Found | null {
    if (++this.#steps > maxSteps) return null
    for (const base of owner.bases ?? []) {
      const parts = base.split('.')
      const { scope } = this.#catalogue.rulesOf(file.language).modules
      const here = this.#inFile(parts, file)
      const elsewhere =
        scope === 'corpus'
          ? this.#inCorpus(parts, file)
          : scope === 'folder'
            ? this.#inFolder(parts, folderOf(file.path), file)
            : null
      const found = isFound(here) ? here : (elsewhere ?? here)
      if (!isFound(found) || found.symbol === null || found.symbol === owner) continue
      const member = this.#member(found.symbol, found.file, name)
      if (member !== null)
        return { ...member, confidence: Math.min(member.confidence, 0.95), method: 'inherited' }
    }
    return null
  }

  /** Among the definitions, imports and re-exports of the file; null for an unknown name. */
  #inFile(parts: readonly string[], file: CodeFile): UseOutcome | null {
    const key = `${file.path}\0${parts.join('.')}`
    if (this.#seen.has(key) || ++this.#steps > maxSteps * 4) return null
    this.#seen.add(key)
    const found = this.#defined(parts, file) ?? this.#imported(parts, file) ?? this.#passedOn(parts, file)
    this.#seen.delete(key)
    return found
  }

  #defined(parts: readonly string[], file: CodeFile): UseOutcome | null {
    const [first = '', ...rest] = parts
    const symbol = file.symbol(first)
    if (symbol === null) return null
    if (symbol.alias !== undefined) {
      const [aliased = ''] = symbol.alias.split('.')
      if (aliased === first) return null
      return this.#inFile([...symbol.alias.split('.'), ...rest], file)
    }
    return this.#below(rest, { file, symbol, confidence: 1, method: 'scope' })
  }

  /** Members of a definition; unknown unless it is a class. */
  #below(rest: readonly string[], found: Found): UseOutcome {
    const [next, ...more] = rest
    if (next === undefined) return found
    if (found.symbol === null) return missing
    const member = this.#member(found.symbol, found.file, next)
    if (member === null || member.symbol === null) return found.symbol.shape === 'class' ? missing : external
    return this.#below(more, { ...member, confidence: Math.min(found.confidence, member.confidence) })
  }

  #imported(parts: readonly string[], file: CodeFile): UseOutcome | null {
    const [first = '', ...rest] = parts
    const { imports } = file.outline
    const named = imports.find(({ local }) => local === first)
    if (named !== undefined) return this.#follow(named, rest, file)
    const whole = imports.filter(
      ({ local, name, module }) => local === '' && name === null && this.#binds(module, first, file),
    )
    for (const one of whole) {
      const found = this.#throughModule(one, parts, file)
      if (found !== null) return found
    }
    for (const { module, name } of imports) {
      if (name !== '*') continue
      const found = this.#inside(module, parts, file, 'star')
      if (isFound(found)) return { ...found, confidence: Math.min(found.confidence, 0.9) }
    }
    return whole.length > 0 ? external : null
  }

  /** Does an import that gives no name bind this one? A folder has the name of its package clause. */
  #binds(module: string, first: string, file: CodeFile): boolean {
    const { separator, relative, names } = this.#catalogue.rulesOf(file.language).modules
    // `import './render'` binds no name in JavaScript.
    if (relative === 'slashes') return false
    const found = names === 'folder' ? findModule(this.#catalogue, module, file) : null
    const declared = found?.kind === 'folder' ? this.#packageOf(found.folder) : null
    if (declared !== null) return declared === first
    const parts = module.split(separator)
    return parts[0] === first || (parts.length > 1 && parts.at(-1) === first && separator !== '.')
  }

  #packageOf(folder: string): string | null {
    const { files, folders } = this.#catalogue
    const names = (folders.get(folder) ?? []).map((path) => files.get(path)?.outline.package)
    // Tests of a package may be in a package of their own.
    return names.find((name) => name !== undefined && !name.endsWith('_test')) ?? null
  }

  /** `import a.b` and then `a.b.c`: the longest prefix that is a module; the rest are names in it. */
  #throughModule({ module }: OutlineImport, parts: readonly string[], file: CodeFile): UseOutcome | null {
    const { separator } = this.#catalogue.rulesOf(file.language).modules
    if (module.split(separator)[0] !== parts[0])
      return this.#inModule(findModule(this.#catalogue, module, file), parts.slice(1), 'import')
    for (let length = parts.length; length >= 1; length--) {
      const found = findModule(this.#catalogue, parts.slice(0, length).join(separator), file)
      if (found.kind === 'external' || found.kind === 'missing') continue
      return this.#inModule(found, parts.slice(length), 'import') ?? missing
    }
    return null
  }

  #follow({ module, name }: OutlineImport, rest: readonly string[], file: CodeFile): UseOutcome {
    const found = findModule(this.#catalogue, module, file)
    const { separator, names } = this.#catalogue.rulesOf(file.language).modules
    if (name === null || name === '*') return this.#bound(found, rest)
    // Kotlin writes the name as the last part of the module.
    const isWhole = names === 'definition' && module.endsWith(`${separator}${name}`)
    const owner = isWhole ? module.slice(0, -(separator.length + name.length)) : module
    const inside = this.#inside(owner, [...name.split(separator), ...rest], file, 'import')
    if (isFound(inside)) return inside
    const deeper = module.endsWith(separator) ? `${module}${name}` : `${module}${separator}${name}`
    const submodule = findModule(this.#catalogue, deeper, file)
    const own = names === 'definition' ? this.#inModule(submodule, [name, ...rest], 'import') : null
    if (isFound(own)) return own
    return this.#inModule(submodule, rest, 'import') ?? inside ?? this.#unfound(found)
  }

  /** Names in a module or, where an import may name a class, in the class that it ends with. */
  #inside(module: string, wanted: readonly string[], file: CodeFile, method: string): UseOutcome | null {
    const { separator, names, scope } = this.#catalogue.rulesOf(file.language).modules
    const found = findModule(this.#catalogue, module, file)
    const direct = this.#inModule(found, wanted, method)
    if (isFound(direct) || names !== 'definition') return direct
    // Members of a companion object are members of its class in Kotlin.
    const owner = module.replace(/\.Companion$/, '')
    const inClass = [owner.slice(owner.lastIndexOf(separator) + 1), ...wanted]
    const member = scope === 'corpus' ? this.#inCorpus(inClass, file) : this.#inModule(found, inClass, method)
    return isFound(member) ? member : direct
  }

  /** A name bound to a module: its member, otherwise its default export, otherwise the module. */
  #bound(found: FoundModule, rest: readonly string[]): UseOutcome {
    const whole = this.#inModule(found, ['default', ...rest], 'import')
    const named = this.#inModule(found, rest, 'import')
    const both = rest.length === 0 ? [whole, named] : [named, whole]
    return both.find(isFound) ?? named ?? this.#unfound(found)
  }

  /** What a file re-exports from other modules. */
  #passedOn(parts: readonly string[], file: CodeFile): UseOutcome | null {
    const [first = '', ...rest] = parts
    for (const { name, module, from } of file.outline.exports) {
      if (name !== first) continue
      if (module === null) {
        if (from !== null && from !== first) return this.#inFile([...from.split('.'), ...rest], file)
        continue
      }
      const found = findModule(this.#catalogue, module, file)
      return (
        this.#inModule(found, from === null ? rest : [from, ...rest], 're-export') ?? this.#unfound(found)
      )
    }
    for (const { name, module } of file.outline.exports) {
      if (name !== '*' || module === null || first === 'default') continue
      const found = this.#inModule(findModule(this.#catalogue, module, file), parts, 're-export')
      if (isFound(found)) return found
    }
    return null
  }

  /** Names inside a module; null when it is missing or does not know them. */
  #inModule(found: FoundModule, parts: readonly string[], method: string): UseOutcome | null {
    if (found.kind === 'folder') return this.#inFolder(parts, found.folder, null)
    if (found.kind !== 'file') return null
    const file = this.#catalogue.files.get(found.path)
    if (file === undefined) return null
    if (parts.length === 0) return { file, symbol: null, confidence: found.confidence, method: 'module' }
    const inside = this.#inFile(parts, file)
    if (!isFound(inside)) return inside ?? this.#submodule(parts, file)
    const confidence = Math.min(found.confidence, inside.confidence)
    return { ...inside, confidence, method: inside.method === 'scope' ? method : inside.method }
  }

  /** A module below a package: `package.module.name`. */
  #submodule(parts: readonly string[], file: CodeFile): UseOutcome | null {
    const { separator, index, extensions } = this.#catalogue.rulesOf(file.language).modules
    const isIndex = index.some((name) =>
      extensions.some(
        (extension) => file.path === name + extension || file.path.endsWith(`/${name}${extension}`),
      ),
    )
    if (!isIndex || separator !== '.') return null
    const [first = '', ...rest] = parts
    const found = findModule(this.#catalogue, `.${first}`, file)
    return found.kind === 'file' ? this.#inModule(found, rest, 'import') : null
  }

  /** Among the files of a folder that share their names. */
  #inFolder(parts: readonly string[], folder: string, origin: CodeFile | null): UseOutcome | null {
    const [first = '', ...rest] = parts
    if (first === '') return null
    const holdersIn = (one: string): Found[] =>
      (this.#catalogue.folders.get(one) ?? []).flatMap((path): Found[] => {
        const file = this.#catalogue.files.get(path)
        const symbol = file === origin ? null : (file?.symbol(first) ?? null)
        return file === undefined || symbol === null || symbol.alias !== undefined
          ? []
          : [{ file, symbol, confidence: 0.95, method: 'package' }]
      })
    const here = holdersIn(folder)
    // Tests of a Java package are in another folder than its classes.
    const set = sourceSet.exec(folder)
    const hasOther = here.length === 0 && set !== null && set[2] !== 'main'
    return this.#belowOnly(rest, hasOther ? holdersIn(`${set[1]}main${set[3]}`) : here)
  }

  /** Members of the only definition; several are a tie. */
  #belowOnly(rest: readonly string[], holders: readonly Found[]): UseOutcome | null {
    const [only] = holders
    if (only === undefined) return null
    if (holders.length === 1) return this.#below(rest, only)
    const candidates = holders.map(({ file, symbol }) => `${file.path}#${symbol?.id ?? ''}`)
    return { outcome: 'ambiguous', candidates: candidates.slice(0, maxCandidates) }
  }

  /** Among the files of a language that share their names: the longest defined prefix; the rest are members. */
  #inCorpus(parts: readonly string[], file: CodeFile): UseOutcome | null {
    for (let length = parts.length; length >= 1; length--) {
      const holders = this.#shared(parts.slice(0, length).join('.'), file).map(toFound)
      const found = this.#belowOnly(parts.slice(length), holders)
      if (found !== null) return found
    }
    // A namespace is followed by a type; a function may also be a member of something unknown.
    const inside = parts.length > 1 ? this.#inCorpus(parts.slice(1), file) : null
    const isPlain = parts.length === 2 && isFound(inside) && !typeShapes.has(inside.symbol?.shape ?? '')
    return isFound(inside) && !isPlain ? inside : null
  }

  #shared(name: string, file: CodeFile): readonly SharedDefinition[] {
    return narrowDefinitions(name, file, this.#catalogue)
  }

  #unfound(found: FoundModule): UseOutcome {
    if (found.kind === 'ambiguous')
      return { outcome: 'ambiguous', candidates: found.paths.slice(0, maxCandidates) }
    return found.kind === 'external' ? external : missing
  }
}
