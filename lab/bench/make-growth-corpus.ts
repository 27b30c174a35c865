// How does a corpus of a wanted size come about? Real documents, repeated with part of their words exchanged, always alike.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { splitSections } from './bare-engine.ts'

export interface SourceDocument {
  readonly path: string
  readonly text: string
  readonly sections: number
}

/** Share of the word types that a copy exchanges with others of like frequency. */
const EXCHANGED = 0.4
/** Share of the rare word types that become new words in a copy, so that the vocabulary grows with the corpus. */
const RENEWED = 0.25
const RARE = 3

const word = /[A-Za-z]{4,}/g

/** Numbers from 0 to 1, always the same for a seed (mulberry32). */
function* randomNumbers(seed: number): Generator<number, never> {
  let state = seed >>> 0
  for (;;) {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    yield ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

function shuffle<T>(items: T[], random: Generator<number, never>): T[] {
  for (let at = items.length - 1; at > 0; at--) {
    const other = Math.floor(random.next().value * (at + 1))
    ;[items[at], items[other]] = [items[other] as T, items[at] as T]
  }
  return items
}

/** Documents in an order that does not depend on their folders, so that every size is a mixture. */
export function readDocuments(root: string, paths: readonly string[], prefix: string): SourceDocument[] {
  return paths.map((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    return { path: `${prefix}/${path}`, text, sections: splitSections(path, text).length }
  })
}

export function mixDocuments(documents: readonly SourceDocument[]): SourceDocument[] {
  const key = ({ path }: SourceDocument): string => createHash('sha1').update(path).digest('hex')
  return [...documents].sort((a, b) => (key(a) < key(b) ? -1 : 1))
}

/** Word types by bands of like frequency: band n holds those that occur 2^n to 2^(n+1) times. */
function readBands(documents: readonly SourceDocument[]): string[][] {
  const counts = new Map<string, number>()
  for (const { text } of documents)
    for (const [found] of text.matchAll(word)) counts.set(found, (counts.get(found) ?? 0) + 1)
  const bands: string[][] = []
  for (const type of [...counts.keys()].sort()) {
    const band = Math.floor(Math.log2(counts.get(type) as number))
    bands[band] ??= []
    bands[band].push(type)
  }
  return bands.map((band) => band ?? [])
}

/** New letters for a word, from the copy's number: `cluster` → `clusterba`. */
function renew(type: string, copy: number): string {
  const letters = copy
    .toString(26)
    .replace(/./g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 26)))
  return `${type}${letters}`
}

/** What the words of one copy become. Copy 0 is the original. */
function exchangeTable(bands: readonly string[][], copy: number): Map<string, string> {
  const table = new Map<string, string>()
  if (copy === 0) return table
  const random = randomNumbers(copy)
  for (const [index, band] of bands.entries()) {
    const moving = band.filter(() => random.next().value < EXCHANGED)
    const targets = shuffle([...moving], random)
    for (const [at, type] of moving.entries()) table.set(type, targets[at] as string)
    if (2 ** index > RARE) continue
    for (const type of band) if (random.next().value < RENEWED) table.set(type, renew(type, copy))
  }
  return table
}

/** Exchanges words everywhere but in headings; only letters change, so the structure of the Markdown stays. */
function perturb(text: string, table: ReadonlyMap<string, string>): string {
  if (table.size === 0) return text
  return text
    .split('\n')
    .map((line) => (line.startsWith('#') ? line : line.replace(word, (found) => table.get(found) ?? found)))
    .join('\n')
}

export interface GrowthCorpus {
  readonly files: number
  readonly sections: number
  readonly bytes: number
}

/** Writes about `sections` sections as files below `root`, which is emptied first; each copy is a folder. */
export function makeGrowthCorpus(
  root: string,
  documents: readonly SourceDocument[],
  sections: number,
): GrowthCorpus {
  rmSync(root, { recursive: true, force: true })
  const bands = readBands(documents)
  const made = { files: 0, sections: 0, bytes: 0 }
  for (let copy = 0; made.sections < sections; copy++) {
    const table = exchangeTable(bands, copy)
    for (const document of documents) {
      if (made.sections >= sections) break
      const target = join(root, `copy-${copy}`, document.path)
      const text = perturb(document.text, table)
      mkdirSync(dirname(target), { recursive: true })
      writeFileSync(target, text)
      made.files++
      made.sections += document.sections
      made.bytes += Buffer.byteLength(text)
    }
  }
  return made
}
