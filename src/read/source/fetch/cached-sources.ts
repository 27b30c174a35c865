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

/** One source in the user's cache, found by the identity that all corpora share; null when the user has no cache. */
export function findCachedSource(env: Environment, identity: string) {
  const cache = sourcesFolder(env)
  if (cache === null) return null
  const home = join(cache, nameOf(identity))
  const files = join(home, 'files')

  function facts(): LaidFacts | null {
    try {
      if (!fs.existsSync(files)) return null
      return JSON.parse(fs.readFileSync(join(home, 'origin.json'), 'utf8')) as LaidFacts
    } catch {
      return null
    }
  }

  /** Keeps the source from removal while the mark and the corpus exist. The mark's time is that of the last use. */
  function markUsed(root: string): void {
    const marks = join(home, MARKS)
    const mark = join(marks, nameOf(fs.realpathSync.native(root)))
    fs.mkdirSync(marks, { recursive: true, mode: 0o700 })
    fs.writeFileSync(mark, fs.realpathSync.native(root))
  }

  /** Writes the new files next to the old ones, then swaps them. */
  async function replace(
    entry: string,
    { laidAt, lay }: { readonly laidAt: number; readonly lay: (folder: string) => Promise<string | null> },
  ): Promise<LaidFacts> {
    const fresh = join(home, `new-${process.pid}`)
    const old = join(home, `old-${process.pid}`)
    try {
      fs.mkdirSync(fresh, { recursive: true, mode: 0o700 })
      const facts: LaidFacts = { entry, origin: await lay(fresh), laidAt }
      if (fs.existsSync(files)) fs.renameSync(files, old)
      fs.renameSync(fresh, files)
      fs.writeFileSync(join(home, 'origin.json'), JSON.stringify(facts))
      return facts
    } finally {
      for (const folder of [fresh, old]) fs.rmSync(folder, { recursive: true, force: true })
    }
  }

  return { files, facts, markUsed, replace }
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
