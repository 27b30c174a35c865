// How do tests get a corpus? Files in a temporary folder, each write at a time of its own.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { indexCorpus } from '../../src/corpus/indexing/index-corpus.ts'
import { CorpusReader } from '../../src/corpus/store/corpus-reader.ts'
import { openForReading, openForWriting } from '../../src/corpus/store/open-database.ts'
import type { Surroundings } from '../../src/model/config/engine-options.ts'
import { defaultSettings, type Settings } from '../../src/model/config/settings.ts'
import type { IndexReport } from '../../src/model/report.ts'

/** What a test's process gives. */
export const ownProcess: Surroundings = { env: process.env, clock: Date.now }

export class TestCorpus {
  readonly root: string = realpathSync(mkdtempSync(path.join(tmpdir(), 'yore-engine-')))
  readonly indexDir: string = path.join(this.root, '.yore')
  readonly settings: Settings
  #time = 1_700_000_000

  constructor(files: Readonly<Record<string, string>>, settings: Partial<Settings> = {}) {
    this.settings = { ...defaultSettings, 'embedding.provider': 'none', workers: 1, ...settings }
    onTestFinished(() => rmSync(this.root, { recursive: true, force: true }))
    this.write(files)
  }

  write(files: Readonly<Record<string, string>>): void {
    this.#time += 10
    for (const [file, text] of Object.entries(files)) {
      const place = path.join(this.root, file)
      mkdirSync(path.dirname(place), { recursive: true })
      writeFileSync(place, text)
      utimesSync(place, this.#time, this.#time)
    }
  }

  remove(file: string): void {
    rmSync(path.join(this.root, file))
  }

  index(): Promise<IndexReport> {
    const { root, indexDir, settings } = this
    return indexCorpus({ ...ownProcess, root, indexDir, settings, paths: [], rebuild: false })
  }

  /** An index as a first run leaves it that was killed before it had written a document. */
  begin(): void {
    mkdirSync(this.indexDir, { recursive: true })
    openForWriting(path.join(this.indexDir, 'index.db'), { rebuild: false }).db.close()
  }

  read(): CorpusReader {
    const reader = new CorpusReader(openForReading(path.join(this.indexDir, 'index.db')))
    onTestFinished(() => {
      try {
        reader.close()
      } catch {
        // A test closed it before.
      }
    })
    return reader
  }
}
