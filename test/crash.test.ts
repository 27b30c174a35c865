// What is left of an index after a kill, a flipped bit, another version or a copy? T1, T3, T6 and T8.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { sourceLines } from '../src/assemble/escape-text.ts'
import { YoreError } from '../src/errors.ts'
import { CorpusReader } from '../src/store/corpus-reader.ts'
import { openForReading } from '../src/store/open-database.ts'
import { schemaVersion } from '../src/store/schema.ts'
import type { ProcessTask } from './index-process.ts'
import {
  copyFixture,
  makeFolder,
  openCorpus,
  removeFolder,
  slow,
  usualTime,
  writeFiles,
} from './temporary-corpus.ts'

const KILLS = slow ? 200 : 10
const FLIPS = slow ? 300 : 60

const folders: string[] = []
function newFolder(): string {
  const folder = makeFolder()
  folders.push(folder)
  return folder
}
afterEach(() => folders.splice(0).forEach(removeFolder))

const indexOf = (root: string): string => path.join(root, '.yore', 'index.db')
const sha = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Random numbers that are the same in every run: a linear congruence. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function versionOf(number: number, version: number): string {
  const sections = Array.from({ length: 12 }, (_, at) => {
    const text = `The deploy worker of version${version} reads the registry, then part ${at} waits. `
    return `## Part ${at}\n\n${text.repeat(4)}\n`
  })
  return `# Document ${number}\n\n${sections.join('\n')}`
}

/** A third of the documents changes with each version. */
function writeVersion(root: string, version: number): void {
  const files: Record<string, string> = {}
  const times: Record<string, number> = {}
  for (let number = 0; number < 100; number++) {
    const name = `docs/document${number}.md`
    files[name] = versionOf(number, number % 3 === version % 3 ? version : 0)
    times[name] = usualTime + version * 1000
  }
  writeFiles(root, files, times)
}

/** Runs the indexing process; kills it after so many milliseconds. True when it had ended by itself. */
async function indexInProcess(root: string, killAfter: number): Promise<boolean> {
  const task: ProcessTask = { root, do: 'index', workers: 1 }
  const program = path.join(import.meta.dirname, 'index-process.ts')
  const child = spawn(process.execPath, [program, JSON.stringify(task)], { stdio: 'ignore' })
  const ended = new Promise<NodeJS.Signals | null>((resolve) =>
    child.on('close', (_, signal) => resolve(signal)),
  )
  const timer = new AbortController()
  await Promise.race([ended, setTimeout(killAfter, undefined, { signal: timer.signal }).catch(() => {})])
  timer.abort()
  child.kill('SIGKILL')
  return (await ended) === null
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

async function digestAfterIndexing(root: string): Promise<{ output: string; fingerprint: string }> {
  const engine = openCorpus(root)
  try {
    await engine.index()
    const { output, digest } = await engine.assemble('deploy worker registry', { format: 'json' })
    return { output, fingerprint: digest.fingerprint }
  } finally {
    engine.close()
  }
}

async function freshDigest(root: string): Promise<{ output: string; fingerprint: string }> {
  const copy = newFolder()
  cpSync(path.join(root, 'docs'), path.join(copy, 'docs'), { recursive: true, preserveTimestamps: true })
  return digestAfterIndexing(copy)
}

describe('T1: a process that is killed while it indexes', () => {
  it(
    'leaves whole documents, and the next run completes the index',
    async () => {
      const root = newFolder()
      const random = randomFrom(1)
      writeVersion(root, 0)
      const started = performance.now()
      await indexInProcess(root, 60_000)
      const duration = performance.now() - started
      let killed = 0
      for (let kill = 1; kill <= KILLS; kill++) {
        if (kill % 4 === 0) rmSync(path.join(root, '.yore'), { recursive: true })
        writeVersion(root, kill)
        // From the moment that the program has loaded to the moment that it has ended.
        if (!(await indexInProcess(root, duration * (0.2 + 0.8 * random())))) killed++
        const before = existsSync(indexOf(root))
        if (before && kill % 4 !== 0) expect(checkWhole(root)).toBe(100)
        const { output, fingerprint } = await digestAfterIndexing(root)
        expect(checkWhole(root)).toBe(100)
        if (kill % 5 !== 0) continue
        const fresh = await freshDigest(root)
        expect(fingerprint).toBe(fresh.fingerprint)
        expect(output).toBe(fresh.output)
      }
      expect(killed).toBeGreaterThan(KILLS / 3)
    },
    slow ? 1_200_000 : 120_000,
  )

  it('that had only just created the file is followed by a run that starts anew', async () => {
    const root = newFolder()
    writeVersion(root, 0)
    await digestAfterIndexing(root)
    for (const suffix of ['-wal', '-shm']) rmSync(indexOf(root) + suffix, { force: true })
    writeFileSync(indexOf(root), '')
    await digestAfterIndexing(root)
    expect(checkWhole(root)).toBe(100)
  })
})

const questions = [
  'deploy a new service',
  'retry semantics of failed calls',
  'agent coordinator runbook alerts',
]

/** Asks everything; true when each answer quotes only what the files hold, at the lines that it names. */
async function answersTruly(root: string): Promise<'true' | 'false' | YoreError> {
  const engine = openCorpus(root)
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
  } finally {
    engine.close()
  }
}

describe('T3: a flipped bit in the index', () => {
  it('is never served: the answer is true, or the index is damaged', {
    timeout: slow ? 600_000 : 60_000,
  }, async () => {
    const root = newFolder()
    copyFixture('services', root)
    const engine = openCorpus(root)
    await engine.index()
    engine.close()
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
    const engine = openCorpus(root)
    await engine.index()
    engine.close()
    const db = new DatabaseSync(indexOf(root))
    db.exec("UPDATE artifacts SET text = replace(text, 'deploy', 'destroy')")
    db.close()
    const damaged = openCorpus(root)
    await expect(damaged.assemble('deploy a new service')).rejects.toMatchObject({ code: 'INDEX_DAMAGED' })
    await expect(damaged.search('deploy a new service')).rejects.toMatchObject({ code: 'INDEX_DAMAGED' })
    expect(await damaged.doctor()).toContainEqual(
      expect.objectContaining({ name: 'content', verdict: 'problem', mend: 'yore index --rebuild' }),
    )
    await damaged.index({ rebuild: true })
    damaged.close()
    expect(await answersTruly(root)).toBe('true')
  })
})

async function indexedFixture(): Promise<string> {
  const root = newFolder()
  copyFixture('services', root)
  const engine = openCorpus(root)
  await engine.index()
  engine.close()
  return root
}

function setSchema(root: string, version: number): void {
  const db = new DatabaseSync(indexOf(root))
  db.exec(`PRAGMA user_version = ${version}`)
  db.close()
}

describe('T6: an index of another version', () => {
  it('is refused when it is newer, with a hint', async () => {
    const root = await indexedFixture()
    setSchema(root, schemaVersion + 1)
    const engine = openCorpus(root)
    const refusal = { code: 'INDEX_NEWER', hint: expect.stringContaining('upgrade yore') }
    await expect(engine.assemble('deploy')).rejects.toMatchObject(refusal)
    await expect(engine.index()).rejects.toMatchObject(refusal)
    engine.close()
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
