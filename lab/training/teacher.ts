// What does a teacher say about a text? Its mean-pooled vector of unit length, kept on disk under the hash of what was asked.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packVocabulary } from '../../scripts/pack-vocabulary.ts'
import { openVocabulary } from '../../src/corpus/embed/vocabulary.ts'
import { createWordPieces } from '../../src/corpus/embed/word-pieces.ts'
import { type TeacherSpec, teacherTokens } from './recipe.ts'
import { loadRuntime, type Runtime, type Session, sessionOptions } from './runtime.ts'

export const teacherDimensions = 384
const [first, last] = [101n, 102n] as const
/** Texts of one file; a run that was stopped goes on with the first file that is missing. */
const chunkTexts = 2048
/** Padded tokens of one call. */
const batchTokens = 2048

export interface Teacher {
  readonly spec: TeacherSpec
  /** One row per list of token ids, without special tokens. */
  readonly embed: (lists: readonly Int32Array[]) => Promise<Float32Array>
}

/** Opens a teacher after comparing its hash. */
export async function openTeacher(spec: TeacherSpec, packages: string): Promise<Teacher> {
  const runtime = loadRuntime()
  if (runtime === null) throw new Error('run `npm ci --ignore-scripts` in training/ first')
  const file = join(packages, spec.folder, 'onnx/model.onnx')
  const weights = readFileSync(file)
  const sha256 = createHash('sha256').update(weights).digest('hex')
  if (sha256 !== spec.sha256) throw new Error(`${file} has the hash ${sha256}, not ${spec.sha256}`)
  const session = await runtime.InferenceSession.create(weights, sessionOptions)
  return { spec, embed: (lists) => embedLists(runtime, session, lists) }
}

/** Texts of similar length go together: padding is work for nothing. */
async function embedLists(
  runtime: Runtime,
  session: Session,
  lists: readonly Int32Array[],
): Promise<Float32Array> {
  const order = lists.map((_, at) => at).sort((a, b) => lists[a]!.length - lists[b]!.length || a - b)
  const vectors = new Float32Array(lists.length * teacherDimensions)
  for (let at = 0; at < order.length; ) {
    const batch: number[] = []
    let longest = 0
    while (at < order.length) {
      const length = lists[order[at]!]!.length + 2
      if (batch.length > 0 && Math.max(longest, length) * (batch.length + 1) > batchTokens) break
      longest = Math.max(longest, length)
      batch.push(order[at++]!)
    }
    await embedBatch(runtime, session, { batch, lists, longest, vectors })
  }
  return vectors
}

interface Batch {
  readonly batch: readonly number[]
  readonly lists: readonly Int32Array[]
  readonly longest: number
  readonly vectors: Float32Array
}

async function embedBatch(
  runtime: Runtime,
  session: Session,
  { batch, lists, longest, vectors }: Batch,
): Promise<void> {
  const ids = new BigInt64Array(batch.length * longest)
  const mask = new BigInt64Array(ids.length)
  for (const [row, text] of batch.entries()) {
    const list = lists[text]!
    ids[row * longest] = first
    for (let at = 0; at < list.length; at++) ids[row * longest + 1 + at] = BigInt(list[at]!)
    ids[row * longest + list.length + 1] = last
    mask.fill(1n, row * longest, row * longest + list.length + 2)
  }
  const tensor = (values: BigInt64Array): object =>
    new runtime.Tensor('int64', values, [batch.length, longest])
  const outputs = await session.run({
    input_ids: tensor(ids),
    attention_mask: tensor(mask),
    token_type_ids: tensor(new BigInt64Array(ids.length)),
  })
  const states = outputs['last_hidden_state']!.data
  for (const [row, text] of batch.entries()) {
    const tokens = lists[text]!.length + 2
    const mean = new Float64Array(teacherDimensions)
    const start = row * longest * teacherDimensions
    for (let at = 0; at < tokens * teacherDimensions; at++)
      mean[at % teacherDimensions]! += states[start + at]!
    const length = Math.sqrt(mean.reduce((sum, value) => sum + value * value, 0))
    vectors.set(
      mean.map((value) => value / length),
      text * teacherDimensions,
    )
  }
}

/** The tokeniser of both teachers and of the table: uncased WordPiece, identifiers split at their capitals. */
export function openTokenizer(packages: string, spec: TeacherSpec): (text: string) => Int32Array {
  const lines = readFileSync(join(packages, spec.folder, 'vocab.txt'))
  const toPieces = createWordPieces(openVocabulary(packVocabulary(lines)), { splitIdentifiers: true })
  return (text) => toPieces(text).slice()
}

export interface AskOptions {
  readonly cache: string
  readonly onProgress: (done: number, total: number) => void
}

/** The vectors of many token lists, one row each; every chunk is read from the cache when it is there. */
export async function askTeacher(
  open: () => Promise<Teacher>,
  spec: TeacherSpec,
  lists: readonly Int32Array[],
  { cache, onProgress }: AskOptions,
): Promise<Float32Array> {
  mkdirSync(cache, { recursive: true })
  const vectors = new Float32Array(lists.length * teacherDimensions)
  let teacher: Teacher | null = null
  for (let at = 0; at < lists.length; at += chunkTexts) {
    const chunk = lists.slice(at, at + chunkTexts).map((list) => list.subarray(0, teacherTokens - 2))
    const file = join(cache, `${spec.name}-${hashLists(chunk, spec)}.f32`)
    if (existsSync(file)) vectors.set(readFloats(file), at * teacherDimensions)
    else {
      teacher ??= await open()
      const rows = await teacher.embed(chunk)
      vectors.set(rows, at * teacherDimensions)
      writeFileSync(`${file}.part`, new Uint8Array(rows.buffer))
      renameSync(`${file}.part`, file)
    }
    onProgress(Math.min(at + chunkTexts, lists.length), lists.length)
  }
  return vectors
}

function hashLists(lists: readonly Int32Array[], { sha256 }: TeacherSpec): string {
  const hash = createHash('sha256').update(sha256)
  for (const list of lists) hash.update(`${list.length}\0`).update(new Uint8Array(list.slice().buffer))
  return hash.digest('hex').slice(0, 24)
}

function readFloats(file: string): Float32Array {
  const bytes = readFileSync(file)
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
}
