// What does each part of a digest cost? Counted by rendering it, so that selection and output agree.

import type { DigestLayout } from '../../model/config/settings.ts'
import type { Passage, Pointer } from '../../model/digest.ts'
import { getOrAdd } from '../../model/remember.ts'
import type { ArtifactText, RankedSection } from '../../model/section.ts'
import type { TokenCounter } from '../../read/tokens/token-counter.ts'
import type { ExpansionCosts } from './expansion-offers.ts'
import { listDocument } from './make-passages.ts'
import { namePassage } from './name-passage.ts'
import {
  renderDocumentEntry,
  renderExpanded,
  renderPassage,
  renderPointer,
  renderSourced,
} from './render-markdown.ts'
import type { TextCosts } from './section-runs.ts'
import { GAP_TOKENS } from './tuning.ts'

/** Tokens of the parts of a digest, in the layout that is asked for. */
interface Costs extends TextCosts {
  /** A document's entry in the list. */
  document(section: RankedSection): number
  /** A passage's frame. */
  passage(section: RankedSection): number
}

export interface DigestCosts {
  readonly primary: Omit<Costs, 'relevance'>
  readonly expanded: ExpansionCosts
  /** Of the first of its file, or of a further one, which does not repeat the path. */
  readonly pointer: (pointer: Pointer, isFurther: boolean) => number
}

/** Numbers of every fifth line as a factor of the tokens: 1.04 over code and documents of eight repositories. */
const NUMBERING = 1.05

/** Token counts of pieces are stored in the index. */
export function markdownCosts(countTokens: TokenCounter, layout: DigestLayout): DigestCosts {
  const documents = new Map<number, number>()
  const passages = new Map<number, number>()
  const numbering = layout === 'numbered' ? NUMBERING : 1
  const countPiece = ({ pieces }: ArtifactText, piece: number): number =>
    Math.ceil(numbering * (pieces[piece] as ArtifactText['pieces'][number]).tokens)
  const countText = (text: string): number => Math.ceil(numbering * countTokens(text))
  return {
    primary: {
      document: ({ artifact, file, canonicality, score }) => {
        if (layout !== 'full') return 0
        return getOrAdd(documents, artifact.file, () => {
          const entry = listDocument(file, canonicality, { score, sections: 1 })
          return countTokens(`${renderDocumentEntry(entry, 10)}\n\n`)
        })
      },
      passage: (section) =>
        getOrAdd(passages, section.artifact.rowId, () => {
          return countTokens(`${renderPassage(emptyPassage(section), layout)}\n\n`) + 1
        }),
      piece: (_, text, piece) => countPiece(text, piece),
      text: countText,
      gap: GAP_TOKENS,
    },
    expanded: {
      document: (document) => countTokens(`${renderExpanded(document, layout)}\n\n`),
      passage: (passage) => countTokens(`${renderSourced(passage, layout)}\n\n`) + 1,
      text: countText,
      piece: countPiece,
    },
    pointer: (pointer, isFurther) => countTokens(`${renderPointer(pointer, isFurther)}\n`),
  }
}

function emptyPassage(section: RankedSection): Passage {
  const { artifact, file, score, signals } = section
  return {
    path: file.path,
    kind: artifact.kind,
    language: file.language,
    name: namePassage(artifact, file, () => ''),
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
