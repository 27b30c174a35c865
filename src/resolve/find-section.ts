// Which section does an anchor name? Its anchor exactly, then in any case, then by its letters and digits alone.
import type { CatalogueDocument } from './catalogue.ts'
import { patterns } from './patterns.ts'
import { decodePercent } from './read-target.ts'

/** What hosts put before an anchor of their own making. */
const hostPrefixes = ['user-content-', 'markdown-header-']

/** Ids of a document's sections by each form of their anchors and names; the first section of a form has it. */
interface Anchors {
  readonly exact: ReadonlyMap<string, string>
  readonly anyCase: ReadonlyMap<string, string>
  readonly loose: ReadonlyMap<string, string>
}

/** Built when a document's anchor is first asked for, and gone with the document. */
const known = new WeakMap<CatalogueDocument, Anchors>()

/**
 * The canonical id of the section that an anchor names; null when none does. Hugo, MkDocs, VitePress and GitHub make
 * different slugs of one heading, which agree in letters and digits.
 */
export function findSection(document: CatalogueDocument, anchor: string): string | null {
  const { exact, anyCase, loose } = anchorsOf(document)
  const wanted = withoutHost(decodePercent(anchor))
  const key = looseKey(wanted)
  return (
    exact.get(wanted) ?? anyCase.get(wanted.toLowerCase()) ?? (key === '' ? null : (loose.get(key) ?? null))
  )
}

function anchorsOf(document: CatalogueDocument): Anchors {
  let anchors = known.get(document)
  if (anchors === undefined) {
    const { sections } = document
    anchors = {
      exact: firstOf(sections.map(({ anchor, id }) => [anchor, id])),
      anyCase: firstOf(sections.map(({ anchor, id }) => [anchor.toLowerCase(), id])),
      loose: firstOf([
        ...sections.map(({ anchor, id }) => [looseKey(anchor), id] as const),
        ...sections.map(({ name, id }) => [looseKey(name), id] as const),
      ]),
    }
    known.set(document, anchors)
  }
  return anchors
}

function firstOf(pairs: readonly (readonly [string, string])[]): ReadonlyMap<string, string> {
  return new Map(pairs.toReversed())
}

function withoutHost(anchor: string): string {
  const prefix = hostPrefixes.find((candidate) => anchor.startsWith(candidate))
  return prefix === undefined ? anchor : anchor.slice(prefix.length)
}

function looseKey(text: string): string {
  return text.toLowerCase().replace(patterns.notInAnchor, '')
}
