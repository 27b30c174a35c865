// How does a digest read as Markdown? The frame with its facts, and each passage under its source.
import type { DigestLayout } from '../../model/config/settings.ts'
import { describeConfidence, describeWords } from '../../model/describe-confidence.ts'
import type {
  Digest,
  DigestDocument,
  Excerpt,
  ExpandedDocument,
  Passage,
  Pointer,
} from '../../model/digest.ts'
import {
  describeGap,
  formatCount,
  formatInstant,
  formatQuantity,
  formatScore,
  lastUpdated,
} from '../../model/format-numbers.ts'
import { markOneLine } from '../../model/mark-invisible.ts'
import { getOrAdd } from '../../model/remember.ts'
import { isCodeKind } from '../../read/parse/artifact-kinds.ts'
import { describeNextStep, type FrameLevel, digestFrame as frame, howAsked } from './digest-frame.ts'
import { escapeName, escapeQuery, formatPlace, formatRanges, isLongQuery } from './escape-inline.ts'
import { sourceLines, writeCode, writeExcerpt } from './escape-text.ts'
import { documentLanguage, fenceLanguage } from './fence-language.ts'
import { countLineEnds } from './source-text.ts'

/** Maximum number of referring lines that are listed. */
const SHOWN_REFERENCES = 3

interface MarkdownFrame {
  /** As it is to be shown, without the tilde: `7,850`. The caller counts with the tokenizer of the digest. */
  readonly actualTokens: string
  /** How much of the frame is shed for a small budget; 0, the full layout, by default. */
  readonly frameLevel?: FrameLevel
}

/** The whole digest as Markdown, with a line end after the last line. */
export function renderMarkdown(digest: Digest, options: MarkdownFrame): string {
  const level = options.frameLevel ?? 0
  const layout = layoutOf(level)
  const { family = [], referenced = [] } = Object.groupBy(digest.expanded, ({ type }) =>
    type === 'family' ? 'family' : 'referenced',
  )
  const blocks = [
    ...renderTitle(digest, layout),
    ...(layout === 'numbered' ? [] : [renderFacts(digest, options.actualTokens, level)]),
    ...(digest.notices.length > 0 ? [renderNotices(digest.notices)] : []),
    frame.rule,
    ...(level < 4 && digest.documents.length > 0 ? [renderDocuments(digest.documents), frame.rule] : []),
    frame.content,
    ...(digest.primary.length > 0
      ? digest.primary.map((passage) => renderPassage(passage, layout))
      : [`${frame.nothing}\n\n${frame.rule}`]),
    ...renderAll(frame.expanded, referenced, layout),
    ...renderAll(frame.family, family, layout),
    ...(digest.pointers.length > 0 ? [frame.pointers, renderPointers(digest.pointers)] : []),
    ...(level < 3 ? [renderMetadata(digest, options.actualTokens, level)] : []),
    ...(level < 1 ? [frame.rule, frame.usage(askedAgain(digest.query.text)).join('\n')] : []),
  ]
  return `${blocks.join('\n\n')}\n`
}

function renderTitle({ query, confidence, strategy }: Digest, layout: DigestLayout): string[] {
  const verdict =
    layout !== 'full'
      ? describeNextStep(confidence, { of: 'digest', asked: howAsked(strategy) })
      : describeConfidence(confidence)
  const words = strategy.callerWords === undefined ? [] : [describeWords(strategy.callerWords)]
  const lines = [verdict, ...words].map((line) => frame.verdict(markOneLine(line)))
  return [frame.title(escapeQuery(query.text)), lines.join('\n')]
}

/** Documents under their heading; nothing where there are none. */
const renderAll = (heading: string, documents: readonly ExpandedDocument[], layout: DigestLayout) =>
  documents.length === 0 ? [] : [heading, ...documents.map((one) => renderExpanded(one, layout))]

/** The smallest frame goes with the brief layouts. */
export const layoutOf = (level: FrameLevel): DigestLayout =>
  level === 5 ? 'numbered' : level === 4 ? 'brief' : 'full'

