// How do tests of the store get documents without a parser? Plain words become sections, pieces and terms.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { onTestFinished } from 'vitest'
import { CorpusReader } from '../../src/corpus/store/corpus-reader.ts'
import { CorpusWriter } from '../../src/corpus/store/corpus-writer.ts'
import { openForWriting } from '../../src/corpus/store/open-database.ts'
import { TermBatchBuilder } from '../../src/corpus/store/postings/term-batch.ts'
import {
  artifactHash,
  type DocumentBatch,
  packPieces,
  type StoredDocument,
  type StoredMention,
} from '../../src/corpus/store/rows/document-batch.ts'
import { WordPacker } from '../../src/corpus/store/rows/pack-words.ts'
import { packTexts } from '../../src/corpus/store/rows/text-blocks.ts'

/** A document: the text of each section, words parted by blanks. The first section is the file's own. */
export interface PlainDocument {
  readonly path: string
  readonly sections: readonly string[]
  readonly mentions?: readonly StoredMention[]
  readonly title?: string
}

/** What the indexing side would hand over: one fragment per section. */
export function makeBatch(documents: readonly PlainDocument[]): DocumentBatch {
  const terms = new TermBatchBuilder()
  const stored = documents.map((document) => {
    for (const text of document.sections) {
      const words = text.split(' ').filter((word) => word !== '')
      for (const word of words) terms.count(terms.idOf(word), 'body')
      terms.endFragment(words.length)
    }
    return storeDocument(document)
  })
  return { documents: stored, terms: terms.finish() }
}

function storeDocument({
  path: place,
  sections,
  mentions = [],
  title = place,
}: PlainDocument): StoredDocument {
  const artifacts = sections.map((text, index) => {
    const lines = { start: index + 1, end: index + 1 }
    const words = text.split(' ').length
    const pieces = packPieces([{ start: 0, end: text.length, lines, tokens: words }])
    const id = index === 0 ? place : `${place}#s${index}`
    const name = index === 0 ? title : `s${index}`
    return {
      id,
      kind: index === 0 ? ('markdown_module' as const) : ('markdown_section' as const),
      name,
      anchor: index === 0 ? null : `s${index}`,
      level: index === 0 ? 0 : 1,
      headings: index === 0 ? [] : [`s${index}`],
      parent: index === 0 ? -1 : 0,
      lines,
      ownLines: lines,
      tokens: words,
      pieces,
      hash: artifactHash({ id, name }, text, pieces),
      words: new WordPacker(new TermBatchBuilder()).finish(text, [{ piece: 0, at: 0 }]),
      code: 0 as const,
    }
  })
  return {
    path: place,
    language: 'markdown',
    size: sections.join(' ').length,
    mtime: 1,
    ctime: 1,
    inode: 1,
    contentHash: sections.join('|'),
    modifiedAt: 1,
    facts: { title, status: null, frontmatter: {} },
    artifacts,
    texts: packTexts(sections),
    fragments: sections.map((text, artifact) => ({
      artifact,
      pieceStart: 0,
      pieceEnd: 1,
      words: text.split(' ').length,
    })),
    mentions,
    outline: null,
    role: null,
    masks: null,
    places: null,
  }
}

/** Changes bytes of the stored texts, as damage would; both words have the same length. */
export function damageTexts(db: DatabaseSync, before: string, after: string): void {
  for (const { artifact, data } of db.prepare('SELECT artifact, data FROM texts').all()) {
    const bytes = zstdDecompressSync(data as Uint8Array)
      .toString('latin1')
      .replaceAll(before, after)
    const changed = zstdCompressSync(Buffer.from(bytes, 'latin1'))
    db.prepare('UPDATE texts SET data = ? WHERE artifact = ?').run(changed, artifact as number)
  }
}

/** A real corpus file in a temporary folder. */
export interface OpenStore {
  readonly db: DatabaseSync
  readonly writer: CorpusWriter
  readonly reader: CorpusReader
  readonly indexPath: string
}

/** Opens a new corpus file; the caller closes it. */
export function createStore(): OpenStore & { close(): void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'yore-store-'))
  const indexPath = path.join(folder, 'index.db')
  const { db } = openForWriting(indexPath, { rebuild: false })
  const close = (): void => {
    if (db.isOpen) db.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { db, writer: new CorpusWriter(db), reader: new CorpusReader(db), indexPath, close }
}

/** Opens a new corpus file that goes when the test ends. */
export function openStore(): OpenStore {
  const store = createStore()
  onTestFinished(() => store.close())
  return store
}

/** Writes documents in one transaction. */
export function write(
  { writer }: OpenStore,
  documents: readonly PlainDocument[],
  removed: readonly string[] = [],
): void {
  writer.begin()
  for (const place of removed) writer.removeDocument(place)
  writer.addBatch(makeBatch(documents))
  writer.commit()
}
