// Which names does a chunk use from outside? Local names are excluded, and variables are replaced by their class.
import { getOrAdd } from '../../../model/remember.ts'
import type { CodeScan, PlacedName, TypedName } from './code-scan.ts'
import type { Chunk } from './layout-chunks.ts'

export interface BoundUse {
  /** As written. */
  readonly text: string
  /** The name to look up: the class instead of a variable of that class. */
  readonly target: string
  readonly at: number
}

/** A chunk that uses more names is a list. */
const maxUses = 200

interface BindOptions {
  readonly builtins: ReadonlySet<string>
  readonly self: ReadonlySet<string>
  /** Members are written without `this`. */
  readonly bareMembers: boolean
  /** Names that the file defines or imports; they hide built-in names. */
  readonly known: ReadonlySet<string>
  /** Names that the file defines, or imports by name. */
  readonly values: ReadonlySet<string>
  /** The dotted name of a definition in the same function or one around it; undefined if the name has none. */
  readonly nested: (index: number, name: string) => string | undefined
}

/** Uses by chunk, each name once, in the order of the text. */
export function bindNames(
  scan: CodeScan,
  chunks: readonly Chunk[],
  partOf: (at: number) => number,
  options: BindOptions,
): Map<number, BoundUse[]> {
  // What the head of a long function binds is bound in all its parts.
  const placeOf = (at: number): number => chunks[partOf(at)]?.part?.of ?? partOf(at)
  const isFunction = (index: number): boolean => chunks[index]?.shape === 'function'
  const locals = gather(scan.locals, placeOf, isFunction)
  for (const { name, at } of scan.globals) locals.get(placeOf(at))?.delete(name)
  // What `require` or a late import binds inside a function.
  for (const { local, start } of scan.imports) locals.get(placeOf(start))?.delete(local)
  const types = gatherTypes(scan, chunks, placeOf, options)
  const bound = new Map<number, Map<string, BoundUse>>()
  const isLocalAt = (index: number, first: string): boolean =>
    !options.self.has(first) && locals.get(index)?.has(first) === true
  const values = scan.values.filter(({ name, at }) =>
    name.includes('.') ? !isLocalAt(placeOf(at), firstPart(name)) : options.values.has(name),
  )
  for (const { name, at, isCall } of [...scan.uses, ...values]) {
    const index = placeOf(at)
    const first = firstPart(name)
    // Where members have bare names, a variable does not hide a function.
    const isLocal = isLocalAt(index, first) && !(options.bareMembers && isCall === true && first === name)
    const ofClass = types.get(classOf(index, chunks))
    const target =
      typedTarget(name, types.get(index), ofClass, options) ??
      options.nested(index, name) ??
      (options.bareMembers && !isLocal ? typedTarget(name, ofClass, undefined, options) : null)
    if (target === null && isLocal) continue
    if (target === null && options.builtins.has(first) && !options.known.has(first)) continue
    const uses = getOrAdd(bound, partOf(at), () => new Map())
    if (uses.size < maxUses && !uses.has(name)) uses.set(name, { text: name, target: target ?? name, at })
  }
  return new Map([...bound].map(([index, uses]) => [index, [...uses.values()]]))
}

export function firstPart(name: string): string {
  const dot = name.indexOf('.')
  return dot === -1 ? name : name.slice(0, dot)
}

function gather(
  names: readonly PlacedName[],
  placeOf: (at: number) => number,
  isWanted: (index: number) => boolean,
): Map<number, Map<string, number>> {
  const found = new Map<number, Map<string, number>>()
  for (const { name, at } of names) {
    const index = placeOf(at)
    if (!isWanted(index)) continue
    const known = getOrAdd(found, index, () => new Map())
    known.set(name, (known.get(name) ?? 0) + 1)
  }
  return found
}

type Types = Map<string, string | null>

/**
 * Classes of variables: by the chunk of a function, and for `self.x` by the chunk of the class. A name with
 * two classes, or one that is also unknown, has none.
 */
function gatherTypes(
  scan: CodeScan,
  chunks: readonly Chunk[],
  placeOf: (at: number) => number,
  { self, known }: BindOptions,
): Map<number, Types> {
  const found = new Map<number, Types>()
  const counts = gather(scan.locals, placeOf, () => true)
  const add = (index: number, name: string, as: string | null): void => {
    const types = getOrAdd(found, index, () => new Map())
    const before = types.get(name)
    types.set(name, before === undefined || before === as ? as : null)
  }
  const seen = new Map<string, number>()
  for (const typed of scan.typed) {
    const index = placeOf(typed.at)
    const member = memberOf(typed, self)
    // What a parameter returns has no class that is plain to see.
    const maker = firstPart(typed.as)
    const isLocal = counts.get(index)?.has(maker) === true && !self.has(maker) && !known.has(maker)
    const as = isLocal ? null : typed.as
    if (member !== null) add(classOf(index, chunks), member, as)
    else if (!typed.name.includes('.') && chunks[index]?.shape === 'function') {
      const key = `${index}\0${typed.name}`
      seen.set(key, (seen.get(key) ?? 0) + 1)
      add(index, typed.name, as)
    }
  }
  for (const [index, names] of counts)
    for (const [name, count] of names)
      if (count > (seen.get(`${index}\0${name}`) ?? 0)) found.get(index)?.set(name, null)
  return found
}

/** `x` for `self.x`, and for `this.x`, as members are written in a scan. */
function memberOf({ name }: TypedName, self: ReadonlySet<string>): string | null {
  const dot = name.indexOf('.')
  if (dot === -1 || (!name.startsWith('this.') && !self.has(name.slice(0, dot)))) return null
  const rest = name.slice(dot + 1)
  return rest.includes('.') ? null : rest
}

/** The chunk of the class around a chunk; itself for a class. */
function classOf(index: number, chunks: readonly Chunk[]): number {
  for (let at = index; at > 0; at = chunks[at]?.parent ?? 0) if (chunks[at]?.shape === 'class') return at
  return -1
}

/** `server.start` is `Server.start` where the variable is a Server. */
function typedTarget(
  name: string,
  own: Types | undefined,
  ofClass: Types | undefined,
  { self }: BindOptions,
): string | null {
  const [first = '', second, ...rest] = name.split('.')
  if (second === undefined) return null
  const variable = own?.get(first)
  if (variable != null) return [variable, second, ...rest].join('.')
  if (!self.has(first) || rest.length === 0) return null
  const member = ofClass?.get(second)
  return member == null ? null : [member, ...rest].join('.')
}
