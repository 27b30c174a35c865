// Where are fetched sources cached, since when, and which corpora use them?
import { hash } from 'node:crypto'
import fs from 'node:fs'
import { dirname, join } from 'node:path'
import { cacheFolder, type Environment } from '../../../model/config/state-folder.ts'
import type { NamedRoot } from '../walk/corpus-roots.ts'

/** Metadata stored next to the files of a source. */
interface LaidFacts {
  readonly entry: string
  readonly origin: string | null
  /** Milliseconds since 1970. */
  readonly laidAt: number
}

/** One source in the user's cache: its files, their metadata, and a mark for each corpus that uses it. */
export class CachedSource {
  readonly #home: string
  readonly files: string

  private constructor(home: string) {
    this.#home = home
    this.files = join(home, 'files')
  }

  /** Finds the source by the identity that all corpora share; null when the user has no cache. */
  static of(env: Environment, identity: string): CachedSource | null {
    const folder = sourcesFolder(env)
    return folder === null ? null : new CachedSource(join(folder, nameOf(identity)))
  }

  facts(): LaidFacts | null {
    try {
      if (!fs.existsSync(this.files)) return null
      return JSON.parse(fs.readFileSync(join(this.#home, 'origin.json'), 'utf8')) as LaidFacts
    } catch {
      return null
    }
  }

  /** Keeps the source from removal while the mark and the corpus exist. The mark's time is that of the last use. */
  markUsed(root: string): void {
    const marks = join(this.#home, MARKS)
    const mark = join(marks, nameOf(fs.realpathSync.native(root)))
    fs.mkdirSync(marks, { recursive: true, mode: 0o700 })
    fs.writeFileSync(mark, fs.realpathSync.native(root))
  }

  /** Writes the new files next to the old ones, then swaps them. */
  async replace(
    entry: string,
    { laidAt, lay }: { readonly laidAt: number; readonly lay: (folder: string) => Promise<string | null> },
  ): Promise<LaidFacts> {
    const fresh = join(this.#home, `new-${process.pid}`)
    const old = join(this.#home, `old-${process.pid}`)
    try {
      fs.mkdirSync(fresh, { recursive: true, mode: 0o700 })
      const facts: LaidFacts = { entry, origin: await lay(fresh), laidAt }
      if (fs.existsSync(this.files)) fs.renameSync(this.files, old)
      fs.renameSync(fresh, this.files)
      fs.writeFileSync(join(this.#home, 'origin.json'), JSON.stringify(facts))
      return facts
    } finally {
      for (const folder of [fresh, old]) fs.rmSync(folder, { recursive: true, force: true })
    }
  }
}

const MARKS = 'used-by'

const nameOf = (identity: string): string => hash('sha256', identity).slice(0, 32)

function sourcesFolder(env: Environment): string | null {
  const cache = cacheFolder(env)
  return cache === null ? null : join(cache, 'sources')
}

/** A corpus whose folder is missing may be on a disconnected disk: its sources are kept this long. */
const KEPT_MILLISECONDS = 30 * 24 * 3_600_000

const isHeld = (mark: string, now: number): boolean =>
  fs.existsSync(fs.readFileSync(mark, 'utf8')) || now - fs.statSync(mark).mtimeMs < KEPT_MILLISECONDS

interface StillUsed {
  /** Marks these sources as used by the corpus, and no others. */
  readonly root: string
  readonly named: readonly NamedRoot[]
  readonly env: Environment
  readonly now: number
}

/** Removes every source that no corpus uses. */
export function dropUnusedSources({ root, named, env, now }: StillUsed): void {
  const folder = sourcesFolder(env)
  if (folder === null || !fs.existsSync(folder)) return
  const used = new Set(named.filter(({ isCached }) => isCached).map(({ folder }) => dirname(folder)))
  const own = nameOf(fs.realpathSync.native(root))
  for (const name of fs.readdirSync(folder)) {
    const home = join(folder, name)
    if (used.has(home)) continue
    try {
      const marks = fs.existsSync(join(home, MARKS)) ? fs.readdirSync(join(home, MARKS)) : []
      const isUsed = marks.some((mark) => mark !== own && isHeld(join(home, MARKS, mark), now))
      if (isUsed) fs.rmSync(join(home, MARKS, own), { force: true })
      else fs.rmSync(home, { recursive: true, force: true })
    } catch {
      // Another process removes it, or permission is missing: the next run tries again.
    }
  }
}
