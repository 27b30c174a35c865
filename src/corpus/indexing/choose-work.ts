// What must a run do? The files it walks, compared with the index, become a plan of what to read and what to remove.

import { codeLanguages } from '../../model/code-languages.ts'
import type { CorpusPlace } from '../../model/config/find-root.ts'
import type { Settings } from '../../model/config/settings.ts'
import { mentionForms } from '../../model/reference.ts'
import type { IndexProgress } from '../../model/report.ts'
import type { FileRow } from '../../model/section.ts'
import type { SkippedFile } from '../../model/source-file.ts'
import type { MentionOptions } from '../../read/parse/markdown/find-mentions.ts'
import { textFormats } from '../../read/parse/text/text-formats.ts'
import { allFormats } from '../../read/source/extracted-formats.ts'
import { readGitHead } from '../../read/source/git/run-git.ts'
import { isCodeFile } from '../../read/source/language-of.ts'
import { isRacy, isSameStamp } from '../../read/source/walk/check-freshness.ts'
import type { CorpusRoots } from '../../read/source/walk/corpus-roots.ts'
import type { WalkResult } from '../../read/source/walk/walk-files.ts'
import { parseIdFamilies } from '../resolve/decision-ids.ts'
import type { CorpusReader } from '../store/corpus-reader.ts'
import type { CorpusWriter } from '../store/corpus-writer.ts'
import type { ParsedFor } from '../store/rows/meta.ts'
import type { FileTask, ReadingOptions } from './analyze-documents.ts'
import type { EmbedAllOptions } from './embed-fragments.ts'
import type { CorpusChanges, GivenFiles, KnownState, WorkPlan } from './given-files.ts'
import { type Fetching, openRoots, walkRoots } from './open-roots.ts'

