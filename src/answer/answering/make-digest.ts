// What does a digest say about its passages? Their documents and places, how they were found, and notices.
import type { Digest, Dropped, LinePlace, Passage } from '../../model/digest.ts'
import { isCodeKind } from '../../read/parse/artifact-kinds.ts'
import { type FindPlace, makeFindPlace } from '../assemble/find-place.ts'
import { hideShownIn } from '../assemble/hide-shown.ts'
import { makePassages } from '../assemble/make-passages.ts'
import { type AreaInput, primaryAreas } from '../assemble/primary-areas.ts'
import type { Selection } from '../assemble/select-sections.ts'
import type { Ranking } from '../retrieve/rank-sections.ts'
import { stopWords } from '../retrieve/stop-words.ts'
import { artifactsOf, type Choice, type Chooser, type DigestParts } from './choose-passages.ts'
import { describeStrategy } from './question-notices.ts'

const AREAS = 3

function areasOf(parts: DigestParts, selection: Selection): string[] {
  const lexical = parts.context.reader.lexical()
  const documents = new Map<string, AreaInput>()
  for (const { section } of selection.chosen) {
    const { path, title } = section.file
    const sections = (documents.get(path)?.sections ?? 0) + 1
    documents.set(path, { path, title: isCodeKind(section.artifact.kind) ? '' : title, sections })
  }
  return primaryAreas([...documents.values()], {
    asked: new Set(parts.analysis.terms.map(({ term }) => term)),
    frequency: parts.frequency,
    fragments: lexical.livingFragments,
    limit: AREAS,
    stopWords,
  })
}

export function makeDigest(
  parts: DigestParts,
  { selection, expansions, unresolved, references, decisions }: Choice,
  { headerOf, listExpanded }: Pick<Chooser, 'headerOf' | 'listExpanded'>,
): Digest {
  const { context, options, ranking } = parts
  const { documents, passages } = makePassages(selection.chosen, headerOf)
  const { expanded, dropped } = hideShownIn(expansions.documents, passages)
  const shown = new Set(artifactsOf(expansions))
  const unfollowed = new Set(expansions.dropped.map(({ artifact }) => artifact))
  // A section that adds little may still be the target of a reference, whose reason then counts.
  const isListed = ({ artifact, reason }: Dropped): boolean =>
    !shown.has(artifact) && (reason !== 'adds little' || !unfollowed.has(artifact))
  const { reader } = context
  const placed = placePassage(makeFindPlace((path) => reader.placesIn(path)))
  return {
    query: {
      text: parts.question,
      maxTokens: options.statedTokens,
      maxSections: options.sections,
      maxDepth: options.depth,
    },
    generatedAt: context.now,
    tokenizer: options.tokenizer,
    documentsScanned: reader.lexical().livingDocuments,
    candidateSections: ranking.sections.length,
    sectionsSelected: expanded.reduce((sum, one) => sum + one.passages.length, selection.chosen.length),
    relevanceThreshold: ranking.relevanceThreshold,
    searchedBy: searchedBy(ranking, context.meaning?.weight ?? 0),
    strategy: ranking.strategy,
    confidence: ranking.confidence,
    primaryAreas: selection.chosen.length > 0 ? areasOf(parts, selection) : [],
    documents: listExpanded(documents, expanded),
    primary: passages.map((passage) => placed(withReferences(passage, references))),
    expanded: expanded.map((document) => ({ ...document, passages: document.passages.map(placed) })),
    unresolved,
    isComplete: selection.isComplete,
    leastScore: selection.leastScore,
    dropped: [...selection.dropped.filter(isListed), ...expansions.dropped, ...dropped],
    ...(options.explain ? { decisions } : {}),
    fingerprint: reader.meta('fingerprint') ?? '',
    notices: [
      ...context.notices,
      ...[describeStrategy(ranking.strategy)].filter((notice) => notice !== null),
      ...parts.remarks,
      // Where nothing answers, only the nearest places are shown, whatever the limit.
      ...(ranking.confidence.label === 'no match' ? [] : remarkOnLimit(selection, options.sections)),
    ],
  }
}

function withReferences(passage: Passage, references: Choice['references']): Passage {
  return { ...passage, referencedBy: passage.artifacts.flatMap((id) => references.get(id) ?? []) }
}

/** What the relevance of the candidates is made of. */
function searchedBy({ sections }: Ranking, vectorWeight: number): Digest['searchedBy'] {
  if (sections.every(({ signals }) => signals.vector === null)) return 'words'
  return vectorWeight === 1 ? 'embeddings' : 'words and embeddings'
}

/** Adds the places of extracted lines in their files. */
function placePassage(findPlace: FindPlace): (passage: Passage) => Passage {
  const atLine = (one: LinePlace): LinePlace => ({
    ...one,
    ...findPlace(one.path, [{ start: one.line, end: one.line }]),
  })
  return (passage) => ({
    ...passage,
    ...findPlace(
      passage.path,
      passage.excerpts.map(({ lines }) => lines),
    ),
    alsoAt: passage.alsoAt.map((one) => ({ ...one, ...findPlace(one.path, [one.lines]) })),
    referencedBy: passage.referencedBy.map(atLine),
    ...(passage.refersTo === undefined ? {} : { refersTo: passage.refersTo.map(atLine) }),
    ...(passage.sameDocumentAs === undefined ? {} : { sameDocumentAs: passage.sameDocumentAs.map(atLine) }),
  })
}

/** Reports a section limit that excluded candidates. */
function remarkOnLimit({ dropped }: Selection, sections: number): string[] {
  const over = dropped.filter(({ reason }) => reason === 'section limit').length
  return over === 0
    ? []
    : [`The limit of ${sections} section${sections === 1 ? '' : 's'} excludes ${over} that match.`]
}
