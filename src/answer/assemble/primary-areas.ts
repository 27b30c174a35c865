// What are the chosen documents about? The folders that most of it comes from, and words that several titles share.
import { termOf } from '../../read/parse/words/analyze-words.ts'

/** A document that the digest quotes. */
export interface AreaInput {
  readonly path: string
  /** Empty for code: its names are no areas. */
  readonly title: string
  /** How many of its sections are quoted. */
  readonly sections: number
}

export interface AreaOptions {
  /** In how many fragments of the corpus a term occurs. */
  readonly frequency: (term: string) => number
  readonly fragments: number
  readonly limit: number
  readonly stopWords: ReadonlySet<string>
}

interface Area {
  /** As shown. */
  readonly name: string
  readonly words: readonly string[]
  readonly documents: Set<AreaInput>
  readonly isFolder: boolean
  /** Seen where a verb is unlikely: a title such as `Assign memory to a pod` starts with one. */
  named: boolean
}

/** Factor for folders: they group by topic, whereas titles may share a word by chance. */
const FOLDER_WEIGHT = 1.5
/** Cap on IDF: the rarest words are mostly compound names. */
const MOST_RARITY = 4
/** Minimum IDF: a word in more than half of the corpus does not distinguish. */
const LEAST_RARITY = Math.log(2)
/** Minimum share of the quoted sections in an area. */
const LEAST_SHARE = 0.25
const LARGE_SHARE = 1 / 3
const LONGEST_WORD = 20

/** Folders that say where documents lie or how they are written, not what they are about. */
const plainFolders: ReadonlySet<string> = new Set(
  `api archive articles assets book cmd common concepts content contents contributing core crates doc docs documentation en examples
  generated getting started guide guides helpers how howto howtos html images includes index internal lib main markdown misc old
  other overview packages pages pkg public reference references site source sources src static tasks test tests topics
  tutorial tutorials user users util utils version versions website wiki`.split(/\s+/),
)

/** The areas, best first, at most `limit`, possibly none. Ties break alphabetically. */
export function primaryAreas(documents: readonly AreaInput[], options: AreaOptions): string[] {
  const scored = collectAreas(documents, options)
    .map((area) => ({ ...area, score: scoreArea(area, documents, options) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
  const taken: Area[] = []
  for (const area of scored) if (!taken.some((other) => sharesTerm(area, other))) taken.push(area)
  return taken.slice(0, options.limit).map(({ name }) => name)
}

/** A word needs two titles; a folder may also hold one document that makes up a good part of the digest. */
function scoreArea(area: Area, documents: readonly AreaInput[], options: AreaOptions): number {
  const share = countSections(area.documents) / countSections(documents)
  const shared = area.documents.size > 1 || (area.isFolder && share >= LARGE_SHARE)
  const { fragments, frequency } = options
  const rarities = area.words.map((word) => Math.log((fragments + 1) / (frequency(termOf(word)) + 1)))
  const rarity = Math.max(...rarities)
  if (!area.named || !shared || share < LEAST_SHARE || rarity < LEAST_RARITY) return 0
  return share * Math.min(MOST_RARITY, rarity) * (area.isFolder ? FOLDER_WEIGHT : 1)
}

function countSections(documents: Iterable<AreaInput>): number {
  let sum = 0
  for (const { sections } of documents) sum += sections
  return sum
}

function collectAreas(documents: readonly AreaInput[], options: AreaOptions): Area[] {
  const areas = new Map<string, Area>()
  const add = (document: AreaInput, words: readonly string[], seen: Pick<Area, 'isFolder' | 'named'>) => {
    const key = words.map(termOf).join(' ')
    const known = areas.get(key) ?? { name: words.join(' '), words, documents: new Set(), ...seen }
    known.documents.add(document)
    known.named ||= seen.named
    areas.set(key, known)
  }
  for (const document of documents) {
    for (const folder of document.path.split('/').slice(0, -1)) {
      const words = wordsOf(folder)
      if (words.some((word) => !plainFolders.has(word))) add(document, words, { isFolder: true, named: true })
    }
    const words = wordsOf(document.title)
    for (const [at, word] of words.entries())
      if (!options.stopWords.has(word) && !plainFolders.has(word))
        add(document, [word], { isFolder: false, named: at > 0 || words.length === 1 })
  }
  return [...areas.values()]
}

/** Plain words in lower case: no markup, numbers, short words or compound names. */
function wordsOf(text: string): string[] {
  const prose = text.replaceAll(/\{\{[^{}]*\}\}|<[^<>]*>|`[^`]*`/g, ' ')
  return prose
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2 && word.length <= LONGEST_WORD && !/\p{N}|\p{Ll}\p{Lu}/u.test(word))
    .map((word) => word.toLowerCase())
}

function sharesTerm(one: Area, other: Area): boolean {
  const terms = other.words.map(termOf)
  return one.words.some((word) => terms.includes(termOf(word)))
}
