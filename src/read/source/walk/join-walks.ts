// How do the walks of several folders become one of the corpus? Each path below the name of its folder, in order.
import type { FileStamp } from '../../../model/source-file.ts'
import type { WalkResult } from './walk-files.ts'

/** Walks of several folders as one of the corpus; the first one is the root's own. */
export function joinWalks(
  walks: readonly { readonly name: string; readonly walk: WalkResult }[],
): WalkResult {
  const prefix =
    (name: string) =>
    <T extends { readonly path: string }>(item: T): T =>
      name === '' ? item : { ...item, path: item.path === '' ? name : `${name}/${item.path}` }
  const gather = <T extends { readonly path: string }>(of: (walk: WalkResult) => readonly T[]): T[] =>
    walks.flatMap(({ name, walk }) => of(walk).map(prefix(name))).sort(byPath)
  const otherNames = walks.flatMap(({ name, walk }) =>
    Object.entries(walk.otherNames).map(([link, path]) => {
      const at = prefix(name)
      return [at({ path: link }).path, at({ path }).path] as const
    }),
  )
  const unsupported = new Map<string, number>()
  for (const { walk } of walks)
    for (const [extension, count] of Object.entries(walk.unsupported))
      unsupported.set(extension, (unsupported.get(extension) ?? 0) + count)
  return {
    files: withoutRepeats(gather((walk) => walk.files)),
    directories: withoutRepeats(gather((walk) => walk.directories)),
    ignoreFiles: gather((walk) => walk.ignoreFiles),
    skipped: gather((walk) => walk.skipped),
    otherNames: Object.fromEntries(otherNames.sort(([a], [b]) => (a < b ? -1 : 1))),
    ignored: walks.reduce((sum, { walk }) => sum + walk.ignored, 0),
    unsupported: Object.fromEntries([...unsupported].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

function byPath(a: Pick<FileStamp, 'path'>, b: Pick<FileStamp, 'path'>): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0
}

function withoutRepeats<T extends { readonly path: string }>(sorted: readonly T[]): T[] {
  return sorted.filter(({ path }, at) => sorted[at - 1]?.path !== path)
}
