// What are the chosen sections about? Folder names and heading words that the rest of the corpus does not share.
import { termOf } from '../parse/analyze-words.ts'

export interface AreaInput {
  readonly path: string
  readonly headings: readonly string[]
}

export interface AreaOptions {
  /** Index terms of the question: they say nothing new. */
  readonly asked: ReadonlySet<string>
  /** In how many fragments of the corpus a term occurs. */
  readonly frequency: (term: string) => number
  readonly fragments: number
  readonly limit: number
  readonly stopWords: ReadonlySet<string>
}

function wordsOf(input: AreaInput): Set<string> {
  const folders = input.path.split('/').slice(0, -1)
  const words = [...folders, ...input.headings].flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u))
  return new Set(words.filter((word) => word.length > 2 && !/^\p{N}+$/u.test(word)))
}

/** Words by how many of the chosen sections share them and how rare they are elsewhere; ties by the alphabet. */
export function primaryAreas(sections: readonly AreaInput[], options: AreaOptions): string[] {
  const shared = new Map<string, number>()
  for (const section of sections)
    for (const word of wordsOf(section)) shared.set(word, (shared.get(word) ?? 0) + 1)
  const scored: { word: string; term: string; score: number }[] = []
  for (const [word, count] of shared) {
    const term = termOf(word)
    if (options.stopWords.has(word) || options.asked.has(term)) continue
    const rarity = Math.log((options.fragments + 1) / (options.frequency(term) + 1))
    scored.push({ word, term, score: (count / sections.length) * rarity })
  }
  scored.sort((a, b) => b.score - a.score || (a.word < b.word ? -1 : 1))
  const areas: { word: string; term: string }[] = []
  for (const one of scored) if (one.score > 0 && !areas.some(({ term }) => term === one.term)) areas.push(one)
  return areas.slice(0, options.limit).map(({ word }) => word)
}
