// What do words mean outside of software? The entries of WordNet: words, a definition, and sentences that use them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Section } from './section.ts'

const parts = ['noun', 'verb', 'adj', 'adv'] as const

/** One line of a data file: offset, lexicographer file, type, count in hexadecimal, then words with numbers, then ` | gloss`. */
export function readGloss(line: string, part: string): Section | null {
  const bar = line.indexOf(' | ')
  if (line.startsWith(' ') || bar < 0) return null
  const fields = line.slice(0, bar).split(' ')
  const count = Number.parseInt(fields[3] ?? '0', 16)
  const words = Array.from({ length: count }, (_, at) => cleanWord(fields[4 + at * 2] ?? ''))
  const [first = '', ...others] = words
  return {
    source: 'glosses',
    group: `wordnet/${part}`,
    document: `wordnet/${part}/${fields[1]}`,
    title: first,
    heading: others.join(', '),
    body: line.slice(bar + 3).trim(),
  }
}

/** `living_thing`, and adjectives with a mark such as `galore(ip)`. */
function cleanWord(word: string): string {
  return word.replaceAll('_', ' ').replace(/\([a-z]+\)$/, '')
}

/** The entries of a `dict` folder. */
export function readGlosses(folder: string): Section[] {
  return parts.flatMap((part) =>
    readFileSync(join(folder, `data.${part}`), 'utf8')
      .split('\n')
      .flatMap((line) => readGloss(line, part) ?? []),
  )
}
