// Where do functions start and end that a grammar misread? Preprocessor lines leave unmatched braces, and macros hide names.
import { patterns } from '../patterns.ts'
import type { CodeScan, CodeSpan, Definition } from './code-scan.ts'

/** `else if (a) {` looks like a function of that name after a lost brace. */
const keywords: ReadonlySet<string> = new Set(
  'if else for while switch do return sizeof catch defined new delete'.split(' '),
)

/**
 * For languages without nested functions: a function that starts its line inside another one ends that
 * one, a function without an end continues to the first closing brace at the left margin, and other definitions
 * inside a function do not count. Functions that only the layout shows are added.
 */
export function repairFunctions(text: string, scan: CodeScan): readonly Definition[] {
  const named = scan.definitions.filter(({ name }) => !keywords.has(name))
  const ordered = addWritten(text, named, findWritten(text, scan.comments)).sort(
    (a, b) => a.start - b.start || b.end - a.end,
  )
  const repaired: Definition[] = []
  /** Index of the last function; -1 before the first. */
  let around = -1
  for (const definition of ordered) {
    const isFunction = definition.shape === 'function' && text[definition.start] !== '#'
    const outer = repaired[around]
    if (outer !== undefined && definition.start > outer.start && definition.start < outer.end) {
      if (!isFunction || !opensLine(text, definition.start)) continue
      const brace = text.lastIndexOf('\n}', definition.start)
      repaired[around] = { ...outer, end: brace > outer.start ? brace + 2 : definition.start }
    }
    if (isFunction) around = repaired.length
    repaired.push(definition.isOpen ? { ...definition, end: endOf(text, definition) } : definition)
  }
  return repaired
}

/** A function as written at the left margin: `name(…)`, then `{`. */
interface WrittenFunction {
  readonly start: number
  readonly name: string
  readonly nameStart: number
  /** Position of its brace. */
  readonly body: number
}

/** Limits on the text and the brackets between name and brace; beyond them it is not a function. */
const maxHeadChars = 1_000
const maxHeadDepth = 4

function findWritten(text: string, comments: readonly CodeSpan[]): WrittenFunction[] {
  const found: WrittenFunction[] = []
  let comment = 0
  for (let start = 0, next = 0; start < text.length; start = next) {
    const line = text.indexOf('\n', start)
    next = line === -1 ? text.length : line + 1
    while ((comments[comment]?.end ?? Number.POSITIVE_INFINITY) <= start) comment++
    const isInside = (comments[comment]?.start ?? Number.POSITIVE_INFINITY) < start
    // A line that continues the one above belongs to a macro.
    if (isInside || text[start - 2] === '\\') continue
    const [head, name] = patterns.functionHead.exec(text.slice(start, Math.min(next, start + 320))) ?? []
    if (head === undefined || name === undefined || keywords.has(name)) continue
    const body = findBrace(text, start + head.length)
    if (body !== -1) found.push({ start, name, nameStart: start + head.lastIndexOf(name), body })
  }
  return found
}

/** The brace after the brackets around an offset; preprocessor lines between them do not count. */
function findBrace(text: string, from: number): number {
  const end = Math.min(text.length, from + maxHeadChars)
  let depth = 1
  for (let at = from; at < end; at++) {
    const char = text[at]!
    if (char === '(') {
      if (depth === 0 || ++depth > maxHeadDepth) return -1
    } else if (char === ')') depth--
    else if (char === '{') return depth === 0 ? at : -1
    else if (char === ';' || char === '}' || (depth === 0 && !/\s/.test(char) && char !== '#')) return -1
    if (char === '#' && text[at - 1] === '\n') {
      const line = text.indexOf('\n', at)
      if (line === -1) return -1
      at = line - 1
    }
  }
  return -1
}

/** A written function names the definition with its body; without a definition it is added, unless it is nested. */
function addWritten(text: string, definitions: readonly Definition[], written: readonly WrittenFunction[]) {
  const byBody = new Map(definitions.map((one) => [one.shape === 'function' ? one.body : null, one]))
  const renamed = new Map<Definition, Definition>()
  const added: Definition[] = []
  const functions = definitions.filter(({ shape }) => shape === 'function').sort((a, b) => a.start - b.start)
  const names = new Set(definitions.map(({ nameStart }) => nameStart))
  let around: Definition | undefined
  let next = 0
  for (const one of written) {
    while (functions[next] !== undefined && functions[next]!.start < one.start) around = functions[next++]
    if (names.has(one.nameStart)) continue
    const { start, name, nameStart, body } = one
    const same = byBody.get(body)
    if (same !== undefined) {
      // Two heads with one body are in two branches of the preprocessor.
      if (text.slice(same.nameStart, start).includes('\n#el')) continue
      const isApart = text.slice(same.start, start).includes('\n\n')
      renamed.set(same, { ...same, name, nameStart, start: isApart ? start : same.start })
      continue
    }
    const isInside = around !== undefined && !around.isOpen && start < around.end
    const closed = isInside ? text.indexOf('\n}', around!.body ?? around!.start) : 0
    if (closed === -1 || closed > start) continue
    const own = {
      shape: 'function',
      name,
      nameStart,
      start: typeStart(text, start),
      end: body,
      body,
    } as const
    const flags = { onlyMember: false, isPrivate: false, isTest: false, isClause: false, isOpen: true }
    added.push({ ...own, doc: null, bases: [], owner: null, ...flags })
  }
  return [...definitions.map((one) => renamed.get(one) ?? one), ...added]
}

/** Its type may be on the line above. */
function typeStart(text: string, start: number): number {
  const above = text.lastIndexOf('\n', start - 2) + 1
  return start > 1 && patterns.typeLine.test(text.slice(above, start - 1)) ? above : start
}

/** A function without an end starts at its name; the text before it on its line is its type. */
function opensLine(text: string, at: number): boolean {
  const first = text.charCodeAt(text.lastIndexOf('\n', at - 1) + 1)
  return first !== 32 && first !== 9
}

function endOf(text: string, { end }: Definition): number {
  const brace = text.indexOf('\n}', end)
  return brace === -1 ? text.length : brace + 2
}
