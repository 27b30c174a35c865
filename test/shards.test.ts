// Does a corpus of several files say what one file says? Random edits, every output compared byte for byte; every state
// that a kill can leave between two commits; and shards that are missing, foreign, copied or given up (record 0048).
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, linkSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, it } from 'vitest'
import { defaultSettings } from '../src/config/settings.ts'
import type { Engine } from '../src/engine/engine.ts'
import { openEngine } from '../src/engine/open-engine.ts'
import { CorpusReader } from '../src/store/corpus-reader.ts'
import { claimIndex, lockFileName } from '../src/store/index-home.ts'
import { openForReading } from '../src/store/open-database.ts'
import { DecodedPostings } from '../src/store/postings.ts'
import { EditedRepository, randomFrom } from './edit-sequences.ts'
import { readAnswers, readGraphs } from './index-answers.ts'
import type { ProcessTask } from './index-process.ts'
import {
  inMemory,
  makeFolder,
  now,
  openCorpus,
  removeFolder,
  runSeed,
  slow,
  usualTime,
  writeFiles,
} from './temporary-corpus.ts'

const folders: string[] = []
function newFolder(): string {
  const folder = makeFolder(inMemory)
  folders.push(folder)
  return folder
}
afterEach(() => folders.splice(0).forEach(removeFolder))

function shardsIn(indexDir: string): string[] {
  return readdirSync(indexDir)
    .filter((file) => /^shard-.*\.db$/.test(file))
    .map((file) => path.join(indexDir, file))
    .sort()
}

const SEQUENCES = slow ? 40 : 2
/** Enough that eight segments of a shard are merged in long runs; src/store/segment-writer.test.ts has merges always. */
const STEPS = slow ? 14 : 6
const counts = [1, 2, 3, 7] as const
const questions = [
  ['How do I restart the worker of the queue?', 'zyxwv leeder of the qeue'],
  ['"shorter than before" lease budget', 'ADR-001 alpha decision'],
  ['Where is retryLater used?', 'docs/alpha.md'],
  ['push an item to Queue in python', 'alpha beta'],
] as const

function open({ root, number, settings }: EditedRepository, shards: number): Engine {
  const mode = number % 2 === 0 ? 'hybrid' : 'lexical'
  const given = { ...defaultSettings, refresh: 'never', mode, workers: 1, ...settings, shards } as const
  return openEngine({ root, indexDir: path.join(path.dirname(root), `of${shards}`), settings: given, now })
}

/** Says after which edits which outputs differed. */
async function runSequence(number: number): Promise<string[]> {
  const folder = newFolder()
  const random = randomFrom(number)
  const repository = new EditedRepository(path.join(folder, 'root'), number)
  let { settings } = repository
  let engines = counts.map((shards) => open(repository, shards))
  const asked = questions[(number + runSeed) % questions.length] as readonly string[]
  try {
    for (let step = 0; step <= STEPS; step++) {
      if (step > 0) repository.edit()
      if (repository.settings !== settings) {
        for (const engine of engines) engine.close()
        engines = counts.map((shards) => open(repository, shards))
        settings = repository.settings
      }
      const rebuild = random() > 0.95
      for (const engine of engines) await engine.index({ rebuild })
      if (step < STEPS && random() < 0.85) continue
      const said: Record<string, string>[] = []
      for (const engine of engines)
        said.push({
          ...(await readAnswers(engine, asked)),
          ...(await readGraphs(engine, repository.named().slice(0, 3))),
        })
      const [expected = {}, ...others] = said
      const differing = Object.keys(expected).filter((name) =>
        others.some((found) => found[name] !== expected[name]),
      )
      if (differing.length > 0) return [`step ${step}: ${repository.done.join(', ')}`, ...differing]
    }
    for (const shards of counts)
      expect(shardsIn(path.join(folder, `of${shards}`))).toHaveLength(shards === 1 ? 0 : shards)
    return []
  } finally {
    for (const engine of engines) engine.close()
  }
}

it.each(Array.from({ length: SEQUENCES }, (_, number) => number))(
  'says the same from 1, 2, 3 and 7 files, after edits, deletions, merges and rebuilds: sequence %i',
  async (number) => expect(await runSequence(number)).toEqual([]),
  120_000,
)

const DOCUMENTS = 6

/** Half of the documents changes with each version. */
function writeVersion(root: string, version: number): void {
  for (let number = 0; number < DOCUMENTS; number++) {
    const own = number % 2 === version % 2 ? version : Math.max(0, version - 1)
    const name = `document${number}.md`
    const text = `# Document ${number}\n\nThe worker of version${own} waits.\n\n## Part\n\nIt reads number${own} of ${number}.\n`
    writeFiles(root, { [name]: text }, { [name]: usualTime + own * 1000 })
  }
}

const questionsOfVersions = ['worker waits', 'number8 of version9'] as const
const divided = { shards: 2, workers: 1 } as const

