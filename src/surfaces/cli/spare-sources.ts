// May a digest be written to this file? Not over a document of the corpus; over an earlier digest it may.
import { existsSync, realpathSync } from 'node:fs'
import type { Engine } from '../../engine/engine.ts'
import { YoreError } from '../../errors.ts'
import { pathBelowRoot } from './name-place.ts'

/** Throws BAD_INPUT for a file (absolute) that is, or is about to be, indexed. A link is followed, as writing does. */
export async function spareSources(engine: Engine, root: string, file: string): Promise<void> {
  if (!existsSync(file)) return
  const path = pathBelowRoot(realpathSync(root), realpathSync(file))
  if (path === null) return
  const { state } = await engine.standingOf(path)
  if (state !== 'indexed' && state !== 'not indexed yet') return
  throw new YoreError('BAD_INPUT', `cannot write ${file}: it is a document of this corpus`, {
    hint: 'name another file for --output, or remove this one first',
  })
}
