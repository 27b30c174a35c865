// Is a stored row what was written? Each row that ranking or a digest reads carries a checksum over its values.
//
// SQLite does not notice a changed value inside a page, so a single flipped bit could change a ranking unseen. The sum
// is compared when a row is read; texts have a longer hash of their own (document-batch.ts). It is computed here:
// node:zlib has a CRC, and takes 3 to 6 ms of a cold start to load.
import type { DatabaseSync } from 'node:sqlite'
import { YoreError } from '../../../model/errors.ts'

export function damaged(what: string): YoreError {
  return new YoreError('INDEX_DAMAGED', `${what} is not as it was written`)
}

/** So many rows are remembered as right. */
const REMEMBERED = 200_000

/** Rows that were found right, by id and checksum: a row is checked when it is first read, and again when it changes. */
export class RightRows {
  readonly #sums = new Map<number, number>()

  has(id: number, sum: number): boolean {
    return this.#sums.get(id) === sum
  }

  add(id: number, sum: number): void {
    if (this.#sums.size >= REMEMBERED) this.#sums.clear()
    this.#sums.set(id, sum)
  }
}

/** Name of the same checksum in SQL, for statements that change a part of a row. */
const sqlName = 'row_sum'

/** One step. For the same value it maps different sums to different sums, so that one changed value never gets lost. */
function mix(sum: number, value: number): number {
  const mixed = Math.imul(sum ^ value, 0x9e3779b1)
  return mixed ^ (mixed >>> 15)
}

const START = 0x2f6b1c05

/** A checksum of 32 bits over a text, begun from another. */
export function textSum(text: string, start: number = START): number {
  const { length } = text
  let sum = start | 0
  // Two characters at a time.
  for (let at = 1; at < length; at += 2) sum = mix(sum, text.charCodeAt(at - 1) | (text.charCodeAt(at) << 16))
  if (length % 2 === 1) sum = mix(sum, text.charCodeAt(length - 1))
  return mix(sum, length) >>> 0
}

/** The same over bytes, four at a time. */
function bytesSum(bytes: Uint8Array, start: number): number {
  const whole = bytes.length >>> 2
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes)
  const words = new Int32Array(aligned.buffer, aligned.byteOffset, whole)
  let sum = start | 0
  for (let at = 0; at < whole; at++) sum = mix(sum, words[at] as number)
  for (let at = whole * 4; at < bytes.length; at++) sum = mix(sum, bytes[at] as number)
  return mix(sum, bytes.length) >>> 0
}

/** The checksum of a row's values, in a fixed order: numbers and texts. */
export function rowSum(...values: readonly unknown[]): number {
  return textSum(values.join('\0'))
}

/** Lets statements of this connection call `row_sum(…)`. */
export function defineRowSum(db: DatabaseSync): void {
  db.function(sqlName, { deterministic: true, directOnly: true, varargs: true }, rowSum)
}

/** A checksum over several blobs, begun from that of the values beside them. */
export function blobSum(start: number, ...blobs: readonly Uint8Array[]): number {
  return blobs.reduce((sum, blob) => bytesSum(blob, sum), start)
}

/** What ranking and digests read of a file, in the order of the checksum: as columns, and as the reader names them. */
const fileValues = {
  id: 'id',
  path: 'path',
  language: 'language',
  size: 'size',
  mtime: 'mtime',
  content_hash: 'contentHash',
  modified_at: 'modifiedAt',
  title: 'title',
  status: 'status',
  inbound: 'inbound',
  rank: 'rank',
  successor: 'successor',
  role: 'role',
} as const

type FileColumn = keyof typeof fileValues
export type FileValues = Readonly<Record<(typeof fileValues)[FileColumn], string | number | null>>

/** Columns of a file with its checksum, named as the reader wants them. */
export const fileColumns: string = `${Object.entries(fileValues)
  .map(([column, name]) => `${column} AS ${name}`)
  .join(', ')}, sum`

/** Written out: this is done for every file that a question meets. */
export function fileSum(f: FileValues): number {
  return textSum(
    `${f.id}\0${f.path}\0${f.language}\0${f.size}\0${f.mtime}\0${f.contentHash}\0${f.modifiedAt}\0${f.title}\0${f.status ?? ''}\0${f.inbound}\0${f.rank}\0${f.successor ?? ''}\0${f.role ?? ''}`,
  )
}

