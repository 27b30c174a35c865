// How are a document's sections identified? Ids by heading path, anchors as on GitHub, parents by heading level.
import type { Artifact } from '../../model/artifact.ts'
import type { HeadingText } from './markdown/heading-text.ts'
import { cutText, slugOf, type TakenNames, takeName } from './slug.ts'

/** Longer slugs are cut in ids, which repeat those of all ancestors. */
const maxIdSlugChars = 120

export interface Heading extends HeadingText {
  readonly level: number
}

interface SectionName extends Pick<Artifact, 'id' | 'name' | 'headings' | 'level'> {
  readonly parent: string
  readonly anchor: string
}

interface OpenSection {
  readonly level: number
  readonly id: string
  readonly headings: readonly string[]
  readonly children: TakenNames
}

/** Names the headings of one document, in order. Ids are unique, and so are anchors. */
export function nameSections(path: string, headings: readonly Heading[]): SectionName[] {
  const read = headings.map((heading) => ({ ...heading, slug: slugOf(heading.plain) }))
  const anchors = nameAnchors(read)
  const open: OpenSection[] = [{ level: 0, id: path, headings: [], children: new Map() }]
  return read.map(({ name, slug, level }, index) => {
    while (open[open.length - 1]!.level >= level) open.pop()
    const parent = open[open.length - 1]!
    const ownName = takeName(parent.children, cutText(slug, maxIdSlugChars))
    const id = `${parent.id}${parent.level === 0 ? '#' : '.'}${ownName}`
    const headings = [...parent.headings, name]
    open.push({ level, id, headings, children: new Map() })
    return { id, parent: parent.id, name, anchor: anchors[index]!, headings, level }
  })
}

/** Explicit ids are taken before generated ones, because an author chose them. */
function nameAnchors(read: readonly { readonly slug: string; readonly explicitId: string | null }[]) {
  const taken: TakenNames = new Map()
  const explicit = read.map(({ explicitId }) => (explicitId === null ? null : takeName(taken, explicitId)))
  return read.map(({ slug }, index) => explicit[index] ?? takeName(taken, slug))
}
