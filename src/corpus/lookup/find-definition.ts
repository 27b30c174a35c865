// Which definition does a bare name mean? The only one that matches, found by the index of names.
import { YoreError } from '../../model/errors.ts'
import type { NamedDefinition } from '../resolve/code/code-catalogue.ts'
import { definitionsOf, isOwnCode } from '../resolve/code/resolve-code-name.ts'
import type { CorpusReader } from '../store/corpus-reader.ts'

/** Names in a hint. */
const shownCandidates = 5

/** The parts of `Task.cancel`, `Task::cancel`, `cancel()` or `Task.cancel/2`. */
export function namePartsOf(written: string): string[] {
  return written.replace(/\(\)$|\/\d{1,2}$/, '').split(/\.|::/)
}

/** Every definition that matches a name, own code before tests and vendored code; of equal ones in a file the first. */
export function definitionsCalled(reader: CorpusReader, written: string): readonly NamedDefinition[] {
  const firsts = new Map<string, NamedDefinition>()
  const named = (name: string): NamedDefinition[] => reader.references().definitionsNamed(name)
  for (const definition of definitionsOf(namePartsOf(written), named)) {
    const key = JSON.stringify([definition.path, definition.headings])
    if (!firsts.has(key)) firsts.set(key, definition)
  }
  const found = [...firsts.values()]
  // A declaration or a variable counts only when nothing else has the name.
  const whole = found.filter(({ kind }) => !kind.endsWith('_block'))
  const all = whole.length > 0 ? whole : found
  return [...all.filter(isOwnCode), ...all.filter((definition) => !isOwnCode(definition))]
}

/** The canonical id of the only definition of that name; null when there is none. Throws BAD_INPUT for several. */
export function findDefinition(reader: CorpusReader, written: string): string | null {
  const found = definitionsCalled(reader, written)
  if (found.length > 1)
    throw new YoreError(
      'BAD_INPUT',
      `${JSON.stringify(written)} is the name of ${found.length} pieces of code`,
      { hint: `name one of ${listSome(found.map(({ id }) => id))}` },
    )
  return found[0]?.id ?? null
}

/** `a, b, c and 4 more`. */
export function listSome(names: readonly string[]): string {
  const more = names.length - shownCandidates
  return `${names.slice(0, shownCandidates).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
