// Which picture of the folder does a document show? A file of a known type inside the root, at most 5 MB.
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { extname, join, posix } from 'node:path'
import { isInside } from '../read/source/walk/is-inside.ts'

const types: Readonly<Record<string, string>> = {
  ...{ '.avif': 'image/avif', '.gif': 'image/gif', '.jpeg': 'image/jpeg', '.jpg': 'image/jpeg' },
  ...{ '.png': 'image/png', '.svg': 'image/svg+xml', '.webp': 'image/webp' },
}
const MOST_BYTES = 5_000_000
const PICTURES = '/picture/'
/** Where site generators keep what a path from the root of the site names. */
const siteFolders = ['', 'public', 'static', 'docs', 'docs/public', 'docs/static']

/** Null for other files, too large ones, and those outside of the root. */
function findFile(root: string, address: string): string | null {
  const type = types[extname(address).toLowerCase()]
  if (type === undefined) return null
  try {
    const file = realpathSync.native(join(root, decodeURIComponent(address)))
    const stats = statSync(file)
    const isShown = stats.isFile() && stats.size <= MOST_BYTES && isInside(file, realpathSync.native(root))
    return isShown && types[extname(file).toLowerCase()] === type ? file : null
  } catch {
    return null
  }
}

/** The address of a picture that a document names. */
export function findPicture(root: string, path: string, named: string): string | null {
  const [written = '', theme = ''] = named.split(/(?:\?[^#]*)?(?=#)|\?/)
  if (/^[\w+.-]+:|^\/\//.test(written)) return null
  const folders = written.startsWith('/') ? siteFolders : [posix.dirname(path)]
  const found = folders
    .map((folder) => posix.join(folder, written))
    .find((one) => findFile(root, one) !== null)
  return found === undefined ? null : PICTURES + found + (theme.startsWith('#') ? theme : '')
}

/** The picture at an address. */
export function openPicture(
  root: string | undefined,
  pathname: string,
): { readonly type: string; readonly body: Buffer } | null {
  if (root === undefined || !pathname.startsWith(PICTURES)) return null
  const file = findFile(root, pathname.slice(PICTURES.length))
  return file === null
    ? null
    : { type: types[extname(file).toLowerCase()] as string, body: readFileSync(file) }
}
