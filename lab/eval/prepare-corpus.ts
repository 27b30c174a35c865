// What is asked? Each set as a folder with an index, built once for its content and for the code that indexes it.
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { schemaVersion } from '../../src/corpus/store/schema.ts'
import type { EngineOptions } from '../../src/model/config/engine-options.ts'
import { defaultSettings, type Settings } from '../../src/model/config/settings.ts'
import type { Engine } from '../../src/offer/engine/engine.ts'
import { openEngine } from '../../src/offer/engine/open-engine.ts'
import { importClosure } from './import-closure.ts'
import { evalFolder, writeCorpus } from './read-sets.ts'

export type CorpusName =
  | 'own'
  | 'scifact'
  | 'k8sdocs'
  | 'raydocs'
  | 'eips'
  | 'twowiki'
  | 'twowiki-linked'
  | 'chroma_spans'

export interface PreparedCorpus {
  /** A `CorpusName`, or the name of a real package. */
  readonly name: string
  /** Folder of the documents. */
  readonly root: string
  readonly engine: Engine
  /** What the engine was opened with, to open another one with other settings. */
  readonly opened: EngineOptions
  /** False when there is no model, so that only words can be searched. */
  readonly hybrid: boolean
}

interface Recipe {
  /** Folder of the set below the shared ones; null for our own. */
  readonly set: string | null
  readonly linked?: boolean
  /** The title is not part of the text and becomes its heading. */
  readonly titled?: boolean
  readonly settings?: Partial<Settings>
}

const recipes: Readonly<Record<CorpusName, Recipe>> = {
  own: { set: null },
  scifact: { set: 'scifact', titled: true },
  k8sdocs: { set: 'k8sdocs' },
  raydocs: { set: 'raydocs' },
  eips: { set: 'eips', settings: { ids: ['EIP=ERC'] } },
  twowiki: { set: 'twowiki', titled: true },
  'twowiki-linked': { set: 'twowiki', titled: true, linked: true },
  chroma_spans: { set: 'chroma_spans' },
}

const repository = join(import.meta.dirname, '../..')

/** Files of the repository that make up the corpus of our own, as they stand. */
export const ownPlaces: readonly string[] = ['README.md', 'ARCHITECTURE.md', 'docs', 'assets/demo/documents']

/** What decides the content of an index, besides the model. Changes elsewhere, in ranking say, leave a built index as it is. */
const indexer = 'src/corpus/indexing/index-corpus.ts'
const indexingData = ['languages', 'formats', 'assets/grammars']

/** Everything that depends on time sees the same: the files' age, and now. */
const written = new Date('2026-09-01T00:00:00Z')
const now: number = Date.parse('2026-11-15T00:00:00Z')

/** Where corpora and their indexes are kept between runs. */
export function cacheFolder(): string {
  return resolve(process.env['YORE_EVAL_CACHE'] ?? join(tmpdir(), 'yore-eval'))
}

/** The model: another one by YORE_EMBEDDING_MODEL, else the shipped one. */
export function modelFolder(): string {
  const named = process.env['YORE_EMBEDDING_MODEL'] ?? ''
  return named === '' ? '' : resolve(named)
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

function hashFiles(files: readonly string[]): string {
  const hash = createHash('sha256')
  // Checkouts elsewhere may share a cache.
  for (const file of files)
    hash
      .update(`${relative(repository, file)}\0`)
      .update(readFileSync(file))
      .update('\0')
  return hash.digest('hex')
}

let knownCode: string | null = null

function hashOfCode(): string {
  knownCode ??= hashFiles([
    ...importClosure(join(repository, indexer)),
    ...indexingData.flatMap((folder) => filesBelow(join(repository, folder))),
  ])
  return knownCode
}

function sourceFiles(recipe: Recipe): string[] {
  if (recipe.set !== null) return [join(evalFolder() ?? '', recipe.set, 'corpus.jsonl')]
  return ownPlaces.flatMap((place) => {
    const full = join(repository, place)
    return place.endsWith('.md') ? [full] : filesBelow(full)
  })
}

function modelFiles(folder: string): string[] {
  const about = join(folder === '' ? join(repository, 'assets/model') : folder, 'model.json')
  return existsSync(about) ? [about] : []
}

function writeDocuments(recipe: Recipe, root: string): void {
  rmSync(root, { recursive: true, force: true })
  mkdirSync(root, { recursive: true })
  if (recipe.set === null) {
    for (const place of ownPlaces) {
      const target = join(root, place.replace('assets/demo/documents', 'services'))
      mkdirSync(dirname(target), { recursive: true })
      cpSync(join(repository, place), target, { recursive: true })
    }
  } else {
    writeCorpus(recipe.set, root, { linked: recipe.linked ?? false, titled: recipe.titled ?? false })
    rmSync(join(root, '.written'))
  }
  for (const file of filesBelow(root)) utimesSync(file, written, written)
}

/** Settings for a corpus; what a user gets who sets nothing, but for the model and the ids. */
export function settingsFor(name: CorpusName): Settings {
  return {
    ...defaultSettings,
    ...recipes[name].settings,
    'embedding.model': modelFolder(),
    refresh: 'never',
  }
}

/** Writes and indexes a corpus unless that was done before with the same content and the same code. */
export async function prepareCorpus(name: CorpusName): Promise<PreparedCorpus> {
  const recipe = recipes[name]
  const folder = join(cacheFolder(), name)
  const root = join(folder, 'corpus')
  return prepareFolder(
    { name, root, folder, settings: settingsFor(name) },
    {
      content: `${JSON.stringify(recipe)}${hashFiles(sourceFiles(recipe))}`,
      write: () => writeDocuments(recipe, root),
    },
  )
}

interface FolderToIndex {
  readonly name: string
  readonly root: string
  /** Where its index is kept. */
  readonly folder: string
  readonly settings: Settings
}

/** Opens a folder, indexed anew when its content, the model or the code that indexes is not as in the run before. */
export async function prepareFolder(
  { name, root, folder, settings }: FolderToIndex,
  { content, write = () => {} }: { readonly content: string; readonly write?: () => void },
): Promise<PreparedCorpus> {
  const key = createHash('sha256')
    .update(JSON.stringify([schemaVersion, settings['embedding.model'], content, root]))
    .update(hashFiles(modelFiles(settings['embedding.model'])))
    .update(hashOfCode())
    .digest('hex')
  const marker = join(folder, 'key')
  const opened = { root, indexDir: join(folder, 'index'), settings, now }
  const engine = openEngine(opened)
  if (!existsSync(marker) || readFileSync(marker, 'utf8') !== key) {
    console.error(`${name}: writing and indexing …`)
    // An index of another root, of a checkout elsewhere say, is refused by the engine rather than replaced.
    for (const outdated of [marker, opened.indexDir]) rmSync(outdated, { recursive: true, force: true })
    write()
    mkdirSync(opened.indexDir, { recursive: true })
    const { files, sections, skipped, milliseconds } = await engine.index()
    for (const { path, reason, detail } of skipped)
      console.error(`${name}: skipped ${path}: ${reason}, ${detail}`)
    console.error(
      `${name}: ${files} files, ${sections} sections, indexed in ${(milliseconds / 1000).toFixed(1)} s`,
    )
    writeFileSync(marker, key)
  }
  const { vectors } = await engine.status()
  return { name, root, engine, opened, hybrid: vectors.model !== null && vectors.embedded === vectors.total }
}
