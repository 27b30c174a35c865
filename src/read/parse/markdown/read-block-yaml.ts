// What does simple YAML say? Block maps and lists of plain scalars, read as the YAML parser does but many times faster.
import { patterns } from '../patterns.ts'
import { emptyValues, isSafeKey, type Values } from './read-simple-lines.ts'

/** A line with something to say, and how far it is indented. */
interface YamlLine {
  readonly indent: number
  readonly text: string
}

interface Reading {
  readonly lines: YamlLine[]
  next: number
}

type Scalar = string | number | boolean | null

/** Stands for "not simple": no value of a document can be it. */
const notSimple: unique symbol = Symbol('not simple')
type Read<Value> = Value | typeof notSimple

const maxDepth = 20
/** Words that the core schema does not read as text, in lower case. */
const words: ReadonlySet<string> = new Set(['null', 'true', 'false'])

/** Reads a map, or gives null when any line needs the whole parser: flow values, block scalars, anchors, escapes, …. */
export function readBlockYaml(lines: readonly string[]): Values | null {
  const reading: Reading = { lines: [], next: 0 }
  for (const line of lines) {
    if (line.includes('\t')) return null
    const text = trimSpaces(line)
    if (text !== '' && text[0] !== '#') reading.lines.push({ indent: line.indexOf(text[0]!), text })
  }
  const map = readMap(reading, 0, 0)
  return map === notSimple || reading.next < reading.lines.length ? null : map
}

function readMap(reading: Reading, indent: number, depth: number): Read<Values> {
  const values = emptyValues()
  if (depth > maxDepth) return notSimple
  for (let line = reading.lines[reading.next]; line?.indent === indent; line = reading.lines[reading.next]) {
    const colon = keyEnd(line.text)
    if (colon === -1) return isItem(line.text) ? values : notSimple
    reading.next++
    const rest = line.text.slice(colon + 1)
    const value = rest === '' ? readBelow(reading, indent, depth) : readScalar(trimSpaces(rest))
    if (value === notSimple) return notSimple
    const key = line.text.slice(0, colon)
    if (isSafeKey(key)) values[key] = value
  }
  return values
}

/** The value of a key that has nothing after its colon: what is indented below it, or a list at its own indent. */
function readBelow(reading: Reading, indent: number, depth: number): Read<unknown> {
  const line = reading.lines[reading.next]
  if (line === undefined || line.indent < indent) return null
  if (isItem(line.text)) return readList(reading, line.indent, depth + 1)
  return line.indent === indent ? null : readMap(reading, line.indent, depth + 1)
}

function readList(reading: Reading, indent: number, depth: number): Read<unknown[]> {
  const items: unknown[] = []
  if (depth > maxDepth) return notSimple
  for (let line = reading.lines[reading.next]; line?.indent === indent; line = reading.lines[reading.next]) {
    if (!isItem(line.text)) return items
    const text = line.text.slice(2)
    let item: Read<unknown>
    if (keyEnd(text) !== -1) {
      // The map starts on the item's line, two columns further in.
      reading.lines[reading.next] = { indent: indent + 2, text }
      item = readMap(reading, indent + 2, depth + 1)
    } else {
      reading.next++
      item = readScalar(text)
    }
    if (item === notSimple) return notSimple
    items.push(item)
  }
  return items
}

function isItem(text: string): boolean {
  return text.charCodeAt(0) === 45 && text.charCodeAt(1) === 32
}

/** Where the colon of a plain key stands, or -1. */
function keyEnd(text: string): number {
  const colon = text.indexOf(':')
  if (colon === -1 || (colon + 1 < text.length && text.charCodeAt(colon + 1) !== 32)) return -1
  const key = text.slice(0, colon)
  return patterns.frontmatterKey.test(key) ? colon : -1
}

/** A scalar whose meaning is beyond doubt. */
function readScalar(text: string): Read<Scalar> {
  const first = text.charCodeAt(0)
  if (first === 34 || first === 39) {
    const inner = text.slice(1, -1)
    const closed = text.length > 1 && text.charCodeAt(text.length - 1) === first
    return closed && !inner.includes(text[0]!) && !inner.includes('\\') ? inner : notSimple
  }
  if (first >= 48 && first <= 57) {
    if (patterns.integer.test(text) || patterns.decimal.test(text)) return Number(text)
    return patterns.day.test(text) ? text : notSimple
  }
  const plain = (first >= 65 && first <= 90) || (first >= 97 && first <= 122) || first === 47
  if (!plain || text.includes(': ') || text.includes(' #') || text.endsWith(':')) return notSimple
  if (text === 'true' || text === 'false') return text === 'true'
  return words.has(text.toLowerCase()) ? notSimple : text
}

function trimSpaces(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && text.charCodeAt(start) === 32) start++
  while (end > start && text.charCodeAt(end - 1) === 32) end--
  return text.slice(start, end)
}
