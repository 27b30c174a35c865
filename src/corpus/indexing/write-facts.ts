// What is true of the whole index after a run? References are resolved, and facts of the run become named values.
import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { SkippedFile } from '../../model/source-file.ts'
import { parseIdFamilies } from '../resolve/decision-ids.ts'
import { describeReading, type IndexRun, reportProgress, type WalkedCorpus } from './choose-work.ts'
import { readModuleSettings, textsBelow } from './read-module-settings.ts'
import { resolveReferences } from './resolve-references.ts'
import { inTransaction, type Stages, type WrittenDocuments } from './write-documents.ts'

interface FactStages extends Stages {
  readonly written: WrittenDocuments
  readonly skipped: readonly SkippedFile[]
  /** Milliseconds since 1970. */
  readonly startedAt: number
}

/** Returns the totals of the corpus. */
export function writeFacts(
  run: IndexRun,
  stages: FactStages,
): Promise<{ readonly tokens: number; readonly sourceBytes: number }> {
  const { options, writer, given } = run
  const { scope, walked, plan } = stages
  const isWhole = scope.paths.length === 0
  return inTransaction(run, () => {
    const isRenamed = isWhole && writeWalk(run, stages)
    if (scope.touched !== null) writer.replaceSkipped(allSkipped(run, stages, scope.touched.paths))
    const origins = writeRoots(run, walked, isWhole)
    writer.setMeta('fedBy', given === null ? 'walk' : 'changes')
    resolveAll(run, stages, isRenamed)
    refreshCommitTimes(run, stages)
    // A run over a part of the corpus does not know when or how the rest was read, nor whether it was.
    if (isWhole || scope.touched !== null || plan.isNew) writer.setMeta('indexedAt', stages.startedAt)
    if (isWhole || plan.isNew) {
      const { readMentions, readLimits } = describeReading(plan.reading)
      writer.setMeta('readMentions', readMentions)
      writer.setMeta('readLimits', readLimits)
      writer.setMeta('maskSecrets', options.settings.maskSecrets)
    }
    writer.setMeta('fingerprint', hash('sha256', writer.sumContents() + origins))
    const { tokens, bytes } = run.reader.totals()
    return { tokens, sourceBytes: bytes }
  })
}

/** Stores what the walk of a whole corpus found; returns whether links to files changed, which references may name. */
function writeWalk({ reader, writer }: IndexRun, { walked: { walk }, skipped }: FactStages): boolean {
  writer.replaceSkipped(skipped)
  writer.replaceDirectories(walk.directories)
  writer.setMeta('ignoreFiles', walk.ignoreFiles)
  writer.setMeta('ignored', walk.ignored)
  const isRenamed = !isDeepStrictEqual(reader.meta('otherNames') ?? {}, walk.otherNames)
  writer.setMeta('otherNames', walk.otherNames)
  writer.setMeta('unsupported', walk.unsupported)
  return isRenamed
}

/** The skipped files of an earlier run that this one did not read, and those of this run. */
function allSkipped({ reader }: IndexRun, { skipped }: FactStages, paths: readonly string[]): SkippedFile[] {
  const read = new Set(paths)
  return [...reader.skips().filter(({ path }) => !read.has(path)), ...skipped]
}

/** Stores the roots of the corpus; returns the versions of its sources as JSON, empty without any. */
function writeRoots({ reader, writer, given }: IndexRun, { roots, origins }: WalkedCorpus, isWhole: boolean) {
  if (given === null) {
    writer.setMeta('roots', roots.named)
    if (isWhole && origins.size > 0) writer.setMeta('origins', [...origins])
    else if (isWhole) writer.clearMeta('origins')
  }
  const stored = reader.meta('origins')
  return stored === null ? '' : JSON.stringify(stored)
}

/** Mentions and documents between two reports. */
const stepsPerReport = 1000

function resolveAll(run: IndexRun, { walked, plan, written }: FactStages, isRenamed: boolean): void {
  const { options, reader, writer, given } = run
  const { ids } = options.settings
  const everything = isRenamed || !plan.isResolvedAlike
  const changedPaths = [...written.changed, ...plan.removed]
  // Files that declare module names may be ignored or outside the corpus: they are read from the disk.
  const readText = given === null ? textsBelow(walked.roots) : given.textOf
  const modules = readModuleSettings(readText, reader.paths())
  const changesModules = !reader.hasMeta({ modules })
  const families = parseIdFamilies(ids)
  const isTouched = changedPaths.length > 0 && writer.changes !== 'nothing'
  const mustResolve = everything || isTouched || changesModules
  let steps = 0
  const onStep = (): void => {
    if (++steps % stepsPerReport === 0) reportProgress(run, 'merging', { total: changedPaths.length })
  }
  if (mustResolve)
    resolveReferences(run, { everything, changedPaths, changesModules, families, readText, onStep })
  writer.setMeta('modules', modules)
  writer.setMeta('resolvedWith', ids)
}

/** Another commit changes the commit times of files with the same text, too. */
function refreshCommitTimes({ reader, writer }: IndexRun, { scope, written }: FactStages): void {
  if (!scope.headMoved) return
  for (const { path, mtime, modifiedAt } of reader.files()) {
    if (written.committed?.has(path) === false) continue
    const time = written.commitTimes?.get(path) ?? Math.trunc(mtime)
    if (time !== modifiedAt) writer.setModifiedAt(path, time)
  }
  writer.setMeta('gitHead', scope.head)
}
