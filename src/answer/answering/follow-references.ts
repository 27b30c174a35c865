// Where do the chosen sections' references lead, and which of them are followed? Reads the graph and asks the planner.

import { neighbours, relations } from '../../corpus/graph/neighbours.ts'
import { ArtifactFinder, type FoundArtifact } from '../../corpus/lookup/find-artifact.ts'
import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import type { ReferenceRow } from '../../corpus/store/rows/reference-reader.ts'
import type { Canonicality, Dropped, Excerpt } from '../../model/digest.ts'
import { remember } from '../../model/remember.ts'
import type { ArtifactRow, ArtifactText, FileRow, RankedSection } from '../../model/section.ts'
import { isCodeKind, languageOfKind, shapeOfKind } from '../../read/parse/artifact-kinds.ts'
import { hasContent } from '../assemble/empty-text.ts'
import type { ExpansionSource } from '../assemble/expansion-offers.ts'
import { findSignature } from '../assemble/find-signature.ts'
import { type Chosen, linesOf } from '../assemble/section-runs.ts'
import { bodyOf, countLineEnds, dropBlankEnd } from '../assemble/source-text.ts'
import { DOCUMENT_RELEVANCE, FOLLOW_RELEVANCE, LINK_RELEVANCE, NEAREST_SIBLINGS } from '../assemble/tuning.ts'
import type { TargetSection } from '../expand/choose-sections.ts'
import { classifyDocument } from '../expand/classify-document.ts'
import type { ExpansionLimits } from '../expand/expansion-state.ts'
import { judgeExpansion } from '../expand/judge-expansion.ts'
import type {
  FoundFamily,
  FoundReference,
  Plan,
  PlanInput,
  PlannedDocument,
  PlannedSection,
} from '../expand/plan.ts'
import { planExpansions } from '../expand/plan-expansions.ts'
import { planFamilies } from '../expand/plan-families.ts'
import { isFollowed, placesOf, type QuotedLines, readCitations } from './citations.ts'
import type { AssembleOptions } from './question-options.ts'

interface FollowOptions extends ExpansionLimits, Pick<PlanInput, 'rulebookFor' | 'relevance'> {
  readonly reader: CorpusReader
  /** The text of a section, read once for a question. */
  readonly textOf: (section: number) => ArtifactText
  readonly canonicality: (file: FileRow) => Canonicality
  /** Lexical score of a document, divided by that of the best document: 0 to 1. */
  readonly documentScore: (file: number) => number
  /** Files that no reference is followed to, unless one of them is shown. */
  readonly isOtherEdition: (file: number) => boolean
}

/** Maximum lines of overloads that are shown with an implementation. */
const MOST_OVERLOADS = 40

