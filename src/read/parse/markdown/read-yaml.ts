// What does a YAML block say? Plain JSON, or a refusal; no input can run code, overflow or explode.
import { parseDocument as parseYaml } from 'yaml'
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
    for (const [key, item] of Object.entries(value))
      if (isSafeKey(key)) copy[key] = toPlainJson(item, count, depth + 1)

    return copy
  }
  if (typeof value === 'string' || typeof value === 'boolean') return value
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}
