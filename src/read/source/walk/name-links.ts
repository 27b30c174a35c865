// Where do symbolic links lead? A link is another name of a file that is read under its own; nothing is read through one.
import { lstatSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { describeFailure } from '../describe-failure.ts'
import { isSecretPath } from '../secrets/secret-paths.ts'
import { isInside, pathBelow } from './is-inside.ts'
import { skip, type Walk } from './walk-state.ts'

/** Names the links of a walk after all files are known. */
export function nameLinks(walk: Walk): void {
  const files = new Set(walk.files.map(({ path }) => path))
  for (const link of walk.links)
    try {
      nameLink(walk, link, files)
    } catch (error) {
      const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT'
      skip(walk, link, { reason: 'unreadable', detail: isGone ? 'a broken link' : describeFailure(error) })
    }
}

function nameLink(walk: Walk, link: string, files: ReadonlySet<string>): void {
  const real = realpathSync.native(join(walk.root, link))
  if (!isInside(real, walk.root)) {
    skip(walk, link, { reason: 'outside-root', detail: 'a link to a target outside the root' })
    return
  }
  const target = pathBelow(real, walk.root)
  if (isSecretPath(target))
    skip(walk, link, { reason: 'secret', detail: 'a link to a file that is likely to hold secrets' })
  else if (files.has(target)) {
    walk.otherNames.set(link, target)
    skip(walk, link, { reason: 'ignored', detail: `a link to ${target}, which is read under its own name` })
  } else if (lstatSync(real).isDirectory())
    skip(walk, link, { reason: 'ignored', detail: 'a link to a folder, which is not followed' })
  else walk.ignored++
}
