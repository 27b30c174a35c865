// Which parts of a referenced document are shown? What the anchor names, or what its type says is worth reading.

import type { Artifact } from '../../model/artifact.ts'
import { remember } from '../../model/remember.ts'
import { termsIn } from '../../read/parse/words/analyze-words.ts'
import type { DocumentType } from './classify-document.ts'

/** A section of the target as the planner sees it. */
export interface TargetSection extends Pick<Artifact, 'id' | 'name' | 'anchor' | 'level'> {
  readonly kind: string
  /** Own text without the heading; empty when there is only a heading. */
  readonly body: string
}

export interface ChooseOptions {
  readonly relevance: (text: string) => number
  /** Similarity to the referring section: breaks ties. */
  readonly nearness: (text: string) => number
}

/** Maximum number of sections of a document, by its type. */
const MOST_OF = { adr: 3, design: 3, ops: 2 } as const
const opsWords = 'deploy restart rollback monitor recover diagnos troubleshoot alert debug procedure'.split(
  ' ',
)

/** A chosen section, why, and how much of it: an overview is its first paragraphs only. */
export interface ChosenSection {
  readonly section: TargetSection
  readonly because: string
  readonly paragraphs: number | null
}

const OVERVIEW_PARAGRAPHS = 3

const anchorWords = (anchor: string): string => anchor.toLowerCase().replace(/[-_]+/g, ' ').trim()

function firstWithText(sections: readonly TargetSection[]): ChosenSection[] {
  const section = sections.find(({ body }) => body.trim() !== '')
  return section === undefined ? [] : [{ section, because: 'overview', paragraphs: OVERVIEW_PARAGRAPHS }]
}

/** By heading slug, then the first section whose text has the anchor's words (record 0014 in docs/decisions). */
export function chooseByAnchor(sections: readonly TargetSection[], anchor: string): ChosenSection | null {
  const exact =
    sections.find((section) => section.anchor === anchor) ??
    sections.find((section) => section.anchor === anchor.toLowerCase())
  if (exact !== undefined) return { section: exact, because: `anchor #${anchor}`, paragraphs: null }
  const words = anchorWords(anchor)
  if (words === '') return null
  const named = sections.find(({ name }) => anchorWords(name) === words)
  const holding = named ?? sections.find(({ name, body }) => `${name}\n${body}`.toLowerCase().includes(words))
  return holding === undefined ? null : { section: holding, because: `text has "${words}"`, paragraphs: null }
}

/** What a reader needs of a decision, the most needed first, by words in the heading. */
const adrNeeds: readonly (readonly string[])[] = [
  ['decision'],
  ['context'],
  ['consequences'],
  ['motivation', 'rationale', 'summary'],
]

/** Does a heading name it, rather than what led to it ("Decision Drivers") or the whole record? */
const namesDecision = ({ name, level }: TargetSection): boolean =>
  level > 1 && !name.toLowerCase().includes('driver')

/** The section itself or, of a heading without text, the first below it that has text. */
function firstBelow(sections: readonly TargetSection[], section: TargetSection): TargetSection | null {
  if (section.body.trim() !== '') return section
  const rest = sections.slice(sections.indexOf(section) + 1)
  const end = rest.findIndex(({ level }) => level <= section.level)
  return rest.slice(0, end < 0 ? undefined : end).find(({ body }) => body.trim() !== '') ?? null
}

/** The best section for each need in turn, then the others in the same order. */
export function chooseForAdr(sections: readonly TargetSection[]): ChosenSection[] {
  const byNeed = adrNeeds.map((words) =>
    sections
      .filter(({ name }) => words.some((word) => name.toLowerCase().includes(word)))
      .toSorted((a, b) => Number(namesDecision(b)) - Number(namesDecision(a)))
      .flatMap((section) => firstBelow(sections, section) ?? []),
  )
  const hasCore = byNeed.slice(0, 2).some((found) => found.length > 0)
  const ordered = hasCore
    ? [...byNeed.flatMap((found) => found.slice(0, 1)), ...byNeed.flatMap((found) => found.slice(1))]
    : byNeed.flat().toSorted((a, b) => sections.indexOf(a) - sections.indexOf(b))
  const because = hasCore ? 'context and decision' : 'reasons of the decision'
  const chosen = [...new Set(ordered)].map((section) => ({ section, because, paragraphs: null }))
  return (hasCore ? chosen : [...firstWithText(sections), ...chosen]).slice(0, MOST_OF.adr)
}

/** The sections that fit the question, the best first; the overview when nothing fits. */
function chooseByRelevance(
  sections: readonly TargetSection[],
  limit: number,
  { relevance, nearness }: ChooseOptions,
): ChosenSection[] {
  const scored = sections.flatMap((section, order) => {
    const text = `${section.name}\n${section.body}`
    return section.body.trim() === '' ? [] : [{ section, order, text, score: relevance(text) }]
  })
  const fitting = scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || nearness(b.text) - nearness(a.text) || a.order - b.order)
  // Where the question names too few, those most similar to the referring section follow.
  const near = (fitting.length >= 2 ? [] : scored)
    .filter(({ score, text }) => score === 0 && nearness(text) > 0)
    .sort((a, b) => nearness(b.text) - nearness(a.text) || a.order - b.order)
    .slice(0, 2 - fitting.length)
  const chosen = [...fitting, ...near].slice(0, limit)
  if (chosen.length === 0) return firstWithText(sections)
  return chosen.map(({ section, score }) => ({
    section,
    because: score > 0 ? 'fits the question' : 'fits what refers to it',
    paragraphs: null,
  }))
}

function chooseForOps(sections: readonly TargetSection[], options: ChooseOptions): ChosenSection[] {
  const practical = sections.filter(
    ({ name, body }) => body.trim() !== '' && opsWords.some((word) => name.toLowerCase().includes(word)),
  )
  if (practical.length === 0) return chooseByRelevance(sections, MOST_OF.ops, options)
  return practical
    .slice(0, MOST_OF.ops)
    .map((section) => ({ section, because: 'operational heading', paragraphs: null }))
}

/** The sections to expand without an anchor, or with one that resolves to nothing. */
export function chooseByType(sections: readonly TargetSection[], type: DocumentType, options: ChooseOptions) {
  switch (type) {
    case 'adr':
      return chooseForAdr(sections)
    case 'design':
      return chooseByRelevance(sections, MOST_OF.design, options)
    case 'ops':
      return chooseForOps(sections, options)
    case 'other':
    case 'family':
      return firstWithText(sections)
  }
}

/** Shorter words are mostly stop words. */
const SHORTEST = 4

const wordsOf = (text: string): Set<string> =>
  new Set(termsIn(text).filter(({ length }) => length >= SHORTEST))

/** Compares texts with one text: 0 when they share nothing. */
export function compareWords(one: string): (other: string) => number {
  let words: Set<string> | null = null
  return remember((other) => {
    words ??= wordsOf(one)
    let shared = 0
    for (const word of wordsOf(other)) if (words.has(word)) shared += Math.log2(word.length)
    return shared
  })
}
