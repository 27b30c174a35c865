// How is an engine opened? Over a folder with its configuration, or over a corpus file alone; the index is opened when first needed.
import { join } from 'node:path'
import { adoptDatabase } from '../../corpus/store/open-database.ts'
import type { EngineOptions, FirstUse, Surroundings } from '../../model/config/engine-options.ts'
import { findCorpus } from '../../model/config/find-root.ts'
import { loadSettings } from '../../model/config/load-settings.ts'
import { readNow } from '../../model/config/read-time.ts'
import { defaultSettings } from '../../model/config/settings.ts'
import type { Environment } from '../../model/config/state-folder.ts'
import { corpusEngine } from './corpus-engine.ts'
import type { CorpusEngine, CorpusFileOptions, Engine, OpenOptions } from './engine.ts'
import { folderEngine } from './folder-engine.ts'
import { type CorpusOptions, OpenFile, registerEngine } from './open-corpus.ts'
import { OpenFolder } from './open-folder.ts'

/** Environment, clock and randomness; those of the process by default, which only this file reads. */
function surroundingsOf(given: Partial<Surroundings>): Surroundings {
  const { env = process.env, clock = Date.now, random = Math.random } = given
  return { env, clock, random }
}

/**
 * Opens an engine over one corpus, as the command line does: configuration is read where it lies, and the time is that
 * of the environment or of the clock. Nothing else is read until an operation needs it. Throws BAD_INPUT for what is no
 * folder and BAD_CONFIG for configuration that is none. With one object instead of a folder everything is decided, and
 * no configuration is read.
 *
 * @example
 * using engine = openEngine('.')
 * await engine.index()
 * const { output } = await engine.assemble('How do I deploy a new service?')
 */
export function openEngine(root: string, options?: OpenOptions): Engine
export function openEngine(options: EngineOptions): Engine
export function openEngine(where: string | EngineOptions, options: OpenOptions = {}): Engine {
  if (typeof where !== 'string') {
    const { settings, now, firstUse } = where
    return openFolder(where, { ...surroundingsOf(where), settings, now }, firstUse)
  }
  const surroundings = surroundingsOf(options)
  const { env, clock } = surroundings
  const place = findCorpus({ cwd: process.cwd(), root: where, index: options.indexDir })
  const { settings } = loadSettings({ root: place.root, env, flags: options.settings ?? {} })
  const now = options.now ?? ((): number => readNow({ env, clock: clock() }))
  return openFolder(place, { ...surroundings, settings, now }, options.firstUse)
}

function openFolder(
  place: { readonly root: string; readonly indexDir: string },
  opened: CorpusOptions,
  firstUse?: FirstUse,
): Engine {
  const folder = new OpenFolder(place, opened, firstUse)
  return registerEngine(folderEngine(folder), folder)
}

/**
 * Opens a finished index file alone, read-only, wherever it lies: without its source tree, without git, and without a
 * look at any other file. Whoever made it says its hash, which is checked when the file is first read. Throws
 * INDEX_DAMAGED then for another hash; what would write throws BAD_INPUT.
 *
 * @example
 * using engine = openCorpusFile('/data/corpora/7f3a.db', { sha256 })
 * const { output } = await engine.assemble('How do I deploy a new service?', { now: Date.now() })
 */
export function openCorpusFile(file: string, options: CorpusFileOptions): CorpusEngine {
  const surroundings = surroundingsOf(options)
  const { env, clock } = surroundings
  const settings = { ...defaultSettings, ...options.settings }
  const now = options.now ?? ((): number => readNow({ env, clock: clock() }))
  const corpus = new OpenFile(file, options.sha256, { ...surroundings, settings, now })
  return registerEngine(corpusEngine(corpus), corpus)
}

/**
 * Begins the index of a folder with a finished index file of the same documents, made elsewhere: the next `index()`
 * looks at every file, and analyses those that are not the same. Whoever asks has verified the file. Throws where the
 * folder has an index already.
 *
 * @example
 * adoptCorpusFile('/data/corpora/7f3a.db', { root: '/data/work', indexDir: '/data/work/.yore' })
 */
export function adoptCorpusFile(
  file: string,
  place: { readonly root: string; readonly indexDir: string; readonly env?: Environment },
): void {
  const { root, indexDir, env = process.env } = place
  adoptDatabase(file, { indexPath: join(indexDir, 'index.db'), root, env })
}
