// How does a batch of files become rows for the store? Read, parse, split, count and analyse, off the main thread.

import type { Artifact, ParsedDocument } from '../../model/artifact.ts'
import { YoreError } from '../../model/errors.ts'
import type { FileStamp, SkippedFile, TextPlace } from '../../model/source-file.ts'
import { openTools } from '../../read/assets/load-grammars.ts'
import { loadTokenizer } from '../../read/assets/load-tokenizer.ts'
import type { Extractor } from '../../read/extract/extract-text.ts'
import type { MentionOptions } from '../../read/parse/markdown/find-mentions.ts'
import { parseDocument } from '../../read/parse/parse-document.ts'
import { splitFragments } from '../../read/parse/split-fragments.ts'
import { analyzeWords, type TermSink, termsIn } from '../../read/parse/words/analyze-words.ts'
import { extractedFormatOf, pageFormatOf } from '../../read/source/extracted-formats.ts'
import {
  type PackedFile,
  type ReadOutcome,
  readExtracted,
  readSourceBytes,
  readSourceFile,
} from '../../read/source/read-source-file.ts'
import { maskSecrets } from '../../read/source/secrets/mask-secrets.ts'
import type { Root } from '../../read/source/walk/corpus-roots.ts'
import type { TokenCounter } from '../../read/tokens/token-counter.ts'
import { maxWords, TermBatchBuilder } from '../store/postings/term-batch.ts'
import {
  artifactHash,
  type DocumentBatch,
  packPieces,
  type StoredArtifact,
  type StoredDocument,
  type StoredFragment,
} from '../store/rows/document-batch.ts'
import { eachLine, type Span, WordPacker } from '../store/rows/pack-words.ts'
import { packText, packTexts } from '../store/rows/text-blocks.ts'
import { blankBlock, findOwnFile } from './written-by-yore.ts'

export interface FileTask extends FileStamp {
  /** Hash of the indexed content; a file with the same hash is not parsed again. */
  readonly knownHash: string | null
  /** Time of the last commit; null outside git. */
  readonly committedAt: number | null
  /** The version that citations show for a fetched source: `v2.32.3`, `fastify 5.8.5`. */
  readonly origin?: string
  /** The file itself, if it is not in the root; with `contentHash` if the bytes are its stored text. */
  readonly given?: {
    readonly bytes: Uint8Array
    readonly contentHash: string | null
    /** Set for an extracted text. */
    readonly places: readonly TextPlace[] | null
  }
}

/** The settings that decide, besides its bytes, what the index holds of a file. */
export interface ReadingOptions {
  readonly mentions: MentionOptions
  readonly limits: { readonly maxFileSize: number; readonly maxLineLength: number }
  readonly maskSecrets: boolean
}

export interface AnalyzeTask extends ReadingOptions {
  readonly root: Root
  readonly files: readonly FileTask[]
}

/** A file with the same content and another stamp. */
interface TouchedFile extends FileStamp {
  readonly modifiedAt: number
}

interface Gathered {
  readonly documents: StoredDocument[]
  readonly skipped: SkippedFile[]
  readonly unchanged: TouchedFile[]
  /** Messages about files that were read: `deck.pdf: page 4: no text`. */
  readonly warnings: string[]
}

export interface AnalyzeResult extends Readonly<Omit<Gathered, 'documents'>> {
  readonly batch: DocumentBatch
}

/** Frontmatter is searched by the values of these keys only. */
const searchedFrontmatter = [
  ...['title', 'linkTitle', 'description', 'summary', 'keywords', 'tags', 'aliases'],
  ...['author', 'authors'],
]

function frontmatterWords(frontmatter: Readonly<Record<string, unknown>>): string {
  const values = searchedFrontmatter.flatMap((key) => frontmatter[key])
  return values.filter((value) => typeof value === 'string').join('\n')
}

/** Does the text start with valid frontmatter? Then its first piece is not prose. */
const startsWithFrontmatter = (artifact: Artifact, document: ParsedDocument): boolean =>
  artifact.parent === null &&
  Object.keys(document.facts.frontmatter).length > 0 &&
  /^(?:---|\+\+\+)/.test(artifact.text)

type WordFinder = ReturnType<typeof makeWordFinder>

/** Analyses the words of artifacts once: counted for the postings of their fragments, and packed in order. */
function makeWordFinder(builder: TermBatchBuilder) {
  let length = 0
  const packer = new WordPacker(builder)
  const addWord: TermSink = (term, whole) => {
    if (!whole) length++
    builder.count(builder.idOf(term), 'body')
  }
  const packWord: TermSink = (term, whole) => {
    const id = builder.idOf(term)
    if (!whole) length++
    builder.count(id, 'body')
    packer.add(term, id, whole)
  }

  /** Returns the number of words of a fragment: those of `other` instead of those before `proseStart`. */
  function read(text: string, { span, proseStart, other }: BodyPart): number {
    length = 0
    if (other !== '') analyzeWords(other, addWord)
    eachLine(text, span, (start, end) => {
      if (start < proseStart) packer.readLine(text, [start, end])
      else if (!packer.readLine(text, [start, end], packWord)) analyzeWords(text, addWord, start, end)
    })
    return length
  }

  /** The same for a fragment that does not consist of whole lines; nothing is packed. */
  function count(text: string, { span, proseStart, other }: BodyPart): number {
    length = 0
    analyzeWords(`${other}\n${text.slice(Math.max(span[0], proseStart), span[1])}`, addWord)
    return length
  }

  return { packer, read, count }
}

