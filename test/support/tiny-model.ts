// How do tests get a static model without weights? A tiny one in a temporary folder, with rows made by a formula.
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { packVocabulary } from '../../scripts/pack-vocabulary.ts'

export const tinyTokens: readonly string[] =
  '[PAD] [UNK] get pod name ##s ##name http server 2 . e 中 a ##a'.split(' ')

export interface TinyModelOptions {
  readonly dimensions: number
  /** Changes to model.json; undefined leaves a key out. */
  readonly json: Readonly<Record<string, unknown>>
}

/** The number in a row, from -8 to 7. */
export function tinyNumber(id: number, dimension: number): number {
  return ((id * 7 + dimension * 3 + ((id * dimension) % 5)) % 16) - 8
}

export function tinyScale(id: number): number {
  return id < 2 ? 0 : Math.fround(0.01 * (id + 1))
}

/** The bytes of the table in the documented layout, written independently of the code that reads it. */
export function tinyTable(dimensions: number): Buffer {
  const rowBytes = dimensions / 2
  const table = Buffer.alloc(tinyTokens.length * (rowBytes + 4))
  for (let id = 0; id < tinyTokens.length; id++) {
    for (let dimension = 0; dimension < dimensions; dimension += 2) {
      const low = tinyNumber(id, dimension) & 15
      const high = tinyNumber(id, dimension + 1) & 15
      table[id * rowBytes + dimension / 2] = low | (high << 4)
    }
    table.writeFloatLE(tinyScale(id), tinyTokens.length * rowBytes + id * 4)
  }
  return table
}

/** Writes the model; the folder goes when the test ends. */
export function writeTinyModel({ dimensions = 64, json = {} }: Partial<TinyModelOptions> = {}): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'yore-model-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const table = tinyTable(dimensions)
  const model = {
    format: 'static-embed-1',
    vocab_size: tinyTokens.length,
    dims: dimensions,
    dtype: 'int4',
    table: 'tiny.i4.bin',
    vocab: 'vocab.txt',
    split_identifiers: true,
    sha256: createHash('sha256').update(table).digest('hex'),
    ...json,
  }
  writeFileSync(path.join(folder, 'model.json'), JSON.stringify(model))
  writeFileSync(path.join(folder, 'tiny.i4.bin'), table)
  const vocabulary = Buffer.from(tinyTokens.map((token) => `${token}\n`).join(''))
  writeFileSync(path.join(folder, 'vocab.txt'), vocabulary)
  writeFileSync(path.join(folder, 'vocab.bin'), packVocabulary(vocabulary))
  return folder
}
