// Which documents does a corpus hold? One sum over all of them, independent of their order.
import { hash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { extractedFormatOf, pageFormatOf } from '../../../read/source/extracted-formats.ts'
import { files } from '../schema.ts'
import { type Selected, select } from './table.ts'

const counted = files.pick(['path', 'language', 'contentHash', 'modifiedAt'])

/** Extracted text also depends on the version of the extractor. */
function hashOf({ path, language, contentHash, modifiedAt }: Selected<typeof counted>): bigint {
  const format = language === 'markdown' ? (extractedFormatOf(path) ?? pageFormatOf(path)) : null
  const reader = format === null ? '' : `\0${format.name} ${format.version}`
  return BigInt(`0x${hash('sha256', `${path}\0${contentHash}\0${modifiedAt}${reader}\n`)}`)
}

/** The sum of the hashes of all documents, in hexadecimal. */
export function sumContents(db: DatabaseSync): string {
  let sum = 0n
  for (const row of select(db, counted, 'FROM files').iterate()) sum += hashOf(row)
  return BigInt.asUintN(256, sum).toString(16)
}