interface BodyPart {
  readonly span: Span
  /** End of the frontmatter, which is not prose. */
  readonly proseStart: number
  readonly other: string
}

/** The numbers of the terms of a text. */
const termsOf = (text: string, builder: TermBatchBuilder): number[] =>
  termsIn(text).map((term) => builder.idOf(term))

interface TermGathering {
  readonly builder: TermBatchBuilder
  readonly body: WordFinder
  readonly names: DocumentTerms
}

/** Terms that every fragment of a document shares. */
interface DocumentTerms {
  readonly title: readonly number[]
  readonly path: readonly number[]
}

/** Do fragments and frontmatter consist of whole lines? */
const isSplitInLines = (text: string, places: readonly number[]): boolean =>
  places.every((at) => at === 0 || at === text.length || text[at - 1] === '\n')

function analyzeArtifact(
  artifact: Artifact,
  document: ParsedDocument,
  { builder, body, names }: TermGathering,
): { readonly fragments: Omit<StoredFragment, 'artifact'>[]; readonly words: Uint8Array } {
  const { text, pieces } = artifact
  const split = splitFragments(artifact)
  if (split.length === 0) return { fragments: [], words: new Uint8Array() }
  const above = artifact.headings.filter((heading) => heading !== document.facts.title)
  const headings = termsOf(above.join('\n'), builder)
  const proseStart = startsWithFrontmatter(artifact, document) ? (pieces[0]?.end ?? 0) : 0
  const front = proseStart > 0 ? frontmatterWords(document.facts.frontmatter) : ''
  const starts = split.map(({ start }) => ({ piece: start, at: pieces[start]?.start ?? 0 }))
  const inLines = isSplitInLines(text, [...starts.map(({ at }) => at), proseStart])
  const fragments = split.map((own, number) => {
    const span: Span = [starts[number]?.at ?? 0, starts[number + 1]?.at ?? text.length]
    const part = { span, proseStart, other: number === 0 ? front : '' }
    const words = inLines ? body.read(text, part) : body.count(text, part)
    for (const term of headings) builder.count(term, 'heading')
    for (const term of names.title) builder.count(term, 'title')
    for (const term of names.path) builder.count(term, 'path')
    builder.endFragment(words)
    return { pieceStart: own.start, pieceEnd: own.end, words: Math.min(words, maxWords) }
  })
  return { fragments, words: body.packer.finish(text, starts) }
}

function storeArtifact(
  artifact: Artifact,
  words: Uint8Array,
  { indexes, countTokens }: { indexes: ReadonlyMap<string, number>; countTokens: TokenCounter },
): StoredArtifact {
  const { id, kind, name, anchor, level, headings, lines, ownLines, text } = artifact
  const counted = artifact.pieces.map((piece) => ({
    ...piece,
    tokens: countTokens(text.slice(piece.start, piece.end)),
  }))
  const pieces = packPieces(counted)
  const parent = artifact.parent === null ? -1 : (indexes.get(artifact.parent) ?? 0)
  const tokens = counted.reduce((sum, piece) => sum + piece.tokens, 0)
  const hash = artifactHash(artifact, text, pieces)
  const code = artifact.metadata === undefined ? 0 : 1
  const named = { id, kind, name, anchor, level, headings, lines, ownLines }
  return { ...named, parent, tokens, hash, pieces, words, code }
}

/** Rows of one parsed document; the words of its fragments go into the builder. */
function storeDocument(
  document: ParsedDocument,
  { builder, body }: Omit<TermGathering, 'names'>,
  countTokens: TokenCounter,
): Pick<StoredDocument, 'artifacts' | 'texts' | 'fragments' | 'mentions' | 'outline'> {
  const indexes = new Map(document.artifacts.map((artifact, index) => [artifact.id, index]))
  const names = {
    title: termsOf(document.facts.title, builder),
    path: termsOf(document.path.replace(/\.[^./]*$/, ''), builder),
  }
  const analyzed = document.artifacts.map((artifact) =>
    analyzeArtifact(artifact, document, { builder, body, names }),
  )
  const artifacts = document.artifacts.map((artifact, index) =>
    storeArtifact(artifact, (analyzed[index] as { words: Uint8Array }).words, { indexes, countTokens }),
  )
  const fragments = analyzed.flatMap((one, artifact) => one.fragments.map((part) => ({ artifact, ...part })))
  const mentions = document.mentions.map(({ origin, ...mention }) => {
    return { artifact: indexes.get(origin) ?? 0, ...mention }
  })
  const outline = document.outline === undefined ? null : packText(JSON.stringify(document.outline))
  const texts = packTexts(document.artifacts.map(({ text }) => text))
  return { artifacts, texts, fragments, mentions, outline }
}

