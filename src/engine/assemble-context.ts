// How does a question become a digest? Analyse, rank, select, render within the budget.
import { fitDigest } from '../assemble/fit-digest.ts'
import { makePassages } from '../assemble/make-passages.ts'
import { primaryAreas } from '../assemble/primary-areas.ts'
import { renderExplain } from '../assemble/render-explain.ts'
import { documentFacts, passageFacts } from '../assemble/render-json.ts'
import { renderDocumentEntry, renderPassage } from '../assemble/render-markdown.ts'
import { type Costs, type Selection, selectSections } from '../assemble/select-sections.ts'
import { canonicalStatus } from '../graph/score-canonicality.ts'
import type { Digest, DigestDocument, Passage } from '../model/digest.ts'
import type { AssembleResult, Freshness, QueryAnalysis } from '../model/report.ts'
import { analyzeQuery } from '../retrieve/analyze-query.ts'
import { type RankedSection, type Ranking, rankSections } from '../retrieve/rank-sections.ts'
import { stopWords } from '../retrieve/stop-words.ts'
import { suggestTerms } from '../retrieve/suggest-terms.ts'
import type { ArtifactText, CorpusReader } from '../store/corpus-reader.ts'
import { DecodedPostings } from '../store/postings.ts'
import type { TokenCounter } from '../tokens/token-counter.ts'
import type { AssembleOptions } from './engine.ts'
import { loadTokenizer } from './load-tokenizer.ts'

/** Names looked through for suggestions. */
const NAMES_LIMIT = 200_000
const AREAS = 3

export interface AssembleContext {
  readonly reader: CorpusReader
  readonly now: number
  readonly relevanceThreshold: number
  readonly freshness: Freshness
  readonly notices: readonly string[]
}

/** What a passage and a document entry cost beside their text, by rendering them. */
function markdownCosts(countTokens: TokenCounter, exact: boolean): Costs {
  const documents = new Map<number, number>()
  return {
    document: (section) => {
      const known = documents.get(section.artifact.file)
      if (known !== undefined) return known
      const cost = countTokens(`${renderDocumentEntry(entryOf(section), 10)}\n\n`)
      documents.set(section.artifact.file, cost)
      return cost
    },
    passage: (section) => countTokens(`${renderPassage(emptyPassage(section))}\n\n`) + 1,
    piece: (_, text, piece) => {
      const { start, end, tokens } = text.pieces[piece] as ArtifactText['pieces'][number]
      return exact ? tokens : countTokens(text.text.slice(start, end))
    },
    text: countTokens,
  }
}

/** In JSON the text is escaped, so it is counted as it will be written. */
function jsonCosts(countTokens: TokenCounter, explain: boolean): Costs {
  return {
    document: (section) => countTokens(JSON.stringify(documentFacts(entryOf(section), explain))) + 2,
    passage: (section) => countTokens(JSON.stringify(passageFacts(emptyPassage(section), explain))) + 2,
    piece: (_, text, piece) => {
      const { start, end } = text.pieces[piece] as ArtifactText['pieces'][number]
      return countTokens(JSON.stringify(text.text.slice(start, end)))
    },
    text: (text) => countTokens(JSON.stringify(text)),
  }
}

function entryOf(section: RankedSection): DigestDocument {
  const { file, canonicality, score } = section
  const status = canonicalStatus(canonicality.score)
  return {
    path: file.path,
    title: file.title,
    score,
    canonicality,
    status,
    modifiedAt: file.modifiedAt,
    sections: 1,
  }
}

function emptyPassage(section: RankedSection): Passage {
  const { artifact, file, score, signals } = section
  return {
    path: file.path,
    kind: artifact.kind,
    language: file.language,
    name: artifact.name,
    artifacts: [artifact.id],
    excerpts: [{ lines: artifact.ownLines ?? artifact.lines, text: '' }],
    truncated: false,
    score,
    signals,
    origin: { kind: 'search' },
    alsoAt: [],
    referencedBy: [],
  }
}

