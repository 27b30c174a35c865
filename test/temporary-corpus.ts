// Where do the tests of this folder get a corpus? From files written into a temporary folder, with explicit times.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type DigestLimits, defaultSettings, type Settings } from '../src/model/config/settings.ts'
import type { Engine } from '../src/offer/engine/engine.ts'
import { openEngine } from '../src/offer/engine/open-engine.ts'

/** What the clock says in these tests. */
export const now: number = Date.parse('2025-11-29T15:23:00Z')

/** When a file was last changed, unless a test says otherwise. */
export const usualTime: number = Date.parse('2025-09-15T12:00:00Z')

/** Set to run the long versions: `YORE_SLOW=1 npx vitest run test`. */
export const slow: boolean = Boolean(process.env['YORE_SLOW'])

/** The seed of this run, which vitest.config.ts draws and prints. */
export const runSeed: number = Number(process.env['YORE_SEED'] ?? 0)

export type Files = Readonly<Record<string, string | Uint8Array>>

/** Where files cost no disk, for tests that write thousands; on Linux alone. */
export const inMemory: string = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** An empty folder with a real path; test/prepare-tests.ts removes it. */
export function makeFolder(below: string = tmpdir()): string {
  return realpathSync(mkdtempSync(path.join(below, 'yore-test-')))
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}

/** Writes the files, each with the time that the table gives it. */
export function writeFiles(root: string, files: Files, times: Readonly<Record<string, number>> = {}): void {
  for (const [file, content] of Object.entries(files)) {
    const place = path.join(root, file)
    mkdirSync(path.dirname(place), { recursive: true })
    writeFileSync(place, content)
    setTime(place, times[file] ?? usualTime)
  }
}

/** The folder of a fixture: `services` is the sample that `yore demo` copies, without what it plants in it. */
export function fixtureFolder(name: string): string {
  const place = name === 'services' ? ['..', 'assets', 'demo', 'documents'] : ['fixtures', name]
  return path.join(import.meta.dirname, ...place)
}

/** Copies a fixture, with the times of the table. */
export function copyFixture(name: string, root: string, times: Readonly<Record<string, number>> = {}): void {
  cpSync(fixtureFolder(name), root, { recursive: true })
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const place = path.join(entry.parentPath, entry.name)
    setTime(place, times[path.relative(root, place).replaceAll(path.sep, '/')] ?? usualTime)
  }
}

function setTime(place: string, time: number): void {
  utimesSync(place, time / 1000, time / 1000)
}

export function openCorpus(
  root: string,
  settings: Partial<Settings & DigestLimits> = {},
  indexDir: string = path.join(root, '.yore'),
): Engine {
  const all = { ...defaultSettings, refresh: 'never' as const, ...settings }
  return openEngine({ root, indexDir, settings: all, limits: settings, now })
}

/** Indexes a folder and closes the index. */
export async function indexFolder(root: string, settings?: Partial<Settings>): Promise<void> {
  using engine = openCorpus(root, settings)
  await engine.index()
}