/** What stands in the lists and vectors for each document, with the hash of the text that the corpus file has of it. */
function readCandidates(indexDir: string): Map<string, { hash: string; terms: string; vectors: string[] }> {
  const reader = new CorpusReader(openForReading(path.join(indexDir, 'index.db')))
  try {
    return reader.snapshot(() => {
      const lexical = reader.lexical()
      const found = new Map(
        reader
          .files()
          .map(({ path: file, contentHash }) => [
            file,
            { hash: contentHash, terms: [] as string[], vectors: [] as string[] },
          ]),
      )
      const list = new DecodedPostings()
      for (const letter of 'abcdefghijklmnopqrstuvwxyz0123456789')
        for (const term of lexical.termsLike(letter, 40)) {
          lexical.read(term, list)
          expect(lexical.count(term)).toBe(list.length)
          for (let at = 0; at < list.length; at++) {
            const { artifact } = reader.match(list.fragments[at] as number)
            const { path: file } = reader.file(artifact.file)
            found.get(file)?.terms.push(`${term} ${artifact.id} ${list.packed[at]}`)
          }
        }
      for (const model of reader.vectors().models())
        for (const { fragments, data, dimensions } of reader.vectors().rows(model))
          for (const [at, fragment] of fragments.entries()) {
            if (!lexical.isLiving(fragment)) continue
            const { artifact } = reader.match(fragment)
            const numbers = data.slice(at * dimensions, (at + 1) * dimensions).join(' ')
            found.get(reader.file(artifact.file).path)?.vectors.push(`${artifact.id} ${numbers}`)
          }
      expect(reader.checkRows()).toBeGreaterThan(0)
      return new Map([...found].map(([file, one]) => [file, { ...one, terms: one.terms.sort().join('\n') }]))
    })
  } finally {
    reader.close()
  }
}

/** Runs the work, and copies the index folder before and after each commit: what a kill would leave at that moment. */
async function recordStates(indexDir: string, work: () => Promise<unknown>): Promise<string[]> {
  const states: string[] = []
  const { exec } = DatabaseSync.prototype
  const copy = (): void => {
    const state = path.join(newFolder(), 'index')
    cpSync(indexDir, state, { recursive: true })
    rmSync(path.join(state, lockFileName))
    states.push(state)
  }
  DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string): void {
    if (sql === 'COMMIT') copy()
    exec.call(this, sql)
    if (sql === 'COMMIT') copy()
  }
  try {
    await work()
  } finally {
    DatabaseSync.prototype.exec = exec
  }
  return states
}

describe('a process that is killed between the commits of two files', () => {
  it('leaves lists and vectors of the texts that the corpus file has, and the next run makes what a fresh index is', async () => {
    const root = newFolder()
    const index = path.join(root, '.yore')
    const versions = [7, 8]
    // Seven segments in each shard: the eighth is merged with them, and what was merged is swept.
    for (let version = 0; version < 7; version++) {
      writeVersion(root, version)
      using engine = openCorpus(root, divided)
      await engine.index()
    }
    /** By the hash of a text: what should stand in the lists and vectors for it. */
    const expected = new Map<string, { terms: string; vectors: readonly string[] }>()
    const note = (indexDir: string): void => {
      for (const { hash, terms, vectors } of readCandidates(indexDir).values())
        expected.set(hash, { terms, vectors })
    }
    const states: string[] = []
    note(index)
    for (const version of versions) {
      writeVersion(root, version)
      using engine = openCorpus(root, divided)
      states.push(...(await recordStates(index, () => engine.index())))
      const fresh = newFolder()
      using other = openCorpus(root, { workers: 1 }, fresh)
      await other.index()
      note(fresh)
    }
    expect(states.length).toBeGreaterThan(30)
    using last = openCorpus(root, { workers: 1 }, newFolder())
    await last.index()
    const answers = await readAnswers(last, questionsOfVersions)
    const seen = new Set<string>()
    for (const [number, state] of states.entries()) {
      // A copy has other files: where it lies now is its home.
      claimIndex(path.join(state, 'index.db'), process.env, { shards: shardsIn(state) })
      const found = readCandidates(state)
      expect(found.size).toBe(DOCUMENTS)
      for (const { hash, terms, vectors } of found.values()) {
        const right = expected.get(hash)
        expect(terms).toBe(right?.terms)
        expect(right?.vectors).toEqual(expect.arrayContaining(vectors))
        seen.add(hash)
      }
      if (!slow && number % 9 !== runSeed % 9) continue
      using engine = openCorpus(root, divided, state)
      await engine.index()
      expect(await readAnswers(engine, questionsOfVersions), `state ${number}`).toEqual(answers)
      expect(shardsIn(state)).toHaveLength(2)
    }
    expect(seen.size).toBe(expected.size)
  }, 120_000)

  it('by the system, at a commit of its own, leaves the same', async () => {
    const root = newFolder()
    writeVersion(root, 0)
    {
      using engine = openCorpus(root, divided)
      await engine.index()
    }
    const program = path.join(import.meta.dirname, 'index-process.ts')
    for (const killAt of slow ? Array.from({ length: 24 }, (_, at) => at + 1) : [2, 5]) {
      writeVersion(root, killAt)
      const task: ProcessTask = { root, do: 'index', workers: 1, shards: 2, killAt }
      const child = spawnSync(process.execPath, [program, JSON.stringify(task)])
      if (!slow) expect(child.signal).toBe('SIGKILL')
      expect(readCandidates(path.join(root, '.yore')).size).toBe(DOCUMENTS)
      using engine = openCorpus(root, divided)
      await engine.index()
      using fresh = openCorpus(root, { workers: 1 }, newFolder())
      await fresh.index()
      expect(await readAnswers(engine, questionsOfVersions)).toEqual(
        await readAnswers(fresh, questionsOfVersions),
      )
    }
  }, 120_000)
})

