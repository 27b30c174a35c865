// Which documents does a corpus hold? Sums over all of them, independent of their order, updated with each document.
import { hash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { extractedFormatOf, pageFormatOf } from '../../../read/source/extracted-formats.ts'
import { fileSum, files } from '../schema.ts'
import { type CorpusContents, clearMeta, readMeta, writeMeta } from './meta.ts'
import { cacheStatements, combine, type Prepare, type Selected, select } from './table.ts'

const counted = files.pick(['path', 'language', 'contentHash', 'modifiedAt', 'size', 'tokens'])
type CountedDocument = Selected<typeof counted>

const MODULUS = 2n ** 256n

/** Extracted text also depends on the version of the extractor. */
function hashOf({ path, language, contentHash, modifiedAt }: CountedDocument): bigint {
  const format = language === 'markdown' ? (extractedFormatOf(path) ?? pageFormatOf(path)) : null
  const reader = format === null ? '' : `\0${format.name} ${format.version}`
  return BigInt(`0x${hash('sha256', `${path}\0${contentHash}\0${modifiedAt}${reader}\n`)}`)
}

/** The sums of one corpus while it is written. */
export class ContentSums {
  readonly #db: DatabaseSync
  readonly #prepare: Prepare
  #sum = 0n
  #tokens = 0
  #bytes = 0
  #isKnown = false

  constructor(db: DatabaseSync) {
    this.#db = db
    this.#prepare = cacheStatements(db)
  }

  /** Continues from the last commit; without stored sums, `finish` counts. */
  begin(): void {
    const stored = readMeta(this.#db, 'contents')
    const isEmpty = this.#prepare('SELECT 1 FROM files LIMIT 1').get() === undefined
    this.#isKnown = stored !== null || isEmpty
    const { sum, tokens, bytes } = stored ?? { sum: '0', tokens: 0, bytes: 0 }
    this.#sum = BigInt(`0x${sum}`)
    this.#tokens = tokens
    this.#bytes = bytes
  }

  /** Discards the sums, as when another version of a reader parses the same files. */
  forget(): void {
    this.#isKnown = false
  }

  add(document: CountedDocument, sign: 1 | -1 = 1): void {
    const hashed = hashOf(document)
    this.#sum = (this.#sum + (sign === 1 ? hashed : MODULUS - hashed)) % MODULUS
    this.#tokens += sign * document.tokens
    this.#bytes += sign * document.size
  }

  remove(file: number): void {
    this.#addRow(file, -1)
  }

  /** Recounts a row that `write` changes. */
  change(file: number, write: () => void): void {
    this.#addRow(file, -1)
    write()
    this.#addRow(file, 1)
  }

  /** A damaged row makes the sums unknown. */
  #addRow(file: number, sign: 1 | -1): void {
    const columns = combine(fileSum.columns(), files.pick(['tokens']))
    const row = select(this.#prepare, columns, 'FROM files WHERE id = ?').get(file)
    if (row !== undefined && fileSum.isRight(row)) this.add(row, sign)
    else this.forget()
  }

  /** Returns the sums, and stores them with the transaction. */
  finish(): CorpusContents {
    if (!this.#isKnown) this.#recount()
    const contents = { sum: this.#sum.toString(16), tokens: this.#tokens, bytes: this.#bytes }
    writeMeta(this.#db, 'contents', contents)
    return contents
  }

  /** For a commit in the middle of a run. */
  save(): void {
    if (this.#isKnown) this.finish()
    else clearMeta(this.#db, 'contents')
  }

  #recount(): void {
    ;[this.#sum, this.#tokens, this.#bytes] = [0n, 0, 0]
    for (const row of select(this.#prepare, counted, 'FROM files').iterate()) this.add(row)
    this.#isKnown = true
  }
}
