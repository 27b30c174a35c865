// Which section does an anchor name? By its exact anchor, then by one in its text, then in any case, then by letters and digits only.
import { remember } from '../../model/remember.ts'
import { slugOf, takeName } from '../../read/parse/slug.ts'
import type { CatalogueDocument } from './catalogue.ts'
import { patterns } from './patterns.ts'
import { decodePercent } from './read-target.ts'

/** Prefixes that hosts add to generated anchors. */
const hostPrefixes = ['user-content-', 'markdown-header-']

/** Ids of a document's sections by each form of their anchors and names; of equal forms the first section. */
interface Anchors {
  readonly exact: ReadonlyMap<string, string>
  readonly anyCase: ReadonlyMap<string, string>
  readonly loose: ReadonlyMap<string, string>
}

/**
 * The section that an anchor names, by canonical id, undefined for the start of the document; null for an unknown
 * anchor. Hugo, MkDocs, VitePress and GitHub make different slugs of one heading, which agree in letters and digits.
 */
export function findPlace(
  document: CatalogueDocument,
  anchor: string,
): { readonly section: string | null } | null {
  const { exact, anyCase, loose } = anchorsOf(document)
  const wanted = withoutHost(decodePercent(anchor))
  const key = looseKey(wanted)
  const named = exact.get(wanted)
  if (named !== undefined) return { section: named }
  const label = document.labels?.get(wanted)
  if (label !== undefined) return { section: document.sections[label - 1]?.id ?? null }
  const own = document.ownAnchors?.get(wanted)
  if (own !== undefined) return { section: own }
  const section = anyCase.get(wanted.toLowerCase()) ?? (key === '' ? undefined : loose.get(key))
  if (section !== undefined) return { section }
  // Browsers scroll to the top for `#top`; generators write the title above the text.
  return wanted === 'top' || (key !== '' && key === looseKey(document.title)) ? { section: null } : null
}

/**
 * The anchors in the texts of a document's sections, and those of terms and of headings in quotes, lists and HTML, which start
 * no section. An anchor at the end of a section belongs to the next one. Terms and headings are numbered together.
 */
export function listOwnAnchors(
  texts: readonly { readonly id: string | null; readonly text: string }[],
): ReadonlyMap<string, string | null> {
  const anchors = new Map<string, string | null>()
  const taken = new Map<string, number>()
  const add = (anchor: string, id: string | null): void => {
    if (!anchors.has(anchor)) anchors.set(anchor, id)
  }
  for (const [at, { id, text }] of texts.entries()) {
    for (const found of text.matchAll(patterns.ownAnchor)) {
      const anchor = (found[1] ?? found[2] ?? found[3]) as string
      if (anchors.has(anchor)) continue
      const rest = text.slice(found.index + found[0].length)
      const ends = rest.length < 200 && rest.replaceAll(patterns.tagRest, '').trim() === ''
      anchors.set(anchor, ends ? (texts[at + 1]?.id ?? id) : id)
    }
    for (const [, marked, tagged = ''] of text.matchAll(patterns.innerHeading))
      add(slugOf((marked ?? tagged).trim()), id)

    if (id !== null)
      add(takeName(taken, id.slice(Math.max(id.lastIndexOf('.'), id.lastIndexOf('#')) + 1)), id)
    for (const [, term = ''] of text.matchAll(patterns.definedTerm)) add(takeName(taken, slugOf(term)), id)
  }
  return anchors
}

/** Built on demand, and collected with the document. */
const anchorsOf = remember(
  ({ sections, labels }: CatalogueDocument): Anchors => ({
    exact: firstOf(sections.map(({ anchor, id }) => [anchor, id])),
    anyCase: firstOf(sections.map(({ anchor, id }) => [anchor.toLowerCase(), id])),
    loose: firstOf([
      ...sections.map(({ anchor, id }) => [looseKey(anchor), id] as const),
      ...sections.map(({ name, id }) => [looseKey(name), id] as const),
      // `.. _test generators:` is `#test-generators` in a page of docutils.
      ...[...(labels ?? [])].flatMap(([label, number]) => {
        const section = sections[number - 1]
        return section === undefined ? [] : [[looseKey(label), section.id] as const]
      }),
    ]),
  }),
  new WeakMap(),
)

const firstOf = (pairs: readonly (readonly [string, string])[]): ReadonlyMap<string, string> =>
  new Map(pairs.toReversed())

function withoutHost(anchor: string): string {
  const prefix = hostPrefixes.find((candidate) => anchor.startsWith(candidate))
  return prefix === undefined ? anchor : anchor.slice(prefix.length)
}

const looseKey = (text: string): string => text.toLowerCase().replace(patterns.notInAnchor, '')
