// Which documents have these words in their names? Files are looked up by path; titles, headings and paths are fields of
// the postings, so that names need no index of their own.
import { pageOf } from '../../corpus/resolve/page-keys.ts'
import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import { DecodedPostings } from '../../corpus/store/postings/postings.ts'
import { isCodeLanguage } from '../../model/code-languages.ts'
import { endsWith, savedExtensions } from '../../model/file-extensions.ts'
import { lastSegment } from '../../model/paths.ts'
import { remember } from '../../model/remember.ts'
import type { FileRow } from '../../model/section.ts'
import { termOf } from '../../read/parse/words/analyze-words.ts'
import { allTermsOf, termsOf } from './words.ts'

const year = /(?<![0-9])(?:19|20)[0-9]{2}(?![0-9])/
/** Text around a name, as in `Ann Hummel <ann@example.org> (editor)`. */
const notName = /<[^>]{0,200}>|\([^)]{0,200}\)|\S{0,100}@\S{0,100}/g
const fillers = new Set(['et', 'al', 'and', 'of', 'from', 'by', 'in'])

/** The words of a citation that are authors or years: "hummel et al 2021" has two. */
const citedWords = (words: readonly string[]): string[] => words.filter((word) => !fillers.has(word))

/** The authors of a document, in lower case, and its years. */
function creditsOf(stem: string, frontmatter: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const values = (...keys: readonly string[]): string[] => keys.flatMap((key) => textsOf(frontmatter[key]))
  const dates = [stem, ...values('date', 'year', 'published', 'created')]
  const declared = values('author', 'authors', 'creator', 'by').map((text) => text.replace(notName, ' '))
  return new Set([
    ...dates.flatMap((text) => year.exec(text)?.[0] ?? []),
    ...[...declared, stemAuthors(stem)].flatMap((text) => text.toLowerCase().split(/[\s,;]+/)),
  ])
}

/** By the row of a document, which is the same object as long as it is kept. */
const credits = new WeakMap<FileRow, ReadonlySet<string>>()

function textsOf(value: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}

/** `hummel-et-al-2021-x`, `hummel-2021-x` and `hummel_braun_2021` start with their authors. */
function stemAuthors(stem: string): string {
  const words = stem.split(/[-_. ]/).slice(0, 4)
  const end = words.findIndex((word) => word.toLowerCase() === 'et' || year.test(word))
  return words
    .slice(0, Math.max(end, 0))
    .filter((word) => /^\p{L}{3,}$/u.test(word))
    .join(' ')
}

/** Where a document has a term; `start` is anywhere in its first fragment, which includes the authors of frontmatter. */
const place = { title: 1, path: 2, heading: 4, start: 8 } as const
/** What a term of a mention counts by its best place, and what a whole title or file name adds. */
const worth = { title: 1, path: 0.9, heading: 0.7, whole: 0.5 } as const

/** Maximum documents to compare with a name, and to rank. */
const mostCompared = 300
const mostRanked = 20
/** Documents that may share a single word in their names before it is too common to name one. */
const mostSharing = 3

interface NameMatch {
  readonly path: string
  readonly score: number
  /** The share of the mention, by inverse document frequency, in title, path and headings; and in title and path. */
  readonly cover: number
  readonly own: number
}

export type DocumentNames = ReturnType<typeof readDocumentNames>

