// How does a trained table become a folder that the product opens? The packed rows, the vocabulary, and what they are.
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packVocabulary } from '../../scripts/pack-vocabulary.ts'
import { packedVocabularyName } from '../../src/corpus/embed/static-model.ts'
import { silentTokens } from './first-table.ts'
import { packTable } from './quantize-table.ts'

export interface ModelFacts {
  readonly name: string
  readonly dimensions: number
  /** Anything more to say in model.json. */
  readonly about: Readonly<Record<string, unknown>>
}

/** Writes the folder and gives the SHA-256 of the table. */
export function writeModel(
  folder: string,
  rows: Float32Array,
  vocabulary: Uint8Array,
  facts: ModelFacts,
): string {
  const { name, dimensions, about } = facts
  const quiet = rows.slice()
  for (const id of silentTokens) quiet.fill(0, id * dimensions, (id + 1) * dimensions)
  const table = packTable(quiet, dimensions)
  const sha256 = createHash('sha256').update(table).digest('hex')
  mkdirSync(folder, { recursive: true })
  const model = {
    format: 'static-embed-1',
    vocab_size: rows.length / dimensions,
    dims: dimensions,
    dtype: 'int4',
    layout:
      'two signed nibbles per byte (low nibble = even dim), rows first, then vocab_size float32 row scales, little endian',
    table: `${name}.i4.bin`,
    vocab: 'vocab.txt',
    tokenizer: 'BERT uncased WordPiece, no special tokens',
    split_identifiers: true,
    pooling: 'sum of scale[t]*row[t], then L2 normalise',
    zeroed_ids: silentTokens,
    sha256,
    ...about,
  }
  writeFileSync(join(folder, model.table), table)
  writeFileSync(join(folder, model.vocab), vocabulary)
  writeFileSync(join(folder, packedVocabularyName), packVocabulary(vocabulary))
  writeFileSync(join(folder, 'model.json'), `${JSON.stringify(model, null, 2)}\n`)
  return sha256
}
