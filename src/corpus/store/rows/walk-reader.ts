// What did the last walk find beside documents? Folders with their times, and files that were left out; each row checked.
import type { SkippedFile } from '../../../model/source-file.ts'
import type { Prepare } from './keep-statements.ts'
import { damaged, rowSum } from './row-sum.ts'

export interface StoredFolder {
  readonly path: string
  readonly mtime: number
}

export function readFolders(prepare: Prepare, among?: readonly string[]): StoredFolder[] {
  const sql = 'SELECT path, mtime, sum FROM directories'
  const one = `${sql} WHERE path = ?`
  const rows = among?.map((path) => prepare(one).get(path)) ?? prepare(sql).all()
  return (rows.filter((row) => row !== undefined) as unknown as (StoredFolder & { sum: number })[]).map(
    ({ path, mtime, sum }) => {
      if (rowSum(path, mtime) !== sum) throw damaged(`what is known of folder ${path}`)
      return { path, mtime }
    },
  )
}

interface StoredSkip extends SkippedFile {
  readonly size: number | null
  readonly mtime: number
  readonly ctime: number
  readonly inode: number
  readonly sum: number
}

/** With its stamp what was left out for what it holds. */
export function readSkips(prepare: Prepare): SkippedFile[] {
  const rows = prepare('SELECT * FROM skipped ORDER BY path').all() as unknown as StoredSkip[]
  return rows.map(({ path, reason, detail, size, mtime, ctime, inode, sum }) => {
    if (rowSum(path, reason, detail, size, mtime, ctime, inode) !== sum)
      throw damaged(`why ${path} was left out`)
    const skip = { path, reason, detail }
    return size === null ? skip : { ...skip, seen: { size, mtime, ctime, inode } }
  })
}
