// How is one entry added to a JSON file, or removed, so that everything else stays byte for byte? Comments, order,
// line ends and trailing commas too: only the text of the entry changes.
import { type JsonToken, parseLooseJson, scanTokens } from '../../../model/config/parse-loose-json.ts'

export type Json = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The object that a file holds; null when it holds none. A blank file is an empty object. */
export function readLoose(text: string): Json | null {
  const value = parseLooseJson(text.replace(/^\uFEFF/, '').trim() === '' ? '{}' : text)
  return isObject(value) ? value : null
}

/** Sets `outer.name` in the text. The text is an object, and `outer` is missing or an object. */
export function putEntry(
  text: string,
  [outer, name]: readonly [string, string],
  value: Json | readonly Json[],
): string {
  const root = readMembers(text)
  const holder = find(root, outer)
  // A blank behind the brace tells later that the object was made for the entry.
  if (holder === null)
    return insert(text, root, outer, (inline) => (inline ? spaced(name, value) : { [name]: value }))
  const inside = readMembers(text, holder.valueStart)
  const known = find(inside, name)
  if (known === null) return insert(text, inside, name, () => value)
  const inOneLine = !text.slice(known.valueStart, known.valueEnd).includes('\n')
  const indent = inOneLine ? null : indentOf(text, known)
  return text.slice(0, known.valueStart) + write(value, text, indent) + text.slice(known.valueEnd)
}

/** The text without it, and without the objects that were made for it; null when nothing is left. */
export function dropEntry(text: string, [outer, name]: readonly [string, string]): string | null {
  const root = readMembers(text)
  const holder = find(root, outer)
  if (holder === null) return text
  const inside = readMembers(text, holder.valueStart)
  const entry = find(inside, name)
  if (entry === null) return text
  if (!isMadeFor(text, inside)) return remove(text, inside, entry)
  const rest = remove(text, root, holder)
  return isMadeFor(text, root) && rest.replace(/^\uFEFF/, '').replaceAll(/\s/g, '') === '{}' ? null : rest
}

/** Does an object hold this one entry alone, set off as `putEntry` does in an object of its own? */
function isMadeFor(text: string, { open, members }: JsonObject): boolean {
  const [only] = members
  return members.length === 1 && only !== undefined && /^\s+$/.test(text.slice(open + 1, only.keyStart))
}

function find({ members }: JsonObject, key: string): Member | null {
  return members.findLast((member) => member.key === key) ?? null
}

/** A string is inserted unchanged, as JSON text. */
type Value = Json | readonly Json[] | string

function spaced(name: string, value: Json | readonly Json[]): string {
  return `{ ${JSON.stringify(name)}: ${JSON.stringify(value)} }`
}

/** Adds a member behind the last one, on a line of its own where that one has a line of its own. */
function insert(text: string, object: JsonObject, key: string, value: (inline: boolean) => Value): string {
  const last = object.members.at(-1)
  const indent = last === undefined ? null : indentOf(text, last)
  const member = `${JSON.stringify(key)}: ${write(value(indent === null), text, indent)}`
  if (last === undefined) {
    const at = object.open + 1
    return text.slice(0, at) + member + text.slice(at)
  }
  const [comma, more] = last.comma === -1 ? [',', ''] : ['', ',']
  const from = last.comma === -1 ? last.valueEnd : last.comma + 1
  // A remark behind the last member stays on its line.
  const at = indent === null ? from : endOfRemark(text, from)
  const gap = indent === null ? ' ' : lineEndOf(text) + indent
  return text.slice(0, from) + comma + text.slice(from, at) + gap + member + more + text.slice(at)
}

/** The indentation of a member; null if it does not start its line. */
function indentOf(text: string, { keyStart }: Member): string | null {
  const blanks = blanksBefore(text, keyStart)
  return blanks.includes('\n') ? blanks.slice(blanks.lastIndexOf('\n') + 1) : null
}

/** A value as text, in lines where it gets an indent. */
function write(value: Value, text: string, indent: string | null): string {
  if (typeof value === 'string') return value
  if (indent === null) return JSON.stringify(value)
  const unit = /^[ \t]+(?=")/m.exec(text)?.[0] ?? '  '
  return JSON.stringify(value, null, unit).replaceAll('\n', lineEndOf(text) + indent)
}

function lineEndOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n'
}

function remove(text: string, { members }: JsonObject, member: Member): string {
  const at = members.indexOf(member)
  const previous = members[at - 1]
  const from = member.keyStart - blanksBefore(text, member.keyStart).length
  if (member.comma !== -1) return text.slice(0, from) + text.slice(member.comma + 1)
  if (previous === undefined) return text.slice(0, from) + text.slice(member.valueEnd)
  return text.slice(0, previous.comma) + text.slice(previous.comma + 1, from) + text.slice(member.valueEnd)
}

function blanksBefore(text: string, at: number): string {
  let from = at
  while (from > 0 && /\s/.test(text[from - 1] as string)) from--
  return text.slice(from, at)
}

/** Behind a comment that follows on the same line; else where it started. */
function endOfRemark(text: string, from: number): number {
  const remark = /[ \t]*(?:\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)/y
  remark.lastIndex = from
  return remark.test(text) ? remark.lastIndex : from
}

/** A member of an object, by its offsets; `comma` is that behind it, or -1. */
interface Member {
  readonly key: string
  readonly keyStart: number
  readonly valueStart: number
  readonly valueEnd: number
  readonly comma: number
}

interface JsonObject {
  /** Offset of the brace. */
  readonly open: number
  readonly members: readonly Member[]
}

/** The members of the object at or behind an offset. The text is JSON with comments; this is linear in its length. */
function readMembers(text: string, from = 0): JsonObject {
  const members: Member[] = []
  let open = -1
  let depth = 0
  let key: JsonToken | null = null
  let value: JsonToken | null = null
  let valueEnd = 0
  const close = (comma: number): void => {
    if (key !== null && value !== null)
      members.push({
        key: JSON.parse(text.slice(key.start, key.end)) as string,
        keyStart: key.start,
        valueStart: value.start,
        valueEnd,
        comma,
      })
    key = null
    value = null
  }
  for (const token of scanTokens(text, from)) {
    const { char, start, end } = token
    if (open === -1) open = start
    if (char === '}' || char === ']') depth--
    if (depth === 0 && start > open) {
      close(-1)
      break
    }
    if (depth === 1 && char === ',') close(start)
    else if (depth === 1 && key === null) key = token
    else if (key !== null && (depth > 1 || char !== ':')) {
      value ??= token
      valueEnd = end
    }
    if (char === '{' || char === '[') depth++
  }
  return { open, members }
}