/** One passage, from its heading to the rule that ends it. */
export function renderPassage(passage: Passage, layout: DigestLayout): string {
  const name = escapeName(passage.name)
  const heading =
    layout === 'full' ? frame.passage(name, markOneLine(passage.path)) : frame.briefPassage(name)
  return `${heading}\n\n${renderSourced(passage, layout)}`
}

/** A referenced document with its passages. */
export function renderExpanded(document: ExpandedDocument, layout: DigestLayout): string {
  const [title, path] = [escapeName(document.title), markOneLine(document.path)]
  // A title that ends with the path would be read back as a full heading: it is written as one.
  const isBrief = layout !== 'full' && !title.endsWith(frame.expandedDocument('', path).slice('### '.length))
  const heading = isBrief ? frame.briefPassage(title) : frame.expandedDocument(title, path)
  return [heading, ...document.passages.map((passage) => renderSourced(passage, layout))].join('\n\n')
}

/** Cache: a digest is rendered repeatedly until it fits, and passages are immutable. */
const rendered: Readonly<Record<DigestLayout, WeakMap<Passage, string>>> = {
  full: new WeakMap(),
  brief: new WeakMap(),
  numbered: new WeakMap(),
}

/** A passage's lines under their source, up to the rule that ends it. */
export const renderSourced = (passage: Passage, layout: DigestLayout): string =>
  getOrAdd(rendered[layout], passage, () => writeSourced(passage, layout))

const shownPlaces = (places: Passage['referencedBy']): string[] =>
  places
    .slice(0, SHOWN_REFERENCES)
    .map(({ path, line, place }) => formatPlace(path, [{ start: line, end: line }], place))

function writeSourced(passage: Passage, layout: DigestLayout): string {
  const { canonicality } = passage.signals
  const ranges = passage.excerpts.map((excerpt) => excerpt.lines)
  const place = formatPlace(passage.path, ranges, passage.place)
  const places = [
    layout === 'full'
      ? frame.source(place, formatScore(canonicality))
      : frame.briefSource(place, escapeName(passage.caution ?? '')),
    ...passage.alsoAt.map((place) => frame.alsoAt(formatPlace(place.path, [place.lines], place.place))),
    ...shownPlaces(passage.referencedBy).map(frame.referencedBy),
    // The brief layout has the path in the source line.
    ...(layout === 'full' ? shownPlaces(passage.sameDocumentAs ?? []) : []).map(frame.sameDocumentAs),
  ]
  const { path, kind } = passage
  const reserved = fenceLanguage(path)
  const fence = isCodeKind(kind) ? (reserved ?? 'text') : null
  const language = documentLanguage(path, kind)
  const blocks = [places.join('\n')]
  passage.excerpts.forEach((excerpt, index) => {
    const before = passage.excerpts[index - 1]
    if (before) blocks.push(frame.gap(describeGap(before.lines, excerpt.lines)))
    const inFence = excerpt.inFence ?? false
    blocks.push(
      layout === 'numbered' && countLineEnds(excerpt.text) >= NUMBERED_EACH
        ? writeCode(numberLines(excerpt), fence ?? language)
        : fence === null
          ? writeExcerpt(excerpt.text, { inFence, language, reserved })
          : writeCode(excerpt.text, fence),
    )
  })
  if (passage.truncated) {
    const shown = ranges.reduce((sum, { start, end }) => sum + end - start + 1, 0)
    blocks.push(frame.cut(shown, Math.max(shown, passage.ofLines ?? shown)))
  }
  blocks.push(frame.rule)
  return blocks.join('\n\n')
}

/** Lines from one number to the next: at each line they would take 12 to 18 % more tokens, at every fifth 4 %. */
const NUMBERED_EACH = 5

