// Which parts of a referenced document come along? What the anchor names, or what its type says is worth reading.

import { analyzeWords } from '../parse/analyze-words.ts'
import type { DocumentType } from './classify-document.ts'

/** A section of the target as the planner sees it. */
export interface TargetSection {
  readonly id: string
  readonly kind: string
  readonly name: string
  readonly anchor: string | null
  readonly level: number
  /** Own text without the heading; empty when there is only a heading. */
  readonly body: string
}

export interface ChooseOptions {
  readonly maxPerAdr: number
  readonly maxPerDesign: number
  readonly maxPerOps: number
  readonly opsWords: readonly string[]
  readonly relevance: (text: string) => number
  /** Similarity to the referring section: breaks ties. */
  readonly nearness: (text: string) => number
}

export const chooseDefaults: Omit<ChooseOptions, 'relevance'> = {
  nearness: () => 0,
  maxPerAdr: 3,
  maxPerDesign: 2,
  maxPerOps: 2,
  opsWords: 'deploy restart rollback monitor recover diagnos troubleshoot alert debug procedure'.split(' '),
}

/** A chosen section, why, and how much of it: an overview is its first paragraphs only. */
export interface ChosenSection {
  readonly section: TargetSection
  readonly because: string
  readonly paragraphs: number | null
}

const OVERVIEW_PARAGRAPHS = 3

function anchorWords(anchor: string): string {
  return anchor.toLowerCase().replace(/[-_]+/g, ' ').trim()
}

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

function withTitle(sections: readonly TargetSection[], words: readonly string[]): TargetSection[] {
  return sections.filter(
    ({ name, body }) => body.trim() !== '' && words.some((word) => name.toLowerCase().includes(word)),
  )
}

function chooseForAdr(sections: readonly TargetSection[], limit: number): ChosenSection[] {
  const core = withTitle(sections, ['context', 'decision'])
  const more = withTitle(sections, ['motivation', 'rationale', 'consequences', 'summary'])
  if (core.length === 0) {
    const rest = more.map((section) => ({ section, because: 'reasons of the decision', paragraphs: null }))
    return [...firstWithText(sections), ...rest].slice(0, limit)
  }
  const ordered = [...core, ...more.filter((section) => !core.includes(section))]
  return ordered
    .slice(0, limit)
    .map((section) => ({ section, because: 'context and decision', paragraphs: null }))
}

/** The sections that fit, the best first; the overview when none fits at all. */
function chooseByRelevance(
  sections: readonly TargetSection[],
  limit: number,
  { relevance, nearness }: ChooseOptions,
): ChosenSection[] {
  const texts = sections.map((section, order) => ({
    section,
    order,
    text: `${section.name}\n${section.body}`,
  }))
  const scored = texts
    .filter(({ section }) => section.body.trim() !== '')
    .map((one) => ({ ...one, score: relevance(one.text), near: nearness(one.text) }))
    .sort((a, b) => b.score - a.score || b.near - a.near || a.order - b.order)
  const fitting = scored.filter(({ score }) => score > 0).slice(0, limit)
  if (fitting.length > 0)
    return fitting.map(({ section }) => ({ section, because: 'fits the question', paragraphs: null }))
  // No section is relevant to the question: fall back to the one that is most similar to the referring section.
  const nearest = scored.find(({ near }) => near > 0)
  return nearest === undefined
    ? firstWithText(sections)
    : [{ section: nearest.section, because: 'fits what refers to it', paragraphs: null }]
}

function chooseForOps(sections: readonly TargetSection[], o: ChooseOptions): ChosenSection[] {
  const practical = withTitle(sections, o.opsWords)
  if (practical.length === 0) return chooseByRelevance(sections, o.maxPerOps, o)
  return practical
    .slice(0, o.maxPerOps)
    .map((section) => ({ section, because: 'operational heading', paragraphs: null }))
}

/** The sections to expand without an anchor, or with one that resolves to nothing. */
export function chooseByType(
  sections: readonly TargetSection[],
  type: DocumentType,
  options: ChooseOptions,
): ChosenSection[] {
  switch (type) {
    case 'adr':
      return chooseForAdr(sections, options.maxPerAdr)
    case 'design':
    case 'code':
      return chooseByRelevance(sections, options.maxPerDesign, options)
    case 'ops':
      return chooseForOps(sections, options)
    case 'other':
    case 'family':
      return firstWithText(sections)
  }
}

/** Shorter words are mostly stop words. */
const SHORTEST = 4

function wordsOf(text: string): Set<string> {
  const words = new Set<string>()
  analyzeWords(text, (term) => {
    if (term.length >= SHORTEST) words.add(term)
  })
  return words
}

/** Compares texts with one text: 0 when they share nothing. */
export function compareWords(one: string): (other: string) => number {
  let words: Set<string> | null = null
  return (other) => {
    words ??= wordsOf(one)
    let shared = 0
    for (const word of wordsOf(other)) if (words.has(word)) shared += Math.log2(word.length)
    return shared
  }
}
