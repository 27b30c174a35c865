// What is one hop away from an artifact? One table of relations, and edges from mentions and from the structure of a file.

import type { Lines } from '../../model/artifact.ts'
import type { Via } from '../../model/config/rulebook-names.ts'
import type { ExpansionDirection } from '../../model/expansion.ts'
import type { Mention, MentionForm } from '../../model/reference.ts'
import type { ArtifactRow } from '../../model/section.ts'
import { isCodeKind, shapeOfKind } from '../../read/parse/artifact-kinds.ts'

interface RelationFacts {
  readonly label: string
  /** Does code depend on code by it? */
  readonly isDependency: boolean
  /** A digest follows references to documents and code, adds structure last, and leaves the rest to requests. */
  readonly inDigest: 'document' | 'code' | 'structure' | 'request'
}

/** Every relation in the order of graph output. A class header is part of its class. */
export const relations = {
  defines: { label: 'DEFINES', isDependency: false, inDigest: 'request' },
  member_functions: { label: 'MEMBER_FUNCTIONS', isDependency: false, inDigest: 'structure' },
  class_name: { label: 'CLASS_NAME', isDependency: true, inDigest: 'structure' },
  class_header: { label: 'CLASS_NAME', isDependency: false, inDigest: 'request' },
  docstring: { label: 'DOCSTRING', isDependency: false, inDigest: 'structure' },
  links: { label: 'LINKS', isDependency: false, inDigest: 'document' },
  cites: { label: 'CITES', isDependency: false, inDigest: 'document' },
  documents: { label: 'DOCUMENTS', isDependency: false, inDigest: 'code' },
  uses: { label: 'USES', isDependency: true, inDigest: 'code' },
  imports: { label: 'IMPORTS', isDependency: true, inDigest: 'structure' },
  external_scripts: { label: 'EXTERNAL_SCRIPTS', isDependency: true, inDigest: 'code' },
} as const satisfies Record<Via, RelationFacts>

/** The relation of a mention by its form and the kinds of its two ends; null without an artifact as target. */
const relationOfForm: Readonly<Record<MentionForm, Readonly<Record<Ends, Via>> | null>> = {
  link: { text: 'links', code: 'links', 'code to text': 'cites', 'text to code': 'documents' },
  wiki: { text: 'links', code: 'links', 'code to text': 'cites', 'text to code': 'documents' },
  id: always('cites'),
  // The target of a role may be described in another document.
  code: { ...always('documents'), text: 'links' },
  uses: always('uses'),
  import: always('imports'),
  class: always('class_name'),
  script: always('external_scripts'),
  image: null,
}

/** Both ends are documents, both are code, or one of each. */
type Ends = 'text' | 'code' | 'code to text' | 'text to code'

function always(via: Via): Readonly<Record<Ends, Via>> {
  return { text: via, code: via, 'code to text': via, 'text to code': via }
}

/** Text without a grammar counts as a document. */
const hasGrammar = (kind: string): boolean => isCodeKind(kind) && kind !== 'blind'

/** The relation of a mention: a link in a comment cites a document, a link to code documents it. */
function relationOf(form: MentionForm, fromKind: string, toKind: string): Via | null {
  const [from, to] = [hasGrammar(fromKind), hasGrammar(toKind)]
  return relationOfForm[form]?.[from ? (to ? 'code' : 'code to text') : to ? 'text to code' : 'text'] ?? null
}

/** An artifact with its document. */
interface GraphPlace {
  readonly row: Pick<ArtifactRow, 'rowId' | 'id' | 'level' | 'parent' | 'lines' | 'ownLines'> & {
    readonly kind: string
  }
  readonly file: { readonly path: string }
}

/** A mention with its resolution. */
interface GraphMention extends Pick<Mention, 'origin' | 'form' | 'line'> {
  readonly outcome: string
  readonly confidence: number | null
  readonly path: string | null
  readonly section: string | null
}

/** Which mentions to read: of code, of documents, of both, or none. */
export type EdgeSide = 'code' | 'text' | 'all' | 'none'

export interface GraphSource<P extends GraphPlace, M extends GraphMention> {
  byId(id: string): P | null
  /** Every artifact of its file, in the order of the text. */
  partsOf(place: P): readonly P[]
  /** In its own text. */
  mentionsIn(place: P): readonly M[]
  /** Mentions that lead to it or, for a section of a document, to the whole document. */
  mentionsTo(place: P, from: Exclude<EdgeSide, 'none'>): readonly M[]
}

export interface Neighbour<P extends GraphPlace, M extends GraphMention> {
  readonly via: Via
  readonly direction: ExpansionDirection
  readonly at: P
  /** Null when the structure of the file is the evidence. */
  readonly mention: M | null
  /** The line of the mention; otherwise of the inner artifact. */
  readonly line: number
}

interface NeighbourOptions {
  /** `facts` for a graph, including uncertain references; otherwise only references certain enough to follow. */
  readonly purpose: 'show' | 'follow'
  readonly outgoing: boolean
  readonly incoming: EdgeSide
  readonly structure: boolean
  /** Limits the result to mentions on these lines. */
  readonly lines?: Lines
}

/** Minimum confidence of a reference to be followed and to give authority. */
export const confident = 0.6

