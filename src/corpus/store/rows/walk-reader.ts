// What did the last walk find besides documents? Folders with their times, and skipped files; each row is verified.
import type { SkippedFile, SkipReason } from '../../../model/source-file.ts'
import { directories, directorySum, skippedFiles, skippedSum } from '../schema.ts'
import { type Prepare, select } from './table.ts'

export interface StoredFolder {
  readonly path: string
  readonly mtime: number
}

export function readFolders(prepare: Prepare): StoredFolder[] {
  return select(prepare, directories.pick(['path', 'mtime', 'sum']), 'FROM directories')
    .all()
    .map((row) => {
      const { path, mtime } = directorySum.verified(row, `folder ${row.path}`)
      return { path, mtime }
    })
}

/** Files that were skipped because of their content carry the stamp that they had. */
export function readSkips(prepare: Prepare, reasons?: readonly SkipReason[]): SkippedFile[] {
  const columns = skippedFiles.pick(skippedFiles.properties)
  const rows =
    reasons === undefined
      ? select(prepare, columns, 'FROM skipped ORDER BY path').all()
      : select(
          prepare,
          columns,
          'FROM skipped WHERE reason IN (SELECT value FROM json_each(?)) ORDER BY path',
        ).all(JSON.stringify(reasons))
  return rows.map((row) => {
    const { path, reason, detail, size, mtime, ctime, inode } = skippedSum.verified(
      row,
      `skipped file ${row.path}`,
    )
    if (size === null || mtime === null || ctime === null || inode === null) return { path, reason, detail }
    return { path, reason, detail, seen: { size, mtime, ctime, inode } }
  })
}
