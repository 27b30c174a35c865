// What do the cells of a notebook use? Names that it imports or defines, with their binding, because a notebook has no outline.
import type { Artifact, ParsedDocument } from '../../model/artifact.ts'
import type { CodeOutline, CodeShape, OutlineImport, OutlineSymbol } from '../../model/code.ts'
import type { Mention } from '../../model/reference.ts'
import { shapeOfKind } from './artifact-kinds.ts'
import { firstPart } from './code/bind-names.ts'
import type { MentionHolder } from './markdown/find-mentions.ts'
import { patterns } from './patterns.ts'

/** A block of code as its grammar reads it. */
export interface ReadCell {
  readonly document: ParsedDocument
  /** Line before its first one. */
  readonly line: number
}

/** The target to look up for a name in a cell. */
interface CellName {
  readonly language: string
  /** A module, or a dotted name. */
  readonly name: string
  readonly outline: CodeOutline
}

/** Precedes a name in a target. The name comes last, so that its other lines can be found. */
function writeTarget(
  language: string,
  binding: readonly [kind: 'import' | 'symbol' | 'module', ...values: string[]],
  name: string,
): string {
  return [language, ...binding, name].join(' ')
}

/** The name in such a target; null for any other. */
export function readCellTarget(target: string): CellName | null {
  const [language = '', kind, ...rest] = target.split(' ')
  const name = rest.pop()
  if (name === undefined) return null
  const [first = '', second = '', third = ''] = rest
  const outline = (imports: OutlineImport[], symbols: OutlineSymbol[]): CellName => ({
    ...{ language, name },
    outline: { imports, symbols, exports: [] },
  })
  if (kind === 'import') return outline([{ local: first, module: second, name: third || null }], [])
  if (kind === 'symbol')
    return outline([], [{ name: firstPart(name), id: first, shape: second as CodeShape }])
  return kind === 'module' ? outline([], []) : null
}

/** The binding of each name; the later of two imports or definitions counts. */
class Bindings {
  readonly #imports = new Map<string, OutlineImport>()
  readonly #modules = new Map<string, OutlineImport>()
  readonly #stars: OutlineImport[] = []
  readonly #symbols = new Map<string, Artifact>()
  /** Variables, which hide imports of the same name. */
  readonly #others = new Set<string>()

  constructor(cells: readonly ReadCell[], definitions: readonly Artifact[]) {
    for (const one of definitions) this.#symbols.set(one.name, one)
    for (const { document } of cells) {
      for (const { name } of document.outline?.symbols ?? []) this.#others.add(name)
      for (const one of document.outline?.imports ?? [])
        if (one.name === '*') this.#stars.push(one)
        else if (one.local === '') this.#modules.set(firstPart(one.module), one)
        else this.#imports.set(one.local, one)
    }
  }

  /** The target of a name; null for a name that the notebook does not bind. */
  targetOf(used: string, language: string): string | null {
    const first = firstPart(used)
    const own = this.#symbols.get(first)
    if (own !== undefined) {
      const id = own.id.slice(own.path.length + 1)
      return writeTarget(language, ['symbol', id, shapeOfKind(own.kind)], used)
    }
    if (this.#others.has(first)) return null
    const [star] = this.#stars.length === 1 ? this.#stars : []
    const found = this.#imports.get(first) ?? this.#modules.get(first) ?? star
    if (found === undefined) return null
    return writeTarget(language, ['import', found.local, found.module, found.name ?? ''], used)
  }
}

/** The names that cells use and the modules that they import, once per artifact. */
export function findCellUses(
  cells: readonly ReadCell[],
  artifacts: readonly Artifact[],
  holders: readonly MentionHolder[],
): Mention[] {
  const definitions = artifacts.filter(({ language, level }) => level > 0 && language !== 'markdown')
  const bindings = new Bindings(cells, definitions)
  const found = new Map<string, Mention>()
  let holder = 0
  for (const { document, line: before } of cells)
    for (const { form, text, target: used, line: own } of document.mentions) {
      const line = before + own
      while ((holders[holder + 1]?.[0] ?? Number.POSITIVE_INFINITY) <= line) holder++
      const origin = holders[holder]?.[1]
      const { language } = document
      const target =
        form === 'import'
          ? writeTarget(language, ['module'], used)
          : form === 'uses'
            ? bindings.targetOf(used, language)
            : null
      const key = `${origin}\0${form}\0${target}`
      // Text with a space is not a name.
      if (
        origin === undefined ||
        target === null ||
        used.search(patterns.whitespaceRun) >= 0 ||
        found.has(key)
      )
        continue
      found.set(key, { origin, form, text, target, line })
    }
  return [...found.values()]
}
