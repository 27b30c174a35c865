// What does a YAML block say? Plain JSON, or a refusal; no input can run code, overflow or explode.
import { parseDocument as parseYaml } from 'yaml'
import { patterns } from '../patterns.ts'
import { emptyValues, isSafeKey, type Values } from './read-simple-lines.ts'

/** Frontmatter rarely uses aliases; an alias bomb needs many. */
const maxAliases = 10
/** Deeper blocks are refused before the recursive parser sees them. */
const maxNesting = 50
const maxIndicators = 200
const maxIndent = 400
/** With aliases expanded. */
const maxNodes = 20_000

/** A value, text that is not YAML, or YAML that was refused because it could explode. */
type YamlOutcome =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'refused' }

/** Reads YAML by the core schema: no merge keys, no custom tags, at most ten aliases. */
export function readYaml(text: string): YamlOutcome {
  const plain = readPlainYaml(text)
  return plain === null ? readAnyYaml(text) : { kind: 'value', value: plain }
}

type Scalar = string | number | boolean

/** A dash, a key with or without a value, or a value alone. */
interface PlainToken {
  readonly column: number
  readonly key?: string
  readonly value?: Scalar
}

/** More lines are left to the parser, which limits the nodes. */
const maxPlainLines = 1_000

/** Most frontmatter: keys, lists, and values of one line. Null for anything else; saves the parser's time. */
export function readPlainYaml(text: string): Values | null {
  const tokens = findPlainTokens(text.split('\n', maxPlainLines + 1))
  if (tokens?.[0]?.key === undefined) return null
  let next = 0
  const isAt = (column: number): boolean => tokens[next]?.column === column
  const readNode = (): unknown => {
    const { column, key, value } = tokens[next] as PlainToken
    if (key === undefined && value !== undefined) return tokens[next++]?.value
    if (key === undefined) {
      const items: unknown[] = []
      while (isAt(column) && isDash(tokens[next] as PlainToken)) {
        next++
        items.push(readNode())
      }
      return items
    }
    const values = emptyValues()
    while (isAt(column) && tokens[next]?.key !== undefined) {
      const pair = tokens[next++] as Required<PlainToken>
      const below = tokens[next]
      const isNested = below !== undefined && below.column >= column + Number(!isDash(below))
      values[pair.key] = pair.value ?? (isNested ? readNode() : null)
    }
    return values
  }
  const values = readNode() as Values
  return next === tokens.length ? values : null
}

function isDash({ key, value }: PlainToken): boolean {
  return key === undefined && value === undefined
}

/** Null if a line needs the parser. */
function findPlainTokens(lines: readonly string[]): PlainToken[] | null {
  const tokens: PlainToken[] = []
  if (lines.length > maxPlainLines) return null
  for (let at = 0; at < lines.length; at++) {
    const whole = lines[at] as string
    const line = whole.trimEnd()
    if (whole.length > line.length && !/^ *$/.test(whole.slice(line.length))) return null
    if (line === '' || line.startsWith('#')) continue
    const [, indent, dash, key, scalar] = patterns.plainYamlLine.exec(line) ?? []
    if (indent === undefined || (key === undefined ? scalar === undefined : !isSafeKey(key))) return null
    if (dash !== undefined) tokens.push({ column: indent.length })
    const column = indent.length + (dash?.length ?? 0)
    let value = scalar === undefined ? undefined : plainScalar(scalar)
    if (scalar === '>' || scalar === '>-') {
      const folded = readFolded(lines, at + 1, column)
      if (key === undefined || folded.length === 0) return null
      at += folded.length
      value = folded.join(' ') + (scalar === '>' ? '\n' : '')
    }
    tokens.push({ column, ...(key !== undefined && { key }), ...(value !== undefined && { value }) })
  }
  return tokens
}

/** The lines of a folded text, if it is one paragraph. */
function readFolded(lines: readonly string[], from: number, column: number): string[] {
  const folded: string[] = []
  let first: string | undefined
  for (let at = from; at < lines.length; at++) {
    const [, indent, rest] = patterns.plainYamlFold.exec(lines[at] as string) ?? []
    if (indent === undefined || indent.length <= column || (first ?? indent) !== indent) break
    first = indent
    folded.push(rest as string)
  }
  // A paragraph or a blank after it may belong to the text.
  return /^(?:\S.*)?$/.test(lines[from + folded.length] ?? '') ? folded : []
}

function plainScalar(text: string): Scalar {
  if (text[0] === '"' || text[0] === "'") return text.slice(1, -1)
  if (text === 'true' || text === 'false') return text === 'true'
  return /^[\d.]+$/.test(text) ? Number(text) : text
}

/** Exported for the test that compares the two. */
export function readAnyYaml(text: string): YamlOutcome {
  if (isTooDeep(text)) return { kind: 'refused' }
  try {
    const document = parseYaml(text, {
      schema: 'core',
      merge: false,
      resolveKnownTags: false,
      stringKeys: true,
      // The parser's check for repeated keys is quadratic; instead, the last one wins.
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'silent',
    })
    if (document.errors.length > 0) return { kind: 'invalid' }
    const value: unknown = document.toJS({ maxAliasCount: maxAliases })
    return { kind: 'value', value: toPlainJson(value, { nodes: 0 }, 0) }
  } catch {
    return { kind: 'refused' }
  }
}

/** Limits the nesting by brackets, by indicators on one line (`- - -`) and by indentation. */
function isTooDeep(text: string): boolean {
  let brackets = 0
  let indicators = 0
  let indent = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 10) {
      indicators = 0
      indent = 0
      while (text.charCodeAt(at + 1) === 32) {
        indent++
        at++
      }
    } else if (code === 91 || code === 123) brackets++
    else if (code === 93 || code === 125) brackets = Math.max(0, brackets - 1)
    else if ((code === 45 || code === 63 || code === 58) && text.charCodeAt(at + 1) === 32) indicators++
    if (brackets > maxNesting || indicators > maxIndicators || indent > maxIndent) return true
  }
  return false
}

/** Copies values that JSON can express, without keys that reach a prototype; throws beyond the limits. */
function toPlainJson(value: unknown, count: { nodes: number }, depth: number): unknown {
  if (++count.nodes > maxNodes || depth > maxIndent) throw new RangeError('the YAML value is too large')
  if (Array.isArray(value)) return value.map((item) => toPlainJson(item, count, depth + 1))
  if (typeof value === 'object' && value !== null) {
    const copy: Values = emptyValues()
    for (const [key, item] of Object.entries(value)) {
      if (isSafeKey(key)) copy[key] = toPlainJson(item, count, depth + 1)
    }
    return copy
  }
  if (typeof value === 'string' || typeof value === 'boolean') return value
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}
