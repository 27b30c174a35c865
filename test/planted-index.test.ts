// What can a repository do that ships a `.yore` of its own? Every command ends, nothing outside is touched, the hint helps (T34).
import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, it } from 'vitest'
import { applicationId, schemaVersion, tables } from '../src/corpus/store/schema.ts'
import { indexFolder, makeFolder, openCorpus, writeFiles } from './temporary-corpus.ts'

const main = path.join(import.meta.dirname, '../src/offer/cli/main.ts')
const limit = 30_000

let base: string
let root: string
let folder: string
let victim: string
beforeEach(() => {
  base = makeFolder()
  root = path.join(base, 'clone')
  folder = path.join(root, '.yore')
  victim = path.join(base, 'victim.txt')
  writeFiles(root, { 'docs/retry.md': '# Retry\n\nbackoff\n' })
  writeFileSync(victim, 'precious')
  mkdirSync(folder)
})

function yore(...args: string[]): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, [main, ...args, '--root', root], {
    encoding: 'utf8',
    timeout: limit,
    killSignal: 'SIGKILL',
    env: { ...process.env, NO_COLOR: '1', YORE_EMBEDDING_PROVIDER: 'none', HOME: base },
  })
}

/** Bytes of a rollback journal that SQLite plays back, and that names another file as its super-journal. */
function hotJournal(superJournal: string): Buffer {
  const header = Buffer.alloc(512)
  Buffer.from('d9d505f920a163d7', 'hex').copy(header)
  for (const [at, value] of [0, 0, 1, 512, 4096].entries()) header.writeUInt32BE(value, 8 + at * 4)
  const name = Buffer.from(superJournal)
  const tail = Buffer.alloc(12 + name.length + 8)
  tail.writeUInt32BE(0x40000000 / 4096 + 1, 0)
  name.copy(tail, 4)
  tail.writeUInt32BE(name.length, 4 + name.length)
  tail.writeUInt32BE(
    name.reduce((sum, byte) => sum + byte, 0),
    8 + name.length,
  )
  Buffer.from('d9d505f920a163d7', 'hex').copy(tail, 12 + name.length)
  return Buffer.concat([header, tail])
}