/** Everything one hop away: what its text mentions, what mentions it, then the structure of its file. */
export function neighbours<P extends GraphPlace, M extends GraphMention>(
  place: P,
  source: GraphSource<P, M>,
  options: NeighbourOptions,
): Neighbour<P, M>[] {
  const isSure = ({ outcome, confidence }: M): boolean =>
    outcome === 'resolved' && (options.purpose === 'show' || (confidence ?? 0) >= confident)
  return [
    ...(options.outgoing ? outgoing(place, source, options, isSure) : []),
    ...(options.incoming === 'none' ? [] : incoming(place, source, options, isSure)),
    ...(options.structure ? source.partsOf(place).flatMap((other) => structure(place, other)) : []),
    ...(options.structure ? membersOutside(place, source, isSure) : []),
  ]
}

function outgoing<P extends GraphPlace, M extends GraphMention>(
  place: P,
  source: GraphSource<P, M>,
  { purpose, lines }: NeighbourOptions,
  isSure: (mention: M) => boolean,
): Neighbour<P, M>[] {
  const isWhole = purpose === 'show' && place.row.level === 0
  // The type of a function applies to all its lines.
  const isShown = ({ form, line }: M): boolean =>
    lines === undefined || form === 'class' || (lines.start <= line && line <= lines.end)
  return holdersOf(place, source, isWhole).flatMap((holder) =>
    source.mentionsIn(holder).flatMap((mention): Neighbour<P, M>[] => {
      if (!isSure(mention) || !isShown(mention) || mention.path === null) return []
      if (!isWhole && holder.row.rowId !== place.row.rowId && mention.form !== 'script') return []
      const at = source.byId(mention.section ?? mention.path)
      const via = at === null ? null : relationOf(mention.form, holder.row.kind, at.row.kind)
      if (at === null || via === null) return []
      const edge = { via, direction: 'out', at, mention, line: mention.line } as const
      // The header of a class is free only in the same file.
      const hasHeader = via === 'class_name' && at.file.path === place.file.path
      return hasHeader ? [edge, { ...edge, via: 'class_header' }] : [edge]
    }),
  )
}

/** A page and its blocks load the scripts of everything inside them; any other artifact has its own text. */
function holdersOf<P extends GraphPlace, M extends GraphMention>(
  place: P,
  source: GraphSource<P, M>,
  isWhole: boolean,
): readonly P[] {
  if (!isWhole && !place.row.kind.startsWith('html_')) return [place]
  const { start, end } = place.row.lines
  return source
    .partsOf(place)
    .filter(({ row }) => isWhole || (start <= row.lines.start && row.lines.end <= end))
}

/** Functions that name a class as their own but are defined outside it. */
function membersOutside<P extends GraphPlace, M extends GraphMention>(
  place: P,
  source: GraphSource<P, M>,
  isSure: (mention: M) => boolean,
): Neighbour<P, M>[] {
  if (shapeOfKind(place.row.kind) !== 'class') return []
  return source.mentionsTo(place, 'code').flatMap((mention) => {
    if (mention.form !== 'class' || mention.section !== place.row.id || !isSure(mention)) return []
    const at = source.byId(mention.origin)
    return at === null ? [] : [{ via: 'member_functions', direction: 'out', at, mention, line: mention.line }]
  })
}

/** A reference to a whole document leads to each of its sections; a reference to a file of code leads to none of its definitions. */
function incoming<P extends GraphPlace, M extends GraphMention>(
  place: P,
  source: GraphSource<P, M>,
  { purpose, incoming: from }: NeighbourOptions,
  isSure: (mention: M) => boolean,
): Neighbour<P, M>[] {
  const { id, kind, level } = place.row
  const takesWhole = level === 0 || (purpose === 'follow' && !hasGrammar(kind))
  const isMeant = ({ section }: M): boolean =>
    section === id || (section === null ? takesWhole : purpose === 'show' && level === 0)
  return source.mentionsTo(place, from as Exclude<EdgeSide, 'none'>).flatMap((mention) => {
    const at = isSure(mention) && isMeant(mention) ? source.byId(mention.origin) : null
    const via = at === null ? null : relationOf(mention.form, at.row.kind, kind)
    return at === null || via === null ? [] : [{ via, direction: 'in', at, mention, line: mention.line }]
  })
}

/** The relation of a parent to a child: a class has functions, a file a docstring. */
function relationToChild(kind: string): Via {
  const shape = shapeOfKind(kind)
  return shape === 'class_function' ? 'member_functions' : shape === 'docstring' ? 'docstring' : 'defines'
}

function structure<P extends GraphPlace>({ row }: P, at: P): Neighbour<P, never>[] {
  const other = at.row
  if (other.rowId === row.rowId) return []
  const found: Neighbour<P, never>[] = []
  const add = (via: Via, direction: ExpansionDirection, inner: P['row']): void => {
    found.push({ via, direction, at, mention: null, line: inner.lines.start })
  }
  const shape = shapeOfKind(other.kind)
  const isTerminal = ['import', 'docstring'].includes(shapeOfKind(row.kind))
  if (shape === 'import' && !isTerminal) add('imports', 'out', other)
  if (shape === 'docstring' && !isTerminal) add('docstring', 'out', other)
  if (other.parent === row.rowId && shape !== 'docstring') add(relationToChild(other.kind), 'out', other)
  if (row.parent === null) return found
  if (other.rowId === row.parent) {
    // A document that starts with its first heading has no text of its own.
    if (other.ownLines !== null) {
      add('defines', 'family', row)
      if (shape === 'class') add('class_name', 'out', row)
      if (shape === 'class' || shape === 'type') add('class_header', 'out', row)
    }
    add(relationToChild(row.kind), 'in', row)
  } else if (other.parent === row.parent) add('defines', 'family', other)
  return found
}
