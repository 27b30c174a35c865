// Where do sources from elsewhere lie on this machine, since when, and which corpora still name them?
import { hash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { cacheFolder, type Environment } from '../../../model/config/state-folder.ts'
import type { NamedRoot } from '../walk/corpus-roots.ts'

/** What is written beside the files of a source. */
interface LaidFacts {
  readonly entry: string
  readonly origin: string | null
  /** Milliseconds since 1970. */
  readonly laidAt: number
}

/** One source in the user's cache: its files, what they are, and a mark of each corpus that names it. */
export class LaidSource {
  readonly #home: string
  readonly files: string

  private constructor(home: string) {
    this.#home = home
    this.files = join(home, 'files')
  }

  /** By what makes it the same source for every corpus; null when the user has no cache. */
  static of(env: Environment, identity: string): LaidSource | null {
    const folder = sourcesFolder(env)
    return folder === null ? null : new LaidSource(join(folder, nameOf(identity)))
  }

  facts(): LaidFacts | null {
    try {
      if (!existsSync(this.files)) return null
      return JSON.parse(readFileSync(join(this.#home, 'origin.json'), 'utf8')) as LaidFacts
    } catch {
      return null
    }
  }

  /** While this mark is here, and the corpus too, nobody removes the source. Its time is that of the last use. */
  markUsed(root: string): void {
    const marks = join(this.#home, MARKS)
    const mark = join(marks, nameOf(realpathSync.native(root)))
    mkdirSync(marks, { recursive: true, mode: 0o700 })
    writeFileSync(mark, realpathSync.native(root))
  }

  /** Lays the files beside the old ones, then puts them in their place. */
  async replace(
    entry: string,
    { laidAt, lay }: { readonly laidAt: number; readonly lay: (folder: string) => Promise<string | null> },
  ): Promise<LaidFacts> {
    const fresh = join(this.#home, `new-${process.pid}`)
    const old = join(this.#home, `old-${process.pid}`)
    try {
      mkdirSync(fresh, { recursive: true, mode: 0o700 })
      const facts: LaidFacts = { entry, origin: await lay(fresh), laidAt }
      if (existsSync(this.files)) renameSync(this.files, old)
      renameSync(fresh, this.files)
      writeFileSync(join(this.#home, 'origin.json'), JSON.stringify(facts))
      return facts
    } finally {
      for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true })
    }
  }
}

const MARKS = 'used-by'

const nameOf = (identity: string): string => hash('sha256', identity).slice(0, 32)

function sourcesFolder(env: Environment): string | null {
  const cache = cacheFolder(env)
  return cache === null ? null : join(cache, 'sources')
}

/** A corpus whose folder is not there may lie on a disk that is not connected: what it used is kept for so long. */
const KEPT_MILLISECONDS = 30 * 24 * 3_600_000

function isHeld(mark: string, now: number): boolean {
  return existsSync(readFileSync(mark, 'utf8')) || now - statSync(mark).mtimeMs < KEPT_MILLISECONDS
}

interface StillUsed {
  /** The corpus that names these, and its sources no more than these. */
  readonly root: string
  readonly named: readonly NamedRoot[]
  readonly env: Environment
  readonly now: number
}

/** Removes every source that no corpus names any more. */
export function dropUnusedSources({ root, named, env, now }: StillUsed): void {
  const folder = sourcesFolder(env)
  if (folder === null || !existsSync(folder)) return
  const used = new Set(named.filter(({ isLaid }) => isLaid).map(({ folder }) => dirname(folder)))
  const own = nameOf(realpathSync.native(root))
  for (const name of readdirSync(folder)) {
    const home = join(folder, name)
    if (used.has(home)) continue
    try {
      const marks = existsSync(join(home, MARKS)) ? readdirSync(join(home, MARKS)) : []
      const isUsed = marks.some((mark) => mark !== own && isHeld(join(home, MARKS, mark), now))
      if (isUsed) rmSync(join(home, MARKS, own), { force: true })
      else rmSync(home, { recursive: true, force: true })
    } catch {
      // Another process removes it, or may and we may not: the next run looks again.
    }
  }
}