/** A database of the right form: a rollback-mode file, with whatever schema. */
function plantDatabase(file: string, sql: string): void {
  using db = new DatabaseSync(file)
  db.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion}; ${sql}`)
}

const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT'

const plants: Readonly<Record<string, () => void>> = {
  'an index with a hot journal that names a victim': () => {
    plantDatabase(path.join(folder, 'index.db'), tables)
    writeFileSync(path.join(folder, 'index.db-journal'), hotJournal(victim))
  },
  'a lock with a hot journal that names a victim': () => {
    plantDatabase(path.join(folder, 'writer.lock'), 'CREATE TABLE t (x)')
    writeFileSync(path.join(folder, 'writer.lock-journal'), hotJournal(victim))
  },
  'a half-built index with a hot journal': () => {
    plantDatabase(path.join(folder, 'index.db.new'), tables)
    writeFileSync(path.join(folder, 'index.db.new-journal'), hotJournal(victim))
  },
  'a view that never ends in the place of a table': () =>
    plantDatabase(
      path.join(folder, 'index.db'),
      `CREATE VIEW meta AS ${endless} i AS key, i AS value FROM n`,
    ),
  'a trigger beside our tables': () =>
    plantDatabase(
      path.join(folder, 'index.db'),
      `${tables} CREATE TRIGGER t AFTER INSERT ON meta BEGIN INSERT INTO skipped ${endless} i, i, i FROM n; END`,
    ),
  'an index of the right form': () => plantDatabase(path.join(folder, 'index.db'), tables),
  'a FIFO in the place of the index': () => spawnSync('mkfifo', [path.join(folder, 'index.db')]),
  'a FIFO in the place of the lock': () => spawnSync('mkfifo', [path.join(folder, 'writer.lock')]),
  'FIFOs beside the index': () => {
    plantDatabase(path.join(folder, 'index.db'), tables)
    for (const suffix of ['-wal', '-shm', '-journal'])
      spawnSync('mkfifo', [path.join(folder, `index.db${suffix}`)])
  },
  'a link to a file outside in the place of the index': () =>
    symlinkSync(victim, path.join(folder, 'index.db')),
  'a second name of a file outside in the place of the index': () =>
    linkSync(victim, path.join(folder, 'index.db')),
  'links that lead nowhere yet': () => {
    for (const name of ['index.db', 'writer.lock', '.gitignore', 'owner', 'index.db.new', 'sessions'])
      symlinkSync(path.join(base, `made-${name}`), path.join(folder, name))
  },
  'folders in the place of every file': () => {
    for (const name of ['index.db', 'index.db-wal', 'index.db.new', 'writer.lock', 'owner'])
      mkdirSync(path.join(folder, name))
  },
  'a garbage lock': () => writeFileSync(path.join(folder, 'writer.lock'), 'garbage'.repeat(999)),
  'a lock of a process that is gone': () =>
    writeFileSync(path.join(folder, 'writer.lock'), '{"pid":1,"host":"another","started":"1"}'),
  'a database that is none': () => writeFileSync(path.join(folder, 'index.db'), 'no database'.repeat(999)),
  'an owner that nobody knows': () => {
    plantDatabase(path.join(folder, 'index.db'), tables)
    writeFileSync(path.join(folder, 'owner'), `{"token":"${'0'.repeat(32)}","folder":"1:1","files":["1:1"]}`)
  },
}

const asking = [['search', 'backoff'], ['assemble', 'backoff'], ['status'], ['doctor']]

interface Step {
  readonly name: string
  readonly value?: unknown
  readonly error?: string
  readonly isSlow: boolean
}

/** Every operation on what is there, in one process. */
function tryAll(...args: string[]): Step[] {
  const program = path.join(import.meta.dirname, 'planted-process.ts')
  const run = spawnSync(process.execPath, [program, root, ...args], {
    encoding: 'utf8',
    timeout: limit,
    killSignal: 'SIGKILL',
  })
  expect([run.signal, run.status, run.stderr]).toEqual([null, 0, ''])
  return run.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Step)
}

describe('a clone that ships', () => {
  for (const [name, plant] of Object.entries(plants))
    for (const how of ['rebuild', 'plain'])
      it(`${name} (${how}): everything ends, nothing outside is touched, the index is built anew`, () => {
        plant()
        const steps = tryAll(how)
        expect(steps.filter(({ isSlow }) => isSlow)).toEqual([])
        const [search, assemble, status, doctor, ...built] = steps
        for (const step of [search, assemble, status])
          expect(step?.error).toMatch(/^(NO_INDEX|INDEX_FOREIGN): .*yore index/)
        expect(doctor?.value).toContainEqual(expect.objectContaining({ fix: 'yore index' }))
        expect(built).toMatchObject([
          { name: 'index', value: 1 },
          { name: 'search', value: ['docs/retry.md'] },
          { name: 'index', value: 1 },
          { name: 'doctor', value: [] },
        ])
        expect(readFileSync(victim, 'utf8')).toBe('precious')
        expect(readdirSync(base).sort()).toEqual(['clone', 'victim.txt'])
      })
})

it('says on the terminal what is wrong and what to do', () => {
  spawnSync('mkfifo', [path.join(folder, 'index.db')])
  writeFileSync(path.join(folder, 'writer.lock'), 'garbage')
  const asked = yore('search', 'backoff', '--refresh', 'never')
  expect(asked.status).toBe(1)
  expect(asked.stderr).toMatch(/error: .* not yours: index.db is a FIFO\nhint: run `yore index`/)
  expect(yore('doctor').stdout).toMatch(/lock: yore did not write it(.|\n)*fix: yore index/)
})

it('a question sets a foreign index aside, too, and answers from one of its own', () => {
  plantDatabase(path.join(folder, 'index.db'), tables)
  const bytes = readFileSync(path.join(folder, 'index.db'))
  const asked = yore('search', 'backoff')
  expect(asked.stdout).toContain('docs/retry.md')
  expect(asked.stderr).toMatch(/note: .*moved it to .*\.yore\/foreign-1/)
  expect(readFileSync(path.join(folder, 'foreign-1', 'index.db'))).toEqual(bytes)
})

it('sets a foreign index aside, as it was, and says where', () => {
  plantDatabase(path.join(folder, 'index.db'), tables)
  const bytes = readFileSync(path.join(folder, 'index.db'))
  const built = yore('index')
  expect(built.status).toBe(0)
  expect(built.stdout).toMatch(/moved it to .*\.yore\/foreign-1/)
  expect(readFileSync(path.join(folder, 'foreign-1', 'index.db'))).toEqual(bytes)
  expect(yore('search', 'backoff').stdout).toContain('docs/retry.md')
})

it('refuses a `.yore` that is a link, and writes nothing where it leads', () => {
  const elsewhere = path.join(base, 'elsewhere')
  mkdirSync(elsewhere)
  rmSync(folder, { recursive: true })
  symlinkSync(elsewhere, folder)
  for (const args of [['index'], ['index', '--rebuild'], ...asking]) {
    const run = yore(...args)
    expect([args[0], run.status]).toEqual([args[0], 1])
    expect(run.stderr + run.stdout).toContain('--index')
    expect(readdirSync(elsewhere)).toEqual([])
  }
  expect(yore('index', '--index', elsewhere).status).toBe(0)
  expect(yore('search', 'backoff', '--index', elsewhere).stdout).toContain('docs/retry.md')
})

describe('files that a checkout brings beside an index of our own', () => {
  const own = async (): Promise<void> => {
    await indexFolder(root, { 'embedding.provider': 'none' })
  }
  const refused = async (): Promise<void> => {
    const engine = openCorpus(root, { 'embedding.provider': 'none' })
    await expect(engine.search('backoff')).rejects.toMatchObject({ code: 'INDEX_FOREIGN' })
    expect(await engine.index()).toMatchObject({ rebuilt: true })
    expect((await engine.search('backoff')).hits).toHaveLength(1)
    engine.close()
    expect(readFileSync(victim, 'utf8')).toBe('precious')
  }

  it('a journal', async () => {
    await own()
    writeFileSync(path.join(folder, 'index.db-journal'), hotJournal(victim))
    await refused()
  })

  it('a write-ahead log', async () => {
    await own()
    writeFileSync(path.join(folder, 'index.db-wal'), 'not ours'.repeat(999))
    await refused()
  })

  it('another index in the place of it', async () => {
    await own()
    const place = path.join(folder, 'index.db')
    cpSync(place, `${place}.other`)
    rmSync(place)
    renameSync(`${place}.other`, place)
    await refused()
  })
})

it('keeps an index of our own that was moved or copied with its folder', async () => {
  await indexFolder(root, { 'embedding.provider': 'none' })
  const copy = path.join(base, 'copy')
  cpSync(root, copy, { recursive: true, preserveTimestamps: true })
  const moved = path.join(base, 'moved')
  renameSync(root, moved)
  for (const place of [copy, moved]) {
    using other = openCorpus(place, { 'embedding.provider': 'none' })
    expect((await other.search('backoff')).hits).toHaveLength(1)
    expect(await other.index()).toMatchObject({ rebuilt: false, unchanged: 1 })
  }
})

describe('without a place for the private mark', () => {
  const withState = (
    state: Record<string, string | undefined>,
    ...args: string[]
  ): SpawnSyncReturns<string> =>
    spawnSync(process.execPath, [main, ...args, '--root', root], {
      encoding: 'utf8',
      timeout: limit,
      env: { ...process.env, NO_COLOR: '1', YORE_EMBEDDING_PROVIDER: 'none', ...state },
    })

  it('builds and uses an index in its place, and says what it cannot do', () => {
    writeFileSync(path.join(base, 'file'), '')
    const state = { XDG_STATE_HOME: path.join(base, 'file', 'state'), HOME: undefined }
    const built = withState(state, 'index')
    expect([built.status, built.stderr]).toEqual([0, ''])
    expect(built.stdout).toContain('cannot be written')
    expect(withState(state, 'search', 'backoff')).toMatchObject({ status: 0, stderr: '' })
    expect(withState(state, 'index')).toMatchObject({ status: 0, stderr: '' })
    expect(withState(state, 'doctor').status).toBe(0)
    const copy = path.join(base, 'copy')
    cpSync(root, copy, { recursive: true })
    const engine = withState(state, 'status', '--root', copy)
    expect(engine.stderr + engine.stdout).toContain(root)
    rmSync(path.join(root, '.yore', 'index.db'))
    cpSync(path.join(copy, '.yore', 'index.db'), path.join(root, '.yore', 'index.db'))
    expect(withState(state, 'search', 'backoff', '--refresh', 'never')).toMatchObject({
      status: 1,
      stderr: /yore index/,
    })
  })

  it('works when HOME is not set', () => {
    const state = { XDG_STATE_HOME: undefined, HOME: undefined, XDG_CACHE_HOME: undefined }
    if (!existsSync(path.join(root, '.yore'))) mkdirSync(path.join(root, '.yore'))
    const env = { ...state, XDG_STATE_HOME: 'relative' }
    expect(withState({ ...env, HOME: base }, 'index').status).toBe(0)
    expect(lstatSync(path.join(base, '.local/state/yore')).isDirectory()).toBe(true)
  })
})
