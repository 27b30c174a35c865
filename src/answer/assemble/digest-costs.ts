// What does each part of a digest cost? Counted by rendering it, so that selection and output agree.

import type { DigestDocument, Passage } from '../../model/digest.ts'
import type { ArtifactText, RankedSection } from '../../model/section.ts'
import type { TokenCounter } from '../../read/tokens/token-counter.ts'
import { listDocument } from './make-passages.ts'
import { namePassage } from './name-passage.ts'
import { renderDocumentEntry, renderExpanded, renderPassage, renderSourced } from './render-markdown.ts'
import type { ExpansionCosts } from './select-expansions.ts'
import type { Costs } from './select-sections.ts'
import { GAP_TOKENS } from './tuning.ts'

export interface DigestCosts {
  readonly primary: Omit<Costs, 'relevance'>
  readonly expanded: ExpansionCosts
}

/** Token counts of pieces are stored in the index; with `exact` they are those of the tokenizer of the digest. */
export function markdownCosts(
  countTokens: TokenCounter,
  { exact, layout }: { readonly exact: boolean; readonly layout: 'full' | 'brief' },
): DigestCosts {
  const documents = new Map<number, number>()
  const passages = new Map<number, number>()
  return {
    primary: {
      document: (section) => {
        if (layout === 'brief') return 0
        const known = documents.get(section.artifact.file)
        if (known !== undefined) return known
        const cost = countTokens(`${renderDocumentEntry(entryOf(section), 10)}\n\n`)
        documents.set(section.artifact.file, cost)
        return cost
      },
      passage: (section) => {
        const known = passages.get(section.artifact.rowId)
        if (known !== undefined) return known
        const cost = countTokens(`${renderPassage(emptyPassage(section), layout)}\n\n`) + 1
        passages.set(section.artifact.rowId, cost)
        return cost
      },
      piece: (_, text, piece) => {
        const { start, end, tokens } = text.pieces[piece] as ArtifactText['pieces'][number]
        return exact ? tokens : countTokens(text.text.slice(start, end))
      },
      text: countTokens,
      gap: GAP_TOKENS,
    },
    expanded: {
      document: (document) => countTokens(`${renderExpanded(document, layout)}\n\n`),
      passage: (passage) => countTokens(`${renderSourced(passage, layout)}\n\n`) + 1,
      text: countTokens,
    },
  }
}

function entryOf({ file, canonicality, score }: RankedSection): DigestDocument {
  return listDocument(file, canonicality, { score, sections: 1 })
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