/** Every fifth line begins with its number and a tab; where it is a fence, the line after it. */
function numberLines({ text, lines }: Excerpt): string {
  const all = sourceLines(text)
  // A heading above the passage is among its lines, so they are counted from the end.
  const first = lines.end - all.length + 1
  let isDue = false
  const number = (line: string, at: number): string => {
    isDue ||= (first + at) % NUMBERED_EACH === 0
    if (!isDue || /^\s*(?:`{3}|~{3})/.test(line)) return line
    isDue = false
    return `${first + at}\t${line}`
  }
  return all.map(number).join('\n')
}

/** `- docs/guide.md:12-40 Retries · A failed call is repeated three times.`; a further one of the file has no path. */
export function renderPointer({ path, lines, name, line }: Pointer, isFurther: boolean): string {
  const place = isFurther ? formatRanges([lines]) : formatPlace(path, [lines])
  return `${isFurther ? '  ' : ''}${frame.pointer(place, escapeName(name), line === '' ? '' : escapeName(line))}`
}

function renderPointers(pointers: readonly Pointer[]): string {
  const files = Map.groupBy(pointers, ({ path }) => path).values()
  return [...files].flatMap((some) => some.map((pointer, at) => renderPointer(pointer, at > 0))).join('\n')
}

function renderFacts(digest: Digest, actualTokens: string, level: FrameLevel): string {
  const fields = [
    frame.field('Token Budget', String(digest.query.maxTokens)),
    frame.field('Actual Tokens', `~${actualTokens}`),
  ]
  if (level < 4) {
    fields.unshift(frame.field('Generated', formatInstant(digest.generatedAt) ?? 'unknown'))
    if (digest.primaryAreas.length > 0)
      fields.push(frame.field('Primary Areas', digest.primaryAreas.map(markOneLine).join(', ')))

    fields.push(frame.field('Documents Scanned', String(digest.documentsScanned)))
    const passages = digest.expanded.reduce((sum, one) => sum + one.passages.length, digest.primary.length)
    // Neighbouring sections share one source.
    const sources = passages === digest.sectionsSelected ? '' : ` in ${formatQuantity(passages, 'passage')}`
    fields.push(frame.field('Sections Selected', `${digest.sectionsSelected}${sources}`))
  }
  return fields.join('\n')
}

/** A quote line each; between two an empty one, so that each is a paragraph. */
const renderNotices = (notices: readonly string[]): string =>
  notices.map((notice) => frame.note(markOneLine(notice))).join('\n>\n')

export function renderDocumentEntry(document: DigestDocument, number: number): string {
  const { path, score, canonicality, status, role, sections } = document
  return [
    frame.document(number, markOneLine(path), formatScore(score), formatScore(canonicality.score)),
    frame.documentDetail('Last updated', lastUpdated(document) ?? 'unknown'),
    frame.documentDetail('Status', role === undefined ? status : `${status}, ${role}`),
    frame.documentDetail('Sections included', String(sections)),
  ].join('\n')
}

function renderDocuments(documents: readonly DigestDocument[]): string {
  const entries = documents.map((document, index) => renderDocumentEntry(document, index + 1))
  return [frame.documents, ...entries].join('\n\n')
}

function renderMetadata(digest: Digest, actualTokens: string, level: FrameLevel): string {
  const threshold = formatScore(digest.relevanceThreshold)
  const statistics = [
    frame.statistics,
    frame.statistic('Total candidate sections', String(digest.candidateSections)),
    digest.searchedBy === 'words'
      ? frame.statistic('BM25 relevance threshold', threshold)
      : frame.statistic('Relevance threshold', `${threshold} (${digest.searchedBy})`),
    ...(digest.leastScore === 0 ? [] : [frame.statistic('Cut-off score', formatScore(digest.leastScore))]),
    frame.statistic('Selected after filtering', String(digest.sectionsSelected)),
  ]
  const average = tokensPerSection(actualTokens, digest.sectionsSelected)
  if (average !== null)
    statistics.push(frame.statistic('Token allocation per section', `~${average} tokens avg`))
  const blocks = [frame.metadata, ...(level < 2 ? [frame.legend.join('\n')] : []), statistics.join('\n')]
  return blocks.join('\n\n')
}

/** Rounded to tens, so that it stays the same while the exact number of tokens is settled. */
function tokensPerSection(actualTokens: string, sections: number): string | null {
  const tokens = Number(actualTokens.replaceAll(',', ''))
  return sections > 0 && Number.isFinite(tokens) ? formatCount(Math.round(tokens / sections / 10) * 10) : null
}

const askedAgain = (query: string): string =>
  isLongQuery(query) ? 'the question that this digest was made for.' : `"${escapeQuery(query)}"`
