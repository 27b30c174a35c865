// Which sections hold exactly this text, or match this regular expression? Matched in linear time, over the text of the index.

import { scoreCanonicality } from '../../corpus/graph/score-canonicality.ts'
import { isTestPath, isVendoredPath } from '../../corpus/resolve/code/code-roles.ts'
import { YoreError } from '../../model/errors.ts'
import { formatCount, formatQuantity } from '../../model/format-numbers.ts'
import type { SearchHit, SearchResult } from '../../model/report.ts'
import type { ArtifactRow, FileRow, RankedSection } from '../../model/section.ts'
import { type FindPlace, makeFindPlace } from '../assemble/find-place.ts'
import { namePassage } from '../assemble/name-passage.ts'
import { analyzeQuery } from '../retrieve/analyze-query.ts'
import { wholeCorpus } from './choose-scope.ts'
import { findNearTerms } from './question-notices.ts'
import { judgePart } from './search-by-cascade.ts'
import type { SearchContext } from './search-corpus.ts'

export type TextMatch = 'exact' | 'regex'

/** Finds the pattern in a text, as [start, end) offsets. */
type FindAll = (text: string) => readonly (readonly [number, number])[]

const SHOWN_PLACES = 4
const EXCERPT_CHARS = 300

async function compile(pattern: string, match: TextMatch): Promise<FindAll> {
  if (match === 'exact') return (text) => findText(text, pattern)
  const { RE2JS } = await import('re2js')
  try {
    const compiled = RE2JS.compile(pattern, RE2JS.MULTILINE)
    return (text) => {
      const found: [number, number][] = []
      const matcher = compiled.matcher(text)
      while (matcher.find()) {
        // An empty match would be found at every offset.
        if (matcher.end() > matcher.start()) found.push([matcher.start(), matcher.end()])
      }
      return found
    }
  } catch (cause) {
    const why = `${JSON.stringify(pattern)} is not a regular expression: ${(cause as { error: string }).error}`
    const hint = 'the syntax is that of RE2: no backreferences and no lookaround; for plain text use exact'
    throw new YoreError('BAD_INPUT', why, { hint, cause })
  }
}

function findText(text: string, wanted: string): [number, number][] {
  const found: [number, number][] = []
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length))
    found.push([at, at + wanted.length])
  return found
}

/** Line ends are LF unless the pattern names CR, so that `$` and a pasted line break match in CRLF files too. */
const readLineEnds = (pattern: string): ((text: string) => string) =>
  /\r|\\r/.test(pattern) ? (text) => text : (text) => text.replaceAll('\r\n', '\n')

/** Own text before tests and foreign code, each by path. */
function orderFiles(files: readonly FileRow[]): readonly FileRow[] {
  const aside = ({ path }: FileRow): number => Number(isTestPath(path) || isVendoredPath(path))
  return files.toSorted((a, b) => aside(a) - aside(b) || (a.path < b.path ? -1 : 1))
}

/** Searches one snapshot of the index; hits in the order of files and lines. Throws BAD_INPUT. */
export async function matchText(
  pattern: string,
  { limit, match }: { readonly limit: number; readonly match: TextMatch },
  context: SearchContext,
): Promise<SearchResult> {
  const { reader, freshness } = context
  const findAll = await compile(pattern, match)
  const toText = readLineEnds(pattern)
  const { only } = context.scope ?? wholeCorpus
  return reader.snapshot(() => {
    const files = reader.files().filter(({ id }) => only?.has(id) ?? true)
    const hits: SearchHit[] = []
    const holding = new Set<number>()
    let [matches, sections] = [0, 0]
    const findPlace = makeFindPlace((path) => reader.placesIn(path))
    for (const file of orderFiles(files))
      for (const artifact of reader.artifactsOf(file.id)) {
        const text = toText(reader.text(artifact.rowId).text)
        const places = findAll(text)
        if (places.length === 0) continue
        holding.add(file.id)
        matches += places.length
        sections++
        if (hits.length < limit) hits.push(makeHit({ artifact, file, text, places, findPlace }, context))
      }

    const found = sections > 0
    const lower = pattern.toLowerCase()
    const holds = ({ rowId }: ArtifactRow): boolean =>
      toText(reader.text(rowId).text).toLowerCase().includes(lower)
    const alike =
      found || match === 'regex' ? [] : files.filter(({ id }) => reader.artifactsOf(id).some(holds))
    const what = match === 'exact' ? 'exactly this text is' : 'this regular expression matches'
    const more = found
      ? `, ${formatQuantity(matches, 'time')} in ${formatQuantity(sections, 'section')}`
      : alike.map(({ path }) => `; in other case in ${formatCount(alike.length)}, such as ${path}`)[0]
    const why = `${what} in ${formatCount(holding.size)} of ${formatCount(files.length)} files${more ?? ''}`
    return {
      query: pattern,
      hits,
      candidateSections: sections,
      documentsScanned: files.length,
      analysis: { ...analyzeQuery(''), text: pattern },
      strategy: { name: match, why },
      confidence: judgePart({ label: found ? 'high' : 'none', score: found ? 1 : 0, why }, context),
      suggestions: found ? [] : findNearTerms(reader, pattern.match(/[\p{L}\p{N}]+/gu) ?? []),
      notices: [],
      freshness,
    }
  })
}

interface TextHits extends Pick<RankedSection, 'artifact' | 'file'> {
  readonly text: string
  readonly places: readonly (readonly [number, number])[]
  readonly findPlace: FindPlace
}

function makeHit({ artifact, file, text, places, findPlace }: TextHits, { now }: SearchContext): SearchHit {
  const own = artifact.ownLines ?? artifact.lines
  const lineOf = (offset: number): number => own.start + countLines(text.slice(0, offset))
  const lines = places
    .slice(0, SHOWN_PLACES)
    .map(([start, end]) => ({ start: lineOf(start), end: lineOf(end - 1) }))
  const canonicality = scoreCanonicality(file, { now })
  return {
    artifact: artifact.id,
    path: file.path,
    title: file.title,
    headings: artifact.headings,
    name: namePassage(artifact, file, () => text),
    lines: own,
    ...findPlace(file.path, lines.length === 0 ? [own] : lines),
    matchedLines: lines.slice(0, 1),
    furtherLines: lines.slice(1),
    score: 1,
    signals: {
      ...{ relevance: 1, lexical: 1, document: 1, vector: null, ranks: {}, parts: [] },
      canonicality: canonicality.score,
    },
    canonicality,
    excerpt: excerptOf(text, places, own.start),
  }
}

function countLines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++
  return count
}

/** The line of the first match, and the matches in it. */
function excerptOf(text: string, places: TextHits['places'], firstLine: number): SearchHit['excerpt'] {
  const [first = [0, 0]] = places
  const lineStart = text.lastIndexOf('\n', first[0] - 1) + 1
  const start = Math.max(lineStart, first[0] - EXCERPT_CHARS / 2)
  const lineEnd = text.indexOf('\n', first[0])
  const end = Math.min(lineEnd === -1 ? text.length : lineEnd, start + EXCERPT_CHARS)
  return {
    line: firstLine + countLines(text.slice(0, lineStart)),
    text: text.slice(start, end),
    matches: places
      .filter(([from]) => from >= start && from < end)
      .map(([from, to]) => [from - start, Math.min(to, end) - start]),
  }
}
