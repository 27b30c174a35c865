// What is left of an index after a kill, a cut log, a flipped bit, another version or a copy? T1, T2, T3, T6 and T8.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { sourceLines } from '../src/answer/assemble/escape-text.ts'
import { CorpusReader } from '../src/corpus/store/corpus-reader.ts'
import { openForReading } from '../src/corpus/store/open-database.ts'
import { claimIndex } from '../src/corpus/store/ownership/index-home.ts'
import { schemaVersion } from '../src/corpus/store/schema.ts'
import { YoreError } from '../src/model/errors.ts'
import { randomFrom } from './edit-sequences.ts'
import { readAnswers } from './index-answers.ts'
import type { ProcessTask } from './index-process.ts'
import { damageTexts } from './support/documents.ts'
import {
  copyFixture,
  indexFolder,
  inMemory,
  makeFolder,
  openCorpus,
  removeFolder,
  slow,
  usualTime,
  writeFiles,
} from './temporary-corpus.ts'

const KILLS = slow ? 200 : 10
/** Kills, and faults of a log, that one test runs: a long run that is cut off has still shown something. */
const PER_TEST = slow ? 20 : 12
const parts = (total: number): number[] =>
  Array.from({ length: Math.ceil(total / PER_TEST) }, (_, part) => part)
const FLIPS = slow ? 300 : 60
/** Of the write-ahead log: cut so often, and flipped so often. */
const LOG_FAULTS = slow ? 300 : 12

const folders: string[] = []
function newFolder(below?: string): string {
  const folder = makeFolder(below)
  folders.push(folder)
  return folder
}
afterEach(() => folders.splice(0).forEach(removeFolder))

const indexOf = (root: string): string => path.join(root, '.yore', 'index.db')
const sha = (text: string): string => createHash('sha256').update(text).digest('hex')

const DOCUMENTS = 24

function versionOf(number: number, version: number): string {
  const sections = Array.from({ length: 5 }, (_, at) => {
    const text = `The deploy worker of version${version} reads the registry, then part ${at} waits. `
    return `## Part ${at}\n\n${text.repeat(4)}\n`
  })
  const next = (number + version) % DOCUMENTS
  return `# Document ${number}\n\nSee [the next](document${next}.md#part-${version % 5}).\n\n${sections.join('\n')}`
}

/** A third of the documents changes with each version. */
function writeVersion(root: string, version: number): void {
  const files: Record<string, string> = {}
  const times: Record<string, number> = {}
  for (let number = 0; number < DOCUMENTS; number++) {
    const name = `docs/document${number}.md`
    files[name] = versionOf(number, number % 3 === version % 3 ? version : 0)
    times[name] = usualTime + version * 1000
  }
  writeFiles(root, files, times)
}

const phases = ['looking', 'reading', 'merging', 'embedding'] as const

interface Kill {
  readonly phase: (typeof phases)[number]
  readonly milliseconds: number
}

