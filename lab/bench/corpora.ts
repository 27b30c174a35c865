// What is measured on? The shared sets as folders of a bench's own, their questions, and the built package.
import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { evalFolder, type QueryRow, readRows, writeCorpus } from '../eval/read-sets.ts'

type Package = typeof import('../../src/index.ts')

/** Where corpora and indexes of benchmarks live; outside of any repository, so that git is not asked for dates. */
export function benchFolder(): string {
  const folder = resolve(process.env['YORE_BENCH_DIR'] ?? join(tmpdir(), 'yore-bench'))
  mkdirSync(folder, { recursive: true })
  return folder
}

/** The package under test as users run it: built. `YORE_BENCH_PACKAGE` names another copy of it. */
export function packageFolder(): string {
  const folder = resolve(process.env['YORE_BENCH_PACKAGE'] ?? join(import.meta.dirname, '../..'))
  if (!existsSync(join(folder, 'dist/index.js')))
    throw new Error(`no build in ${folder}: npm run build first`)
  return folder
}

export async function loadPackage(): Promise<Package> {
  return (await import(pathToFileURL(join(packageFolder(), 'dist/index.js')).href)) as Package
}

/** Long ago, so that no file counts as written in the moment it was indexed. */
const written = new Date('2025-01-01T00:00:00.123Z')

export function ageFiles(root: string): void {
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true }))
    utimesSync(join(entry.parentPath, entry.name), written, written)
  utimesSync(root, written, written)
}

/** A fresh copy of a shared set, as a user would have it. Null, with a message, where the sets are absent. */
export function prepareCorpus(set: string): string | null {
  if (evalFolder() === null) return null
  const root = join(benchFolder(), 'corpora', set)
  rmSync(root, { recursive: true, force: true })
  writeCorpus(set, root)
  rmSync(join(root, '.written'))
  ageFiles(root)
  return root
}

export function readQuestions(set: string): readonly QueryRow[] {
  const source = evalFolder()
  return source === null ? [] : readRows<QueryRow>(join(source, set, 'queries.jsonl'))
}
