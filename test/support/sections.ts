// How do tests of selection get ranked sections? From plain paragraphs, each a piece of known cost.
import type { ArtifactKind } from '../../src/model/artifact.ts'
import type { ArtifactText, RankedSection } from '../../src/model/section.ts'

export interface PlainSection {
  readonly id: string
  readonly kind: ArtifactKind
  readonly file: number
  readonly line: number
  /** The heading first. */
  readonly paragraphs: readonly string[]
  readonly score: number
  readonly relevance: number
  /** The paragraph that matched best. */
  readonly match: number
  /** Others that matched, each half as well as the one before. */
  readonly more: readonly number[]
}

/** A text of pieces, one paragraph and a blank line each; a word is a token. */
export function makeText(paragraphs: readonly string[], line = 1): ArtifactText {
  let start = 0
  let at = line
  const pieces = paragraphs.map((paragraph) => {
    const end = start + paragraph.length + 2
    const lines = { start: at, end: at + 1 }
    const piece = { start, end, lines, tokens: paragraph.split(' ').length }
    start = end
    at += 2
    return piece
  })
  return { text: paragraphs.map((paragraph) => `${paragraph}\n\n`).join(''), pieces }
}

export function makeSection(given: Partial<PlainSection> & { readonly id: string }): {
  readonly section: RankedSection
  readonly text: ArtifactText
} {
  const whole = {
    kind: 'markdown_section' as const,
    file: 1,
    line: 1,
    paragraphs: ['# Heading', 'one two three'],
    score: 1,
    relevance: 1,
    match: 1,
    more: [],
    ...given,
  }
  const { id, kind, file, line, paragraphs, score, relevance, match, more } = whole
  const lines = { start: line, end: line + 2 * paragraphs.length - 1 }
  const path = id.split('#')[0] as string
  const section: RankedSection = {
    artifact: {
      rowId: 1000 * file + line,
      file,
      id,
      kind,
      name: id.split('#')[1] ?? id,
      anchor: null,
      level: 1,
      headings: [id],
      parent: null,
      lines,
      ownLines: lines,
      tokens: 0,
    },
    file: {
      id: file,
      path,
      language: 'markdown',
      size: 1,
      mtime: 1,
      contentHash: '',
      modifiedAt: 1,
      title: path,
      status: null,
      inbound: 0,
      rank: 0,
      successor: null,
      role: null,
    },
    score,
    signals: {
      relevance,
      lexical: relevance,
      document: 0,
      vector: null,
      ranks: {},
      canonicality: 0.5,
      parts: [],
    },
    canonicality: { score: 0.5, reasons: [] },
    matches: [match, ...more].map((piece, at) => ({
      pieceStart: piece,
      pieceEnd: piece + 1,
      relevance: relevance / 2 ** at,
      score: score / 2 ** at,
    })),
  }
  return { section, text: makeText(paragraphs, line) }
}
