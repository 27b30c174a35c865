// What are the named parts of configuration, or of code without a grammar? Tables, keys, resources, operations, targets, stages, statements, messages, definitions.

import { plainCodeFile } from '../../../model/file-extensions.ts'
import { lastSegment } from '../../../model/paths.ts'
import { lineAt, offsetOf, type TextLines } from '../find-lines.ts'
import { patterns } from '../patterns.ts'
import { cutText } from '../slug.ts'

/** A part with its name, from its first line, with the comment above it. */
export interface ConfigUnit {
  readonly line: number
  /** 0-based, the line after the one that names it. */
  readonly bodyLine: number
  readonly name: string
}

/** The name of the part that a line starts; null when it starts none. */
type NameUnit = (text: string, lines: TextLines, line: number) => string | null

const maxNameChars = 80
/** Longer lines are cut. */
const maxLineChars = 400
/** A shorter part joins the next one: a key with a plain value, a target without a recipe. */
const shortUnit = 80
/** Number of lines searched for the kind and name of a resource. */
const maxHeadLines = 60

const finders: readonly (readonly [name: RegExp, find: NameUnit])[] = [
  [patterns.tableFile, (text) => patterns.tableHead.exec(text)?.[1] ?? null],
  [patterns.makeFile, (text) => patterns.makeTarget.exec(text)?.[1]?.trim() ?? null],
  [patterns.dockerFile, (text) => patterns.dockerStage.exec(text)?.[0] ?? null],
  [patterns.sqlFile, (text) => patterns.sqlStatement.exec(text)?.[0] ?? null],
  [patterns.schemaFile, (text) => patterns.schemaType.exec(text)?.[0] ?? null],
  [plainCodeFile, (text) => patterns.definition.exec(text)?.slice(1).find(Boolean) ?? null],
]

/** The parts of a file whose name shows its format, in order; otherwise none. Linear. */
export function findConfigUnits(path: string, lines: TextLines): ConfigUnit[] {
  const name = lastSegment(path)
  const find = finders.find(([pattern]) => pattern.test(name))?.[1]
  if (find !== undefined) return joinShort(lines, findUnits(lines, find, plainCodeFile.test(name)))
  if (!patterns.yamlFile.test(name)) return []
  if (isApi(lines)) return joinShort(lines, findOperations(lines))
  // Brackets divide JSON as well as keys would.
  return name.endsWith('.json') ? [] : joinShort(lines, findYamlUnits(lines))
}

function lineOf(lines: TextLines, line: number): string {
  return cutText(lineAt(lines, line), maxLineChars).trimEnd()
}

/** Triple quotes that stay open for more lines are an error. */
const maxQuotedLines = 300

/** A definition includes the comments above it; in code also attributes and documentation in triple quotes. */
function findUnits(lines: TextLines, find: NameUnit, isCode = false): ConfigUnit[] {
  const units: ConfigUnit[] = []
  let commentLine = -1
  let quotedUntil = -1
  for (let line = 0; line < lines.starts.length; line++) {
    if (line <= quotedUntil) continue
    const text = lineOf(lines, line)
    if (isCode && text.split('"""').length === 2) quotedUntil = findQuoteEnd(lines, line)
    const start = isCode ? text.trimStart() : text
    if (patterns.commentLine.test(start) || (isCode && patterns.attributeLine.test(start))) {
      if (commentLine === -1) commentLine = line
      continue
    }
    const name = find(text, lines, line)
    if (name !== null && patterns.word.test(name)) {
      const start = commentLine === -1 ? line : commentLine
      units.push({ line: start, bodyLine: line + 1, name: cutText(name.trim(), maxNameChars) })
    }
    commentLine = -1
  }
  return units
}

/** The line that closes the triple quotes of a line; -1 if none is near. */
function findQuoteEnd(lines: TextLines, line: number): number {
  const last = Math.min(lines.starts.length, line + maxQuotedLines)
  for (let at = line + 1; at < last; at++) if (lineOf(lines, at).includes('"""')) return at
  return -1
}

