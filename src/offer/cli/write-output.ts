// How does a digest get into a file? Never over a document or the index; whole or not at all: a temporary file, then a rename.
import fs from 'node:fs'
import path from 'node:path'
import { YoreError } from '../../model/errors.ts'
import type { CorpusEngine } from '../engine/engine.ts'
import { pathBelowRoot, realPath } from './name-place.ts'

/** Files of yore in an index folder. */
const ownNames = /^(index\.db.*|writer\.lock.*|owner|sessions|runs)$/

/** Throws BAD_INPUT for a file (absolute) that is a part of the index. */
export function refuseIndexFile(indexDir: string, file: string): void {
  const below = path.relative(realPath(indexDir), realPath(file)).split(path.sep)
  if (!ownNames.test(below[0] ?? '')) return
  throw refuse(file, 'it belongs to the index of this corpus', 'name another file')
}

/** Writes `text` to `file` (absolute). A link's target is replaced, not the link; a device is written directly. */
export function writeOutput(file: string, text: string): void {
  const stat = fs.statSync(file, { throwIfNoEntry: false })
  if (stat?.isDirectory()) throw refuse(file, 'it is a folder', 'name a file in it')
  try {
    if (stat !== undefined && !stat.isFile()) fs.writeFileSync(file, text)
    else replaceFile(stat === undefined ? file : fs.realpathSync(file), text, stat?.mode)
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOTDIR')
      throw refuse(file, 'its folder does not exist', 'create the folder first', cause)
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
      throw refuse(file, 'permission denied', 'choose a place that you may write to', cause)

    if (code === 'ENOSPC' || code === 'EDQUOT')
      throw new YoreError('DISK_FULL', `cannot write ${file}: the disk is full`, { cause })
    throw cause
  }
}

function replaceFile(file: string, text: string, mode: number | undefined): void {
  const temporary = path.join(path.dirname(file), `.${path.basename(file)}.${process.pid}.tmp`)
  try {
    // 'wx' does not follow a symbolic link that another user may have planted.
    const handle = fs.openSync(temporary, 'wx', mode ?? 0o666)
    try {
      fs.writeFileSync(handle, text)
      fs.fsyncSync(handle)
    } finally {
      fs.closeSync(handle)
    }
    fs.renameSync(temporary, file)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') fs.rmSync(temporary, { force: true })
    throw cause
  }
}

const refuse = (file: string, why: string, hint: string, cause?: unknown): YoreError =>
  new YoreError('BAD_INPUT', `cannot write ${file}: ${why}`, { hint, cause })

/** Throws BAD_INPUT for a file (absolute) that is, or is about to be, indexed. A link is followed, as writing does. */
export async function refuseSourceFile(engine: CorpusEngine, root: string, file: string): Promise<void> {
  if (!fs.existsSync(file)) return
  const path = pathBelowRoot(root, fs.realpathSync(file))
  if (path === null) return
  const { state } = await engine.standingOf(path)
  if (state !== 'indexed' && state !== 'not indexed yet') return
  const hint = 'name another file for --output, or remove this one first'
  throw refuse(file, 'it is a document of this corpus', hint)
}
