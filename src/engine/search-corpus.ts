// Which sections match the words? The ranking as a list, each hit with the lines that show why.
import type { Lines } from '../model/artifact.ts'
import type { Freshness, SearchHit, SearchResult } from '../model/report.ts'
import { analyzeQuery } from '../retrieve/analyze-query.ts'
import { makeExcerpt } from '../retrieve/make-excerpt.ts'
import type { RankedSection } from '../retrieve/rank-sections.ts'
import type { CorpusReader } from '../store/corpus-reader.ts'
import { findNearTerms, remarkOnQuestion } from './remark-on-question.ts'
import { type CascadeContext, searchByCascade } from './search-by-cascade.ts'

export interface SearchContext extends CascadeContext {
  readonly freshness: Freshness
}

function makeHit(reader: CorpusReader, section: RankedSection, asked: ReadonlySet<string>): SearchHit {
  const { artifact, file, score, signals, canonicality } = section
  const { text, pieces } = reader.text(artifact.rowId)
  const match = section.matches[0]
  const first = pieces[match?.pieceStart ?? 0]
  const last = pieces[(match?.pieceEnd ?? pieces.length) - 1]
  const part = first === undefined || last === undefined ? '' : text.slice(first.start, last.end)
  return {
    artifact: artifact.id,
    path: file.path,
    title: file.title,
    headings: artifact.headings,
    lines: artifact.ownLines ?? (artifact.lines as Lines),
    score,
    signals,
    canonicality,
    excerpt: makeExcerpt({ text: part, firstLine: first?.lines.start ?? artifact.lines.start }, asked),
  }
}

/** Searches one snapshot of the index. */
export function searchCorpus(
  query: string,
  options: { readonly limit: number },
  context: SearchContext,
): SearchResult {
  const { reader, freshness } = context
  return reader.snapshot(() => {
    const analysis = analyzeQuery(query)
    const ranking = searchByCascade(query, analysis, context)
    const { sections, strategy } = ranking
    const asked = new Set(analysis.terms.map(({ term }) => term))
    const words = analysis.terms.map(({ word }) => word)
    return {
      query,
      hits: sections.slice(0, options.limit).map((section) => makeHit(reader, section, asked)),
      candidateSections: sections.length,
      documentsScanned: reader.lexical().livingDocuments,
      analysis,
      strategy,
      suggestions: sections.length > 0 ? [] : findNearTerms(reader, words),
      notices: remarkOnQuestion(reader, analysis, ranking),
      freshness,
    }
  })
}
