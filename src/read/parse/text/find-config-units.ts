// What are the named parts of configuration, or of code without a grammar? Tables, keys, resources, targets, stages, statements, messages, definitions, and banners of comments.

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

const maxNameChars = 80
/** Longer lines are cut. */
const maxLineChars = 400
/** A shorter part joins the next one: a key with a plain value, a target without a recipe. */
const shortUnit = 80
/** Number of characters searched for the kind and name of a resource. */
const resourceChars = 2_000

/** How a line that starts a part looks, by the name of the file. A part is called by the first group, or by all that matched. */
const starts: readonly (readonly [file: RegExp, start: RegExp])[] = [
  [patterns.tableFile, patterns.tableHead],
  [patterns.makeFile, patterns.makeTarget],
  [patterns.dockerFile, patterns.dockerStage],
  [patterns.sqlFile, patterns.sqlStatement],
  [patterns.schemaFile, patterns.schemaType],
  [patterns.yamlFile, patterns.yamlKey],
  [plainCodeFile, patterns.definition],
]

/** The parts of a file whose name shows its format, else those under banners, in order. Linear. */
export function findConfigUnits(path: string, lines: TextLines): ConfigUnit[] {
  const name = lastSegment(path)
  const [file, start] = starts.find(([pattern]) => pattern.test(name)) ?? []
  const resources = file === patterns.yamlFile ? findResources(lines) : []
  if (resources.length > 0) return resources
  return joinShort(lines, findUnits(lines, start ?? patterns.banner, file === plainCodeFile))
}

/** A definition includes the comments above it; in code also attributes and documentation in triple quotes. */
function findUnits(lines: TextLines, pattern: RegExp, isCode: boolean): ConfigUnit[] {
  const units: ConfigUnit[] = []
  let commentLine = -1
  let isQuoted = false
  for (let line = 0; line < lines.starts.length; line++) {
    const text = cutText(lineAt(lines, line), maxLineChars).trimEnd()
    const wasQuoted = isQuoted
    if (isCode && text.split('"""').length === 2) isQuoted = !isQuoted
    if (wasQuoted) continue
    const found = pattern.exec(text)
    const name = found?.slice(1).find(Boolean) ?? found?.[0] ?? ''
    if (patterns.word.test(name)) {
      const start = commentLine === -1 ? line : commentLine
      units.push({ line: start, bodyLine: line + 1, name: cutText(name.trim(), maxNameChars) })
      commentLine = -1
    } else if (isComment(text, isCode)) commentLine = commentLine === -1 ? line : commentLine
    else commentLine = -1
  }
  return units
}

function isComment(text: string, isCode: boolean): boolean {
  const start = isCode ? text.trimStart() : text
  return patterns.commentLine.test(start) || (isCode && patterns.attributeLine.test(start))
}

/** YAML that `---` divides: `kind: Service` with `metadata: name: web` gives `Service web`, as in Kubernetes. */
function findResources(lines: TextLines): ConfigUnit[] {
  const marks: number[] = []
  for (let line = 0; line < lines.starts.length; line++)
    if (lineAt(lines, line).trimEnd() === '---') marks.push(line)
  if ((marks.at(-1) ?? 0) === 0) return []
  if (marks[0] !== 0) marks.unshift(0)
  return marks.map((line, index) => {
    const from = offsetOf(lines, line)
    const end = Math.min(offsetOf(lines, marks[index + 1] ?? lines.starts.length), from + resourceChars)
    const text = lines.text.slice(from, end)
    const names = [patterns.yamlKind, patterns.yamlName].flatMap((pattern) => pattern.exec(text)?.[1] ?? [])
    return { line, bodyLine: line + 1, name: cutText(names.join(' '), maxNameChars) || `${index + 1}` }
  })
}

/** Short parts join the next, under both names. */
function joinShort(lines: TextLines, units: readonly ConfigUnit[]): ConfigUnit[] {
  const joined: ConfigUnit[] = []
  for (const unit of units) {
    const last = joined.at(-1)
    const isShort = last !== undefined && offsetOf(lines, unit.line) - offsetOf(lines, last.line) < shortUnit
    if (!isShort) joined.push(unit)
    else
      joined.splice(-1, 1, {
        ...unit,
        line: last.line,
        name: cutText(`${last.name}, ${unit.name}`, maxNameChars),
      })
  }
  return joined
}
