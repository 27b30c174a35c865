// Where does a function end that a grammar misread? Code that a preprocessor cuts has braces that do not match.
import type { Definition } from './code-scan.ts'

/** `else if (a) {` reads like a function of that name once a brace is lost. */
const keywords: ReadonlySet<string> = new Set('if else for while switch do return sizeof'.split(' '))

/**
 * For languages in which no function stands inside another: one that opens its line inside another ends that other
 * one, one without an end goes on to the first brace that closes at the left margin, and nothing else that is defined
 * inside a function is a definition of the file.
 */
export function mendFunctions(text: string, definitions: readonly Definition[]): readonly Definition[] {
  const ordered = definitions
    .filter(({ name }) => !keywords.has(name))
    .sort((a, b) => a.start - b.start || b.end - a.end)
  const mended: Definition[] = []
  /** Index of the last function; -1 before the first. */
  let around = -1
  for (const definition of ordered) {
    const isFunction = definition.shape === 'function' && text[definition.start] !== '#'
    const outer = mended[around]
    if (outer !== undefined && definition.start > outer.start && definition.start < outer.end) {
      if (!isFunction || !opensLine(text, definition.start)) continue
      const brace = text.lastIndexOf('\n}', definition.start)
      mended[around] = { ...outer, end: brace > outer.start ? brace + 2 : definition.start }
    }
    if (isFunction) around = mended.length
    mended.push(definition.isOpen ? { ...definition, end: endOf(text, definition) } : definition)
  }
  return mended
}

/** A function without an end starts at its name: what stands before that on its line is its type. */
function opensLine(text: string, at: number): boolean {
  const first = text.charCodeAt(text.lastIndexOf('\n', at - 1) + 1)
  return first !== 32 && first !== 9
}

function endOf(text: string, { end }: Definition): number {
  const brace = text.indexOf('\n}', end)
  return brace === -1 ? text.length : brace + 2
}