/** A folder with an index of two shards. */
async function dividedFolder(): Promise<{ root: string; index: string; shards: string[] }> {
  const root = newFolder()
  writeVersion(root, 0)
  using engine = openCorpus(root, { ...divided, mode: 'lexical' })
  await engine.index()
  const index = path.join(root, '.yore')
  return { root, index, shards: shardsIn(index) }
}

describe('the shards of an index', () => {
  const lexical = { ...divided, mode: 'lexical' } as const

  it('are part of its size, and of what is checked', async () => {
    const { root, index, shards } = await dividedFolder()
    {
      using engine = openCorpus(root, lexical)
      const { indexBytes } = await engine.status()
      const sizes = [path.join(index, 'index.db'), ...shards].map((file) => readFileSync(file).length)
      expect(indexBytes).toBe(sizes.reduce((sum, size) => sum + size, 0))
    }
    {
      using shard = new DatabaseSync(shards[1] as string)
      shard.exec('UPDATE postings SET data = zeroblob(12) WHERE term = (SELECT max(term) FROM postings)')
    }
    using engine = openCorpus(root, lexical)
    expect(await engine.doctor()).toContainEqual(
      expect.objectContaining({ name: 'content', verdict: 'problem', mend: 'yore index --rebuild' }),
    )
  })

  it('come along when the folder is copied', async () => {
    const { root } = await dividedFolder()
    const copy = newFolder()
    cpSync(root, copy, { recursive: true })
    using engine = openCorpus(copy, lexical)
    expect((await engine.search('worker waits')).hits).not.toHaveLength(0)
    await engine.index()
    expect((await engine.search('worker waits')).hits).not.toHaveLength(0)
  })

  it('must all be there', async () => {
    const { root, shards } = await dividedFolder()
    rmSync(shards[1] as string)
    using engine = openCorpus(root, lexical)
    await expect(engine.search('worker')).rejects.toMatchObject({
      code: 'INDEX_DAMAGED',
      message: `${shards[1]}, a part of the index, is missing`,
    })
    await engine.index({ rebuild: true })
    expect((await engine.search('worker')).hits).not.toHaveLength(0)
  })

  it.each(['another file', 'a second name of another file'])(
    'are not read when one is %s, and set aside when the index is built',
    async (what) => {
      const { root, index, shards } = await dividedFolder()
      const file = shards[0] as string
      const bytes = readFileSync(file)
      rmSync(file)
      if (what === 'another file') writeFileSync(file, bytes)
      else {
        writeFileSync(path.join(root, 'other.db'), bytes)
        linkSync(path.join(root, 'other.db'), file)
      }
      using engine = openCorpus(root, lexical)
      await expect(engine.search('worker')).rejects.toMatchObject({ code: 'INDEX_FOREIGN' })
      await engine.index()
      expect(existsSync(path.join(index, 'foreign-1', path.basename(file)))).toBe(true)
      expect((await engine.search('worker')).hits).not.toHaveLength(0)
    },
  )

  it('are given up, made or kept as the settings say when the index is rebuilt, and not before', async () => {
    const { root, index, shards } = await dividedFolder()
    const look = async (count: number, rebuild: boolean): Promise<string[]> => {
      using engine = openCorpus(root, { ...lexical, shards: count })
      const { notices } = await engine.index({ rebuild })
      expect(notices.some((notice) => notice.includes('divides it anew'))).toBe(!rebuild)
      expect((await engine.search('worker')).hits).not.toHaveLength(0)
      return shardsIn(index)
    }
    expect(await look(1, false)).toEqual(shards)
    const others = await look(3, true)
    expect(others).toHaveLength(3)
    expect(others.some((file) => shards.includes(file))).toBe(false)
    expect(await look(1, true)).toEqual([])
    expect(readdirSync(index).filter((name) => name.startsWith('shard-'))).toEqual([])
  })
})
