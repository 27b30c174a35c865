// Where does a function end that a grammar misread? Code that a preprocessor cuts has braces that do not match.
import type { Definition } from './code-scan.ts'

/**
 * For languages in which no function stands inside another: one that opens its line inside another ends that other
 * one, and one without an end goes on to the first brace that closes at the left margin.
 */
export function mendFunctions(text: string, definitions: readonly Definition[]): readonly Definition[] {
  const ordered = [...definitions].sort((a, b) => a.start - b.start || b.end - a.end)
  const mended: Definition[] = []
  let around = -1
  for (const definition of ordered) {
    const opensLine = definition.start === 0 || text[definition.start - 1] === '\n'
    const isFunction = definition.shape === 'function' && text[definition.start] !== '#'
    const outer = mended[around]
    if (
      isFunction &&
      opensLine &&
      outer !== undefined &&
      definition.start < outer.end &&
      definition.start > outer.start
    ) {
      const brace = text.lastIndexOf('\n}', definition.start)
      mended[around] = { ...outer, end: brace > outer.start ? brace + 2 : definition.start }
    }
    if (isFunction && (opensLine || definition.isOpen)) around = mended.length
    mended.push(definition.isOpen ? { ...definition, end: endOf(text, definition) } : definition)
  }
  return mended
}

function endOf(text: string, { end }: Definition): number {
  const brace = text.indexOf('\n}', end)
  return brace === -1 ? text.length : brace + 2
}