function nothingFound(reader: CorpusReader, analysis: QueryAnalysis): string[] {
  const words = analysis.terms.map(({ word }) => word)
  const near = suggestTerms(words, reader.names(NAMES_LIMIT))
  const said = 'Nothing in the index matches this question.'
  return [
    near.length > 0
      ? `${said} Near terms: ${near.join(', ')}.`
      : `${said} Try other words, or \`yore status\` to see what is indexed.`,
  ]
}

interface DigestParts {
  readonly question: string
  readonly options: AssembleOptions
  readonly context: AssembleContext
  readonly analysis: QueryAnalysis
  readonly ranking: Ranking
}

function areasOf(parts: DigestParts, selection: Selection): string[] {
  const lexical = parts.context.reader.lexical()
  const list = new DecodedPostings()
  return primaryAreas(
    selection.chosen.map(({ section: { file, artifact } }) => ({
      path: file.path,
      headings: [file.title, ...artifact.headings],
    })),
    {
      asked: new Set(parts.analysis.terms.map(({ term }) => term)),
      frequency: (term) => {
        lexical.read(term, list)
        return list.length
      },
      fragments: lexical.livingFragments,
      limit: AREAS,
      stopWords,
    },
  )
}

function makeDigest(parts: DigestParts, selection: Selection): Digest {
  const { context, options, ranking } = parts
  const { documents, passages } = makePassages(selection.chosen)
  const { reader } = context
  return {
    query: {
      text: parts.question,
      maxTokens: options.maxTokens,
      maxSections: options.sections,
      maxDepth: options.depth,
    },
    generatedAt: context.now,
    tokenizer: options.tokenizer,
    documentsScanned: reader.lexical().livingDocuments,
    candidateSections: ranking.sections.length,
    sectionsSelected: selection.chosen.length,
    relevanceThreshold: context.relevanceThreshold,
    primaryAreas: selection.chosen.length > 0 ? areasOf(parts, selection) : [],
    documents,
    primary: passages,
    expanded: [],
    unresolved: [],
    dropped: selection.dropped,
    fingerprint: reader.meta('fingerprint') ?? '',
    notices:
      ranking.sections.length === 0
        ? [...context.notices, ...nothingFound(reader, parts.analysis)]
        : context.notices,
  }
}

/** Answers a question from one snapshot of the index. */
export function assembleContext(
  question: string,
  options: AssembleOptions,
  context: AssembleContext,
): AssembleResult {
  return assembleRanked(question, options, context).result
}

/** An answer and the ranking that it was chosen from. */
export interface Assembled {
  readonly result: AssembleResult
  readonly ranking: Ranking
}

/** As `assembleContext`, for those who must explain what is not in the digest. */
export function assembleRanked(
  question: string,
  options: AssembleOptions,
  context: AssembleContext,
): Assembled {
  const { reader, freshness } = context
  return reader.snapshot(() => {
    const analysis = analyzeQuery(question)
    const ranking = rankSections(reader, analysis, { now: context.now })
    const countTokens = loadTokenizer(options.tokenizer)
    const costs =
      options.format === 'json'
        ? jsonCosts(countTokens, options.explain)
        : markdownCosts(countTokens, options.tokenizer === 'o200k')
    const texts = new Map<number, ArtifactText>()
    const textOf = ({ artifact }: RankedSection): ArtifactText => {
      let text = texts.get(artifact.rowId)
      if (text === undefined) {
        text = reader.text(artifact.rowId)
        texts.set(artifact.rowId, text)
      }
      return text
    }
    const build = (budget: number, cutPieces: boolean): Digest => {
      const { relevanceThreshold } = context
      const limits = { budget, maxSections: options.sections, relevanceThreshold, cutPieces }
      const parts = { question, options, context, analysis, ranking }
      return makeDigest(parts, selectSections(ranking.sections, { costs, textOf }, limits))
    }
    const { output, digest, tokensUsed } = fitDigest(build, { ...options, countTokens })
    const explanation = renderExplain(digest)
    return { result: { output, digest, tokensUsed, freshness, explanation }, ranking }
  })
}
