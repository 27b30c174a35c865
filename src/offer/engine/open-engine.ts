// How is an engine opened? Over a folder with its configuration, or over a corpus file alone; the index is opened when first needed.
import { join } from 'node:path'
import { adoptDatabase } from '../../corpus/store/open-database.ts'
import type { EngineOptions, FirstUse, Now, Surroundings } from '../../model/config/engine-options.ts'
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

/** Environment, clock and time; those of the process by default, which only this file reads. */
function surroundingsOf(given: Partial<Surroundings> & { readonly now?: Now }) {
  const { env = process.env, clock = Date.now } = given
  const now = given.now ?? ((): number => readNow({ env, clock: clock() }))
  return { env, clock, now }
}

/**
 * Opens an engine over one corpus, as the command line does: it reads the configuration files, and takes the time from
 * the environment or the clock. Everything else is read when an operation needs it. Throws BAD_INPUT if the path is not
 * a folder, and BAD_CONFIG for invalid configuration. An object instead of a folder gives all settings, and no
 * configuration is read.
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
    const { settings, limits = {}, firstUse } = where
    return openFolder(where, { ...surroundingsOf(where), settings, limits }, firstUse)
  }
  const surroundings = surroundingsOf(options)
  const { env } = surroundings
  const place = findCorpus({ cwd: process.cwd(), root: where, index: options.indexDir })
  const { settings } = loadSettings({ root: place.root, env, flags: options.settings ?? {} })
  return openFolder(place, { ...surroundings, settings }, options.firstUse)
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
 * Opens a finished index file read-only, anywhere: it reads no source tree, no git and no other file. The caller gives
 * the hash of the file. The first read checks it, and throws INDEX_DAMAGED if it differs. Operations that write throw
 * BAD_INPUT.
 *
 * @example
 * using engine = openCorpusFile('/data/corpora/7f3a.db', { sha256 })
 * const { output } = await engine.assemble('How do I deploy a new service?', { now: Date.now() })
 */
export function openCorpusFile(file: string, options: CorpusFileOptions): CorpusEngine {
  const settings = { ...defaultSettings, ...options.settings }
  const corpus = new OpenFile(file, options.sha256, { ...surroundingsOf(options), settings })
  return registerEngine(corpusEngine(corpus), corpus)
}

/**
 * Starts the index of a folder from a finished index file of the same documents, made elsewhere. The next `index()`
 * checks every file, and analyses those that differ. The caller must have verified the file. Throws if the folder
 * already has an index.
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
