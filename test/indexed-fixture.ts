// How do the tests of one file share an indexed fixture? Apart from temporary-corpus.ts, which processes without vitest use.
import { afterAll } from 'vitest'
import type { Settings } from '../src/config/settings.ts'
import type { Engine } from '../src/engine/engine.ts'
import { copyFixture, makeFolder, openCorpus, removeFolder } from './temporary-corpus.ts'

/** A fixture in a folder of its own, indexed; both are gone after the tests of the file. */
export async function indexFixture(
  name: string,
  settings: Partial<Settings> = { embedder: 'none' },
): Promise<{ readonly root: string; readonly engine: Engine }> {
  const root = makeFolder()
  copyFixture(name, root)
  const engine = openCorpus(root, settings)
  await engine.index()
  afterAll(() => {
    engine.close()
    removeFolder(root)
  })
  return { root, engine }
}
