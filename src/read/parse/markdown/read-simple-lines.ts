// What do plain `key: value` or `key = value` lines say? Enough for TOML frontmatter, and for invalid YAML.
import { patterns } from '../patterns.ts'

export type Values = Record<string, unknown>

const unsafeKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** Rejects keys that could reach an object's prototype. */
export const isSafeKey = (key: string): boolean => !unsafeKeys.has(key)

/** An object without a prototype, so that no key meets an inherited one. */
export const emptyValues = (): Values => Object.create(null) as Values

/** Reads line by line, up to the first TOML table. */
export function readSimpleLines(lines: readonly string[], separator: ':' | '='): Values {
  const values = emptyValues()
  for (const line of lines) {
    if (separator === '=' && line.startsWith('[')) break
    const at = line.indexOf(separator)
    const key = line.slice(0, Math.max(at, 0)).trimEnd()
    if (!patterns.frontmatterKey.test(key) || !isSafeKey(key)) continue
    const value = looseScalar(line.slice(at + 1).trim(), separator)
    if (value !== undefined) values[key] = value
  }
  return values
}

function looseScalar(text: string, separator: ':' | '='): string | number | boolean | undefined {
  const quote = text[0]
  if (quote === '"' || quote === "'") return quotedText(text, quote)
  if (text === 'true' || text === 'false') return text === 'true'
  if (patterns.integer.test(text)) return Number(text)
  if (separator === ':') return text === '' ? undefined : text
  return patterns.isoDate.test(text) ? text : undefined
}

/** The text up to the closing quote; undefined without one. */
function quotedText(text: string, quote: string): string | undefined {
  let value = ''
  for (let at = 1; at < text.length; at++) {
    if (text[at] === quote) return value
    if (text[at] === '\\' && quote === '"') at++
    value += text[at] ?? ''
  }
  return undefined
}