/** The same in SQL, for a statement that changes these columns to these expressions. */
export function fileSumInSql(changed: Partial<Record<FileColumn, string>>): string {
  const columns = Object.keys(fileValues) as FileColumn[]
  return `${sqlName}(${columns.map((column) => changed[column] ?? column).join(', ')})`
}

/** What a file's row holds beside: the outline of code, where secrets were hidden, where extracted lines stand. */
export interface StoredDetails {
  readonly path: string
  readonly outline: string | null
  readonly masks: string | null
  readonly places: string | null
  readonly sum: number
}

/** Throws INDEX_DAMAGED when they are not what was written. */
export function checkedDetails<T extends StoredDetails>(row: T): T {
  if (rowSum(row.path, row.outline, row.masks, row.places) !== row.sum)
    throw damaged(`what is known of ${row.path}`)
  return row
}

/** What is read of an artifact beside its text. */
export interface ArtifactValues {
  readonly rowId: number
  readonly file: number
  readonly id: string
  readonly kind: string
  readonly name: string
  readonly anchor: string | null
  readonly level: number
  readonly headings: string
  readonly parent: number | null
  readonly line_start: number
  readonly line_end: number
  readonly own_start: number | null
  readonly own_end: number | null
  readonly tokens: number
}

export function artifactSum(a: ArtifactValues): number {
  return textSum(
    `${a.rowId}\0${a.file}\0${a.id}\0${a.kind}\0${a.name}\0${a.anchor}\0${a.level}\0${a.headings}\0${a.parent}\0${a.line_start}\0${a.line_end}\0${a.own_start}\0${a.own_end}\0${a.tokens}`,
  )
}

/** Of the words of a section, which belong to this row. */
export function wordsSum(rowId: number, words: Uint8Array): number {
  return blobSum(rowId, words)
}

type ListedSection = Pick<ArtifactValues, 'level' | 'id' | 'name' | 'anchor'>

/** What the list of a file's sections is checked by, as one text: see `listInSql`. */
export function listSections(sections: readonly ListedSection[]): string {
  return sections
    .map(({ level, id, name, anchor }) => `${level}\0${id}\0${name}\0${anchor ?? '\x01'}`)
    .join('\0')
}

/** The same in SQL, over the rows of a file in the order of their ids. */
export const listInSql: string =
  'group_concat(level || char(0) || canonical_id || char(0) || name || char(0) || ifnull(anchor, char(1)), char(0))'

/** Of a fragment's own id, its artifact and its pieces: small numbers, mixed without a call. */
export function fragmentSum(values: readonly [number, number, number, number]): number {
  let sum = START
  for (const value of values) sum = mix(sum, value)
  return sum >>> 0
}

/** What became of a reference. */
export interface StoredOutcome {
  readonly outcome: string
  readonly path: string | null
  readonly section: string | null
  readonly anchor: string | null
  readonly confidence: number | null
  readonly method: string | null
  readonly candidates: string | null
}

/** What is read of a reference beside where it stands. */
export interface ReferenceValues extends StoredOutcome {
  readonly artifact: number
  readonly form: string
  readonly text: string
  readonly target: string
  readonly line: number
}

/** The same, in the order in which they are summed. */
export const referenceColumns: readonly (keyof ReferenceValues)[] = [
  'artifact',
  'form',
  'text',
  'target',
  'line',
  'outcome',
  'path',
  'section',
  'anchor',
  'confidence',
  'method',
  'candidates',
]

export function referenceSum(r: ReferenceValues): number {
  return textSum(
    `${r.artifact}\0${r.form}\0${r.text}\0${r.target}\0${r.line}\0${r.outcome}\0${r.path ?? ''}\0${r.section ?? ''}\0${r.anchor ?? ''}\0${r.confidence ?? ''}\0${r.method ?? ''}\0${r.candidates ?? ''}`,
  )
}

export function segmentSum(first: number, count: number, lengths: Uint8Array, files: Uint8Array): number {
  return blobSum(rowSum(first, count), lengths, files)
}