/** The names of documents in one state of the index. Each posting list is decoded once. */
export function readDocumentNames(reader: CorpusReader) {
  const list = new DecodedPostings()

  /** The places of a term by file. */
  const holding = remember((term: string): ReadonlyMap<number, number> => {
    const files = new Map<number, number>()
    const lexical = reader.lexical()
    lexical.read(term, list)
    const { fragments, packed, length } = list
    for (let at = 0; at < length; at++) {
      const fragment = fragments[at]!
      const file = lexical.file[fragment]!
      const counts = packed[at]! >> 16
      const isFirst = fragment === 0 || lexical.file[fragment - 1] !== file || lexical.isDead(fragment - 1)
      const found =
        ((counts >> 2) & 3 ? place.title : 0) |
        (counts >> 4 ? place.path : 0) |
        (counts & 3 ? place.heading : 0) |
        (isFirst ? place.start : 0)
      if (found !== 0) files.set(file, (files.get(file) ?? 0) | found)
    }
    return files
  })

  /** Files that have every term in one of these places. */
  function among(terms: readonly string[], places: number): number[] {
    const lists = terms.map((term) => holding(term)).sort((a, b) => a.size - b.size)
    const files = [...(lists[0]?.keys() ?? [])]
    return files.filter((file) => lists.every((list) => ((list.get(file) ?? 0) & places) !== 0))
  }

  /** The documents of these files without code, whose names are ordinary words: it is found by its path. */
  function texts(files: readonly number[]): FileRow[] {
    const rows = files.slice(0, mostCompared).map((file) => reader.file(file))
    return rows.filter(
      ({ language }) => language === 'html' || !(language === 'generic' || isCodeLanguage(language)),
    )
  }

  /** Documents whose title or file name consists of just these words. */
  function called(text: string): string[] {
    const terms = termsOf(text)
    const all = among(terms, place.title | place.path)
    const files = all.length > mostCompared ? among(terms, place.title) : all
    const isCalled = (row: FileRow): boolean => namesOf(row).some((own) => own.join('') === terms.join(''))
    return texts(files)
      .filter(isCalled)
      .map(({ path }) => path)
  }

  /** The document to which at least twice as many others refer as to each of the rest; null if there is none. */
  function mostReferenced(paths: readonly string[]): string | null {
    const inbound = (path: string): number => reader.fileByPath(path)?.inbound ?? 0
    const [first = '', second = ''] = paths.toSorted((a, b) => inbound(b) - inbound(a))
    return inbound(first) > 0 && inbound(first) >= 2 * inbound(second) ? first : null
  }

  /** Is it a word that several documents have in title, path or headings? */
  function isCommon(text: string): boolean {
    return among(termsOf(text), ~place.start).length > mostSharing
  }

  /** Documents by the share of these words in their titles, paths and headings; best first. */
  function rank(text: string): NameMatch[] {
    const terms = termsOf(text)
    const documents = reader.lexical().livingDocuments
    const sums = new Map<number, { score: number; cover: number; own: number }>()
    let total = 0
    for (const term of terms) {
      const named = [...holding(term)].filter(([, places]) => (places & ~place.start) !== 0)
      const weight = Math.log(1 + documents / Math.max(named.length, 0.5))
      total += weight
      for (const [file, places] of named) {
        const { score, cover, own } = sums.get(file) ?? { score: 0, cover: 0, own: 0 }
        const best = places & place.title ? 'title' : places & place.path ? 'path' : 'heading'
        const ofOwn = best === 'heading' ? 0 : weight
        sums.set(file, { score: score + weight * worth[best], cover: cover + weight, own: own + ofOwn })
      }
    }
    const best = [...sums.keys()].sort((a, b) => sums.get(b)!.score - sums.get(a)!.score).slice(0, mostRanked)
    const matches = texts(best).map((row): NameMatch => {
      const { score, cover, own } = sums.get(row.id)!
      const whole = Math.max(...namesOf(row).map((name) => overlap(name, terms)))
      const sum = score / total + worth.whole * whole
      return { path: row.path, score: sum, cover: cover / total, own: own / total }
    })
    return matches.sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
  }

  /** Documents by all of these authors and years; empty when a word is neither. */
  function written(words: readonly string[]): string[] {
    const cited = citedWords(words)
    const authors = cited.filter((word) => !/^\d/.test(word))
    // The postings do not have the dates of frontmatter.
    const sought = authors.length > 0 ? authors : cited
    const rows = texts(among(sought.map(termOf), place.path | place.start))
    const creditsIn = remember(({ id, path }: FileRow) => {
      const [row] = reader.references().catalogue(id)
      return creditsOf(stemOf(path), JSON.parse(row?.frontmatter ?? '{}') as Record<string, unknown>)
    }, credits)
    return rows.filter((row) => cited.every((word) => creditsIn(row).has(word))).map(({ path }) => path)
  }

  /** The file at this path; else files with this path or page in any case, or with one that ends with it. */
  function filesAt(written: string): string[] {
    if (reader.hasFile(written)) return [written]
    if (!/\/|\.[A-Za-z]/.test(written)) return []
    const key = written.toLowerCase()
    const terms = allTermsOf(written.replace(/\.[^./]*$/, ''))
    const paths = among(terms, place.path).map((file) => reader.file(file).path)
    const same = paths.filter((path) => path.toLowerCase() === key)
    const endsSo = (name: string): boolean => `/${name.toLowerCase()}`.endsWith(`/${key}`)
    return same.length > 0 ? same : paths.filter((path) => endsSo(path) || endsSo(pageOf(path)))
  }

  return { called, mostReferenced, isCommon, rank, written, filesAt }
}

const saved = endsWith(savedExtensions)

/** The name of a document's page; files that people save are named without their extension. */
const stemOf = (path: string): string => lastSegment(pageOf(path)).replace(saved, '')

const namesOf = remember(
  ({ path, title }: FileRow): readonly (readonly string[])[] => [termsOf(title), termsOf(stemOf(path))],
  new WeakMap(),
)

/** The share of two names that is the same, 0 to 1. */
const overlap = (a: readonly string[], b: readonly string[]): number =>
  (2 * a.filter((term) => b.includes(term)).length) / Math.max(a.length + b.length, 1)
