// Which bytes does this file hold? Opened so that it cannot be swapped for something outside the root meanwhile.
import fs from 'node:fs'
import type { SkippedFile } from '../../model/source-file.ts'
import { describeExcess, describeFailure } from './describe-failure.ts'
import { isSecretPath } from './secrets/secret-paths.ts'
import { locate, type Root } from './walk/corpus-roots.ts'
import { isInside, pathBelow } from './walk/is-inside.ts'

type FileBytes = { readonly bytes: Buffer; readonly stats: fs.Stats }
type Why = Omit<SkippedFile, 'path'>

/**
 * The bytes of a regular file inside the root. Its stats are taken before its
 * bytes, so that a change during the read shows as a changed stamp later.
 *
 * @example readBytesInside('.', 'README.md', 1024)
 */
export function readBytesInside(corpus: Root, named: string, maxFileSize: number): FileBytes | Why {
  const { root, path } = locate(corpus, named)
  let descriptor: number | undefined
  try {
    const realRoot = fs.realpathSync.native(root)
    const real = fs.realpathSync.native(`${realRoot}/${path}`)
    if (!isInside(real, realRoot)) return outside
    if (isSecretPath(pathBelow(real, realRoot))) return { reason: 'secret', detail: 'it holds secrets' }
    // A pipe or a device must not be opened; if one appears now, opening does not block.
    if (!fs.lstatSync(real).isFile()) return notRegular
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants
    descriptor = fs.openSync(real, O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0))
    const stats = fs.fstatSync(descriptor)
    if (!stats.isFile()) return notRegular
    if (!landedInside(descriptor, real, { realRoot, stats })) return outside
    if (stats.size > maxFileSize)
      return { reason: 'too-large', detail: describeExcess(stats.size, maxFileSize) }

    const bytes = readAtMost(descriptor, stats.size, maxFileSize + 1)
    if (bytes.length <= maxFileSize) return { bytes, stats }
    return { reason: 'too-large', detail: `it grew over ${maxFileSize} bytes while it was read` }
  } catch (error) {
    return { reason: 'unreadable', detail: describeFailure(error) }
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor)
  }
}

const outside: Why = { reason: 'outside-root', detail: 'its target is outside the root' }
const notRegular: Why = { reason: 'unreadable', detail: 'not a regular file' }

/**
 * Is the opened file really inside? A folder on the path may have been a link for a moment. Linux
 * reports where an open file is; elsewhere the path must still be real and lead to the same file.
 */
function landedInside(
  descriptor: number,
  real: string,
  opened: { readonly realRoot: string; readonly stats: fs.Stats },
): boolean {
  if (process.platform === 'linux') {
    const landed = descriptorPath(descriptor)
    if (landed !== null) return isInside(landed, opened.realRoot)
  }
  const now = fs.lstatSync(real)
  return fs.realpathSync.native(real) === real && now.ino === opened.stats.ino && now.dev === opened.stats.dev
}

/** Null where /proc is not mounted. */
function descriptorPath(descriptor: number): string | null {
  try {
    return fs.readlinkSync(`/proc/self/fd/${descriptor}`)
  } catch {
    return null
  }
}

/** Reads to the end or to `most` bytes; `expected` is the size that the file had when it was opened. */
function readAtMost(descriptor: number, expected: number, most: number): Buffer {
  // One byte more than expected, so that the end is seen without a second buffer.
  let buffer = Buffer.allocUnsafe(Math.min(expected + 1, most))
  let length = 0
  for (;;) {
    if (length === buffer.length) {
      if (length === most) break
      const larger = Buffer.allocUnsafe(Math.min(length * 2 + 4096, most))
      buffer.copy(larger)
      buffer = larger
    }
    const count = fs.readSync(descriptor, buffer, length, buffer.length - length, null)
    if (count === 0) break
    length += count
  }
  return buffer.subarray(0, length)
}
