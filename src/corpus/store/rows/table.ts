// How is a table declared? One literal of columns gives its SQL, its TypeScript row, its INSERT and its SELECT lists.

import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { remember } from '../../../model/remember.ts'

/** Each column with its SQL type and constraints, as in `{ path: 'TEXT NOT NULL UNIQUE' }`. */
type Declarations = Readonly<Record<string, string>>

/** The column `content_hash` is the property `contentHash`. */
type Property<Column extends string> = Column extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Property<Tail>>}`
  : Column

type ValueOf<Declared extends string> = Declared extends `TEXT${string}`
  ? string
  : Declared extends `BLOB${string}`
    ? Uint8Array
    : number

type Required = `${string}NOT NULL${string}` | `${string}PRIMARY KEY${string}`

type RowOf<D extends Declarations> = {
  readonly [Column in keyof D & string as Property<Column>]: D[Column] extends Required
    ? ValueOf<D[Column]>
    : ValueOf<D[Column]> | null
}

const propertyOf = (column: string): string =>
  column.replace(/_[a-z]/g, (match) => match.slice(1).toUpperCase())

/** The columns of a SELECT, with the type of its rows. */
export interface Columns<R> {
  readonly sql: string
  readonly row?: R
}

/** The rows of a selection. */
export type Selected<S> = S extends { readonly row?: infer R } ? NonNullable<R> : never

/** A prepared SELECT. */
export interface RowQuery<R> {
  get(...values: SQLInputValue[]): R | undefined
  all(...values: SQLInputValue[]): R[]
  iterate(...values: SQLInputValue[]): Iterable<R>
}

export type Prepare = (sql: string) => StatementSync

/** Prepares each SQL text once. */
export const cacheStatements = (db: DatabaseSync): Prepare => remember((sql: string) => db.prepare(sql))

/** Prepares `SELECT <columns> <rest>`, with `rest` from the FROM clause on. */
export function select<R>(from: Prepare | DatabaseSync, { sql }: Columns<R>, rest: string): RowQuery<R> {
  const text = `SELECT ${sql} ${rest}`
  const statement = typeof from === 'function' ? from(text) : from.prepare(text)
  return statement as unknown as RowQuery<R>
}

/** As `select`, with each row as an array: several times as fast, because SQLite builds no object. */
export function selectArrays<R extends readonly unknown[]>(from: Prepare | DatabaseSync, sql: string) {
  const statement = typeof from === 'function' ? from(sql) : from.prepare(sql)
  statement.setReturnArrays(true)
  return statement as unknown as RowQuery<R>
}

/** Columns that SQL computes: `computed<{ n: number }>({ n: 'count(*)' })`. */
export function computed<R>(expressions: Readonly<Record<keyof R & string, string>>): Columns<R> {
  const parts = Object.entries(expressions).map(([name, sql]) => `${sql} AS ${name}`)
  return { sql: parts.join(', ') }
}

/** Texts of the program, never of a user, for `IN`. */
export const listInSql = (texts: readonly string[]): string =>
  `(${texts.map((text) => `'${text}'`).join(', ')})`

/** The columns of two selections. */
export const combine = <A, B>(a: Columns<A>, b: Columns<B>): Columns<A & B> => ({ sql: `${a.sql}, ${b.sql}` })

export class Table<R> {
  readonly name: string
  readonly create: string
  readonly #declared: ReadonlyMap<string, string>
  /** Columns by the property that holds them. */
  readonly #columns: ReadonlyMap<string, string>

  constructor(name: string, declared: Declarations, end: string) {
    this.name = name
    this.#declared = new Map(Object.entries(declared))
    this.#columns = new Map([...this.#declared.keys()].map((column) => [propertyOf(column), column]))
    const [last = '', options = end] = end.startsWith('PRIMARY KEY') ? end.split(/(?<=\)) /) : []
    const parts = [...this.#declared].map(([column, type]) => `${column} ${type}`)
    // SQLite stores the text, so that it is part of the file format.
    this.create = `CREATE TABLE ${name} (${[...parts, last].filter(Boolean).join(', ')}) ${options}`
  }

  /** The same table with narrower types for some of its properties. */
  narrow<N extends Partial<Record<keyof R, unknown>>>(): Table<Omit<R, keyof N> & N> {
    return this as unknown as Table<Omit<R, keyof N> & N>
  }

  column(property: keyof R & string): string {
    return this.#columns.get(property) as string
  }

  isBlob(property: keyof R & string): boolean {
    return this.#declared.get(this.column(property))?.startsWith('BLOB') === true
  }

  /** Every property, in the order of the columns. */
  get properties(): readonly (keyof R & string)[] {
    return [...this.#columns.keys()] as (keyof R & string)[]
  }

  /** Columns for a SELECT, each under the name of its property; `alias` is the table's name in the statement. */
  pick<K extends keyof R & string>(properties: readonly K[], alias: string = ''): Columns<Pick<R, K>> {
    const prefix = alias === '' ? '' : `${alias}.`
    const named = properties.map((property) => {
      const column = this.column(property)
      return column === property ? `${prefix}${column}` : `${prefix}${column} AS ${property}`
    })
    return { sql: named.join(', ') }
  }

  /** Prepares an INSERT of these properties, or of all; it returns the id of the new row. */
  inserter<K extends keyof R & string>(
    db: DatabaseSync,
    properties: readonly K[] = this.properties as K[],
    verb: 'INSERT' | 'INSERT OR REPLACE' = 'INSERT',
  ): (row: Pick<R, K>) => number {
    const columns = properties.map((property) => this.column(property)).join(', ')
    const marks = properties.map(() => '?').join(', ')
    const statement = db.prepare(`${verb} INTO ${this.name} (${columns}) VALUES (${marks})`)
    return (row) => {
      const values = properties.map((property) => row[property] as SQLInputValue)
      return Number(statement.run(...values).lastInsertRowid)
    }
  }
}

/** `end` is the table's primary key, where it has several columns, and its options. */
export function defineTable<const D extends Declarations>(
  name: string,
  columns: D,
  end: string = 'STRICT',
): Table<RowOf<D>> {
  return new Table(name, columns, end)
}
