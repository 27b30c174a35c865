// How are paths of the corpus taken apart and ordered? They use `/`, and their order is that of UTF-16 code units.

export const lastSegment = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The folder of a path; empty at the root. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

/**
 * The extension of a path, lower case with its dot; '' when the name has none. A leading dot starts no extension.
 *
 * @example extensionOf('docs/Guide.MD') // '.md'
 */
export function extensionOf(path: string): string {
  const name = lastSegment(path)
  const dot = name.lastIndexOf('.')
  return dot > 0 ? name.slice(dot).toLowerCase() : ''
}

/** Orders texts the same on every machine. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

export const byPath = (a: { readonly path: string }, b: { readonly path: string }): number =>
  compareText(a.path, b.path)
