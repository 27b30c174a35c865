// Where is the built-in model, and what is in its folder? model.json, the vocabulary, and the table, read as needed.

import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import path from 'node:path'
import { YoreError } from '../../model/errors.ts'
import { packagePath } from '../../model/package-path.ts'
import { openVocabulary, type Vocabulary } from './vocabulary.ts'

/** The verified content of model.json. */
interface StaticModelFacts {
  readonly name: string
  readonly vocabSize: number
  readonly dimensions: number
  readonly splitIdentifiers: boolean
  /**
   * The weight of the first line of a passage, which names its place; 0 for none. Without it, a title of five words is
   * lost among two hundred others.
   */
  readonly firstLineWeight: number
  /** SHA-256 of the table in hexadecimal; null when model.json does not record it. */
  readonly sha256: string | null
}

export interface StaticModel extends StaticModelFacts {
  readonly vocabulary: Vocabulary
  readonly tableBytes: number
  /** Reads bytes of the table file to the same offset of `target`. */
  readonly read: (target: Uint8Array, start: number, length: number) => void
  readonly close: () => void
}

const format = 'static-embed-1'
/** The packed vocabulary, as scripts/build-static-model.ts writes it. */
export const packedVocabularyName = 'vocab.bin'
const hint = 'name the folder of a static model, or leave the setting out to search by words only'

/** Opens the files of a model folder without reading the table. */
export function openStaticFiles(folder: string): StaticModel {
  const { facts, tableName, vocabName } = readModelFacts(folder)
  const vocabulary = readVocabulary(folder, vocabName)
  if (vocabulary.size !== facts.vocabSize)
    throw unusable(folder, `the vocabulary has ${vocabulary.size} tokens, model.json says ${facts.vocabSize}`)

  const file = guard(folder, () => openSync(path.join(folder, tableName), 'r'))
  const tableBytes = facts.vocabSize * (facts.dimensions / 2 + 4)
  const size = fstatSync(file).size
  if (size !== tableBytes) {
    closeSync(file)
    throw unusable(folder, `the table has ${size} bytes, not ${tableBytes}`)
  }
  const read = (target: Uint8Array, start: number, length: number): void => {
    for (let done = 0; done < length; ) {
      const got = readSync(file, target, start + done, length - done, start + done)
      if (got === 0) throw unusable(folder, 'the table became shorter while it was read')
      done += got
    }
  }
  let open = true
  const close = (): void => {
    if (open) closeSync(file)
    open = false
  }
  return { ...facts, vocabulary, tableBytes, read, close }
}

interface ModelFile {
  readonly facts: StaticModelFacts
  readonly tableName: string
  readonly vocabName: string
}

/** Reads and validates model.json; file names must be in the folder itself. */
export function readModelFacts(folder: string): ModelFile {
  const text = guard(folder, () => readFileSync(path.join(folder, 'model.json'), 'utf8'))
  const model = guard(folder, () => JSON.parse(text) as Record<string, unknown> | null) ?? {}
  const whole = (key: string, max: number): number => {
    const value = model[key]
    if (typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= max) return value
    throw unusable(folder, `model.json has no usable ${key}`)
  }
  const fileName = (key: string): string => {
    const value = model[key]
    if (typeof value === 'string' && value !== '' && path.basename(value) === value) return value
    throw unusable(folder, `model.json has no usable ${key}`)
  }
  if (model['format'] !== format) throw unusable(folder, `its format is not ${format}`)
  if (model['dtype'] !== 'int4') throw unusable(folder, 'its numbers are not int4')
  const dimensions = whole('dims', 65_536)
  // Rows and scales begin at multiples of four bytes.
  if (dimensions % 8 !== 0) throw unusable(folder, 'its dimensions are no multiple of 8')
  const tableName = fileName('table')
  const sha256 = model['sha256']
  const facts = {
    name: tableName.split('.')[0] ?? tableName,
    vocabSize: whole('vocab_size', 65_535),
    dimensions,
    splitIdentifiers: model['split_identifiers'] === true,
    firstLineWeight: readWeight(folder, model['first_line_weight'] ?? 0),
    sha256: typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256) ? sha256 : null,
  }
  return { facts, tableName, vocabName: fileName('vocab') }
}

function readWeight(folder: string, value: unknown): number {
  if (typeof value === 'number' && value >= 0 && value <= 10) return value
  throw unusable(folder, 'model.json has no usable first_line_weight')
}

/** The built-in table inside the package; null for an installation without it. */
export function shippedModelFolder(): string | null {
  const folder = packagePath('assets/model')
  return existsSync(path.join(folder, 'model.json')) ? folder : null
}

/** The packed vocabulary, which must match the size of its source. */
export function readVocabulary(folder: string, vocabName: string): Vocabulary {
  const packed = path.join(folder, packedVocabularyName)
  const vocabulary = openVocabulary(guard(folder, () => readFileSync(packed)))
  // By size, because times change with a checkout or an install; a final line end may have been added.
  const source = statSync(path.join(folder, vocabName), { throwIfNoEntry: false })
  const size = source?.size ?? vocabulary.lineBytes
  if (vocabulary.lineBytes - size <= 1 && vocabulary.lineBytes >= size) return vocabulary
  throw unusable(folder, `${packedVocabularyName} was packed from another ${vocabName}`)
}

/** Converts a file system error, with the folder's name. */
function guard<T>(folder: string, run: () => T): T {
  try {
    return run()
  } catch (cause) {
    throw unusable(folder, cause instanceof Error ? cause.message : String(cause), cause)
  }
}

export const unusable = (folder: string, reason: string, cause?: unknown): YoreError =>
  new YoreError('BAD_CONFIG', `the embedding model in ${folder} cannot be used: ${reason}`, {
    hint,
    cause,
  })