function nameOfKey(text: string): string | null {
  const found = patterns.yamlKey.exec(text)
  return found === null ? null : (found[1] ?? found[0].slice(0, found[0].lastIndexOf(':')))
}

/** Resources where `---` divides the file, else top-level keys. */
function findYamlUnits(lines: TextLines): ConfigUnit[] {
  const starts: number[] = []
  for (let line = 0; line < lines.starts.length; line++) if (lineOf(lines, line) === '---') starts.push(line)
  if (starts.length === 0 || starts.at(-1) === 0) return findUnits(lines, nameOfKey)
  if (starts[0] !== 0) starts.unshift(0)
  return starts.map((line) => ({ line, bodyLine: line + 1, name: nameResource(lines, line) }))
}

/** `kind: Service` with `metadata: name: web` gives `Service web`, as in Kubernetes; otherwise the first key. */
function nameResource(lines: TextLines, start: number): string {
  let kind = ''
  let first = ''
  for (let line = start; line < Math.min(start + maxHeadLines, lines.starts.length); line++) {
    const text = lineOf(lines, line)
    if (text === '---' && line > start) break
    const [, indent = '', key = '', value = ''] = patterns.yamlPair.exec(text) ?? []
    if (indent === '' && first === '') first = key
    if (indent === '' && key === 'kind') kind = value
    else if (kind !== '' && indent.length > 0 && key === 'name')
      return cutText(`${kind} ${value}`, maxNameChars)
  }
  return kind === '' ? first : kind
}

/** Does the file start like an OpenAPI description? */
function isApi(lines: TextLines): boolean {
  for (let line = 0; line < Math.min(lines.starts.length, 20); line++)
    if (patterns.apiMark.test(lineOf(lines, line))) return true
  return false
}

/** `GET /users/{id}` for a method below a path; keys next to `paths` are parts themselves. */
function findOperations(lines: TextLines): ConfigUnit[] {
  const units: ConfigUnit[] = []
  let top = -1
  let path: { readonly name: string; readonly indent: number; readonly line: number } | null = null
  for (let line = 0; line < lines.starts.length; line++) {
    const text = lineOf(lines, line)
    const [, spaces = '', key = ''] = patterns.apiKey.exec(text) ?? []
    if (key === '') continue
    const indent = spaces.length
    // The keys of a JSON file are indented one step, below a bracket.
    if (top === -1) top = indent
    const add = (name: string, from = line): void => {
      const isBelowBracket = units.length === 0 && from === 1
      units.push({ line: isBelowBracket ? 0 : from, bodyLine: line + 1, name: cutText(name, maxNameChars) })
    }
    if (indent <= top) {
      path = null
      add(key)
    } else if (key.startsWith('/') && (path === null || indent <= path.indent))
      path = { name: key, indent, line }
    else if (path !== null && indent > path.indent && patterns.httpMethod.test(key)) {
      const isFirst = units.at(-1)!.line < path.line
      add(`${key.toUpperCase()} ${path.name}`, isFirst ? path.line : line)
    }
  }
  return units
}

/** Short parts join the next, under both names. */
function joinShort(lines: TextLines, units: readonly ConfigUnit[]): ConfigUnit[] {
  const joined: ConfigUnit[] = []
  let open: ConfigUnit | null = null
  for (const [index, unit] of units.entries()) {
    const name: string = open === null ? unit.name : `${open.name}, ${unit.name}`
    const merged: ConfigUnit = {
      line: open?.line ?? unit.line,
      bodyLine: unit.bodyLine,
      name: cutText(name, maxNameChars),
    }
    const next = units[index + 1]?.line
    const size = offsetOf(lines, next ?? lines.starts.length) - offsetOf(lines, merged.line)
    if (next !== undefined && size < shortUnit) open = merged
    else {
      joined.push(merged)
      open = null
    }
  }
  return joined
}
