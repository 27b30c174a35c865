// How do the tests of one file share an index? Apart from temporary-corpus.ts, which processes without vitest use.
import { afterAll } from 'vitest'
import type { Settings } from '../src/model/config/settings.ts'
import type { Engine } from '../src/offer/engine/engine.ts'
import { copyFixture, type Files, makeFolder, openCorpus, writeFiles } from './temporary-corpus.ts'

interface Indexed {
  readonly root: string
  readonly engine: Engine
}

/** A folder as `prepare` fills it, indexed; the engine is closed after the tests around it. */
export async function indexTree(
  prepare: (root: string) => void,
  settings: Partial<Settings> = {},
): Promise<Indexed> {
  const root = makeFolder()
  prepare(root)
  const engine = openCorpus(root, { 'embedding.provider': 'none', ...settings })
  afterAll(() => engine.close())
  await engine.index()
  return { root, engine }
}

export function indexFixture(name: string, settings?: Partial<Settings>): Promise<Indexed> {
  return indexTree((root) => copyFixture(name, root), settings)
}

export function indexFiles(files: Files, settings?: Partial<Settings>): Promise<Indexed> {
  return indexTree((root) => writeFiles(root, files), settings)
}
