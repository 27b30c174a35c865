// Where are the names of documents kept for questions? Packed in parts of neighbouring paths: an edit packs its own part anew.
import type { DatabaseSync } from 'node:sqlite'
import type { IdFamily } from '../../resolve/decision-ids.ts'
import { DocumentNames, type PackedPart, packNames } from '../../resolve/document-names.ts'
import { type LinkText, type NamedDocument, PART_DOCUMENTS } from '../../resolve/pack-names.ts'
import type { PathRange } from './document-edges.ts'
import { readMeta, writeMeta } from './meta.ts'
import type { ReferenceReader } from './reference-reader.ts'
import { blobSum, damaged, rowSum, textSum } from './row-sum.ts'

/** Checksum of all parts; empty while a run is under way or after one that was cut off: names are not those of the documents then. */
const sumKey = 'namesSum'

interface StoredPart {
  /** The path of its first document. */
  readonly first: string
  readonly data: Uint8Array
  readonly sum: number
}

const partSum = ({ first, data }: Omit<StoredPart, 'sum'>): number => blobSum(rowSum(first), data)

const totalOf = (parts: readonly { readonly sum: number }[]): string =>
  String(textSum(parts.map(({ sum }) => sum).join(' ')))

/** What is stored; null where it is not of the documents as they are. */
export function readNameParts(db: DatabaseSync): Uint8Array[] | null {
  const total = readMeta(db, sumKey) ?? ''
  if (total === '') return null
  const parts = db.prepare('SELECT first, data, sum FROM names ORDER BY first').all()
  const checked = (parts as unknown as StoredPart[]).map((part) => {
    if (partSum(part) !== part.sum) throw damaged(`what documents from ${part.first} on are called`)
    return part
  })
  if (totalOf(checked) !== total) throw damaged('what documents are called')
  return checked.map(({ data }) => data)
}

/** The documents of a range with the links that lead to each, in the order of their paths. */
function* listNamed(
  references: ReferenceReader,
  range: PathRange,
): Generator<readonly [NamedDocument, readonly LinkText[]]> {
  const links = Map.groupBy(references.linkTexts(range), ({ path }) => path)
  for (const { file, path, title, frontmatter, isCode } of references.catalogue(range)) {
    const facts = isCode === 1 ? {} : (JSON.parse(frontmatter) as Record<string, unknown>)
    const sections = isCode === 1 ? [] : references.sectionsOf(file)
    yield [{ path, title, isCode: isCode === 1, frontmatter: facts, sections }, links.get(path) ?? []]
  }
}

/** Packs the documents of these ranges as they are now. */
function* packRanges(
  references: ReferenceReader,
  ranges: Iterable<PathRange>,
  families: readonly IdFamily[],
): Generator<PackedPart> {
  const known = new Map()
  for (const range of ranges) yield* packNames(listNamed(references, range), families, known)
}

/** All documents, as many in a range as a part has. */
function divideAll(db: DatabaseSync): PathRange[] {
  const sql = `SELECT path FROM (SELECT path, row_number() OVER (ORDER BY path) AS number FROM files)
    WHERE number > 1 AND number % ${PART_DOCUMENTS} = 1 ORDER BY path`
  const paths = (db.prepare(sql).all() as unknown as { path: string }[]).map(({ path }) => path)
  return ['', ...paths].map((from, at) => ({ from, before: paths[at] ?? null }))
}

/** The names of all documents: as stored, or packed now where a run did not end. */
export function openNames(
  db: DatabaseSync,
  references: ReferenceReader,
  families: readonly IdFamily[],
): DocumentNames {
  const packed =
    readNameParts(db) ?? Array.from(packRanges(references, divideAll(db), families), ({ data }) => data)
  return new DocumentNames(packed, families, () =>
    references
      .catalogue()
      .filter(({ isCode }) => isCode === 0)
      .map((row) => ({ ...row, frontmatter: JSON.parse(row.frontmatter) as Record<string, unknown> })),
  )
}

interface NamesUpdate {
  readonly families: readonly IdFamily[]
  /** Paths of documents that came, went, were changed or are linked by other words; null where all may be. */
  readonly changed: readonly string[] | null
}

/** Packs parts with such documents anew. Inside the writer's transaction. */
export function updateNames(
  db: DatabaseSync,
  references: ReferenceReader,
  { families, changed }: NamesUpdate,
): void {
  const stored = db.prepare('SELECT first FROM names ORDER BY first').all() as unknown as StoredPart[]
  const firsts = stored.map(({ first }) => first)
  const outdated = changed === null ? null : findOutdated(firsts, changed)
  const ranges =
    outdated?.map((at) => ({ from: at === 0 ? '' : firsts[at]!, before: firsts[at + 1] ?? null })) ??
    divideAll(db)
  const remove = db.prepare('DELETE FROM names WHERE first = ?')
  for (const at of outdated ?? firsts.keys()) remove.run(firsts[at]!)
  const insert = db.prepare('INSERT INTO names (first, sum, data) VALUES (?, ?, ?)')
  for (const part of packRanges(references, ranges, families))
    insert.run(part.first, partSum(part), part.data)
  const sums = db.prepare('SELECT sum FROM names ORDER BY first').all() as unknown as { sum: number }[]
  writeMeta(db, sumKey, totalOf(sums))
}

/** The parts in which these paths are or would be; null where there is none. */
function findOutdated(firsts: readonly string[], changed: readonly string[]): number[] | null {
  if (firsts.length === 0) return null
  // SQLite orders by the bytes of UTF-8.
  const bytes = firsts.map((first) => Buffer.from(first))
  const partOf = (path: string): number => {
    const wanted = Buffer.from(path)
    let from = 0
    let to = bytes.length
    while (to - from > 1) {
      const at = (from + to) >>> 1
      if (Buffer.compare(bytes[at]!, wanted) <= 0) from = at
      else to = at
    }
    return from
  }
  return [...new Set(changed.map(partOf))]
}

/** So many link texts that come and go in one run are told apart; after more, all names are packed anew. */
const MOST_RELINKED = 20_000

/** Which documents are linked by other words than before? Link texts as they come and go, by how often. */
export class RelinkedDocuments {
  readonly #counts = new Map<string, number>()
  #tooMany = false

  count(form: string, text: string, path: string | null, by: 1 | -1): void {
    if (form !== 'link' || text === '' || path === null || this.#tooMany) return
    const key = `${path}\0${text}`
    const count = (this.#counts.get(key) ?? 0) + by
    if (count === 0) this.#counts.delete(key)
    else this.#counts.set(key, count)
    if (this.#counts.size <= MOST_RELINKED) return
    this.#tooMany = true
    this.#counts.clear()
  }

  /** Their paths; null where there are too many. */
  paths(): string[] | null {
    if (this.#tooMany) return null
    return [...new Set(Array.from(this.#counts.keys(), (key) => key.slice(0, key.indexOf('\0'))))]
  }
}
