// Which sections answer best? Fragments are scored, rejoined to their sections, and weighed with authority.
import { scoreCanonicality } from '../graph/score-canonicality.ts'
import type { Canonicality, Signals } from '../model/digest.ts'
import type { QueryAnalysis } from '../model/report.ts'
import type { ArtifactRow, CorpusReader, FileRow } from '../store/corpus-reader.ts'
import { type LexicalOptions, scoreLexical } from './score-lexical.ts'

export interface RankOptions {
  readonly now: number
  /** How many fragments are looked at. */
  readonly fragments: number
  readonly lexical: Partial<LexicalOptions>
  /** Weight of relevance; the rest is canonicality's (decision 19). */
  readonly relevanceWeight: number
}

export const rankDefaults: Omit<RankOptions, 'now'> = { fragments: 400, lexical: {}, relevanceWeight: 0.7 }

export interface MatchedFragment {
  readonly pieceStart: number
  readonly pieceEnd: number
  readonly score: number
}

/** A section with its score, what the score is made of, and the parts of its text that matched, best first. */
export interface RankedSection {
  readonly artifact: ArtifactRow
  readonly file: FileRow
  readonly score: number
  readonly signals: Signals
  readonly canonicality: Canonicality
  readonly matches: readonly MatchedFragment[]
}

export interface Ranking {
  readonly sections: readonly RankedSection[]
  readonly matchedFragments: number
}

interface Group {
  readonly artifact: ArtifactRow
  readonly matches: MatchedFragment[]
  readonly lexical: number
  readonly document: number
  readonly relevance: number
}

function compareSections(a: RankedSection, b: RankedSection): number {
  if (a.score !== b.score) return b.score - a.score
  return a.artifact.id < b.artifact.id ? -1 : a.artifact.id > b.artifact.id ? 1 : 0
}

function groupFragments(
  reader: CorpusReader,
  analysis: QueryAnalysis,
  options: RankOptions,
): { groups: Group[]; matched: number } {
  const { fragments, matched } = scoreLexical(reader.lexical(), analysis, {
    ...options.lexical,
    limit: options.fragments,
  })
  const groups = new Map<number, Group>()
  for (const { fragment, score, fragmentScore, documentScore } of fragments) {
    const { artifact, pieceStart, pieceEnd } = reader.fragment(fragment)
    const match = { pieceStart, pieceEnd, score: fragmentScore }
    const group = groups.get(artifact)
    if (group !== undefined) group.matches.push(match)
    else {
      const row = reader.artifact(artifact)
      groups.set(artifact, {
        artifact: row,
        matches: [match],
        lexical: fragmentScore,
        document: documentScore,
        relevance: score,
      })
    }
  }
  return { groups: [...groups.values()], matched }
}

/** Sections that match, best first; ties break by canonical id. */
export function rankSections(
  reader: CorpusReader,
  analysis: QueryAnalysis,
  options: Partial<RankOptions> & { now: number },
): Ranking {
  const o: RankOptions = { ...rankDefaults, ...options }
  const { groups, matched } = groupFragments(reader, analysis, o)
  const best = groups.reduce((most, group) => Math.max(most, group.relevance), 0)
  const files = new Map<number, { file: FileRow; canonicality: Canonicality }>()
  const sections = groups.map((group): RankedSection => {
    let owner = files.get(group.artifact.file)
    if (owner === undefined) {
      const file = reader.file(group.artifact.file)
      owner = { file, canonicality: scoreCanonicality(file, { now: o.now }) }
      files.set(group.artifact.file, owner)
    }
    const relevance = group.relevance / best
    const score = o.relevanceWeight * relevance + (1 - o.relevanceWeight) * owner.canonicality.score
    return {
      artifact: group.artifact,
      ...owner,
      score,
      signals: {
        relevance,
        lexical: group.lexical,
        document: group.document,
        canonicality: owner.canonicality.score,
      },
      matches: group.matches,
    }
  })
  return { sections: sections.sort(compareSections), matchedFragments: matched }
}