/** Follows references for one question; what it reads is kept for the next round of fitting. */
export function followReferences(options: FollowOptions) {
  const { reader, textOf, maxDepth, rulebookFor, relevance, isOtherEdition } = options
  const finder = new ArtifactFinder(reader)
  const citations = readCitations({ finder, relevance })
  const overloadCache = new Map<number, Excerpt[]>()
  const familyCache = new Map<number, Pick<FoundFamily, 'parent' | 'siblings'>>()

  /** What is shown above a function: the signature of its class, and its overloads. */
  const headerOf = ({ artifact }: RankedSection, layout: AssembleOptions['layout']): readonly Excerpt[] => [
    ...(layout === 'full' ? classHeader(artifact) : []),
    ...overloadsAbove(artifact),
  ]

  /** The overloads of a function, with what documents them: its implementation has neither. */
  function overloadsAbove({ rowId, file, kind, headings, ownLines }: ArtifactRow): readonly Excerpt[] {
    const shape = shapeOfKind(kind)
    if (languageOfKind(kind) !== 'typescript' || !shape.endsWith('function') || ownLines === null) return []
    let found = overloadCache.get(rowId)
    if (found === undefined) {
      found = []
      let start = ownLines.start
      for (const row of reader.artifactsOf(file).toReversed()) {
        const own = row.ownLines
        if (own === null || own.end + 1 !== start || row.headings.join('.') !== headings.join('.')) continue
        if (ownLines.start - own.start > MOST_OVERLOADS) break
        const text = dropBlankEnd(textOf(row.rowId).text)
        found.unshift({ lines: { start: own.start, end: own.start + countLineEnds(text) }, text })
        start = own.start
      }
      overloadCache.set(rowId, found)
    }
    return found
  }

  /** The signature of the class around a function, where the rulebook allows it at no cost. */
  function classHeader(artifact: ArtifactRow): readonly Excerpt[] {
    if (artifact.parent === null || shapeOfKind(artifact.kind) !== 'class_function') return []
    const parent = reader.artifact(artifact.parent)
    const allowance = { budgetLeft: 0, maxDepth, depthOfFrom: 0, visited: new Set<string>() }
    const reachable = [{ id: parent.id, kind: parent.kind, direction: 'out' as const }]
    const verdict = judgeExpansion(
      { from: artifact.id, via: 'class_header', target: parent.id },
      { rulebook: rulebookFor(artifact.kind), fromKind: artifact.kind, reachable, allowance },
    )
    const signature = verdict.allowed ? signatureOf(parent) : null
    return signature === null ? [] : [signature]
  }

  function signatureOf({ rowId, kind, name, ownLines }: ArtifactRow): Excerpt | null {
    if (ownLines === null || !isCodeKind(kind)) return null
    return findSignature(textOf(rowId).text, name, ownLines.start)
  }

  const sectionsOf = remember((path: string): readonly TargetSection[] =>
    (finder.document(path)?.rows ?? []).map((row) => targetOf(row)),
  )

  function targetOf(row: ArtifactRow): TargetSection {
    const { id, kind, name, anchor, level } = row
    return {
      ...{ id, kind, name, anchor, level },
      // Lazy: a large document has hundreds of sections, and the text of one or two is needed.
      get body(): string {
        return bodyOf(row, textOf(row.rowId))
      },
    }
  }

  /** Everything known of a planned section. */
  function sourceOf(planned: PlannedSection): ExpansionSource {
    const { row: artifact, file } = finder.byId(planned.id) as FoundArtifact
    const { language, title } = file
    const text = textOf(artifact.rowId)
    return { artifact, text, language, title, canonicality: options.canonicality(file) }
  }

  /** References to other documents in the lines of a place. */
  function referencesIn(place: QuotedLines, primaryPaths: ReadonlySet<string>): FoundReference[] {
    const { artifact: row, start, end } = place
    const file = finder.document(place.path)?.file
    if (file === undefined) return []
    const around = neighbours({ row, file }, finder, {
      purpose: 'follow',
      outgoing: true,
      incoming: 'none',
      structure: false,
      lines: { start, end },
    })
    const isFound = ({ via, direction, at }: (typeof around)[number]): boolean =>
      direction === 'out' &&
      relations[via].inDigest === 'document' &&
      (isOtherEdition(file.id) || !isOtherEdition(at.file.id))
    const { id: from, kind: fromKind, rowId } = row
    return around.filter(isFound).flatMap(({ via, mention, at, line }): FoundReference[] => {
      const { path } = at.file
      const { section, anchor } = mention as ReferenceRow
      // A quoted document is expanded only where an anchor names another part, or for its decision (record 0014 in docs/decisions).
      const isWhole = section === null && classifyDocument(path) !== 'adr'
      if (path === place.path || (primaryPaths.has(path) && isWhole)) return []
      const fromText = textOf(rowId).text
      return [{ from, fromKind, fromPath: place.path, line, via, path, section, anchor, fromText }]
    })
  }

  /** Parents and siblings of the chosen sections, within the cost that references left over. */
  function planFamiliesOf(chosen: readonly Chosen[], present: ReadonlySet<string>, budget: number): Plan {
    const families = chosen.flatMap((one): FoundFamily[] => {
      const { artifact, file, signals } = one.section
      const [run] = one.runs
      if (signals.relevance < FOLLOW_RELEVANCE || isCodeKind(artifact.kind) || run === undefined) return []
      const { id: from, kind: fromKind } = artifact
      return [{ from, fromKind, path: file.path, line: linesOf(one, run).start, ...familyOf(one.section) }]
    })
    const input = {
      canonicality: authority,
      rulebookFor,
      depthOfFrom: () => 0,
      present,
    }
    return planFamilies(families, input, { budget, maxDepth })
  }

  /** The parent of a section and its nearest siblings, as far as they have text of their own. */
  function familyOf({ artifact: row, file }: RankedSection): Pick<FoundFamily, 'parent' | 'siblings'> {
    const known = familyCache.get(row.rowId)
    if (known !== undefined) return known
    const wanted = { purpose: 'follow', outgoing: false, incoming: 'none', structure: true } as const
    const family = neighbours({ row, file }, finder, wanted)
      .filter(({ direction }) => direction === 'family')
      .map(({ at }) => at.row)
    const inOrder = family.filter(({ rowId }) => rowId !== row.parent)
    const before = inOrder.filter(({ lines }) => lines.start < row.lines.start).length
    const distance = (at: number): number => (at < before ? before - at : at - before + 1)
    const nearest = inOrder
      .map((one, at) => ({ one, distance: distance(at) }))
      .sort((a, b) => a.distance - b.distance)
    const siblings: TargetSection[] = []
    for (const { one } of nearest) {
      if (siblings.length === NEAREST_SIBLINGS) break
      if (hasText(one)) siblings.push(targetOf(one))
    }
    const parent = family.find(({ rowId }) => rowId === row.parent)
    const found = { parent: parent && hasText(parent) ? targetOf(parent) : null, siblings }
    familyCache.set(row.rowId, found)
    return found
  }

  function hasText(row: ArtifactRow): boolean {
    return row.ownLines !== null && hasContent(row, textOf(row.rowId))
  }

  /** The sections of the leading document whose references are not followed yet: a reader of it is expected to know what they require. */
  function elsewhere(chosen: readonly Chosen[]): QuotedLines[] {
    const lead = chosen.reduce<Chosen | null>(
      (top, one) => (top === null || one.section.score > top.section.score ? one : top),
      null,
    )?.section
    if (lead === undefined || isCodeKind(lead.artifact.kind)) return []
    const quoted = new Set(chosen.filter(isFollowed).map(({ section }) => section.artifact.rowId))
    const { path } = lead.file
    return (finder.document(path)?.rows ?? []).flatMap((artifact): QuotedLines[] => {
      if (quoted.has(artifact.rowId) || artifact.ownLines === null) return []
      return [{ artifact, path, ...artifact.ownLines }]
    })
  }

  /**
   * Expansions of the chosen sections, hop by hop. `everyLink` lifts the relevance threshold for targets of links where the
   * budget is not contested; `wholeLead` also follows what unquoted sections of the leading document refer to.
   */
  function plan(
    chosen: readonly Chosen[],
    { everyLink, wholeLead }: { everyLink: boolean; wholeLead: boolean },
  ): Plan {
    const documents: PlannedDocument[] = []
    const denied: Plan['denied'][number][] = []
    const present = new Set(chosen.map(({ section }) => section.artifact.id))
    const depths = new Map<string, number>([...present].map((id) => [id, 0]))
    const paths = new Set(chosen.map(({ section }) => section.file.path))
    let budget = options.budget
    const bestRelevance = (): number => citations.bestRelevance(chosen)
    // What the leading document names elsewhere comes behind what its quoted sections name.
    let rounds = [chosen.filter(isFollowed).flatMap(placesOf), wholeLead ? elsewhere(chosen) : []]
    for (let depth = 1; depth <= maxDepth && rounds.flat().length > 0; depth++) {
      const reached: QuotedLines[] = []
      for (const [round, places] of rounds.entries()) {
        const input: PlanInput = {
          references: places.flatMap((place) => referencesIn(place, paths)),
          sectionsOf,
          canonicality: authority,
          rulebookFor,
          present,
          depthOfFrom: (id) => depths.get(id) ?? 0,
          relevance,
          bestRelevance,
          speaksOfIt,
        }
        const linkRelevance = everyLink && round === 0 ? 0 : LINK_RELEVANCE
        const plan = planExpansions(input, { budget, maxDepth, linkRelevance })
        budget = plan.budgetLeft
        denied.push(...plan.denied)
        documents.push(...plan.documents)
        for (const { path, sections } of plan.documents) {
          paths.add(path)
          reached.push(...sections.map((section) => hopTo(section, depths, present)))
        }
      }
      rounds = [reached]
    }
    return { documents: joinDocuments(documents), denied, budgetLeft: budget }
  }

  function fileOf(path: string): FileRow {
    return (finder.document(path) as { file: FileRow }).file
  }

  function speaksOfIt(path: string): boolean {
    const file = finder.document(path)?.file
    return file !== undefined && options.documentScore(file.id) >= DOCUMENT_RELEVANCE
  }

  function authority(path: string): number {
    const file = finder.document(path)?.file
    return file === undefined ? 0 : options.canonicality(file).score
  }

  function hopTo(planned: PlannedSection, depths: Map<string, number>, present: Set<string>): QuotedLines {
    depths.set(planned.id, planned.depth)
    present.add(planned.id)
    const { row } = finder.byId(planned.id) as FoundArtifact
    const lines = row.ownLines ?? row.lines
    return { artifact: row, path: planned.path, start: lines.start, end: lines.end }
  }

  /** What the cost budget cut off, for the explanation. */
  function listUnaffordable(denied: Plan['denied']): Dropped[] {
    const targets = new Set(
      denied.flatMap(({ target, reason }) => (reason === 'budget_exceeded' ? [target] : [])),
    )
    return [...targets].flatMap((artifact): Dropped[] => {
      const at = finder.byId(artifact)
      if (at === null) return []
      const lines = at.row.ownLines ?? at.row.lines
      return [{ artifact, path: at.file.path, lines, score: 0, reason: 'expansion budget' }]
    })
  }

  return { citations, headerOf, sourceOf, plan, planFamilies: planFamiliesOf, fileOf, listUnaffordable }
}

/** A document that is reached on two hops appears once. */
function joinDocuments(documents: readonly PlannedDocument[]): PlannedDocument[] {
  const byPath = new Map<string, PlannedDocument>()
  for (const document of documents) {
    const known = byPath.get(document.path)
    const joined = known && { ...known, sections: [...known.sections, ...document.sections] }
    byPath.set(document.path, joined ?? document)
  }
  return [...byPath.values()]
}