function readTask({ given, ...stamp }: FileTask, { root, limits }: AnalyzeTask): ReadOutcome {
  if (given === undefined) return readSourceFile(root, stamp, limits)
  const { path, size, mtime, ctime, inode } = stamp
  const seen = { size, mtime, ctime, inode }
  const { bytes, contentHash, places } = given
  const isExtracted = (extractedFormatOf(path) ?? pageFormatOf(path)) !== null
  if (contentHash !== null && places !== null && isExtracted) {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
    return readExtracted({ path, contentHash, stamp: seen }, { text, places }, limits)
  }
  const read = readSourceBytes({ path, ...seen }, bytes, limits)
  return 'file' in read && contentHash !== null ? { file: { ...read.file, contentHash } } : read
}

/** The places of extracted lines, or the version of their source. */
function storePlaces(places: readonly TextPlace[] | null, origin: string | undefined): string | null {
  const known =
    places ?? (origin === undefined ? null : [{ line: 1, place: origin.replaceAll(/[:()]/g, ' ') }])
  return known === null ? null : JSON.stringify(known.map(({ line, place }) => [line, place]))
}

/** The text of a packed file, or the reason why it has none. */
async function unpack(
  packed: PackedFile,
  { limits }: AnalyzeTask,
  { extractor, warnings }: { readonly extractor: Extractor; readonly warnings: string[] },
): Promise<Exclude<ReadOutcome, { packed: PackedFile }>> {
  const { path, stamp } = packed
  const outcome = await extractor.extract(packed.format, packed.bytes)
  if ('reason' in outcome) return { skipped: { path, ...outcome, seen: stamp } }
  const { extraction } = outcome
  warnings.push(...extraction.warnings.map((warning) => `${path}: ${warning}`))
  return readExtracted(packed, extraction, limits)
}

/** Reads and analyses the files of a task. A file that cannot be read is skipped with its reason. */
export async function analyzeDocuments(task: AnalyzeTask, extractor: Extractor): Promise<AnalyzeResult> {
  const failed: SkippedFile[] = []
  let { files } = task
  for (;;) {
    let path = ''
    try {
      const result = await analyzeFiles({ ...task, files }, extractor, (begun) => (path = begun))
      return { ...result, skipped: [...result.skipped, ...failed] }
    } catch (cause) {
      if (cause instanceof YoreError || path === '') throw cause
      const detail = `it cannot be read: ${cause instanceof Error ? cause.message : cause}`
      failed.push({ path, reason: 'parse-failed', detail })
      // The batch already contains words of that file: it is built again without it.
      files = files.filter((file) => file.path !== path)
    }
  }
}

async function analyzeFiles(task: AnalyzeTask, extractor: Extractor, onBegun: (path: string) => void) {
  const builder = new TermBatchBuilder()
  const words = { builder, body: makeWordFinder(builder) }
  const gathered: Gathered = { documents: [], skipped: [], unchanged: [], warnings: [] }
  for (const file of task.files) {
    onBegun(file.path)
    await analyzeFile(file, { task, extractor, words, gathered })
  }
  onBegun('')
  const { documents, ...rest } = gathered
  return { batch: { documents, terms: builder.finish() }, ...rest }
}

async function analyzeFile(
  stamp: FileTask,
  within: {
    readonly task: AnalyzeTask
    readonly extractor: Extractor
    readonly words: Omit<TermGathering, 'names'>
    readonly gathered: Gathered
  },
): Promise<void> {
  const { task, extractor, words, gathered } = within
  const { documents, skipped, unchanged, warnings } = gathered
  const found = readTask(stamp, task)
  const opened = 'packed' in found ? found.packed : 'file' in found ? found.file : null
  if (opened !== null && opened.contentHash === stamp.knownHash) {
    const { path, stamp: seen } = opened
    unchanged.push({ path, ...seen, modifiedAt: stamp.committedAt ?? Math.trunc(seen.mtime) })
    return
  }
  const read = 'packed' in found ? await unpack(found.packed, task, { extractor, warnings }) : found
  if ('skipped' in read) {
    skipped.push(read.skipped)
    return
  }
  const { file } = read
  const own = findOwnFile(file.text)
  if (own !== null) {
    skipped.push({ path: file.path, ...own, seen: file.stamp })
    return
  }
  const written = blankBlock(file.text)
  const { text, masks } = task.maskSecrets ? maskSecrets(written) : { text: written, masks: [] }
  const parsed = parseDocument({ ...file, text }, task.mentions, await openTools([file]))
  if (parsed.warning !== undefined) warnings.push(`${file.path}: ${parsed.warning}`)
  documents.push({
    path: file.path,
    language: file.language,
    ...file.stamp,
    contentHash: file.contentHash,
    modifiedAt: stamp.committedAt ?? Math.trunc(file.stamp.mtime),
    facts: parsed.facts,
    role: file.isGenerated ? 'generated' : null,
    masks: masks.length === 0 ? null : JSON.stringify(masks),
    places: storePlaces(file.places, stamp.origin),
    ...storeDocument(parsed, words, loadTokenizer()),
  })
}
