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

/** Turns matches into facts. */
export function collectMatches(
  text: string,
  matches: Iterable<CapturedMatch>,
): Omit<CodeScan, 'hasError' | 'statements'> {
  const drafts = new Map<number, DefinitionDraft>()
  const docOf = new Map<number, CodeSpan>()
  /** Lists of imports, each below a module. */
  const lists: (CodeSpan & { readonly module: string })[] = []
  const basesOf = new Map<number, string[]>()
  const privateAt = new Set<number>()
  const testsAt = new Set<number>()
  const found = {
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
  const plainLists: Readonly<Record<string, PlacedName[]>> = {
    variable: found.variables,
    local: found.locals,
    global: found.globals,
    directive: found.directives,
  }

  for (const match of matches) add(match)
  const definitions = joinClauses(drafts.values()).map(
    (draft): Definition => ({
      ...draft,
      doc: docOf.get(draft.nameStart) ?? null,
      bases: basesOf.get(draft.nameStart) ?? [],
      isPrivate: privateAt.has(draft.nameStart),
      isTest: testsAt.has(draft.nameStart),
    }),
  )
  return {
    ...found,
    definitions,
    uses: found.uses.filter(({ at }) => !drafts.has(at)),
    imports: fullImports(),
    exports: withoutRepeats(found.exports),
  }

  function slice(node: CapturedNode | undefined): string {
    return node === undefined ? '' : text.slice(node.start, node.end)
  }

  function add({ captures }: CapturedMatch): void {
    const [first] = captures
    if (first === undefined) return
    // Most matches have one capture.
    if (captures.length === 1 && addSingle(first.name, first.node)) return
    const nodes: Captures = new Map(captures.map(({ name, node }) => [name, node]))
    if (nodes.has('name')) addDefinition(nodes)
    else if (nodes.has('use.to')) addJoinedUse(nodes)
    else if (nodes.has('typed.as')) addTyped(nodes)
    else if (nodes.has('alias')) addAlias(nodes)
    else if (nodes.has('import') || nodes.has('import.inline')) addImport(nodes)
    else if (nodes.has('import.list')) addList(nodes)
    else if (nodes.has('export.module') || nodes.has('export.name')) addExport(nodes)
    else for (const { name, node } of captures) addSingle(name, node)
  }

  /** A capture that needs no other; false for the name of any other. */
  function addSingle(name: string, node: CapturedNode): boolean {
    const { start, end } = node
    const { uses, values, scripts, comments, imports } = found
    const list = plainLists[name]
    if (list !== undefined) push(list, slice(node), start)
    else if (name === 'use') pushUse(start, end)
    else if (name === 'use.value') push(values, dottedName(slice(node)), start)
    else if (name === 'external') push(scripts, unquote(slice(node)), start)
    else if (name === 'comment') comments.push({ start, end })
    else if (name === 'module.doc') found.moduleDoc ??= { start, end }
    else if (name === 'package') found.package ??= slice(node)
    else if (name === 'import') imports.push({ start, end, local: '', module: '', name: null })
    else if (name !== 'use.type') return false
    // `B` of `A.B` is used with its namespace.
    else if (text[start - 1] !== '.') push(uses, slice(node), start)
    return true
  }

  function push(list: PlacedName[], name: string | null, at: number): void {
    if (name !== null && name !== '') list.push({ name, at })
  }

  function pushUse(start: number, end: number): void {
    // In Kotlin's grammar `!a.b()` is a call of `!a.b`.
    const first = text[start] === '!' ? start + 1 : start
    const written = text.slice(first, end)
    const name = dottedName(written)
    if (name === null) return
    // A chain of calls may continue on lines of its own.
    const at = written.includes('\n')
      ? first + written.lastIndexOf(name.slice(name.lastIndexOf('.') + 1))
      : first
    found.uses.push({ name, at, isCall: text[end] === '(' })
  }

  /** Several matches may describe one definition; they are joined by the position of its name. */
  function addDefinition(nodes: Captures): void {
    const nameNode = nodes.get('name') as CapturedNode
    const at = nameNode.start
    const doc = nodes.get('doc')
    if (doc !== undefined) docOf.set(at, { start: doc.start, end: doc.end })
    addBase(at, nodes.get('base'))
    if (nodes.has('private')) privateAt.add(at)
    if (nodes.has('test')) testsAt.add(at)
    const onlyMember = nodes.has('member')
    const isOpen = nodes.has('open')
    const shape = onlyMember || isOpen ? 'function' : shapes.find((one) => nodes.has(one))
    if (shape === undefined) return
    const node = nodes.get(onlyMember ? 'member' : isOpen ? 'open' : shape) as CapturedNode
    const body = nodes.get('body')?.start ?? null
    const owner = nodes.has('owner') ? plainName(slice(nodes.get('owner'))) : null
    const known = drafts.get(at)
    if (known === undefined) {
      const [name, isClause, { start, end }] = [slice(nameNode), nodes.has('clause'), node]
      const draft = { shape, name, nameStart: at, start, end, body, owner, onlyMember, isClause, isOpen }
      drafts.set(at, draft)
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
  function addBase(definedAt: number, node: CapturedNode | undefined): void {
    const base = dottedName(slice(node))
    if (node === undefined || base === null) return
    const known = basesOf.get(definedAt) ?? []
    if (!known.includes(base)) basesOf.set(definedAt, [...known, base])
    push(found.uses, base, node.start)
  }

  /** A use whose parts the grammar separates: everything from the first to the last. */
  function addJoinedUse(nodes: Captures): void {
    const from = nodes.get('use.from') as CapturedNode
    const to = nodes.get('use.to') as CapturedNode
    const name = nodes.has('use.set') ? dottedName(`${text.slice(from.start, to.end)}=`) : null
    if (name === null) pushUse(from.start, to.end)
    else push(found.uses, name, from.start)
  }

  function addTyped(nodes: Captures): void {
    const as = dottedName(slice(nodes.get('typed.as')))
    const node = nodes.get('typed') ?? nodes.get('typed.member')
    const written = dottedName(slice(node))
    if (as === null || written === null || node === undefined) return
    found.typed.push({ name: nodes.has('typed') ? written : `this.${written}`, at: node.start, as })
  }

  function addAlias(nodes: Captures): void {
    const node = nodes.get('alias') as CapturedNode
    const name = dottedName(slice(node))
    const as = dottedName(slice(nodes.get('alias.of')))
    const owner = nodes.has('alias.in') ? `${slice(nodes.get('alias.in'))}.` : ''
    if (name !== null && as !== null) found.aliases.push({ name: `${owner}${name}`, at: node.start, as })
  }

  function addImport(nodes: Captures): void {
    const inline = nodes.get('import.inline')
    const { start, end } = (inline ?? nodes.get('import')) as CapturedNode
    const module = unquote(slice(nodes.get('import.module')))
    const written = nodes.has('import.name') ? slice(nodes.get('import.name')) : null
    const name = nodes.has('import.default') ? 'default' : nodes.has('import.all') ? '*' : written
    const named = nodes.get('import.alias') ?? nodes.get('import.default') ?? nodes.get('import.name')
    const used = nodes.get('import.use')
    // `require('./x').f()` binds no name; this one has no dot, and code cannot write it.
    const local = used === undefined ? slice(named) : `require:${module.replaceAll('.', '·')}`
    if (used !== undefined) push(found.uses, `${local}.${slice(used)}`, used.start)
    found.imports.push({
      ...{ start, end, local, module, name: name === null ? null : unquote(name) },
      isInline: inline !== undefined,
    })
  }

  function addList(nodes: Captures): void {
    const { start, end } = nodes.get('import.list') as CapturedNode
    lists.push({ start, end, module: slice(nodes.get('import.below')) })
  }

  function addExport(nodes: Captures): void {
    const module = nodes.has('export.module') ? unquote(slice(nodes.get('export.module'))) : null
    const from = nodes.has('export.from') ? slice(nodes.get('export.from')) : null
    const name = nodes.has('export.name') ? slice(nodes.get('export.name')) : (from ?? '*')
    found.exports.push({ name: unquote(name), module, from: name === '*' ? '*' : from })
  }

  /** Imports with the modules of the lists around them: `b` in `use x::{a::{b, c}}` is from `x::a`. */
  function fullImports(): ImportedName[] {
    if (lists.length === 0) return found.imports
    const byStart = (a: CodeSpan, b: CodeSpan): number => a.start - b.start
    lists.sort(byStart)
    const open: (typeof lists)[number][] = []
    let next = 0
    return found.imports.sort(byStart).map((one) => {
      for (; (lists[next]?.start ?? one.start) < one.start; next++)
        open.push(lists[next] as (typeof lists)[number])
      while ((open.at(-1)?.end ?? one.end) < one.start) open.pop()
      const around = open.slice(-maxLists).filter(({ end }) => end > one.start)
      return one.module === ''
        ? one
        : { ...one, module: [...around.map(({ module }) => module), one.module].join('::') }
    })
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
