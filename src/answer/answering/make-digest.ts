// What does a digest say about its passages? Their documents and places, how they were found, and notices.
import type { Digest, Dropped, LinePlace, Passage } from '../../model/digest.ts'
import { isCodeKind } from '../../read/parse/artifact-kinds.ts'
import { type FindPlace, makeFindPlace } from '../assemble/find-place.ts'
import { hideShownIn } from '../assemble/hide-shown.ts'
import { makePassages } from '../assemble/make-passages.ts'
import { type AreaInput, primaryAreas } from '../assemble/primary-areas.ts'
import type { Ranking } from '../retrieve/rank-sections.ts'
import { stopWords } from '../retrieve/stop-words.ts'
import { artifactsOf, type Composer, type Composition } from './compose-digest.ts'
import type { DigestParts } from './digest-parts.ts'
import { describeStrategy } from './question-notices.ts'

const AREAS = 3

function areasOf(parts: DigestParts, chosen: Composition['chosen']): string[] {
  const lexical = parts.context.reader.lexical()
  const documents = new Map<string, AreaInput>()
  for (const { section } of chosen) {
    const { path, title } = section.file
    const sections = (documents.get(path)?.sections ?? 0) + 1
    documents.set(path, { path, title: isCodeKind(section.artifact.kind) ? '' : title, sections })
  }
  return primaryAreas([...documents.values()], {
    frequency: parts.frequency,
    fragments: lexical.livingFragments,
    limit: AREAS,
    stopWords,
  })
}

export function makeDigest(
  parts: DigestParts,
  composed: Composition,
  { headerOf, listExpanded, pointTo }: Pick<Composer, 'headerOf' | 'listExpanded' | 'pointTo'>,
): Digest {
  const { context, options, ranking } = parts
  const { chosen, expansions, unresolved, references, decisions } = composed
  const { documents, passages } = makePassages(chosen, headerOf)
  const { expanded, dropped } = hideShownIn(expansions.documents, passages)
  const shown = new Set(artifactsOf(expansions))
  const { reader } = context
  const placed = placePassage(makeFindPlace((path) => reader.placesIn(path)))
  return {
    query: {
      text: parts.question,
      maxTokens: options.statedTokens,
      tokenLimit: options.maxTokens,
      maxSections: options.sections,
      maxDepth: options.depth,
    },
    generatedAt: context.now,
    documentsScanned: reader.count('files'),
    candidateSections: ranking.sections.length,
    sectionsSelected: expanded.reduce((sum, one) => sum + one.passages.length, chosen.length),
    relevanceThreshold: ranking.relevanceThreshold,
    searchedBy: searchedBy(ranking, context.meaning?.weight ?? 0),
    strategy: ranking.strategy,
    confidence: ranking.confidence,
    primaryAreas: chosen.length > 0 ? areasOf(parts, chosen) : [],
    documents: listExpanded(documents, expanded),
    primary: passages.map((passage) =>
      placed({ ...passage, referencedBy: passage.artifacts.flatMap((id) => references.get(id) ?? []) }),
    ),
    expanded: expanded.map((document) => ({ ...document, passages: document.passages.map(placed) })),
    pointers: pointTo(composed.behind),
    unresolved,
    isComplete: composed.isComplete,
    leastScore: options.fill ? 0 : composed.leastScore,
    // Read on demand: a digest that is composed again needs none.
    get dropped(): readonly Dropped[] {
      const unshown = composed.dropped().filter(({ artifact }) => !shown.has(artifact))
      // The target of a reference that matches by itself is listed as a match.
      const matched = new Set(unshown.map(({ artifact }) => artifact))
      return [...unshown, ...dropped.filter(({ artifact }) => !matched.has(artifact))]
    },
    ...(options.explain ? { decisions } : {}),
    fingerprint: reader.meta('fingerprint') ?? '',
    notices: [
      ...context.notices,
      ...[describeStrategy(ranking.strategy)].filter((notice) => notice !== null),
      ...parts.remarks,
      // Any other limit is our own: the verdict and the list of what is not shown tell of it.
      ...(chosen.length < options.statedSections
        ? []
        : remarkOnLimit(composed.dropped(), options.statedSections)),
    ],
  }
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
  return (passage) => {
    const { path, excerpts, alsoAt, referencedBy, sameDocumentAs } = passage
    const lines = excerpts.map((excerpt) => excerpt.lines)
    return {
      ...{ ...passage, ...findPlace(path, lines) },
      alsoAt: alsoAt.map((one) => ({ ...one, ...findPlace(one.path, [one.lines]) })),
      referencedBy: referencedBy.map(atLine),
      ...(sameDocumentAs === undefined ? {} : { sameDocumentAs: sameDocumentAs.map(atLine) }),
    }
  }
}

/** Reports the caller's section limit if it excluded candidates; 0: the caller gave none. */
function remarkOnLimit(dropped: readonly Dropped[], sections: number): string[] {
  if (sections === 0) return []
  const over = dropped.filter(({ reason }) => reason === 'section limit').length
  return over === 0
    ? []
    : [`The limit of ${sections} section${sections === 1 ? '' : 's'} excludes ${over} that match.`]
}
