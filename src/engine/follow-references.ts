// Where do the chosen sections' references lead, and what of that may come along? Reads the graph and asks the planner.

import { findSignature } from '../assemble/find-signature.ts'
import { type Chosen, linesOf } from '../assemble/section-runs.ts'
import type { ExpansionSource } from '../assemble/select-expansions.ts'
import { bodyOf, countLineEnds, dropBlankEnd } from '../assemble/source-text.ts'
import { isCodeLanguage } from '../config/code-languages.ts'
import type { TargetSection } from '../expand/choose-sections.ts'
import { judgeExpansion } from '../expand/judge-expansion.ts'
import { planCode } from '../expand/plan-code.ts'
import {
  type FoundReference,
  type Plan,
  type PlanInput,
  type PlannedDocument,
  type PlannedSection,
  planExpansions,
} from '../expand/plan-expansions.ts'
import type { FoundFamily } from '../expand/plan-families.ts'
import type { Canonicality, Excerpt, Unresolved } from '../model/digest.ts'
import type { Rulebook } from '../model/expansion.ts'
import { isCodeKind, languageOfKind, shapeOfKind } from '../parse/artifact-kinds.ts'
import type { RankedSection } from '../retrieve/rank-sections.ts'
import type { ArtifactRow, ArtifactText, CorpusReader, FileRow } from '../store/corpus-reader.ts'
import { isCertain, type ReferenceRow } from '../store/reference-reader.ts'
import type { AssembleOptions } from './engine.ts'
import { type CodePlace, type CodeReading, findCodeAround } from './follow-code.ts'

/** What the target of a mere link needs of the best section's relevance; on half A of raydocs nothing is lost from here on. */
const LINK_RELEVANCE = 0.8
/** Documents with less than this of the best document's score are not looked into. */
const SPEAKS_OF_IT = 0.35
/** A section with fewer tokens of its own is explained by its parent, if by anything. */
const SHORT_SECTION = 60
/** Only for sections that answer about as well as the best one is it worth knowing what stands above them. */
const FAMILY_RELEVANCE = 0.5

export interface FollowOptions {
  readonly reader: CorpusReader
  /** The text of a section, read once for a question. */
  readonly textOf: (section: number) => ArtifactText
  readonly maxDepth: number
  /** What the planner may spend, in the rulebook's costs. */
  readonly budget: number
  readonly rulebookFor: (kind: string) => Rulebook
  readonly canonicality: (file: FileRow) => Canonicality
  readonly relevance: (text: string) => number
  /** Whether short sections bring their parents along. */
  readonly families: boolean
  /** How well a document's words match, beside the best document: 0 to 1. */
  readonly documentScore: (file: number) => number
}

/** References of documents; names in code are followed apart. */
const followed: ReadonlySet<string> = new Set(['link', 'wiki', 'id'])

/** Lines of a section that are in the digest, and how well it answers. */
type Place = CodePlace

function placesOf(chosen: Chosen): Place[] {
  const { artifact, file, signals } = chosen.section
  return chosen.runs.map((run) => {
    const lines = linesOf(chosen, run)
    return { artifact, path: file.path, ...lines, relevance: signals.relevance }
  })
}

/** Lines of overloads that come along with an implementation. */
const MOST_OVERLOADS = 40

/** Follows references for one question; what it reads is kept for the next round of fitting. */
export class ReferenceFollower {
  readonly #options: FollowOptions
  readonly #sections = new Map<string, TargetSection[]>()
  readonly #rows = new Map<string, { row: ArtifactRow; file: FileRow }>()
  readonly #files = new Map<string, FileRow | null>()
  readonly #references = new Map<number, ReferenceRow[]>()
  readonly #overloads = new Map<number, Excerpt[]>()

  readonly #reading: CodeReading

