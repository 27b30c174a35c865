// How are the shards of a corpus opened and made? Those that its file names, in its own folder, and no others.
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { settingSpecs } from '../config/settings.ts'
import { YoreError } from '../errors.ts'
import type { CorpusDatabase } from './corpus-shards.ts'
import { judgeShards, shardPath } from './index-home.ts'
import { readMeta, writeMeta } from './meta.ts'
import { damaged } from './row-sum.ts'
import { headerMarks, isOurSchema, shardTables } from './schema.ts'

/** How a file is opened or made: for reading or writing, or as one that nobody writes. */
export type OpenFile = (file: string) => CorpusDatabase

const mostShards = settingSpecs.shards.max ?? 1

/** How a corpus is divided, as its file says. */
interface Division {
  readonly name: string
  readonly shards: number
}

/** Null where the corpus is one file. Throws INDEX_DAMAGED. */
export function readDivision(db: DatabaseSync): Division | null {
  const stored = readMeta(db, 'division')
  if (stored === null) return null
  const { name, shards } = JSON.parse(stored) as Division
  if (!/^[0-9a-f]{16}$/.test(name) || !(shards > 1 && shards <= mostShards))
    throw damaged('the list of shards')
  return { name, shards }
}

function shardFilesOf(indexPath: string, { name, shards }: Division): string[] {
  return Array.from({ length: shards }, (_, number) => shardPath(indexPath, name, number))
}

/** Opens the shards that a corpus file names, where it names any. They are closed with it. */
export function openShards(db: CorpusDatabase, indexPath: string, open: OpenFile): void {
  const division = readDivision(db)
  if (division === null) return
  const files = shardFilesOf(indexPath, division)
  const missing = files.find((file) => !existsSync(file))
  if (missing !== undefined)
    throw new YoreError('INDEX_DAMAGED', `${missing}, a part of the index, is missing`)
  const reason = judgeShards(indexPath, files)
  if (reason !== null)
    throw new YoreError('INDEX_FOREIGN', `the index at ${indexPath} is not yours: ${reason}`)
  const opened: DatabaseSync[] = []
  db.shardFiles = files
  for (const [number, file] of files.entries()) {
    const shard = open(file)
    opened.push(shard)
    db.shards = opened
    const isOurs =
      isOurSchema(shard, shardTables) && readMeta(shard, 'shard') === `${division.name} ${number}`
    if (!isOurs)
      throw new YoreError('INDEX_DAMAGED', `${file} is not the part of the index that it should be`)
  }
}

/** Shards come before the corpus file that names them. */
export function createShards(
  db: CorpusDatabase,
  indexPath: string,
  { shards, create }: { readonly shards: number; readonly create: OpenFile },
): void {
  const division: Division = {
    name: randomBytes(8).toString('hex'),
    shards: Math.min(shards, mostShards),
  }
  const opened: DatabaseSync[] = []
  db.shardFiles = shardFilesOf(indexPath, division)
  for (const [number, file] of db.shardFiles.entries()) {
    const shard = create(file)
    opened.push(shard)
    shard.exec(`BEGIN; ${shardTables} ${headerMarks}`)
    writeMeta(shard, 'shard', `${division.name} ${number}`)
    shard.exec('COMMIT')
  }
  db.shards = opened
  writeMeta(db, 'division', JSON.stringify(division))
}
