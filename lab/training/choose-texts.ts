// Which texts do the teachers read? A mixed sample of every source, in an order that makes any beginning of it a fair one.
import { createRandom, pickBelow, type Random, shuffle } from './random.ts'
import type { TextCounts } from './recipe.ts'
import { firstWords, type Section, wordsOf } from './section.ts'

const shortestWindow = 8
const longestWindow = 48

/** Some words in a row, from anywhere in the body. */
export function cutWindow(body: string, random: Random): string {
  const words = wordsOf(body)
  const length = shortestWindow + pickBelow(longestWindow - shortestWindow + 1, random)
  const start = pickBelow(Math.max(1, words.length - length + 1), random)
  return words.slice(start, start + length).join(' ')
}

function headingText({ title, heading }: Section, random: Random): string {
  if (heading === '') return title
  return random() < 0.5 ? heading : `${title} ${heading}`
}

function glossText({ title, heading, body }: Section, random: Random): string {
  const share = random()
  if (share < 0.3) return body
  return share < 0.6 ? `${title}: ${body}` : [title, heading, firstWords(body, 24)].join(' ')
}

function codeText({ title, body }: Section, random: Random): string {
  return random() < 0.5 ? title : firstWords(body, longestWindow)
}

/** Distinct texts, mixed. */
export function chooseTexts(sections: readonly Section[], counts: TextCounts, seed: number): string[] {
  const random = createRandom(seed)
  const bySource = Map.groupBy(sections, ({ source }) => source)
  const take = (source: Section['source'], count: number, make: (one: Section, random: Random) => string) =>
    shuffle(bySource.get(source) ?? [], random)
      .slice(0, count)
      .map((section) => make(section, random))
  const texts = [
    ...take('docs', counts.headings, headingText),
    ...take('docs', counts.windows, ({ body }) => cutWindow(body, random)),
    ...take('glosses', counts.glosses, glossText),
    ...take('code', counts.code, codeText),
  ]
  return shuffle([...new Set(texts.filter((text) => text.trim() !== ''))], random)
}
