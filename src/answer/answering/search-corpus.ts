// Which sections match the words? The ranking as a list, each hit with the lines that show why.

import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import type { Lines } from '../../model/artifact.ts'
import { describeConfidence } from '../../model/describe-confidence.ts'
import type { Freshness, SearchHit, SearchResult } from '../../model/report.ts'
import type { ArtifactText, RankedSection } from '../../model/section.ts'
import { type FindPlace, makeFindPlace } from '../assemble/find-place.ts'
import { namePassage } from '../assemble/name-passage.ts'
import { countLineEnds, dropBlankEnd, firstPiece } from '../assemble/source-text.ts'
import { withoutOtherEditions } from '../retrieve/find-edition.ts'
import { type ExcerptInput, type FindTerms, makeExcerpt, makeFindTerms } from '../retrieve/make-excerpt.ts'
import { describeUnread, findNearTerms, noticesAbout } from './question-notices.ts'
import { analyzeAsked, type CascadeContext, searchByCascade } from './search-by-cascade.ts'

export interface SearchContext extends CascadeContext {
  readonly freshness: Freshness
}

/** The text of the best fragment; of one that is frontmatter, the body instead, or without one the frontmatter's lines. */
function matchedText({ artifact, matches }: RankedSection, held: ArtifactText): ExcerptInput {
  const { text, pieces } = held
  const body = firstPiece(artifact, held)
  const start = Math.max(matches[0]?.pieceStart ?? 0, body)
  const end = matches[0]?.pieceEnd ?? pieces.length
  const first = pieces[start]
  const last = pieces[Math.max(end, start + 1) - 1]
  if (first !== undefined && last !== undefined && text.slice(first.start).trim() !== '')
    return { text: text.slice(first.start, last.end), firstLine: first.lines.start }
  const lines = text.split('\n').slice(body)
  return { text: lines.filter((line) => !isFence(line)).join('\n'), firstLine: artifact.lines.start + body }
}

const isFence = (line: string): boolean => /^(?:---|\+\+\+|\.\.\.)\s*$/.test(line)

/** Maximum number of places listed for a long section. */
const PLACES = 3
/** Places are listed only if the best one is at most this share of the section. */
const PART = 1 / 3

/** Where a long section matches, best first, without the blank lines at the end of each; empty for a short one. */
function matchedLines({ artifact, matches }: RankedSection, { text, pieces }: ArtifactText): Lines[] {
  const places = matches.slice(0, PLACES).flatMap(({ pieceStart, pieceEnd }): Lines[] => {
    const [first, last] = [pieces[pieceStart], pieces[pieceEnd - 1]]
    if (first === undefined || last === undefined) return []
    const { start } = first.lines
    return [{ start, end: start + countLineEnds(dropBlankEnd(text.slice(first.start, last.end))) }]
  })
  const [best] = places
  const own = artifact.ownLines ?? artifact.lines
  const isLong = best !== undefined && best.end - best.start + 1 <= PART * (own.end - own.start + 1)
  return isLong ? places : []
}

function makeHit(
  reader: CorpusReader,
  { section, further }: ListedSection,
  { findTerms, findPlace }: { readonly findTerms: FindTerms; readonly findPlace: FindPlace },
): SearchHit {
  const { artifact, file, score, signals, canonicality } = section
  const text = reader.text(artifact.rowId)
  const lines = artifact.ownLines ?? artifact.lines
  return {
    artifact: artifact.id,
    path: file.path,
    title: file.title,
    headings: artifact.headings,
    name: namePassage(artifact, file, () => text.text),
    lines,
    ...findPlace(file.path, [lines]),
    matchedLines: matchedLines(section, text),
    furtherLines: further,
    score,
    signals,
    canonicality,
    excerpt: makeExcerpt(matchedText(section, text), findTerms),
  }
}

/** Maximum number of further sections named for a file. */
const FURTHER = 3

interface ListedSection {
  readonly section: RankedSection
  readonly further: readonly Lines[]
}

/** Each file once, with its best section and the lines of the next ones. */
function listFiles(sections: readonly RankedSection[]): ListedSection[] {
  const files = new Map<number, { section: RankedSection; further: Lines[] }>()
  for (const section of sections) {
    const { ownLines, lines, file } = section.artifact
    const listed = files.get(file)
    if (listed === undefined) files.set(file, { section, further: [] })
    else if (listed.further.length < FURTHER) listed.further.push(ownLines ?? lines)
  }
  return [...files.values()]
}

/** What a search lists: each file once, or sections where they are asked for or where all are of one file. */
function listMatches(
  sections: readonly RankedSection[],
  { limit, allSections }: { readonly limit: number; readonly allSections: boolean },
): ListedSection[] {
  const files = listFiles(sections)
  if (!allSections && files.length > 1) return files.slice(0, limit)
  return sections.slice(0, limit).map((section) => ({ section, further: [] }))
}

/** Searches one snapshot of the index. */
export function searchCorpus(
  query: string,
  options: { readonly limit: number; readonly allSections: boolean },
  context: SearchContext,
): SearchResult {
  const { reader, freshness } = context
  return reader.snapshot(() => {
    const analysis = analyzeAsked(query, context)
    const ranking = searchByCascade(query, analysis, { ...context, listsFiles: true })
    const { sections, strategy } = ranking
    const { callerTerms = [] } = ranking
    const findTerms = makeFindTerms(new Set([...analysis.terms, ...callerTerms].map(({ term }) => term)))
    const words = analysis.terms.map(({ word }) => word)
    const findPlace = makeFindPlace((path) => reader.placesIn(path))
    const hits = listMatches(withoutOtherEditions(sections), options).map((listed) =>
      makeHit(reader, listed, { findTerms, findPlace }),
    )
    return {
      query,
      hits,
      candidateSections: sections.length,
      documentsScanned: reader.count('files'),
      analysis,
      strategy,
      confidence: ranking.confidence,
      suggestions: sections.length > 0 ? [] : findNearTerms(reader, words),
      notices: [
        ...describeUnread(reader, query, analysis),
        ...(['low', 'none'].includes(ranking.confidence.label) && sections.length > 0
          ? [describeConfidence(ranking.confidence)]
          : []),
        ...noticesAbout(reader, ranking),
      ],
      freshness,
    }
  })
}