function mentionOptions(settings: Settings, codeNames: boolean): MentionOptions {
  const families = parseIdFamilies(settings.ids)
  const idPrefixes = families.flatMap(({ prefix, aliases = [] }) => [prefix, ...aliases])
  return { wikiLinks: settings.wikiLinks === 'on', idPrefixes, codeNames }
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

const isBelow = (path: string, places: readonly string[]): boolean =>
  places.length === 0 ||
  places.some((place) => place === '' || path === place || path.startsWith(`${place}/`))

function planWork(walk: WalkResult, known: KnownState, scope: readonly string[]): WorkPlan {
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

export interface IndexCorpusOptions extends EmbedAllOptions, CorpusPlace {
  readonly rebuild: boolean
  /** Which other sources are fetched; none by default. */
  readonly fetching?: Fetching
  /** Files that are given instead of walked. */
  readonly changes?: CorpusChanges
  /** The documents that changed, when a check of the whole folder found no other difference. */
  readonly touched?: TouchedDocuments | undefined
}

export interface TouchedDocuments {
  readonly paths: readonly string[]
  /** Milliseconds since 1970 at which the check began. */
  readonly since: number
}

/** What every stage of a run needs. */
export interface IndexRun {
  readonly options: IndexCorpusOptions
  readonly reader: CorpusReader
  readonly writer: CorpusWriter
  /** Null for a run that walks the folder. */
  readonly given: GivenFiles | null
}

export function reportProgress(
  { options }: IndexRun,
  phase: IndexProgress['phase'],
  counts: Partial<IndexProgress> = {},
): void {
  options.onProgress?.({ done: 0, total: 0, bytesDone: 0, bytesTotal: 0, ...counts, phase })
}

/** Represents the commit outside a checkout and before the first one. */
export const noCommit = 'none'

/** The part of the corpus that a run reads. */
export interface RunScope {
  /** Empty for the whole corpus. */
  readonly paths: readonly string[]
  /** Set when all other documents are known to be unchanged. */
  readonly touched: TouchedDocuments | null
  /** The commit that is checked out, and whether it differs from the indexed one. */
  readonly head: string
  readonly headMoved: boolean
}

/** Files with a longer line are skipped as data. */
const MOST_LINE_LENGTH = 100_000

const readingOf = (settings: Settings, codeNames: boolean): ReadingOptions => ({
  mentions: mentionOptions(settings, codeNames),
  limits: { maxFileSize: settings.maxFileSize, maxLineLength: MOST_LINE_LENGTH },
  maskSecrets: settings.maskSecrets === 'on',
})

/** Whether the last run parsed documents for names of code. */
const namedCode = (reader: CorpusReader): boolean => reader.meta('readMentions')?.codeNames === true

/** Were all files read as they would be now, with the same settings and formats? */
export const isReadAlike = (reader: CorpusReader, settings: Settings): boolean =>
  reader.hasMeta(describeReading(readingOf(settings, namedCode(reader))))

/** A run may be limited to touched documents only if the last whole run used the same settings. */
export function chooseScope({ options, reader, given }: IndexRun): RunScope {
  const { touched, settings, paths, root } = options
  const before = reader.meta('gitHead')
  const head = (given === null ? readGitHead(root) : before) ?? noCommit
  const headMoved = head !== before
  const isLimited =
    touched !== undefined &&
    !headMoved &&
    (reader.meta('roots') ?? []).length === 0 &&
    reader.meta('origins') === null &&
    reader.meta('indexedAt') !== null &&
    isReadAlike(reader, settings) &&
    reader.hasMeta({ resolvedWith: settings.ids, fedBy: 'walk' })
  if (!isLimited) return { paths, touched: null, head, headMoved }
  return { paths: touched.paths, touched, head, headMoved }
}

/** What a walk found. */
export interface WalkedCorpus {
  readonly walk: WalkResult
  readonly roots: CorpusRoots
  /** Versions of folders that hold a package or a fetched source, by folder. */
  readonly origins: ReadonlyMap<string, string>
  readonly notices: readonly string[]
}

export async function walkCorpus(run: IndexRun, { paths }: RunScope): Promise<WalkedCorpus> {
  const { options, given } = run
  const root = { root: options.root, named: [] }
  if (given !== null) return { walk: given.walk(), roots: root, origins: new Map(), notices: [] }
  const roots = await openRoots(options)
  const onFound = (done: number): void => reportProgress(run, 'looking', { done })
  const { walk, origins } = walkRoots(roots, options.settings, { paths, onFound })
  const versions = new Map(origins.map(({ name, origin }) => [name, origin]))
  return { walk, roots, origins: versions, notices: roots.notices }
}

/** What a run does, and the state of the index before it. */
export interface RunPlan extends WorkPlan {
  readonly reading: ReadingOptions
  /** Unchanged documents, including those outside of the scope. */
  readonly unchanged: number
  readonly isNew: boolean
  /** True if the last whole run read files with the same settings. */
  readonly hasSameReading: boolean
  /** True if all references were resolved with the same settings. */
  readonly isResolvedAlike: boolean
}

export function planRun(run: IndexRun, scope: RunScope, walked: WalkedCorpus): RunPlan {
  const { options, reader, given } = run
  const { walk } = walked
  const before = reader.files(scope.touched?.paths)
  // Documents may name code if the corpus has any, in the scope of this run or outside.
  const elsewhere = before.filter(({ path }) => !isBelow(path, scope.paths))
  const codeNames =
    scope.touched === null
      ? [...walk.files, ...elsewhere].some(({ path }) => isCodeFile(path))
      : namedCode(reader)
  const reading = readingOf(options.settings, codeNames)
  const known = readKnown(run, { scope, walked, before, reading })
  const plan = given?.plan(walk, known) ?? planWork(walk, known, scope.paths)
  const outside = scope.touched === null ? 0 : reader.count('files') - before.length
  return {
    ...plan,
    reading,
    unchanged: outside + plan.unchanged,
    isNew: before.length === 0,
    hasSameReading: reader.hasMeta(describeReading(reading)),
    isResolvedAlike: reader.hasMeta({ resolvedWith: options.settings.ids }),
  }
}

interface KnownFrom {
  readonly scope: RunScope
  readonly walked: WalkedCorpus
  readonly before: readonly FileRow[]
  readonly reading: ReadingOptions
}

/** With other limits every file is opened again; with other mentions every file is also parsed again. */
function readKnown({ reader, given }: IndexRun, { scope, walked, before, reading }: KnownFrom): KnownState {
  const { readMentions, readLimits } = describeReading(reading)
  const isParsedAlike = reader.hasMeta({ readMentions })
  const isJudgedAlike = reader.hasMeta({ readLimits })
  const origins = new Map(reader.meta('origins') ?? [])
  // A citation shows the version of its source, so that files of another version are read again.
  const moved = [...new Set([...origins.keys(), ...walked.origins.keys()])].filter(
    (name) => given === null && scope.paths.length === 0 && origins.get(name) !== walked.origins.get(name),
  )
  const stays = ({ path }: { readonly path: string }): boolean => moved.length === 0 || !isBelow(path, moved)
  const stamps = scope.touched === null ? reader.stamps() : reader.stampsOf(scope.touched.paths)
  const same = isParsedAlike && isJudgedAlike ? stamps.filter(stays) : []
  const hashes = isParsedAlike ? before.filter(stays) : []
  return {
    paths: before.map(({ path }) => path),
    hashes: new Map(hashes.map(({ path, contentHash }) => [path, contentHash])),
    stamps: new Map(same.map((stamp) => [stamp.path, stamp])),
    refused: new Map(isJudgedAlike ? reader.refused().map((file) => [file.path, file]) : []),
    indexedAt: reader.meta('indexedAt') ?? 0,
  }
}
