// How is one entry added to a JSON file, or removed, so that everything else stays byte for byte? Comments, order,
// line ends and trailing commas too: only the text of the entry changes.
import { isDeepStrictEqual } from 'node:util'
import { type Node, parseTree } from 'jsonc-parser'
import { parseLooseJson } from '../../../model/config/parse-loose-json.ts'
import { YoreError } from '../../../model/errors.ts'

export type Json = Readonly<Record<string, unknown>>

/** A value that setup writes at `outer.name`. */
export interface OwnEntry {
  readonly at: readonly [outer: string, name: string]
  readonly value: Json | readonly Json[]
  /** Did setup write the value that is there? */
  readonly isOurs: (value: unknown) => boolean
}

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The object that a file holds; null when it holds none. A blank file is an empty object. */
export function readLoose(text: string): Json | null {
  const value = parseLooseJson(isBlank(text) ? '{}' : text)
  return isObject(value) ? value : null
}

/** `taken` lists entries that setup did not write: they stay. */
interface Edited<Text> {
  readonly text: Text
  readonly taken: readonly string[]
}

/** The text with the entries. Throws BAD_INPUT for a text that is not JSON. */
export function putEntries(text: string | null, entries: readonly OwnEntry[]): Edited<string> {
  const isNew = text === null || isBlank(text)
  let after = isNew ? '{}' : text
  const taken: string[] = []
  // Each goes before the others, so the first comes last.
  for (const { at, value, isOurs } of entries.toReversed()) {
    const [outer, name] = at
    const known = readEntry(after, at, `add ${JSON.stringify({ [outer]: { [name]: value } })} by hand`)
    // Keep what the user added to it, such as environment variables.
    const wanted = isObject(known) && isObject(value) ? { ...known, ...value } : value
    if (known !== undefined && !isOurs(known)) taken.push(at.join('.'))
    else if (!isDeepStrictEqual(known, wanted)) after = putEntry(after, at, wanted)
  }
  return { text: isNew ? writeFile(text, readLoose(after) ?? {}) : after, taken }
}

/** The text without the entries; null for a file that was made for them. Throws BAD_INPUT for a text that is not JSON. */
export function dropEntries(text: string, entries: readonly OwnEntry[]): Edited<string | null> {
  let after: string | null = text
  const taken: string[] = []
  for (const { at, isOurs } of entries) {
    const hint = `remove the entry "${at[1]}" from "${at[0]}" by hand`
    const known = after === null ? undefined : readEntry(after, at, hint)
    if (known !== undefined && !isOurs(known)) taken.push(at.join('.'))
    else if (after !== null && known !== undefined) after = dropEntry(after, at)
  }
  return { text: after, taken }
}

function readEntry(text: string, [outer, name]: OwnEntry['at'], hint: string): unknown {
  const config = readLoose(text)
  if (config === null) throw new YoreError('BAD_INPUT', 'it is not JSON, or nested too deeply', { hint })
  const holder = Object.hasOwn(config, outer) ? config[outer] : {}
  if (!isObject(holder)) throw new YoreError('BAD_INPUT', `${outer} is not an object`, { hint })
  return Object.hasOwn(holder, name) ? holder[name] : undefined
}

/** A blank file keeps its text before the object, which gets no line end: so it comes back. */
const writeFile = (blank: string | null, value: Json): string =>
  (blank ?? '') + JSON.stringify(value, null, 2) + (blank === null ? '\n' : '')

/** True without a character to see; a byte order mark is a blank, too. */
const isBlank = (text: string): boolean => text.trim() === ''

/** Sets `outer.name` in the text. The text is an object, and `outer` is missing or an object. */
export function putEntry(text: string, [outer, name]: OwnEntry['at'], value: OwnEntry['value']): string {
  const root = readTree(text)
  const holder = find(root, outer)?.value
  // A blank behind the brace tells later that the object was made for the entry.
  if (holder === undefined)
    return insert(text, root, outer, (indent) =>
      indent === null
        ? `{ ${JSON.stringify(name)}: ${JSON.stringify(value)} }`
        : write({ [name]: value }, text, indent),
    )
  const known = find(holder, name)
  if (known === undefined) return insert(text, holder, name, (indent) => write(value, text, indent))
  const { offset, length } = known.value
  const isInLines = text.slice(offset, offset + length).includes('\n')
  const indent = isInLines ? indentOf(blanksBefore(text, known.property.offset)) : null
  return text.slice(0, offset) + write(value, text, indent) + text.slice(offset + length)
}

