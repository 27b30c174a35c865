// What does a corpus hold as a whole, whatever the history that led to it? Sums over its documents, kept up to date with each.
import { hash } from 'node:crypto'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { extractedFormatOf, pageFormatOf } from '../../../read/source/extracted-formats.ts'
import { readMeta, writeMeta } from './meta.ts'
import { type FileValues, fileColumns, fileSum } from './row-sum.ts'

interface HeldDocument {
  readonly path: string
  readonly language: string
  readonly contentHash: string
  readonly modifiedAt: number
  readonly size: number
  readonly tokens: number
}

interface CorpusContents {
  /** The sum of the hashes of all documents, in hexadecimal: the same for the same documents in any order. */
  readonly sum: string
  readonly tokens: number
  readonly bytes: number
}

const key = 'contents'
const MODULUS = 2n ** 256n

/** A text that was extracted is what the version of its reader made of it. */
function hashOf({ path, language, contentHash, modifiedAt }: HeldDocument): bigint {
  const format = language === 'markdown' ? (extractedFormatOf(path) ?? pageFormatOf(path)) : null
  const reader = format === null ? '' : `\0${format.name} ${format.version}`
  return BigInt(`0x${hash('sha256', `${path}\0${contentHash}\0${modifiedAt}${reader}\n`)}`)
}

/** The sums of one corpus while it is written. */
export class ContentSums {
  readonly #db: DatabaseSync
  #sum = 0n
  #tokens = 0
  #bytes = 0
  #isKnown = false
  #row: StatementSync | null = null

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  /** Goes on from the last commit; an index without sums is counted when it is asked for them. */
  begin(): void {
    const stored = readMeta(this.#db, key) ?? ''
    this.#isKnown = stored !== '' || this.#db.prepare('SELECT 1 FROM files LIMIT 1').get() === undefined
    const { sum, tokens, bytes } = JSON.parse(stored || '{"sum":"0","tokens":0,"bytes":0}') as CorpusContents
    this.#sum = BigInt(`0x${sum}`)
    this.#tokens = tokens
    this.#bytes = bytes
  }

  /** What was counted before does not hold any more, as when another version reads the same files. */
  forget(): void {
    this.#isKnown = false
  }

  add(document: HeldDocument, sign: 1 | -1 = 1): void {
    const hashed = hashOf(document)
    this.#sum = (this.#sum + (sign === 1 ? hashed : MODULUS - hashed)) % MODULUS
    this.#tokens += sign * document.tokens
    this.#bytes += sign * document.size
  }

  /** Takes away what a row stands for. */
  remove(file: number): void {
    this.#addRow(file, -1)
  }

  /** A row says something else afterwards. */
  change(file: number, write: () => void): void {
    this.#addRow(file, -1)
    write()
    this.#addRow(file, 1)
  }

  /** A row that is not as it was written says nothing. */
  #addRow(file: number, sign: 1 | -1): void {
    this.#row ??= this.#db.prepare(`SELECT ${fileColumns}, tokens FROM files WHERE id = ?`)
    const row = this.#row.get(file) as unknown as HeldDocument & FileValues & { readonly sum: number }
    if (fileSum(row) === row.sum) this.add(row, sign)
    else this.forget()
  }

  /** Says what the documents come to now, and remembers it with the transaction. */
  finish(): CorpusContents {
    if (!this.#isKnown) this.#recount()
    const contents = { sum: this.#sum.toString(16), tokens: this.#tokens, bytes: this.#bytes }
    writeMeta(this.#db, key, JSON.stringify(contents))
    return contents
  }

  /** For a commit in the middle of a run. */
  keep(): void {
    if (this.#isKnown) this.finish()
    else writeMeta(this.#db, key, '')
  }

  #recount(): void {
    const sql =
      'SELECT path, language, content_hash AS contentHash, modified_at AS modifiedAt, size, tokens FROM files'
    ;[this.#sum, this.#tokens, this.#bytes] = [0n, 0, 0]
    for (const row of this.#db.prepare(sql).iterate()) this.add(row as unknown as HeldDocument)
    this.#isKnown = true
  }
}
