// Where are the names of documents stored? Packed in parts of neighbouring paths: an edit repacks one part.
import type { DatabaseSync } from 'node:sqlite'
import type { IdFamily } from '../../resolve/decision-ids.ts'
import { DocumentNames, type PackedPart, packNames } from '../../resolve/document-names.ts'
import { type LinkText, type NamedDocument, PART_DOCUMENTS } from '../../resolve/pack-names.ts'
import { files, namePartSum, nameParts } from '../schema.ts'
import { damaged, textSum } from './checksum.ts'
import { readMeta, writeMeta } from './meta.ts'
import type { PathRange } from './outgoing-links.ts'
import type { ReferenceReader } from './reference-reader.ts'
import { select } from './table.ts'

const totalOf = (parts: readonly { readonly sum: number }[]): string =>
  String(textSum(parts.map(({ sum }) => sum).join(' ')))

/** The stored parts; null during a run, or after one that was stopped. */
export function readNameParts(db: DatabaseSync): Uint8Array[] | null {
  const total = readMeta(db, 'namesSum') ?? ''
  if (total === '') return null
  const parts = select(db, nameParts.pick(['first', 'data', 'sum']), 'FROM names ORDER BY first').all()
  for (const part of parts) namePartSum.verified(part, `the names of documents from ${part.first} on`)
  if (totalOf(parts) !== total) throw damaged('the names of documents')
  return parts.map(({ data }) => data)
}

/** The documents of a range with the texts of the links to each, by path. */
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

function* packRanges(
  references: ReferenceReader,
  ranges: Iterable<PathRange>,
  families: readonly IdFamily[],
): Generator<PackedPart> {
  const known = new Map()
  for (const range of ranges) yield* packNames(listNamed(references, range), families, known)
}

/** Ranges over all documents, each as large as a part. */
function divideAll(db: DatabaseSync): PathRange[] {
  const rest = `FROM (SELECT path, row_number() OVER (ORDER BY path) AS number FROM files)
    WHERE number > 1 AND number % ${PART_DOCUMENTS} = 1 ORDER BY path`
  const paths = select(db, files.pick(['path']), rest)
    .all()
    .map(({ path }) => path)
  return ['', ...paths].map((from, at) => ({ from, before: paths[at] ?? null }))
}

/** The names of all documents: as stored, or packed now after a run that was stopped. */
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
  /** Paths of documents that were added, removed or changed, or whose link texts changed; null for all. */
  readonly changed: readonly string[] | null
}

/** Repacks the parts of these documents, inside the writer's transaction. */
export function updateNames(
  db: DatabaseSync,
  references: ReferenceReader,
  { families, changed }: NamesUpdate,
): void {
  const firsts = select(db, nameParts.pick(['first']), 'FROM names ORDER BY first')
    .all()
    .map(({ first }) => first)
  const outdated = changed === null ? null : findOutdated(firsts, changed)
  const ranges =
    outdated?.map((at) => ({ from: at === 0 ? '' : firsts[at]!, before: firsts[at + 1] ?? null })) ??
    divideAll(db)
  const remove = db.prepare('DELETE FROM names WHERE first = ?')
  for (const at of outdated ?? firsts.keys()) remove.run(firsts[at]!)
  const insert = nameParts.inserter(db, ['first', 'sum', 'data'])
  for (const part of packRanges(references, ranges, families)) insert(namePartSum.seal(part))
  writeMeta(db, 'namesSum', totalOf(select(db, nameParts.pick(['sum']), 'FROM names ORDER BY first').all()))
}

/** The parts that contain these paths or would; null when there are no parts. */
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

/** Changed link texts that one run tracks; with more, all names are packed again. */
const MOST_RELINKED = 20_000

/** Counts added and removed link texts, to find the documents whose link texts changed. */
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

  /** The paths of these documents; null when there are too many. */
  paths(): string[] | null {
    if (this.#tooMany) return null
    return [...new Set(Array.from(this.#counts.keys(), (key) => key.slice(0, key.indexOf('\0'))))]
  }
}
