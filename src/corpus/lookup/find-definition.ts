// Which definition does a bare name mean, and which sections contain it? The only one that matches, found by the index of names.
import type { ArtifactRow } from '../../model/section.ts'
import { termsIn } from '../../read/parse/words/analyze-words.ts'
import type { NamedDefinition } from '../resolve/code/code-catalogue.ts'
import { definitionsOf, isOwnCode, ownOf } from '../resolve/code/resolve-code-name.ts'
import type { CorpusReader } from '../store/corpus-reader.ts'
import { DecodedPostings } from '../store/postings/postings.ts'

/** Names in a hint. */
const shownCandidates = 5

/** Rows of the sections that contain every word of a name, by path and line. */
export function sectionsWith(reader: CorpusReader, name: string): number[] {
  const lexical = reader.lexical()
  const list = new DecodedPostings()
  const lists = [...new Set(termsIn(name, { whole: false }))].map((term) => {
    lexical.read(term, list)
    return new Set(list.fragments.subarray(0, list.length))
  })
  const [first = new Set<number>(), ...others] = lists.sort((a, b) => a.size - b.size)
  const shared = [...first].filter((fragment) => others.every((other) => other.has(fragment)))
  return [...new Set(shared.sort(lexical.compare).map((fragment) => reader.fragment(fragment).artifact))]
}

/** The parts of `Task.cancel`, `Task::cancel`, `Task#cancel`, `cancel()` or `Task.cancel/2`. */
export const namePartsOf = (written: string): string[] =>
  written.replace(/\(\)$|\/\d{1,2}$/, '').split(/\.|::|#/)

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

/** Those of own code, or all if only tests and vendored code define the name. */
export const ownDefinitionsCalled = (reader: CorpusReader, written: string): readonly NamedDefinition[] =>
  ownOf(definitionsCalled(reader, written), (one) => one)

/** Does this section bind a variable of this name at the level of its file? */
export function bindsVariable(
  reader: CorpusReader,
  { row, file }: { readonly row: ArtifactRow; readonly file: { readonly path: string } },
  name: string,
): boolean {
  if (!/_(?:block|module)$/.test(row.kind)) return false
  const own = row.level === 0 ? '' : row.id.slice(file.path.length + 1)
  const symbols = reader.references().outline(file.path)?.symbols ?? []
  return symbols.some((one) => one.name === name && one.id === own && one.alias === undefined)
}

const variablesCalled = (reader: CorpusReader, name: string): readonly NamedDefinition[] =>
  sectionsWith(reader, name).flatMap((rowId): NamedDefinition[] => {
    const row = reader.artifact(rowId)
    const { path } = reader.file(row.file)
    return bindsVariable(reader, { row, file: { path } }, name)
      ? [{ id: row.id, path, kind: row.kind, headings: [name] }]
      : []
  })

/** Kotlin declares a name once with `expect`, and defines it with `actual` for each platform. */
const platformModifier = /^(?:[^({=\n]*[ \t])?(expect|actual)[ \t]/m

function modifierOf(reader: CorpusReader, id: string): string | null {
  const row = reader.artifactById(id)
  if (row === null || !row.kind.startsWith('kotlin_')) return null
  return platformModifier.exec(reader.text(row.rowId).text)?.[1] ?? null
}

/** The actual definitions of a declaration. */
export function platformsOf(reader: CorpusReader, { id, kind, headings }: ArtifactRow): readonly string[] {
  if (modifierOf(reader, id) !== 'expect') return []
  const name = headings.join('.')
  const found = definitionsOf(name.split('.'), (last) => reader.references().definitionsNamed(last))
  const alike = found.filter((one) => one.kind === kind && one.headings.join('.') === name)
  return alike.map((one) => one.id).filter((one) => modifierOf(reader, one) === 'actual')
}

/** The definition among several that a name means: the only one outside tests and vendored code, or declared for all platforms. */
function mainOf(reader: CorpusReader, found: readonly NamedDefinition[]): NamedDefinition | null {
  const own = found.filter(isOwnCode)
  if (own.length === 1) return own[0] as NamedDefinition
  const declared = own.filter(
    ({ kind, id }) => kind.startsWith('kotlin_') && modifierOf(reader, id) === 'expect',
  )
  const [only] = declared
  const isWhole = own.every((one) => one === only || modifierOf(reader, one.id) === 'actual')
  return declared.length === 1 && isWhole ? (only as NamedDefinition) : null
}

/**
 * The canonical ids of what a name means: the only definition, or the only one outside tests and vendored code; otherwise
 * those of variables. Several if nothing tells them apart.
 */
export function definitionsMeant(reader: CorpusReader, written: string): readonly string[] {
  const called = definitionsCalled(reader, written)
  const found = called.length > 0 ? called : variablesCalled(reader, written)
  const main = found.length > 1 ? mainOf(reader, found) : null
  return (main === null ? found : [main]).map((one) => largestOf(reader, one))
}

/** Of overloads in a file the longest, which has the body. */
function largestOf(reader: CorpusReader, { id, path, headings }: NamedDefinition): string {
  const name = headings.join('.')
  const rows = reader
    .references()
    .definitionsNamed(headings.at(-1) ?? '')
    .filter((one) => one.path === path && one.headings.join('.') === name)
    .flatMap((one) => reader.artifactById(one.id) ?? [])
  const size = ({ lines }: ArtifactRow): number => lines.end - lines.start
  return rows.toSorted((a, b) => size(b) - size(a))[0]?.id ?? id
}

/** `a, b, c and 4 more`. */
export function listSome(names: readonly string[]): string {
  const more = names.length - shownCandidates
  return `${names.slice(0, shownCandidates).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
