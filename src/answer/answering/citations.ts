// Which lines of the digest refer to which sections, and which references lead nowhere?

import { confident } from '../../corpus/graph/neighbours.ts'
import type { ArtifactFinder } from '../../corpus/lookup/find-artifact.ts'
import type { ReferenceRow } from '../../corpus/store/rows/reference-reader.ts'
import type { Citation } from '../../model/conversation.ts'
import type { LinePlace, Unresolved } from '../../model/digest.ts'
import type { ArtifactRow, RankedSection } from '../../model/section.ts'
import { type Chosen, linesOf } from '../assemble/section-runs.ts'
import { FOLLOW_RELEVANCE } from '../assemble/tuning.ts'
import { classifyDocument } from '../expand/classify-document.ts'

/** Unresolved references of prose are reported; unresolved names in code are mostly those of other packages. */
const followed: ReadonlySet<string> = new Set(['link', 'wiki', 'id'])

/** Lines of a section that are in the digest. */
export interface QuotedLines extends Pick<Citation, 'path' | 'start' | 'end'> {
  readonly artifact: ArtifactRow
}

/** The shown lines of a section. */
export function placesOf(chosen: Chosen): QuotedLines[] {
  const { artifact, file } = chosen.section
  return chosen.runs.map((run) => ({ artifact, path: file.path, ...linesOf(chosen, run) }))
}

/** Relevant enough for its references to be followed. */
export const isFollowed = ({ section }: Chosen): boolean => section.signals.relevance >= FOLLOW_RELEVANCE

interface CitationOptions {
  readonly finder: ArtifactFinder
  readonly relevance: (text: string) => number
}

/** References in the shown lines of the chosen sections. */
export function readCitations({ finder, relevance }: CitationOptions) {
  /** References in the shown lines of a section. */
  function shownIn(one: Chosen): readonly ReferenceRow[] {
    const places = placesOf(one)
    const { artifact: row, file } = one.section
    const isShown = (line: number): boolean => places.some(({ start, end }) => start <= line && line <= end)
    return finder.mentionsIn({ row, file }).filter(({ form, line }) => followed.has(form) && isShown(line))
  }

  /** Those to other documents. */
  function mentions(one: Chosen): readonly (ReferenceRow & { readonly path: string })[] {
    return shownIn(one).flatMap((mention) => {
      const { path, outcome, confidence } = mention
      const isOther = outcome === 'resolved' && path !== null && path !== one.section.file.path
      return isOther && (confidence ?? 0) >= confident ? [{ ...mention, path }] : []
    })
  }

  /** Decisions, designs and runbooks that these sections refer to, by path. */
  function citedBy(chosen: readonly Chosen[]): ReadonlySet<string> {
    const cited = chosen.filter(isFollowed).flatMap((one) => mentions(one).map(({ path }) => path))
    return new Set(cited.filter((path) => classifyDocument(path) !== 'other'))
  }

  function bestRelevance(chosen: readonly Chosen[]): number {
    return Math.max(0, ...chosen.slice(0, 2).map(({ text }) => relevance(text.text)))
  }

  /** Lines of chosen sections that refer to other chosen ones, by artifact; to a document as a whole, at its best section. */
  function among(chosen: readonly Chosen[]): ReadonlyMap<string, readonly LinePlace[]> {
    const found = new Map<string, LinePlace[]>()
    const ids = new Set(chosen.map(({ section }) => section.artifact.id))
    const best = new Map<string, RankedSection>()
    for (const { section } of chosen)
      if ((best.get(section.file.path)?.score ?? -1) < section.score) best.set(section.file.path, section)
    for (const one of chosen)
      for (const { path, section, line } of mentions(one)) {
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
  function unresolved(chosen: readonly Chosen[]): Unresolved[] {
    return chosen.flatMap((one) =>
      shownIn(one).flatMap(({ line, target, outcome: reason, candidates }): Unresolved[] => {
        if (reason !== 'missing' && reason !== 'ambiguous') return []
        return [{ path: one.section.file.path, line, target, reason, candidates }]
      }),
    )
  }

  return { citedBy, bestRelevance, among, unresolved }
}
