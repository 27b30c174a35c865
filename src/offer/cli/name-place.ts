// Which place of the corpus does a typed name mean? Paths are relative to the current folder first, then to the root.
import { existsSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { pathBelow } from '../../model/config/path-below.ts'
import { YoreError } from '../../model/errors.ts'
import type { CorpusEngine } from '../engine/engine.ts'

interface TypedFrom {
  readonly root: string
  /** The current folder. */
  readonly cwd: string
}

/** The path below the root of a file that is given absolutely, with `/`; null for one outside. */
export const pathBelowRoot = (root: string, file: string): string | null =>
  relativeInside(root, file) ?? relativeInside(realPath(root), realPath(file))

/** The name as the index knows it: paths from the root, with their lines or anchor; everything else as it is. */
export function namePlace(named: string, { root, cwd }: TypedFrom): string {
  for (const end of pathEnds(named)) {
    const file = path.resolve(cwd, named.slice(0, end))
    const below = isFile(file) ? pathBelowRoot(root, file) : null
    if (below !== null) return below + named.slice(end)
  }
  // No such file: a name that can only be a path is still resolved, so that the error names it.
  const isPath = path.isAbsolute(named) || /^\.{1,2}[/\\]/.test(named)
  return (isPath ? pathBelowRoot(root, path.resolve(cwd, named)) : null) ?? named
}

/**
 * The path of a scope and the current folder, both relative to the root. A path is resolved in the current folder, or
 * in the root if the current folder has no such file. Throws OUTSIDE_ROOT.
 */
export function nameScope(
  given: string | undefined,
  { root, cwd }: TypedFrom,
): { readonly path?: string; readonly near?: string } {
  const near = relativeInside(root, cwd) ?? ''
  if (given === undefined) return near === '' ? {} : { near }
  const named = given.split(',').map((one) => {
    const pattern = one.trim()
    if (near !== '' && !/[/\\]/.test(pattern) && /[*?]/.test(pattern)) return `${near}/**/${pattern}`
    const isHere = existsSync(path.resolve(cwd, pattern)) || !existsSync(path.resolve(root, pattern))
    const place = path.resolve(isHere ? cwd : root, pattern)
    const below = place === root ? '.' : relativeInside(root, place)
    if (below !== null) return below
    throw new YoreError('OUTSIDE_ROOT', `${pattern} is outside of ${root}`)
  })
  return { path: named.join(','), ...(near === '' ? {} : { near }) }
}

/** Runs `run` at the place; the error for an unknown place explains a file that exists but is not indexed. */
export async function atPlace<R>(
  engine: CorpusEngine,
  typed: TypedFrom & { readonly named: string },
  run: (place: string) => Promise<R>,
): Promise<R> {
  const place = namePlace(typed.named, typed)
  try {
    return await run(place)
  } catch (error) {
    if (!(error instanceof YoreError) || error.code !== 'BAD_INPUT') throw error
    throw (await explainMissing(engine, place)) ?? error
  }
}

async function explainMissing(engine: CorpusEngine, place: string): Promise<YoreError | null> {
  for (const end of pathEnds(place)) {
    const file = place.slice(0, end)
    const standing = await engine.standingOf(file)
    if (standing.state === 'skipped')
      return new YoreError('BAD_INPUT', `${file} exists but is not indexed: ${standing.reason}`, {
        hint: '`yore status --skipped` lists skipped files; a line such as `!docs/draft.md` in .yoreignore includes an ignored file',
      })
    if (standing.state === 'not indexed yet')
      return new YoreError('BAD_INPUT', `${file} exists but is not indexed yet`, { hint: 'run `yore index`' })
  }
  return null
}

/** The offsets at which the path in a name may end: at its end, before lines, before an anchor. */
function pathEnds(named: string): number[] {
  const ends = [named.length]
  const lines = named.search(/:\d{1,9}(?:-\d{1,9})?(?: \([^():]{1,200}\))?$/)
  if (lines > 0) ends.push(lines)
  for (let at = named.lastIndexOf('#'); at > 0; at = named.lastIndexOf('#', at - 1)) ends.push(at)
  return ends
}

/** Null outside of the root, and for the root itself. */
const relativeInside = (root: string, file: string): string | null => pathBelow(root, file) || null

/** Resolves symbolic links, also for a file that does not exist. */
export function realPath(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    const folder = path.dirname(file)
    return folder === file ? file : path.join(realPath(folder), path.basename(file))
  }
}

function isFile(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false
  } catch {
    return false
  }
}
