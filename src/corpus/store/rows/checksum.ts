// Is a stored row what was written? Each row that ranking or a digest reads carries a checksum over its values.
//
// SQLite does not detect a changed value inside a page, so that one flipped bit could change a ranking. Readers compare
// the checksum; texts have a longer hash (document-batch.ts). Short texts are summed here: calling node:zlib for each
// takes longer. Blobs have its CRC.
import type { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { YoreError } from '../../../model/errors.ts'
import { type Columns, combine, type Table } from './table.ts'

export const damaged = (what: string): YoreError =>
  new YoreError('INDEX_DAMAGED', `checksum mismatch in ${what}`)

export function present<T>(row: T | null | undefined, what: string): T {
  if (row === undefined || row === null)
    throw new YoreError('INDEX_DAMAGED', `${what} is missing from the index`)
  return row
}

/** For the same value, different sums stay different, so that one changed value is always detected. */
function mix(sum: number, value: number): number {
  const mixed = Math.imul(sum ^ value, 0x9e3779b1)
  return mixed ^ (mixed >>> 15)
}

const START = 0x2f6b1c05

/** A 32-bit checksum of a text, continued from `start`. */
export function textSum(text: string, start: number = START): number {
  const { length } = text
  let sum = start | 0
  // Two characters at a time, mixed in place: a first question would call `mix` a hundred thousand times.
  for (let at = 1; at < length; at += 2) {
    sum = Math.imul(sum ^ (text.charCodeAt(at - 1) | (text.charCodeAt(at) << 16)), 0x9e3779b1)
    sum ^= sum >>> 15
  }
  if (length % 2 === 1) sum = mix(sum, text.charCodeAt(length - 1))
  return mix(sum, length) >>> 0
}

/** A 52-bit key of a canonical id. */
export function idKey(id: string): number {
  const high = textSum(id)
  return high * 2 ** 20 + (textSum(id, high) >>> 12)
}

/** The checksum of texts and numbers in a fixed order; null counts as an empty text. */
export const rowSum = (...values: readonly unknown[]): number => textSum(values.join('\0'))

/** The checksum of several blobs, continued from `start`. */
export const blobSum = (start: number, ...blobs: readonly Uint8Array[]): number =>
  blobs.reduce((sum, blob) => crc32(blob, sum), start)

export function numberSum(...values: readonly number[]): number {
  let sum = START
  for (const value of values) sum = mix(sum, value)
  return sum >>> 0
}

const sqlName = 'row_sum'

/** Lets statements of this connection call `row_sum(…)`, which is `rowSum`. */
export function defineRowSum(db: DatabaseSync): void {
  db.function(sqlName, { deterministic: true, directOnly: true, varargs: true }, rowSum)
}

const noBytes = new Uint8Array()

type Checksum<R, K extends keyof R & string, S extends keyof R & string> = ReturnType<
  typeof sumColumn<R, K, S>
>

/** One checksum column of a table and the values that it covers. */
export function sumColumn<R, K extends keyof R & string, S extends keyof R & string>(
  table: Table<R>,
  column: S,
  covers: readonly K[],
  ifNull = '',
) {
  const blobs = covers.filter((property) => table.isBlob(property))
  const texts = covers.filter((property) => !table.isBlob(property))

  function of(row: Pick<R, K>): number {
    let text = ''
    for (const property of texts) text += `\0${row[property] ?? ifNull}`
    let sum = textSum(text.slice(1))
    for (const property of blobs) sum = crc32((row[property] ?? noBytes) as Uint8Array, sum)
    return sum
  }

  /** A row with its checksum, ready to be inserted. */
  function seal<V extends Pick<R, K>>(row: V): V & Record<S, number> {
    return { ...row, [column]: of(row) } as V & Record<S, number>
  }

  function isRight(row: Pick<R, K> & Record<S, number>): boolean {
    return of(row) === row[column]
  }

  /** As `isRight`, for the values of `columns()` in their order, without blobs. */
  function isRightRow(values: readonly unknown[]): boolean {
    const last = values.length - 1
    let text = ''
    for (let at = 0; at < last; at++) text += `\0${values[at] ?? ifNull}`
    return textSum(text.slice(1)) === values[last]
  }

  /** Returns the row; throws INDEX_DAMAGED on a mismatch. */
  function verified<V extends Pick<R, K> & Record<S, number>>(row: V, what: string): V {
    if (!isRight(row)) throw damaged(what)
    return row
  }

  /** The covered columns and the checksum, for a SELECT. */
  function columns(alias?: string): Columns<Pick<R, K> & Pick<R, S>> {
    return combine(table.pick(covers, alias), table.pick([column], alias))
  }

  /** The checksum in SQL, for an UPDATE that sets these columns to these expressions. */
  function inSql(changed: Partial<Record<K, string>>): string {
    const values = covers.map((property) => changed[property] ?? table.column(property))
    return `${sqlName}(${values.join(', ')})`
  }

  return { of, seal, isRight, isRightRow, verified, columns, inSql }
}

/** A checksum of all properties but these, in the order of the columns. */
export function sumExcept<R, S extends keyof R & string, U extends keyof R & string>(
  table: Table<R>,
  column: S,
  uncovered: readonly U[],
  ifNull?: string,
): Checksum<R, Exclude<keyof R & string, S | U>, S> {
  const others = new Set<string>([column, ...uncovered])
  const covers = table.properties.filter((property) => !others.has(property))
  return sumColumn(table, column, covers as Exclude<keyof R & string, S | U>[], ifNull)
}