/** Runs the indexing process; kills it so long after it has come to a phase. False when it had ended by itself. */
async function indexAndKill(root: string, rebuild: boolean, kill: Kill): Promise<boolean> {
  const task: ProcessTask = { root, do: 'index', workers: 1, rebuild }
  const program = path.join(import.meta.dirname, 'index-process.ts')
  const child = spawn(process.execPath, [program, JSON.stringify(task)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise<NodeJS.Signals | null>((resolve) =>
    child.on('close', (_, signal) => resolve(signal)),
  )
  const reached = new Promise<void>((resolve) => {
    let told = ''
    child.stderr.on('data', (chunk) => {
      told += chunk
      if (told.includes(kill.phase)) resolve()
    })
  })
  await Promise.race([ended, reached.then(() => setTimeout(kill.milliseconds))])
  child.kill('SIGKILL')
  return (await ended) === 'SIGKILL'
}

/** Every document of the index is whole: its artifacts, joined, are the bytes that its hash names. */
function checkWhole(root: string): number {
  const reader = new CorpusReader(openForReading(indexOf(root)))
  try {
    return reader.snapshot(() => {
      const files = reader.files()
      for (const file of files) {
        const texts = reader.artifactsOf(file.id).map(({ rowId }) => reader.text(rowId).text)
        expect(sha(texts.join(''))).toBe(file.contentHash)
      }
      expect(reader.lexical().livingDocuments).toBe(files.length)
      return files.length
    })
  } finally {
    reader.close()
  }
}

const asked = ['deploy worker registry', '"part 3 waits" version2'] as const

/** Brings the index up to date and says all that it says. */
async function answersAfterIndexing(root: string, indexDir?: string): Promise<Record<string, string>> {
  using engine = openCorpus(root, {}, indexDir)
  await engine.index()
  return await readAnswers(engine, asked)
}

describe('T1: a process that is killed while it indexes', () => {
  it.each(parts(KILLS))(
    `leaves whole documents, and the next run makes what a fresh index is: kills of part %i`,
    async (part) => {
      const root = newFolder(inMemory)
      const random = randomFrom(1 + part)
      writeVersion(root, 0)
      await answersAfterIndexing(root)
      const killed: Record<string, number> = {}
      const kills = Math.min(PER_TEST, KILLS)
      for (let number = part * PER_TEST + 1; number <= part * PER_TEST + kills; number++) {
        const way = ['index', 'incremental', 'rebuild', 'incremental'][number % 4] as string
        if (way === 'index') rmSync(path.join(root, '.yore'), { recursive: true })
        writeVersion(root, number)
        const kill = { phase: phases[(number >> 2) % 4] as Kill['phase'], milliseconds: 40 * random() }
        if (await indexAndKill(root, way === 'rebuild', kill)) {
          const name = `${way}, ${kill.phase}`
          killed[name] = (killed[name] ?? 0) + 1
        }
        if (existsSync(indexOf(root)) && way !== 'index') expect(checkWhole(root)).toBe(DOCUMENTS)
        const found = await answersAfterIndexing(root)
        expect(checkWhole(root)).toBe(DOCUMENTS)
        expect(found, `${way}, ${kill.phase}`).toEqual(await answersAfterIndexing(root, newFolder(inMemory)))
      }
      if (slow) console.info('killed while at work:', killed)
      expect(Object.values(killed).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(kills / 2)
    },
    slow ? 1_200_000 : 120_000,
  )

  it('that had only just created the file is followed by a run that starts anew', async () => {
    const root = newFolder()
    writeVersion(root, 0)
    await answersAfterIndexing(root)
    for (const suffix of ['-wal', '-shm']) rmSync(indexOf(root) + suffix, { force: true })
    writeFileSync(indexOf(root), '')
    await answersAfterIndexing(root)
    expect(checkWhole(root)).toBe(DOCUMENTS)
  })
})

describe('T2: a write-ahead log that is cut or has a flipped bit', () => {
  it.each(parts(2 * LOG_FAULTS))(
    'leaves whole documents, and the next run makes what a fresh index is: faults of part %i',
    async (part) => {
      const root = newFolder(inMemory)
      const log = `${indexOf(root)}-wal`
      writeVersion(root, 0)
      await answersAfterIndexing(root)
      // A reader that looks at the old state keeps the new one in the log.
      const before = new DatabaseSync(indexOf(root))
      before.exec('BEGIN')
      before.prepare('SELECT count(*) FROM files').get()
      writeVersion(root, 1)
      await answersAfterIndexing(root)
      const [stored, logged] = [readFileSync(indexOf(root)), readFileSync(log)]
      before.close()
      expect(logged.length).toBeGreaterThan(100_000)
      const expected = await answersAfterIndexing(root, newFolder(inMemory))
      const random = randomFrom(1000 + part)
      const states = new Set<number | null>()
      for (let number = 0; number < PER_TEST; number++) {
        const at = Math.floor(random() * logged.length)
        const bytes = number % 2 === 0 ? logged.subarray(0, at) : Buffer.from(logged)
        if (number % 2 === 1) bytes[at] = (bytes[at] as number) ^ (1 << Math.floor(random() * 8))
        for (const suffix of ['-wal', '-shm']) rmSync(indexOf(root) + suffix, { force: true })
        writeFileSync(indexOf(root), stored)
        writeFileSync(log, bytes)
        claimIndex(indexOf(root), process.env)
        expect(checkWhole(root)).toBe(DOCUMENTS)
        const reader = new CorpusReader(openForReading(indexOf(root)))
        states.add(reader.meta('generation'))
        reader.close()
        const found = await answersAfterIndexing(root)
        expect(found, `${number % 2 === 0 ? 'cut' : 'flipped'} at ${at}`).toEqual(expected)
      }
      expect(states.size).toBeGreaterThan(1)
    },
    slow ? 1_200_000 : 120_000,
  )
})

const questions = [
  'deploy a new service',
  'retry semantics of failed calls',
  'agent coordinator runbook alerts',
]

/** Asks everything; true when each answer quotes only what the files hold, at the lines that it names. */
async function answersTruly(root: string): Promise<'true' | 'false' | YoreError> {
  using engine = openCorpus(root)
  try {
    for (const question of questions) {
      const { digest } = await engine.assemble(question, { maxTokens: 20_000, sections: 100 })
      for (const passage of digest.primary)
        for (const { lines, text } of passage.excerpts) {
          const file = path.join(root, passage.path)
          if (!existsSync(file)) return 'false'
          const quoted = sourceLines(text)
          const source = readFileSync(file, 'utf8')
          const there = sourceLines(source).slice(lines.end - quoted.length, lines.end)
          if (there.join('\n') !== quoted.join('\n')) return 'false'
          // A passage is called by the headings that lead to it, neighbours by all of theirs.
          const names = passage.name.split(/ › |, | … /)
          if (!names.every((name) => `${source}${passage.path}`.includes(name))) return 'false'
        }
    }
    return 'true'
  } catch (cause) {
    if (cause instanceof YoreError) return cause
    throw cause
  }
}

describe('T3: a flipped bit in the index', () => {
  it('is never served: the answer is true, or the index is damaged', {
    timeout: slow ? 600_000 : 60_000,
  }, async () => {
    const root = newFolder()
    copyFixture('services', root)
    await indexFolder(root)
    const db = new DatabaseSync(indexOf(root))
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    db.close()
    const whole = readFileSync(indexOf(root))
    const random = randomFrom(3)
    const outcomes: Record<string, number> = {}
    for (let flip = 0; flip < FLIPS; flip++) {
      const bytes = Buffer.from(whole)
      const at = Math.floor(random() * bytes.length)
      bytes[at] = (bytes[at] as number) ^ (1 << Math.floor(random() * 8))
      for (const suffix of ['-wal', '-shm']) rmSync(indexOf(root) + suffix, { force: true })
      writeFileSync(indexOf(root), bytes) // The same file: another inode would be another home.
      const outcome = await answersTruly(root).catch((cause) => `bit ${at}: ${cause}`)
      const name =
        outcome instanceof YoreError ? outcome.code : outcome === 'false' ? `bit ${at}: served` : outcome
      outcomes[name] = (outcomes[name] ?? 0) + 1
    }
    const allowed = ['true', 'INDEX_DAMAGED', 'INDEX_FOREIGN', 'INDEX_NEWER', 'INDEX_OUTDATED']
    expect(Object.keys(outcomes).filter((name) => !allowed.includes(name))).toEqual([])
    writeFileSync(indexOf(root), whole)
    expect(await answersTruly(root)).toBe('true')
  })

  it('in every stored text is found, and mended by building the index anew', async () => {
    const root = newFolder()
    copyFixture('services', root)
    await indexFolder(root)
    const db = new DatabaseSync(indexOf(root))
    damageTexts(db, 'deploy', 'employ')
    db.close()
    const damaged = openCorpus(root)
    await expect(damaged.assemble('deploy a new service')).rejects.toMatchObject({ code: 'INDEX_DAMAGED' })
    await expect(damaged.search('deploy a new service')).rejects.toMatchObject({ code: 'INDEX_DAMAGED' })
    expect(await damaged.doctor()).toContainEqual(
      expect.objectContaining({ name: 'content', verdict: 'problem', fix: 'yore index --rebuild' }),
    )
    await damaged.index({ rebuild: true })
    damaged.close()
    expect(await answersTruly(root)).toBe('true')
  })
})

async function indexedFixture(): Promise<string> {
  const root = newFolder()
  copyFixture('services', root)
  await indexFolder(root)
  return root
}

function setSchema(root: string, version: number): void {
  using db = new DatabaseSync(indexOf(root))
  db.exec(`PRAGMA user_version = ${version}`)
}

describe('T6: an index of another version', () => {
  it('is refused when it is newer, with a hint', async () => {
    const root = await indexedFixture()
    setSchema(root, schemaVersion + 1)
    using engine = openCorpus(root)
    const refusal = { code: 'INDEX_NEWER', hint: expect.stringContaining('upgrade yore') }
    await expect(engine.assemble('deploy')).rejects.toMatchObject(refusal)
    await expect(engine.index()).rejects.toMatchObject(refusal)
  })

  it('is not used when it is older, and built anew by index', async () => {
    const root = await indexedFixture()
    setSchema(root, schemaVersion - 1)
    const engine = openCorpus(root)
    const refusal = { code: 'INDEX_OUTDATED', hint: expect.stringContaining('yore index') }
    await expect(engine.assemble('deploy')).rejects.toMatchObject(refusal)
    expect(await engine.index()).toMatchObject({ rebuilt: true, indexed: 18 })
    engine.close()
    expect(await answersTruly(root)).toBe('true')
  })
})

describe('T8: an index that came from somewhere else', () => {
  it('is refused by questions, and set aside when it is built here', async () => {
    const root = await indexedFixture()
    const clone = newFolder()
    cpSync(root, clone, { recursive: true })
    const state = process.env['XDG_STATE_HOME']
    process.env['XDG_STATE_HOME'] = newFolder() // Another user's, or that of another machine.
    const engine = openCorpus(clone)
    const refusal = { code: 'INDEX_FOREIGN', hint: expect.stringContaining('run `yore index`') }
    await expect(engine.assemble('deploy')).rejects.toMatchObject(refusal)
    await expect(engine.search('deploy')).rejects.toMatchObject(refusal)
    const notices = [expect.stringContaining(path.join(clone, '.yore/foreign-1'))]
    expect(await engine.index()).toMatchObject({ rebuilt: true, indexed: 18, notices })
    engine.close()
    expect(await answersTruly(clone)).toBe('true')
    process.env['XDG_STATE_HOME'] = state
  })
})
