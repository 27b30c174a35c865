// Which files must be read again? The walk is compared with the index and with the settings it was built with.
import { codeLanguages } from '../../model/code-languages.ts'
import type { Settings } from '../../model/config/settings.ts'
import { mentionForms } from '../../model/reference.ts'
import type { FileStamp, SkippedFile } from '../../model/source-file.ts'
import type { MentionOptions } from '../../read/parse/markdown/find-mentions.ts'
import { textFormats } from '../../read/parse/text/text-formats.ts'
import { allFormats } from '../../read/source/extracted-formats.ts'
import { isRacy, isSameStamp } from '../../read/source/walk/check-freshness.ts'
import type { WalkResult } from '../../read/source/walk/walk-files.ts'
import { parseIdFamilies } from '../resolve/decision-ids.ts'
import type { ParsedFor } from '../store/rows/meta.ts'
import type { FileTask } from './analyze-documents.ts'

export function mentionOptions(settings: Settings, codeNames: boolean): MentionOptions {
  const idPrefixes = parseIdFamilies(settings.ids).flatMap(({ prefix, aliases }) => [
    prefix,
    ...(aliases ?? []),
  ])
  return { wikiLinks: settings.wikiLinks === 'on', idPrefixes, codeNames }
}

/** The settings that decide, besides its bytes, what the index holds of a file. */
export interface ReadingOptions {
  readonly mentions: MentionOptions
  readonly limits: { readonly maxFileSize: number; readonly maxLineLength: number }
  readonly maskSecrets: boolean
}

/** The parts of a reading that the index stores; the walk itself finds files that are too large. */
export function describeReading(reading: ReadingOptions): { readMentions: ParsedFor; readLimits: number } {
  const { mentions, limits, maskSecrets } = reading
  const formats = [
    ...allFormats.map(({ name, version }) => `${name} ${version}`),
    ...[...codeLanguages, ...textFormats.map(({ name }) => name), ...Object.keys(mentionForms)],
  ]
  return { readMentions: { ...mentions, maskSecrets, formats }, readLimits: limits.maxLineLength }
}

/** What the index knows of files from an earlier run. */
export interface KnownState {
  /** Content hashes of documents that were parsed with the same settings. */
  readonly hashes: ReadonlyMap<string, string>
  /** Stamps of documents that need not be opened while these stay the same. */
  readonly stamps: ReadonlyMap<string, FileStamp>
  readonly refused: ReadonlyMap<string, SkippedFile>
  readonly indexedAt: number
}

export interface WorkPlan {
  readonly tasks: readonly FileTask[]
  readonly removed: readonly string[]
  readonly unchanged: number
  /** Files that were skipped because of their content, and are unchanged. */
  readonly refused: readonly SkippedFile[]
}

export function isBelow(path: string, places: readonly string[]): boolean {
  return (
    places.length === 0 ||
    places.some((place) => place === '' || path === place || path.startsWith(`${place}/`))
  )
}

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
    // The ctime reveals a late write to a file whose mtime was set back.
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