/** The text without it, and without the objects that were made for it; null for a file that was made for it. */
export function dropEntry(text: string, [outer, name]: OwnEntry['at']): string | null {
  const root = readTree(text)
  const holder = find(root, outer)
  const entry = holder && find(holder.value, name)
  if (holder === undefined || entry === undefined) return text
  if (!isMadeFor(text, holder.value)) return remove(text, holder.value, entry.property)
  const rest = remove(text, root, holder.property)
  const [before, after] = [rest.slice(0, root.offset), rest.slice(root.offset)]
  const blank = /^\{\s*\}(\s*)$/.exec(after)?.[1]
  if (!isMadeFor(text, root) || blank === undefined) return rest
  return before === '' && blank !== '' ? null : before + blank
}

function readTree(text: string): Node {
  try {
    const tree = parseTree(text.replace(/^\uFEFF/, ' '), [], { allowTrailingComma: true })
    if (tree !== undefined) return tree
  } catch {
    // The parser calls itself for every level.
  }
  throw new YoreError('BAD_INPUT', 'it is nested too deeply', { hint: 'edit the file by hand' })
}

/** The last property with the key, which is the one that counts. */
function find({ children = [] }: Node, key: string): { property: Node; value: Node } | undefined {
  const property = children.findLast((one) => one.children?.[0]?.value === key)
  const value = property?.children?.[1]
  return property === undefined || value === undefined ? undefined : { property, value }
}

/** Does an object hold one entry alone, set off as `putEntry` does in an object of its own? */
const isMadeFor = (text: string, { offset, children = [] }: Node): boolean =>
  children.length === 1 && /^\s+$/.test(text.slice(offset + 1, children[0]?.offset))

/** Adds a property before the others, behind the blanks of the first: no comma or comment of theirs is touched. */
function insert(text: string, object: Node, key: string, value: (indent: string | null) => string): string {
  const at = object.offset + 1
  const isAlone = object.children?.length === 0
  const gap = isAlone ? '' : (/^\s*/.exec(text.slice(at))?.[0] ?? '')
  const property = `${JSON.stringify(key)}: ${value(indentOf(gap))}`
  return text.slice(0, at) + gap + property + (isAlone ? '' : ',') + text.slice(at)
}

/** Removes a property with its comma and the blanks before it. */
function remove(text: string, { children = [] }: Node, property: Node): string {
  const from = property.offset - blanksBefore(text, property.offset).length
  const end = property.offset + property.length
  const comma = commaBehind(text, end)
  if (comma !== -1) return text.slice(0, from) + text.slice(comma + 1)
  const previous = children[children.indexOf(property) - 1]
  const before = previous === undefined ? -1 : commaBehind(text, previous.offset + previous.length)
  if (before === -1) return text.slice(0, from) + text.slice(end)
  return text.slice(0, before) + text.slice(before + 1, from) + text.slice(end)
}

/** Offset of the comma that follows, behind blanks and comments; -1 if there is none. */
function commaBehind(text: string, end: number): number {
  const skipped = /(?:\s|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*/y
  skipped.lastIndex = end
  skipped.test(text)
  return text[skipped.lastIndex] === ',' ? skipped.lastIndex : -1
}

const blanksBefore = (text: string, at: number): string => text.slice(text.slice(0, at).trimEnd().length, at)

/** The indentation behind blanks; null if they have no line end. */
const indentOf = (blanks: string): string | null =>
  blanks.includes('\n') ? blanks.slice(blanks.lastIndexOf('\n') + 1) : null

/** A value as text, in lines where it gets an indent. */
function write(value: Json | readonly Json[], text: string, indent: string | null): string {
  if (indent === null) return JSON.stringify(value)
  const unit = /^[ \t]+(?=")/m.exec(text)?.[0] ?? '  '
  return JSON.stringify(value, null, unit).replaceAll('\n', (text.includes('\r\n') ? '\r\n' : '\n') + indent)
}
