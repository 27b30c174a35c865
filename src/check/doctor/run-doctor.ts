// What is wrong, and which command fixes it? Each check reports what it examined and what it found.
import { join } from 'node:path'
import { describeIncomplete } from '../../corpus/indexing/describe-freshness.ts'
import { lookAtFreshness } from '../../corpus/indexing/refresh-index.ts'
import { indexFileName } from '../../corpus/indexing/write-documents.ts'
import { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import { openForReading } from '../../corpus/store/open-database.ts'
import { isWritable } from '../../corpus/store/ownership/check-permission.ts'
import { isAtLeast, neededSqlite } from '../../corpus/store/ownership/check-sqlite.ts'
import { lockFileName } from '../../corpus/store/ownership/index-home.ts'
import { lookAtLock } from '../../corpus/store/ownership/writer-lock.ts'
import { schemaVersion } from '../../corpus/store/schema.ts'
import type { EngineOptions, Surroundings } from '../../model/config/engine-options.ts'
import { errorTable, YoreError } from '../../model/errors.ts'
import type { DoctorCheck } from '../../model/report.ts'

type Judged = readonly [verdict: DoctorCheck['verdict'], found: string, fix: string | null]

const report = (name: string, looked: string, [verdict, found, fix]: Judged): DoctorCheck => ({
  ...{ name, verdict, looked, found, fix },
})

/** The version of Node decides the version of SQLite. */
export function checkNode(versions: { readonly node: string; readonly sqlite?: string }): DoctorCheck {
  const looked = `needed: SQLite ${neededSqlite} or newer`
  const found = `Node ${versions.node}, SQLite ${versions.sqlite}`
  const isNew = isAtLeast(versions.sqlite, neededSqlite)
  return report(
    'node',
    looked,
    isNew ? ['ok', found, null] : ['problem', `${found}: too old`, errorTable.WRONG_NODE.hint],
  )
}

/** Is the lock held, stale, or invalid? */
function checkLock(indexDir: string): Judged {
  try {
    const state = lookAtLock(indexDir)
    if (state.kind === 'free') return ['ok', 'free', null]
    if (state.kind === 'held') return ['ok', `${state.by} is writing`, null]
    return ['warning', `${state.found}; the next \`yore index\` takes it away`, 'yore index']
  } catch (cause) {
    const fix = `chmod u+rwx ${JSON.stringify(indexDir)}`
    return ['problem', `it cannot be read: ${(cause as Error).message}`, fix]
  }
}

const fixes: Partial<Record<string, string>> = {
  NO_INDEX: 'yore index',
  INDEX_OUTDATED: 'yore index',
  INDEX_NEWER: 'npm install -g yore@latest',
  INDEX_FOREIGN: 'yore index',
  INDEX_DAMAGED: 'yore index --rebuild',
}

function openIndex(indexPath: string, { root, env }: EngineOptions & Surroundings) {
  const looked = `${indexPath} (schema ${schemaVersion} expected)`
  try {
    return { reader: new CorpusReader(openForReading(indexPath, { root, env })) }
  } catch (cause) {
    if (!(cause instanceof YoreError)) throw cause
    return { problem: report('index', looked, ['problem', cause.message, fixes[cause.code] ?? cause.hint]) }
  }
}

/** Verifies every row and every stored text, because SQLite does not detect bit rot. */
function checkContent(reader: CorpusReader): DoctorCheck {
  let checked = 0
  try {
    for (const file of reader.files())
      for (const artifact of reader.artifactsOf(file.id)) {
        reader.text(artifact.rowId)
        reader.words(artifact.rowId)
        checked++
      }
    const looked = `the checksums of ${checked} stored texts and ${reader.checkRows()} rows`
    return report('content', looked, ['ok', 'all match', null])
  } catch (cause) {
    const looked = `the checksums of the stored texts and rows, ${checked} texts were right`
    return report('content', looked, ['problem', (cause as Error).message, 'yore index --rebuild'])
  }
}

async function checkFreshness(reader: CorpusReader, options: EngineOptions): Promise<DoctorCheck> {
  const found = await lookAtFreshness(reader, options)
  const looked = `size and time of ${reader.count('files')} files`
  if (found.state === 'fresh') return report('freshness', looked, ['ok', 'nothing changed', null])
  const incomplete = describeIncomplete(found)
  const verdict = incomplete === null ? 'warning' : 'problem'
  const changed = incomplete ?? `${found.changedFiles} changed since indexing`
  return report('freshness', looked, [verdict, changed, 'yore index'])
}

function checkReadable(reader: CorpusReader): DoctorCheck {
  const unreadable = reader.skipped().filter(({ reason }) => reason === 'unreadable')
  const looked = `the files that the last run of \`yore index\` opened`
  const [first] = unreadable
  if (first === undefined) return report('files', looked, ['ok', 'all can be read', null])
  const found = `${unreadable.length} cannot be read, for example ${first.path}: ${first.detail}`
  return report('files', looked, ['warning', found, 'yore status --skipped'])
}

function describeIndex(reader: CorpusReader, indexDir: string): DoctorCheck {
  const looked = `${indexDir} (schema ${schemaVersion})`
  const found = `${reader.count('files')} files, ${reader.count('artifacts')} sections`
  if (isWritable(indexDir)) return report('index', looked, ['ok', found, null])
  const readOnly = `${found}; it cannot be written, so changed files are not included`
  const fix = `chmod -R u+w ${JSON.stringify(indexDir)}, or yore index --index with another folder`
  return report('index', looked, ['warning', readOnly, fix])
}

/** Checks everything that keeps yore from answering well. Never throws for a broken index, but reports it. */
export async function runDoctor(options: EngineOptions & Surroundings): Promise<readonly DoctorCheck[]> {
  const lock = report('lock', join(options.indexDir, lockFileName), checkLock(options.indexDir))
  const checks = [checkNode(process.versions), lock]
  const opened = openIndex(join(options.indexDir, indexFileName), options)
  if ('problem' in opened) return [...checks, opened.problem]
  const { reader } = opened
  try {
    checks.push(describeIndex(reader, options.indexDir))
    checks.push(checkContent(reader))
    checks.push(checkReadable(reader))
    checks.push(await checkFreshness(reader, options))
    return checks
  } catch (cause) {
    // The check of the content reports the damage.
    if (checks.some(({ name, verdict }) => name === 'content' && verdict === 'problem')) return checks
    throw cause
  } finally {
    reader.close()
  }
}
