// What do a query's matches mean? Each capture name has one meaning in every language (docs/guides/add-a-language.md).
import type { OutlineExport } from '../../../model/code.ts'
import { dottedName, plainName, unquote } from './code-names.ts'
import type {
  CodeScan,
  CodeSpan,
  Definition,
  DefinitionShape,
  ImportedName,
  PlacedName,
  TypedName,
} from './code-scan.ts'

/** The used part of a grammar's node. */
type CapturedNode = CodeSpan

export interface CapturedMatch {
  readonly captures: readonly { readonly name: string; readonly node: CapturedNode }[]
}

type Captures = ReadonlyMap<string, CapturedNode>

/** Maximum depth of import lists. */
const maxLists = 8

const shapes: readonly DefinitionShape[] = ['function', 'class', 'type', 'block', 'script']

/** A definition as far as the matches have told. */
type DefinitionDraft = {
  -readonly [Key in Exclude<keyof Definition, 'doc' | 'bases' | 'isPrivate' | 'isTest'>]: Definition[Key]
}

class Collector {
  readonly #text: string
  readonly #definitions = new Map<number, DefinitionDraft>()
  readonly #docs = new Map<number, CodeSpan>()
  /** Lists of imports, each below a module. */
  readonly #lists: (CodeSpan & { readonly module: string })[] = []
  readonly #bases = new Map<number, string[]>()
  readonly #private = new Set<number>()
  readonly #tests = new Set<number>()
  readonly #found = {
    variables: [] as PlacedName[],
    aliases: [] as TypedName[],
    moduleDoc: null as CodeSpan | null,
    package: null as string | null,
    comments: [] as CodeSpan[],
    directives: [] as PlacedName[],
    uses: [] as PlacedName[],
    locals: [] as PlacedName[],
    globals: [] as PlacedName[],
    values: [] as PlacedName[],
    typed: [] as TypedName[],
    imports: [] as ImportedName[],
    exports: [] as OutlineExport[],
    scripts: [] as PlacedName[],
  }
  /** Lists of names, by the capture that is nothing else. */
  readonly #named: Readonly<Record<string, PlacedName[]>> = {
    variable: this.#found.variables,
    local: this.#found.locals,
    global: this.#found.globals,
    directive: this.#found.directives,
  }

  constructor(text: string) {
    this.#text = text
  }

  #slice(node: CapturedNode | undefined): string {
    return node === undefined ? '' : this.#text.slice(node.start, node.end)
  }

  add({ captures }: CapturedMatch): void {
    const [first] = captures
    if (first === undefined) return
    // Most matches have one capture.
    if (captures.length === 1 && this.#addSingle(first.name, first.node)) return
    const nodes: Captures = new Map(captures.map(({ name, node }) => [name, node]))
    if (nodes.has('name')) this.#addDefinition(nodes)
    else if (nodes.has('use.to')) this.#addJoinedUse(nodes)
    else if (nodes.has('typed.as')) this.#addTyped(nodes)
    else if (nodes.has('alias')) this.#addAlias(nodes)
    else if (nodes.has('import') || nodes.has('import.inline')) this.#addImport(nodes)
    else if (nodes.has('import.list')) this.#addList(nodes)
    else if (nodes.has('export.module') || nodes.has('export.name')) this.#addExport(nodes)
    else for (const { name, node } of captures) this.#addSingle(name, node)
  }

  /** A capture that needs no other; false for the name of any other. */
  #addSingle(name: string, node: CapturedNode): boolean {
    const { start, end } = node
    const { uses, values, scripts, comments, imports } = this.#found
    const list = this.#named[name]
    if (list !== undefined) this.#push(list, this.#slice(node), start)
    else if (name === 'use') this.#pushUse(start, end)
    else if (name === 'use.value') this.#push(values, dottedName(this.#slice(node)), start)
    else if (name === 'external') this.#push(scripts, unquote(this.#slice(node)), start)
    else if (name === 'comment') comments.push({ start, end })
    else if (name === 'module.doc') this.#found.moduleDoc ??= { start, end }
    else if (name === 'package') this.#found.package ??= this.#slice(node)
    else if (name === 'import') imports.push({ start, end, local: '', module: '', name: null })
    else if (name !== 'use.type') return false
    // `B` of `A.B` is used with its namespace.
    else if (this.#text[start - 1] !== '.') this.#push(uses, this.#slice(node), start)
    return true
  }

  #push(list: PlacedName[], name: string | null, at: number): void {
    if (name !== null && name !== '') list.push({ name, at })
  }

  #pushUse(start: number, end: number): void {
    // In Kotlin's grammar `!a.b()` is a call of `!a.b`.
    const first = this.#text[start] === '!' ? start + 1 : start
    const written = this.#text.slice(first, end)
    const name = dottedName(written)
    if (name === null) return
    // A chain of calls may continue on lines of its own.
    const at = written.includes('\n')
      ? first + written.lastIndexOf(name.slice(name.lastIndexOf('.') + 1))
      : first
    this.#found.uses.push({ name, at, isCall: this.#text[end] === '(' })
  }

  /** Several matches may describe one definition; they are joined by the position of its name. */
  #addDefinition(nodes: Captures): void {
    const nameNode = nodes.get('name') as CapturedNode
    const at = nameNode.start
    const doc = nodes.get('doc')
    if (doc !== undefined) this.#docs.set(at, { start: doc.start, end: doc.end })
    this.#addBase(at, nodes.get('base'))
    if (nodes.has('private')) this.#private.add(at)
    if (nodes.has('test')) this.#tests.add(at)
    const onlyMember = nodes.has('member')
    const isOpen = nodes.has('open')
    const shape = onlyMember || isOpen ? 'function' : shapes.find((one) => nodes.has(one))
    if (shape === undefined) return
    const node = nodes.get(onlyMember ? 'member' : isOpen ? 'open' : shape) as CapturedNode
    const body = nodes.get('body')?.start ?? null
    const owner = nodes.has('owner') ? plainName(this.#slice(nodes.get('owner'))) : null
    const known = this.#definitions.get(at)
    if (known === undefined) {
      const [name, isClause, { start, end }] = [this.#slice(nameNode), nodes.has('clause'), node]
      const draft = { shape, name, nameStart: at, start, end, body, owner, onlyMember, isClause, isOpen }
      this.#definitions.set(at, draft)
      return
    }
    // A struct matches both as a class and as another type.
    if (shape === 'class') known.shape = shape
    known.start = Math.min(known.start, node.start)
    known.end = Math.max(known.end, node.end)
    known.body ??= body
    known.owner ??= owner
  }

  /** A definition uses its bases. */
  #addBase(definedAt: number, node: CapturedNode | undefined): void {
    const base = dottedName(this.#slice(node))
    if (node === undefined || base === null) return
    const known = this.#bases.get(definedAt) ?? []
    if (!known.includes(base)) this.#bases.set(definedAt, [...known, base])
    this.#push(this.#found.uses, base, node.start)
  }

  /** A use whose parts the grammar separates: everything from the first to the last. */
  #addJoinedUse(nodes: Captures): void {
    const from = nodes.get('use.from') as CapturedNode
    const to = nodes.get('use.to') as CapturedNode
    const name = nodes.has('use.set') ? dottedName(`${this.#text.slice(from.start, to.end)}=`) : null
    if (name === null) this.#pushUse(from.start, to.end)
    else this.#push(this.#found.uses, name, from.start)
  }

  #addTyped(nodes: Captures): void {
    const as = dottedName(this.#slice(nodes.get('typed.as')))
    const node = nodes.get('typed') ?? nodes.get('typed.member')
    const written = dottedName(this.#slice(node))
    if (as === null || written === null || node === undefined) return
    this.#found.typed.push({ name: nodes.has('typed') ? written : `this.${written}`, at: node.start, as })
  }

  #addAlias(nodes: Captures): void {
    const node = nodes.get('alias') as CapturedNode
    const name = dottedName(this.#slice(node))
    const as = dottedName(this.#slice(nodes.get('alias.of')))
    const owner = nodes.has('alias.in') ? `${this.#slice(nodes.get('alias.in'))}.` : ''
    if (name !== null && as !== null)
      this.#found.aliases.push({ name: `${owner}${name}`, at: node.start, as })
  }

  #addImport(nodes: Captures): void {
    const inline = nodes.get('import.inline')
    const { start, end } = (inline ?? nodes.get('import')) as CapturedNode
    const module = unquote(this.#slice(nodes.get('import.module')))
    const written = nodes.has('import.name') ? this.#slice(nodes.get('import.name')) : null
    const name = nodes.has('import.default') ? 'default' : nodes.has('import.all') ? '*' : written
    const named = nodes.get('import.alias') ?? nodes.get('import.default') ?? nodes.get('import.name')
    const used = nodes.get('import.use')
    // `require('./x').f()` binds no name; this one has no dot, and code cannot write it.
    const local = used === undefined ? this.#slice(named) : `require:${module.replaceAll('.', '·')}`
    if (used !== undefined) this.#push(this.#found.uses, `${local}.${this.#slice(used)}`, used.start)
    this.#found.imports.push({
      ...{ start, end, local, module, name: name === null ? null : unquote(name) },
      isInline: inline !== undefined,
    })
  }

  #addList(nodes: Captures): void {
    const { start, end } = nodes.get('import.list') as CapturedNode
    this.#lists.push({ start, end, module: this.#slice(nodes.get('import.below')) })
  }

  #addExport(nodes: Captures): void {
    const module = nodes.has('export.module') ? unquote(this.#slice(nodes.get('export.module'))) : null
    const from = nodes.has('export.from') ? this.#slice(nodes.get('export.from')) : null
    const name = nodes.has('export.name') ? this.#slice(nodes.get('export.name')) : (from ?? '*')
    this.#found.exports.push({ name: unquote(name), module, from: name === '*' ? '*' : from })
  }

  /** Imports with the modules of the lists around them: `b` in `use x::{a::{b, c}}` is from `x::a`. */
  #fullImports(): ImportedName[] {
    if (this.#lists.length === 0) return this.#found.imports
    const byStart = (a: CodeSpan, b: CodeSpan): number => a.start - b.start
    const lists = this.#lists.sort(byStart)
    const open: (typeof lists)[number][] = []
    let next = 0
    return this.#found.imports.sort(byStart).map((one) => {
      for (; (lists[next]?.start ?? one.start) < one.start; next++)
        open.push(lists[next] as (typeof lists)[number])
      while ((open.at(-1)?.end ?? one.end) < one.start) open.pop()
      const around = open.slice(-maxLists).filter(({ end }) => end > one.start)
      return one.module === ''
        ? one
        : { ...one, module: [...around.map(({ module }) => module), one.module].join('::') }
    })
  }

  finish(): Omit<CodeScan, 'hasError' | 'statements'> {
    const definitions = joinClauses(this.#definitions.values()).map(
      (draft): Definition => ({
        ...draft,
        doc: this.#docs.get(draft.nameStart) ?? null,
        bases: this.#bases.get(draft.nameStart) ?? [],
        isPrivate: this.#private.has(draft.nameStart),
        isTest: this.#tests.has(draft.nameStart),
      }),
    )
    return {
      ...this.#found,
      definitions,
      uses: this.#found.uses.filter(({ at }) => !this.#definitions.has(at)),
      imports: this.#fullImports(),
      exports: withoutRepeats(this.#found.exports),
    }
  }
}

/** Elixir writes a function as several clauses; they are one definition unless another is between them. */
function joinClauses(drafts: Iterable<DefinitionDraft>): DefinitionDraft[] {
  const joined: DefinitionDraft[] = []
  for (const draft of [...drafts].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = joined.at(-1)
    if (last?.isClause !== true || !draft.isClause || last.name !== draft.name || draft.start < last.end)
      joined.push(draft)
    else last.end = draft.end
  }
  return joined
}

/** `export { a } from` also matches as an export of everything; the named export is more specific. */
function withoutRepeats(exports: readonly OutlineExport[]): OutlineExport[] {
  const named = new Set(exports.filter(({ name }) => name !== '*').map(({ module }) => module))
  return exports.filter(({ name, module }) => name !== '*' || !named.has(module))
}

/** Turns matches into facts. */
export function collectMatches(text: string, matches: Iterable<CapturedMatch>) {
  const collector = new Collector(text)
  for (const match of matches) collector.add(match)
  return collector.finish()
}