  constructor(options: FollowOptions) {
    this.#options = options
    this.#reading = {
      reader: options.reader,
      file: (path) => this.#file(path),
      target: (row, file) => this.#target(row, file),
      references: (artifact) => this.#referencesOf(artifact),
      lineOf: (row) => this.#signatureOf(row)?.lines.start ?? row.lines.start,
    }
  }

  /** What a reader must see above a function: the signature of its class, and its overloads. */
  headerOf = ({ artifact }: RankedSection, layout: AssembleOptions['layout']): readonly Excerpt[] => [
    ...(layout !== 'brief' ? this.#classHeader(artifact) : []),
    ...this.#overloadsAbove(artifact),
  ]

  /** The overloads of a function, with what documents them: its implementation has neither. */
  #overloadsAbove({ rowId, file, kind, headings, ownLines }: ArtifactRow): readonly Excerpt[] {
    const shape = shapeOfKind(kind)
    if (languageOfKind(kind) !== 'typescript' || !shape.endsWith('function') || ownLines === null) return []
    let found = this.#overloads.get(rowId)
    if (found === undefined) {
      found = []
      let start = ownLines.start
      const rows = this.#options.reader.artifactsOf(file).toReversed()
      for (const row of rows) {
        const own = row.ownLines
        if (own === null || own.end + 1 !== start || row.headings.join('.') !== headings.join('.')) continue
        if (ownLines.start - own.start > MOST_OVERLOADS) break
        const text = dropBlankEnd(this.#options.textOf(row.rowId).text)
        found.unshift({ lines: { start: own.start, end: own.start + countLineEnds(text) }, text })
        start = own.start
      }
      this.#overloads.set(rowId, found)
    }
    return found
  }

  /** The signature of the class around a function, where the rulebook lets it come along for nothing. */
  #classHeader(artifact: ArtifactRow): readonly Excerpt[] {
    const { reader, maxDepth, rulebookFor } = this.#options
    if (artifact.parent === null || shapeOfKind(artifact.kind) !== 'class_function') return []
    const parent = reader.artifact(artifact.parent)
    const allowance = { budgetLeft: 0, maxDepth, depthOfFrom: 0, visited: new Set<string>() }
    const reachable = [{ id: parent.id, kind: parent.kind, direction: 'out' as const }]
    const verdict = judgeExpansion(
      { from: artifact.id, via: 'class_header', target: parent.id },
      { rulebook: rulebookFor(artifact.kind), fromKind: artifact.kind, reachable, allowance },
    )
    const signature = verdict.allowed ? this.#signatureOf(parent) : null
    return signature === null ? [] : [signature]
  }

  #signatureOf({ rowId, kind, name, ownLines }: ArtifactRow): Excerpt | null {
    if (ownLines === null || !isCodeKind(kind)) return null
    return findSignature(this.#options.textOf(rowId).text, name, ownLines.start)
  }

  #file(path: string): FileRow | null {
    let file = this.#files.get(path)
    if (file === undefined) {
      file = this.#options.reader.fileByPath(path)
      this.#files.set(path, file)
    }
    return file
  }

  #referencesOf(artifact: number): ReferenceRow[] {
    let rows = this.#references.get(artifact)
    if (rows === undefined) {
      rows = this.#options.reader.references().of(artifact)
      this.#references.set(artifact, rows)
    }
    return rows
  }

  #sectionsOf(path: string): readonly TargetSection[] {
    const known = this.#sections.get(path)
    if (known !== undefined) return known
    const file = this.#file(path)
    const sections =
      file === null ? [] : this.#options.reader.artifactsOf(file.id).map((row) => this.#target(row, file))
    this.#sections.set(path, sections)
    return sections
  }

  #target(row: ArtifactRow, file: FileRow): TargetSection {
    this.#rows.set(row.id, { row, file })
    const { id, kind, name, anchor, level } = row
    // A large document has hundreds of sections, and one or two are looked into.
    const read = (): string => bodyOf(row, this.#options.textOf(row.rowId))
    return {
      id,
      kind,
      name,
      anchor,
      level,
      get body(): string {
        return read()
      },
    }
  }

  /** Everything known of a planned section. */
  sourceOf(planned: PlannedSection): ExpansionSource {
    const { row, file } = this.#rows.get(planned.id) as { row: ArtifactRow; file: FileRow }
    const { language, title } = file
    return {
      artifact: row,
      text: this.#options.textOf(row.rowId),
      language,
      title,
      canonicality: this.#options.canonicality(file),
    }
  }

  #found(place: Place, primaryPaths: ReadonlySet<string>): FoundReference[] {
    const found: FoundReference[] = []
    for (const row of this.#referencesOf(place.artifact.rowId)) {
      if (!isCertain(row) || !followed.has(row.form) || row.path === null || row.path === place.path) continue
      if (row.line < place.start || row.line > place.end) continue
      if (isCodeLanguage(this.#file(row.path)?.language ?? '')) continue
      // A document that is quoted already comes again only where an anchor names a part that is not (decision 14).
      if (primaryPaths.has(row.path) && row.section === null) continue
      const { path, section, anchor, line } = row
      const via = row.form === 'id' || isCodeKind(place.artifact.kind) ? 'cites' : 'links'
      found.push({
        from: place.artifact.id,
        fromKind: place.artifact.kind,
        fromPath: place.path,
        line,
        via,
        path,
        section,
        anchor,
        fromText: this.#options.textOf(place.artifact.rowId).text,
      })
    }
    return found
  }

  /** Short sections of the digest, each with its parent; on two hops its siblings too. */
  #families(chosen: readonly Chosen[]): FoundFamily[] {
    if (!this.#options.families) return []
    return chosen.flatMap(({ section: { artifact, file, signals }, runs }): FoundFamily[] => {
      if (artifact.parent === null || artifact.tokens >= SHORT_SECTION || runs.some(({ start }) => start > 0))
        return []
      if (signals.relevance < FAMILY_RELEVANCE) return []
      const parent = this.#target(this.#options.reader.artifact(artifact.parent), file)
      if (parent.body.trim() === '') return []
      const siblings = this.#options.maxDepth < 2 ? [] : this.#siblingsOf(artifact, file.path)
      const { id: from, kind: fromKind, lines } = artifact
      return [{ from, fromKind, path: file.path, line: lines.start, members: [parent, ...siblings] }]
    })
  }

  #siblingsOf(artifact: ArtifactRow, path: string): TargetSection[] {
    const isSibling = ({ id }: TargetSection): boolean =>
      id !== artifact.id && this.#rows.get(id)?.row.parent === artifact.parent
    return this.#sectionsOf(path).filter((section) => isSibling(section) && section.body.trim() !== '')
  }

  /** What may come along with the chosen sections, hop by hop; `everyLink` where nothing else wants the room. */
  plan(
    chosen: readonly Chosen[],
    { everyLink }: { everyLink: boolean },
  ): { documents: PlannedDocument[]; denied: Plan['denied'] } {
    const documents: PlannedDocument[] = []
    const denied: Plan['denied'][number][] = []
    const present = new Set(chosen.map(({ section }) => section.artifact.id))
    const depths = new Map<string, number>([...present].map((id) => [id, 0]))
    const paths = new Set(chosen.map(({ section }) => section.file.path))
    let places = chosen.flatMap(placesOf)
    let budget = this.#options.budget
    const best = chosen.slice(0, 2).map(({ text }) => text.text)
    const bestRelevance = (): number => Math.max(0, ...best.map(this.#options.relevance))
    for (let depth = 1; depth <= this.#options.maxDepth && places.length > 0; depth++) {
      const input: PlanInput = {
        references: places.flatMap((place) => this.#found(place, paths)),
        families: depth === 1 ? this.#families(chosen) : [],
        sectionsOf: (path) => this.#sectionsOf(path),
        canonicality: (path) => this.#authority(path),
        rulebookFor: this.#options.rulebookFor,
        present,
        depthOfFrom: (id) => depths.get(id) ?? 0,
        relevance: this.#options.relevance,
        bestRelevance,
        speaksOfIt: (path) => this.#speaksOfIt(path),
      }
      const linkRelevance = everyLink ? 0 : LINK_RELEVANCE
      const options = { budget, maxDepth: this.#options.maxDepth, choose: {}, linkRelevance }
      const plan = planExpansions(input, options)
      const visited = new Set([
        ...present,
        ...plan.documents.flatMap(({ sections }) => sections.map(({ id }) => id)),
      ])
      const code = planCode(
        input,
        places.flatMap((place) => findCodeAround(place, this.#reading)),
        { visited, budgetLeft: plan.budgetLeft, options },
      )
      budget = code.budgetLeft
      denied.push(...plan.denied, ...code.denied)
      const planned = [...plan.documents, ...code.documents]
      documents.push(...planned)
      places = planned.flatMap(({ sections }) =>
        sections.map((section) => this.#hop(section, depths, present)),
      )
      for (const { path } of plan.documents) paths.add(path)
    }
    return { documents: joinDocuments(documents), denied }
  }

  #speaksOfIt(path: string): boolean {
    const file = this.#file(path)
    return file !== null && this.#options.documentScore(file.id) >= SPEAKS_OF_IT
  }

  #authority(path: string): number {
    const file = this.#file(path)
    return file === null ? 0 : this.#options.canonicality(file).score
  }

  #hop(planned: PlannedSection, depths: Map<string, number>, present: Set<string>): Place {
    depths.set(planned.id, planned.depth)
    present.add(planned.id)
    const { row } = this.#rows.get(planned.id) as { row: ArtifactRow }
    const lines = row.ownLines ?? row.lines
    return { artifact: row, path: planned.path, start: lines.start, end: lines.end, relevance: 1 }
  }

  /** References in the shown lines of the chosen sections that lead nowhere. */
  unresolved(chosen: readonly Chosen[]): Unresolved[] {
    return chosen.flatMap((one) => {
      const places = placesOf(one)
      const { artifact, file } = one.section
      return this.#referencesOf(artifact.rowId).flatMap((row): Unresolved[] => {
        const { line, target, outcome, candidates, form } = row
        if ((outcome !== 'missing' && outcome !== 'ambiguous') || !followed.has(form)) return []
        if (!places.some(({ start, end }) => start <= line && line <= end)) return []
        return [{ path: file.path, line, target, reason: outcome, candidates }]
      })
    })
  }
}

/** A document that is reached on two hops appears once. */
function joinDocuments(documents: readonly PlannedDocument[]): PlannedDocument[] {
  const byPath = new Map<string, PlannedDocument>()
  for (const document of documents) {
    const known = byPath.get(document.path)
    byPath.set(
      document.path,
      known === undefined ? document : { ...known, sections: [...known.sections, ...document.sections] },
    )
  }
  return [...byPath.values()]
}
