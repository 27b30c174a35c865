// Which sections are worth quoting? Those of the ranking up to where a digest ends, each text once.

import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import type { DropReason } from '../../model/digest.ts'
import type { ArtifactText, RankedSection } from '../../model/section.ts'
import { isCodeKind } from '../../read/parse/artifact-kinds.ts'
import { contentBeginning, foldOf } from '../assemble/compare-texts.ts'
import { CHANCE, ENDING, LEAD_CHANCE, STALE_BELOW, STALE_YIELDS } from '../assemble/tuning.ts'
import type { DigestParts } from './digest-parts.ts'

/** A section that is worth quoting: its text is read, and no other has the same. */
export interface WantedSection {
  readonly section: RankedSection
  readonly text: ArtifactText
  readonly alsoAt: { path: string; lines: { start: number; end: number } }[]
  /** How likely it is needed, in parts of the first one's chance. */
  readonly chance: number
}

export interface Listed {
  readonly wanted: readonly WantedSection[]
  readonly dropped: ReadonlyMap<RankedSection, DropReason>
  /** Sections below this score are excluded. */
  readonly leastScore: number
}

interface ListLimits {
  /** In the order of `orderSections`. */
  readonly sections: readonly RankedSection[]
  /** Of all sections together. */
  readonly tokens: number
  /** Of the head of one. */
  readonly perSection: number
  readonly textOf: (section: number) => ArtifactText
}

/**
 * The ranking as a digest quotes it: what was looked up leads, else authority does, and headings without text are
 * followed by the sections below them.
 */
export function orderSections(
  { ranking, context }: DigestParts,
  textOf: ListLimits['textOf'],
): readonly RankedSection[] {
  const { sections } = ranking
  const ordered = sections[0]?.lookedUp !== undefined ? sections : leadWithAuthority(sections)
  return withChildren(ordered, context.reader, textOf)
}

/** Sections up to where a digest ends, each text once; the others with the reason. */
export function listWanted(
  { ranking, options, leastScore }: DigestParts,
  { sections, tokens, perSection, textOf }: ListLimits,
): Listed {
  const dropped = new Map<RankedSection, DropReason>()
  const wanted: WantedSection[] = []
  const byBeginning = new Map<string, WantedSection[]>()
  const files = new Set<number>()
  const best = sections[0]?.score ?? 0
  // Enough to choose from: what comes later finds no tokens.
  let enough = 2 * tokens
  let matched = 0
  for (const section of sections) {
    const { artifact, file, score, signals, yieldsTo, lookedUp } = section
    let reason: DropReason | null = null
    if (lookedUp === undefined && signals.relevance < ranking.relevanceThreshold) reason = 'below threshold'
    else if (!options.fill && score < endOf(leastScore, matched)) reason = 'adds little'
    else if (wanted.length >= options.sections) reason = 'section limit'
    else if (enough <= 0) reason = 'no room'
    else if (files.has(yieldsTo ?? -1)) reason = 'other edition'
    if (reason !== null) {
      dropped.set(section, reason)
      continue
    }
    const text = textOf(artifact.rowId)
    const beginning = contentBeginning(section, text)
    const alike = byBeginning.get(beginning) ?? []
    const twin = alike.find((one) => foldOf(one.section, one.text) === foldOf(section, text))
    if (beginning === '' || twin !== undefined) {
      twin?.alsoAt.push({ path: file.path, lines: artifact.ownLines ?? artifact.lines })
      dropped.set(section, beginning === '' ? 'no text of its own' : 'duplicate')
      continue
    }
    const one = { section, text, alsoAt: [], chance: chanceOf(section, { score: best }) }
    wanted.push(one)
    byBeginning.set(beginning, [...alike, one])
    files.add(artifact.file)
    enough -= Math.min(artifact.tokens, perSection)
    matched += artifact.tokens
  }
  // A document that the question names is shown as it is, even if it has nothing but markup.
  const [first] = sections
  if (wanted.length === 0 && first !== undefined && ranking.strategy.name === 'reference_filter') {
    dropped.delete(first)
    wanted.push({ section: first, text: textOf(first.artifact.rowId), alsoAt: [], chance: 1 })
  }
  return { wanted, dropped, leastScore: endOf(leastScore, matched) }
}

/** The minimum score after this number of tokens. What fits does not count, so that digests of all budgets end at the same section. */
const endOf = (leastScore: number, matched: number): number =>
  matched < ENDING.tokens ? ENDING.first * leastScore : leastScore

/** A leading heading without text of its own gives way to the sections below it. */
function withChildren(
  sections: readonly RankedSection[],
  reader: CorpusReader,
  textOf: ListLimits['textOf'],
): RankedSection[] {
  const best = sections[0]?.score ?? 0
  const seen = new Set<number>()
  return sections.flatMap((section): RankedSection[] => {
    const { artifact } = section
    const isOpened =
      section.score >= LEAD_CHANCE * best &&
      !isCodeKind(artifact.kind) &&
      contentBeginning(section, textOf(artifact.rowId)) === ''
    const rows = isOpened
      ? reader
          .artifactsOf(artifact.file)
          .filter(({ parent, ownLines }) => parent === artifact.rowId && ownLines !== null)
      : []
    const below = rows.map((row) => {
      const known = sections.find((one) => one.artifact.rowId === row.rowId)
      const child = known ?? { ...section, artifact: row, matches: [] }
      return { ...child, score: Math.max(child.score, section.score) }
    })
    return [section, ...below].filter(({ artifact: { rowId } }) => !seen.has(rowId) && seen.add(rowId))
  })
}

/** How likely a section is needed, in parts of the best one's chance. */
export const chanceOf = ({ score }: Pick<RankedSection, 'score'>, best: Pick<RankedSection, 'score'>) =>
  Math.exp(-CHANCE * (1 - Math.min(1, best.score > 0 ? score / best.score : 0)))

/** A document of doubtful authority does not lead while another document, of ordinary authority, answers as well. */
function leadWithAuthority(sections: readonly RankedSection[]): readonly RankedSection[] {
  const isStale = ({ artifact, canonicality }: RankedSection): boolean =>
    canonicality.score < STALE_BELOW && !isCodeKind(artifact.kind)
  const [best] = sections
  if (best === undefined || !isStale(best)) return sections
  const other = sections.find((one) => !isStale(one) && !isCodeKind(one.artifact.kind))
  if (other === undefined || other.score < STALE_YIELDS * best.score) return sections
  // What is quoted first has the highest score.
  return [other, ...sections.filter((one) => one !== other)].map((one, place) => ({
    ...one,
    score: (sections[place] as RankedSection).score,
  }))
}
