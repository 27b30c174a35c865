// What has to be read again, and for what? The walk compared with what an earlier run knew, and the settings that decide what an index holds.
import type { Settings } from '../../model/config/settings.ts'
import type { FileStamp, SkippedFile } from '../../model/source-file.ts'
import type { MentionOptions } from '../../read/parse/markdown/find-mentions.ts'
import { allFormats } from '../../read/source/extracted-formats.ts'
import { isRacy, isSameStamp } from '../../read/source/walk/check-freshness.ts'
import type { WalkResult } from '../../read/source/walk/walk-files.ts'
import { parseIdFamilies } from '../resolve/decision-ids.ts'
import type { FileTask } from './analyze-documents.ts'

/** What the parser looks for, by the settings. */
export function mentionOptions(settings: Settings, codeNames: boolean): MentionOptions {
  const idPrefixes = parseIdFamilies(settings.ids).flatMap(({ prefix, aliases }) => [
    prefix,
    ...(aliases ?? []),
  ])
  return { wikiLinks: settings.wikiLinks === 'on', idPrefixes, codeNames }
}

/** What decides, beside its bytes, what the index holds of a file: what it is parsed for, and how it may look. */
export interface ReadingOptions {
  readonly mentions: MentionOptions
  readonly limits: { readonly maxFileSize: number; readonly maxLineLength: number }
  readonly maskSecrets: boolean
}

/** The parts of a reading that the index remembers; the walk sees by itself which files are too large. */
export function describeReading(reading: ReadingOptions): { mentions: string; limits: string } {
  const { mentions, limits, maskSecrets } = reading
  const formats = allFormats.map(({ name, version }) => `${name} ${version}`)
  return {
    mentions: JSON.stringify({ ...mentions, maskSecrets, formats }),
    limits: JSON.stringify(limits.maxLineLength),
  }
}

/** What an earlier run knew. */
export interface KnownState {
  /** Hashes of the content that documents were parsed from, where they may be compared. */
  readonly hashes: ReadonlyMap<string, string>
  /** Stamps of what need not be opened again while it stays the same: documents, and what was left out. */
  readonly stamps: ReadonlyMap<string, FileStamp>
  readonly refused: ReadonlyMap<string, SkippedFile>
  readonly indexedAt: number
}

export interface WorkPlan {
  readonly tasks: readonly FileTask[]
  readonly removed: readonly string[]
  readonly unchanged: number
  /** Left out for what they held, and the same as then. */
  readonly refused: readonly SkippedFile[]
}

export function isBelow(path: string, places: readonly string[]): boolean {
  return (
    places.length === 0 ||
    places.some((place) => place === '' || path === place || path.startsWith(`${place}/`))
  )
}

/** What has to be read again, and what is gone. */
export function planWork(
  walk: WalkResult,
  known: KnownState & { readonly paths: readonly string[] },
  scope: readonly string[],
): WorkPlan {
  const tasks: FileTask[] = []
  const refused: SkippedFile[] = []
  let unchanged = 0
  for (const stamp of walk.files) {
    const refusal = known.refused.get(stamp.path)
    const before = refusal?.seen ?? known.stamps.get(stamp.path)
    // A file whose mtime was set back tells by its ctime that it was written just before it was read.
    const racy = isRacy(Math.max(stamp.mtime, stamp.ctime), known.indexedAt)
    if (before === undefined || racy || !isSameStamp(before, stamp))
      tasks.push({ ...stamp, knownHash: known.hashes.get(stamp.path) ?? null, committedAt: null })
    else if (refusal === undefined) unchanged++
    else refused.push(refusal)
  }
  const present = new Set(walk.files.map((stamp) => stamp.path))
  const removed = known.paths.filter((path) => !present.has(path) && isBelow(path, scope))
  return { tasks, removed, unchanged, refused }
}
