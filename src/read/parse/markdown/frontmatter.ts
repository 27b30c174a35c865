// What metadata does a document start with? YAML between `---`, or TOML between `+++`.
import { lineAt, offsetOf, type TextLines } from '../find-lines.ts'
import { patterns } from '../patterns.ts'
import { emptyValues, readSimpleLines, type Values } from './read-simple-lines.ts'
import { readYaml } from './read-yaml.ts'

/** A block that is not closed within this many characters is text that starts with a rule. */
export const maxFrontmatterChars = 65_536

export interface Frontmatter {
  /** Number of lines with both fences; 0 without frontmatter. */
  readonly lineCount: number
  readonly values: Readonly<Values>
}

/** Reads the frontmatter at the start of a text (after a byte order mark). */
export function readFrontmatter(lines: TextLines): Frontmatter {
  const none: Frontmatter = { lineCount: 0, values: emptyValues() }
  const { text } = lines
  const first = text.charCodeAt(0) === 0xfeff ? 1 : 0
  const fence = text.startsWith('---', first) ? '---' : text.startsWith('+++', first) ? '+++' : null
  if (fence === null || fenceAt(lines, 0, first) !== fence) return none
  const close = findClose(lines, fence)
  if (close === -1) return none
  const inner: string[] = []
  for (let line = 1; line < close; line++) inner.push(lineAt(lines, line))
  const values = fence === '---' ? readYamlBlock(inner) : readTomlBlock(inner)
  return values === null ? none : { lineCount: close + 1, values }
}

/** The line after the imports and exports of MDX that start at a line; they end at a blank line outside brackets. */
export function endOfModules(lines: TextLines, first: number): number {
  let [end, depth, isModule] = [first, 0, false]
  for (let line = first; line < lines.starts.length; line++) {
    const text = lineAt(lines, line)
    if (depth === 0)
      if (text.trim() === '') isModule = false
      else if (!isModule && !patterns.mdxModule.test(text)) break
      else isModule = true

    for (const char of text)
      depth = Math.max(0, depth + Number('{[('.includes(char)) - Number(')]}'.includes(char)))
    if (isModule) end = line + 1
  }
  return end
}

/** The line without trailing blanks; only as much as a fence needs. */
function fenceAt(lines: TextLines, line: number, start: number): string {
  const end = offsetOf(lines, line + 1)
  return end - start > 64 ? '' : lines.text.slice(start, end).trimEnd()
}

function findClose(lines: TextLines, fence: string): number {
  for (let line = 1; line < lines.starts.length; line++) {
    const start = offsetOf(lines, line)
    if (start > maxFrontmatterChars) return -1
    const code = lines.text.charCodeAt(start)
    if (code !== 45 && code !== 43 && code !== 46) continue
    const mark = fenceAt(lines, line, start)
    if (mark === fence || (fence === '---' && mark === '...')) return line
  }
  return -1
}

/** Null if the block is prose between two rules. */
function readYamlBlock(inner: readonly string[]): Values | null {
  if (isBlank(inner)) return emptyValues()
  const outcome = readYaml(inner.join('\n'))
  if (outcome.kind === 'refused') return emptyValues()
  if (outcome.kind === 'invalid') return startsWithKey(inner) ? readSimpleLines(inner, ':') : null
  return typeof outcome.value === 'object' && outcome.value !== null && !Array.isArray(outcome.value)
    ? (outcome.value as Values)
    : null
}

function readTomlBlock(inner: readonly string[]): Values | null {
  const values = readSimpleLines(inner, '=')
  return isBlank(inner) || Object.keys(values).length > 0 ? values : null
}

/** Broken YAML still starts with a key; prose between two rules rarely does. */
function startsWithKey(inner: readonly string[]): boolean {
  const first = inner.find((line) => line.trim() !== '' && !line.startsWith('#')) ?? ''
  return patterns.frontmatterKey.test(first.slice(0, Math.max(first.indexOf(':'), 0)))
}

const isBlank = (inner: readonly string[]): boolean => inner.every((line) => line.trim() === '')

/** The frontmatter's title on one line; null when it has none. */
export function titleOf(values: Readonly<Values>): string | null {
  const title = values['title']
  if (typeof title === 'number') return String(title)
  return typeof title === 'string' && title.trim() !== ''
    ? title.trim().replace(patterns.whitespaceRun, ' ')
    : null
}

/** The frontmatter's status, lower case; null when it has none. */
export function statusOf(values: Readonly<Values>): string | null {
  const status = values['status']
  return typeof status === 'string' && status.trim() !== '' ? status.trim().toLowerCase() : null
}
