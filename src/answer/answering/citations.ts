// Which lines of the digest refer to which sections, and which sections were found only through what cites them?

import { confident } from '../../corpus/graph/neighbours.ts'
import type { ArtifactFinder } from '../../corpus/lookup/find-artifact.ts'
import type { ReferenceRow } from '../../corpus/store/rows/reference-reader.ts'
import type { LinePlace, Unresolved } from '../../model/digest.ts'
import type { ArtifactText, RankedSection } from '../../model/section.ts'
import { isCodeKind } from '../../read/parse/artifact-kinds.ts'
import { type Chosen, linesOf } from '../assemble/section-runs.ts'
import { bodyOf } from '../assemble/source-text.ts'
import { CITED_RELEVANCE, FOLLOW_RELEVANCE } from '../assemble/tuning.ts'
import { chooseForAdr, type TargetSection } from '../expand/choose-sections.ts'
import { classifyDocument } from '../expand/classify-document.ts'
import type { CodePlace } from './follow-code.ts'

/** Unresolved references of prose are reported; unresolved names in code are mostly those of other packages. */
const followed: ReadonlySet<string> = new Set(['link', 'wiki', 'id'])

/** `shown` are the documents that references show; null while they are not known. */
export type IsCited = (section: RankedSection, shown: ReadonlySet<string> | null) => boolean

/** The shown lines of a section. */
export function placesOf(chosen: Chosen): CodePlace[] {
  const { artifact, file, signals } = chosen.section
  return chosen.runs.map((run) => {
    const lines = linesOf(chosen, run)
    return { artifact, path: file.path, ...lines, relevance: signals.relevance }
  })
}

/** Relevant enough for its references to be followed. */
export function isFollowed({ section }: Chosen): boolean {
  return section.signals.relevance >= FOLLOW_RELEVANCE
}

interface CitationOptions {
  readonly finder: ArtifactFinder
  readonly textOf: (section: number) => ArtifactText
  readonly relevance: (text: string) => number
  readonly sectionsOf: (path: string) => readonly TargetSection[]
}

/** References in the shown lines of the chosen sections. */
export class Citations {
  readonly #options: CitationOptions

  constructor(options: CitationOptions) {
    this.#options = options
  }

  /** References to other documents in the shown lines of a section. */
  #mentions(one: Chosen): readonly (ReferenceRow & { readonly path: string })[] {
    const places = placesOf(one)
    const { artifact: row, file } = one.section
    return this.#options.finder.mentionsIn({ row, file }).flatMap((mention) => {
      const { path, line, outcome, form, confidence: sure } = mention
      if (outcome !== 'resolved' || path === null || path === file.path || !followed.has(form)) return []
      if ((sure ?? 0) < confident || !places.some(({ start, end }) => start <= line && line <= end)) return []
      return [{ ...mention, path }]
    })
  }

  /**
   * Which sections were found only through what cites them? A better section refers to their decision, design or runbook,
   * and their own text has little of the question: what of them is shown is for the reference to say. Where another section
   * of the document answers by its own text, that holds for the parts of a decision that no reference would show.
   */
  findCitedOnly(chosen: readonly Chosen[]): IsCited | null {
    const scores = new Map<string, number>()
    for (const one of chosen.filter(isFollowed))
      for (const { path } of this.#mentions(one))
        if (classifyDocument(path) !== 'other')
          scores.set(path, Math.max(scores.get(path) ?? 0, one.section.score))
    const least = CITED_RELEVANCE * this.bestRelevance(chosen)
    const { relevance, textOf } = this.#options
    const answers = ({ artifact, file, score }: RankedSection): boolean =>
      score >= (scores.get(file.path) ?? 0) ||
      isCodeKind(artifact.kind) ||
      relevance(bodyOf(artifact, textOf(artifact.rowId))) >= least
    const answering = new Set(
      chosen.filter(({ section }) => answers(section)).map(({ section }) => section.file.path),
    )
    const isCited: IsCited = (section, shown) => {
      const { path } = section.file
      if (answers(section)) return false
      return answering.has(path) ? !this.#isUsual(section) : (shown?.has(path) ?? true)
    }
    return chosen.some(({ section }) => isCited(section, null)) ? isCited : null
  }

  /** Is it what a reference to its document would show? */
  #isUsual({ artifact, file }: RankedSection): boolean {
    if (classifyDocument(file.path) !== 'adr') return true
    const usual = chooseForAdr(this.#options.sectionsOf(file.path))
    return usual.some(({ section }) => section.id === artifact.id)
  }

  bestRelevance(chosen: readonly Chosen[]): number {
    return Math.max(0, ...chosen.slice(0, 2).map(({ text }) => this.#options.relevance(text.text)))
  }

  /** Lines of chosen sections that refer to other chosen ones, by artifact; to a document as a whole, at its best section. */
  among(chosen: readonly Chosen[]): ReadonlyMap<string, readonly LinePlace[]> {
    const found = new Map<string, LinePlace[]>()
    const ids = new Set(chosen.map(({ section }) => section.artifact.id))
    const best = new Map<string, RankedSection>()
    for (const { section } of chosen)
      if ((best.get(section.file.path)?.score ?? -1) < section.score) best.set(section.file.path, section)
    for (const one of chosen)
      for (const { path, section, line } of this.#mentions(one)) {
        const target = section === null ? best.get(path)?.artifact.id : section
        if (target === undefined || !ids.has(target)) continue
        const known = found.get(target) ?? []
        const place = { path: one.section.file.path, line }
        if (!known.some((other) => other.path === place.path && other.line === line)) known.push(place)
        found.set(target, known)
      }
    return found
  }

  /** References in the shown lines of the chosen sections that lead nowhere. */
  unresolved(chosen: readonly Chosen[]): Unresolved[] {
    return chosen.flatMap((one) => {
      const places = placesOf(one)
      const { artifact: row, file } = one.section
      return this.#options.finder.mentionsIn({ row, file }).flatMap((mention): Unresolved[] => {
        const { line, target, outcome, candidates, form } = mention
        if ((outcome !== 'missing' && outcome !== 'ambiguous') || !followed.has(form)) return []
        if (!places.some(({ start, end }) => start <= line && line <= end)) return []
        return [{ path: file.path, line, target, reason: outcome, candidates }]
      })
    })
  }
}
