// What happens when the process that builds an index dies? The next question builds on or names the cause, and never says that nothing matches.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { CorpusWriter } from '../src/corpus/store/corpus-writer.ts'
import { openForWriting } from '../src/corpus/store/open-database.ts'
import { readRecord, writeRecord } from '../src/corpus/store/ownership/build-record.ts'
import { takeWriterLock } from '../src/corpus/store/ownership/writer-lock.ts'
import { openEngine } from '../src/offer/engine/open-engine.ts'
import { resumeIndexing } from '../src/offer/engine/start-indexing.ts'
import { call, serveStdio } from './mcp-clients.ts'
import { main, runYore } from './run-command-line.ts'
import { makeFolder, writeFiles } from './temporary-corpus.ts'

const later = path.join(import.meta.dirname, '../src/offer/engine/index-later.ts')
const settings = { 'embedding.provider': 'none' } as const

const note = (at: number): string =>
  `# Note ${at}\n\n${`A ledger of week ${at % 52} is restored from its snapshot before the deploy.\n\n`.repeat(60)}`

const notes = (from: number, to: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: to - from }, (_, at) => [`notes/n${from + at}.md`, note(from + at)]),
  )

const answer = {
  'docs/rollback.md': '# Rollback\n\nA rollback restores the walrus snapshot of the ledger.\n',
}
const ask = 'Which snapshot of the ledger does a rollback restore?'

/** A folder whose first run was killed after it had committed `indexed` and before the other files. */
async function abandon(
  indexed: Record<string, string>,
  others: Record<string, string>,
): Promise<{ readonly root: string; readonly indexDir: string }> {
  const root = makeFolder()
  const indexDir = path.join(root, '.yore')
  if (Object.keys(indexed).length > 0) {
    writeFiles(root, indexed)
    using engine = openEngine(root, { settings })
    await engine.index()
  } else mkdirSync(indexDir)
  const { db } = openForWriting(path.join(indexDir, 'index.db'), { root, rebuild: false })
  const writer = new CorpusWriter(db)
  writer.begin()
  writer.clearMeta('indexedAt')
  writer.commit()
  db.close()
  writeFiles(root, others)
  return { root, indexDir }
}

async function untilFree(indexDir: string): Promise<void> {
  for (let tries = 0; tries < 1200; tries++) {
    if (!existsSync(path.join(indexDir, 'writer.lock'))) return
    await setTimeout(50)
  }
  throw new Error('the lock was not released')
}

async function untilFresh(root: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const status = runYore(['status', '--json', '--root', root])
    if (status.status === 0 && JSON.parse(status.stdout).freshness.state === 'fresh') return
    await setTimeout(200)
  }
  throw new Error('the index was not completed')
}

describe('an abandoned index', () => {
  it('is built on by a search and a digest, which answer meanwhile', async () => {
    const { root } = await abandon({}, { ...notes(0, 400), ...answer })
    for (const command of ['search', 'assemble']) {
      const { status, stdout, stderr } = runYore([command, ask, '--root', root])
      expect(stdout).toContain('walrus snapshot')
      expect(stdout + stderr).not.toMatch(/no match|nothing found/i)
      expect([status, stderr]).toEqual([0, expect.stringContaining('the index is being built')])
    }
    await untilFresh(root)
  })

  it('is completed by what needs the whole of it, and by a program', async () => {
    const { root } = await abandon({}, { ...notes(0, 400), ...answer })
    const outline = runYore(['outline', 'docs/rollback.md', '--root', root])
    expect(outline.stdout, outline.stderr).toContain('Rollback')
    expect(outline.stderr).toContain('is not complete: building it')
    const other = await abandon(notes(0, 5), { ...notes(5, 400), ...answer })
    using engine = openEngine(other.root, { settings })
    const { hits, freshness } = await engine.search(ask)
    expect([hits[0]?.path, freshness.state]).toEqual(['docs/rollback.md', 'fresh'])
  })

  it('is built on for an agent, and when its session starts', async () => {
    const { root, indexDir } = await abandon({}, { ...notes(0, 400), ...answer })
    mkdirSync(path.join(root, '.git'))
    const input = JSON.stringify({ cwd: root })
    const hook = spawnSync(process.execPath, [main, 'hook', 'session-start'], { input, encoding: 'utf8' })
    expect(hook.stdout).toMatch(/^yore is indexing this repository/)
    await untilFresh(root)
    const again = spawnSync(process.execPath, [main, 'hook', 'session-start'], { input, encoding: 'utf8' })
    expect(again.stdout).toMatch(/^yore has indexed this repository, documents and code: 401 files/)
    rmSync(indexDir, { recursive: true })
    const second = await abandon({}, { ...notes(0, 400), ...answer })
    const served = await serveStdio(second.root, 'modern')
    const uses = await call(served.client, 'outline', { place: 'docs/rollback.md' })
    expect(uses.text).toContain('Rollback')
    await served.close()
  })

  it('never says that nothing matches, even without a refresh', async () => {
    const { root } = await abandon({}, answer)
    const never = ['--root', root, '--refresh', 'never']
    for (const args of [
      ['search', 'walrus'],
      ['search', 'walrus', '--match', 'exact'],
      ['assemble', 'walrus'],
    ]) {
      const { stdout, stderr } = runYore([...args, ...never])
      expect(stdout).not.toMatch(/no match|nothing found/i)
      expect(stderr).toContain('the index is not complete')
    }
    const uses = runYore(['uses', 'walrus', ...never])
    expect([uses.status, uses.stderr]).toEqual([1, expect.stringContaining('the index is not complete')])
  })

  it('says what ended the process that built it, and starts no further one after three', async () => {
    const { root, indexDir } = await abandon({}, { ...notes(0, 400), ...answer })
    const failure = `no space left on the device of ${indexDir}`
    writeRecord(indexDir, { runs: 3, startedAt: Date.now(), failure })
    expect(runYore(['status', '--root', root]).stdout).toContain(failure)
    expect(runYore(['doctor', '--root', root]).stdout).toContain(failure)
    const { stdout, stderr } = runYore(['search', ask, '--root', root])
    expect(stdout).toContain('walrus snapshot')
    expect(stderr).toContain(`the index could not be built (${failure})`)
    await setTimeout(1500)
    expect(readdirSync(indexDir)).not.toContain('writer.lock')
    const index = runYore(['index', '--root', root])
    expect([index.status, readRecord(indexDir)]).toEqual([0, null])
    // After a pause it is tried again.
    const other = await abandon({}, { ...notes(0, 400), ...answer })
    writeRecord(other.indexDir, { runs: 3, startedAt: Date.now() - 3_600_000, failure })
    expect(runYore(['search', ask, '--root', other.root]).stderr).toContain('the index is being built')
    await untilFresh(other.root)
  })
})

describe('the process in the background', () => {
  it.each([
    ['SIGTERM', 'index.db'],
    ['SIGKILL', 'index.db'],
    ['SIGKILL', 'unfinished'],
  ] as const)('leaves its cause when %s ends it after it made %s', async (signal, name) => {
    const root = makeFolder()
    const indexDir = path.join(root, '.yore')
    writeFiles(root, { ...notes(0, 800), ...answer })
    mkdirSync(indexDir)
    const builder = spawn(process.execPath, [later, root, indexDir], { stdio: 'ignore' })
    while (readRecord(indexDir) === null || !existsSync(path.join(indexDir, name))) await setTimeout(5)
    builder.kill(signal)
    await new Promise((resolve) => builder.on('exit', resolve))
    const cause = 'was killed by a signal, or ran out of memory'
    // Without a readable index.db, `status` is an error with the cause.
    const status = runYore(['status', '--root', root])
    expect(status.stdout + status.stderr).toContain(cause)
    const { stdout, stderr } = runYore(['search', ask, '--root', root])
    expect(stdout).toContain('walrus snapshot')
    expect(stderr).toContain('the index is being built')
    await untilFresh(root)
    await untilFree(indexDir)
    expect(readRecord(indexDir)).toBeNull()
  })

  it.skipIf(process.platform === 'win32')('leaves the error that stopped it', async () => {
    const root = makeFolder()
    const indexDir = path.join(root, '.yore')
    writeFiles(root, { ...notes(0, 800), ...answer })
    mkdirSync(indexDir)
    // No file may have more than 200 KiB: the index has, as on a disk that is full.
    const limited = ['-c', 'ulimit -f 400; exec "$0" "$@"', process.execPath, later, root, indexDir]
    expect(spawnSync('/bin/sh', limited, { stdio: 'ignore' }).status).toBe(0)
    const failure = readRecord(indexDir)?.failure
    expect(failure).toMatch(/disk|full|space/)
    const status = runYore(['status', '--root', root])
    expect(status.stdout + status.stderr).toContain(failure)
  })

  it('leaves the signal that ended it while the process that started it runs', async () => {
    const root = makeFolder()
    const indexDir = path.join(root, '.yore')
    writeFiles(root, { ...notes(0, 800), ...answer })
    mkdirSync(indexDir)
    resumeIndexing({ root, indexDir, env: process.env }, Date.now())
    while (!existsSync(path.join(indexDir, 'index.db'))) await setTimeout(20)
    const { pid } = JSON.parse(readFileSync(path.join(indexDir, 'writer.lock'), 'utf8'))
    process.kill(pid, 'SIGTERM')
    while (readRecord(indexDir)?.failure === null) await setTimeout(20)
    expect(runYore(['doctor', '--root', root]).stdout).toContain('was ended by SIGTERM')
  })
})

it('has no record left once an index is complete, while it is embedded', async () => {
  const { root, indexDir } = await abandon({}, answer)
  writeRecord(indexDir, { runs: 1, startedAt: Date.now(), failure: null })
  const records: unknown[] = []
  using engine = openEngine(root)
  await engine.index({
    onProgress: ({ phase }) => {
      if (phase === 'embedding') records.push(readRecord(indexDir))
    },
  })
  expect(records.length).toBeGreaterThan(0)
  expect(records.every((record) => record === null)).toBe(true)
})

describe('an index that grows', () => {
  it('answers together with the files that match and are not indexed yet', async () => {
    const { root, indexDir } = await abandon(
      { ...notes(0, 100), 'docs/ledger.md': '# Ledger\n\nThe ledger keeps a walrus for each rollback.\n' },
      { ...notes(100, 500), ...answer },
    )
    const lock = takeWriterLock(indexDir)
    try {
      const { stdout, stderr } = runYore(['search', 'rollback walrus ledger', '--json', '--root', root])
      const { hits, freshness } = JSON.parse(stdout)
      expect(
        hits
          .slice(0, 2)
          .map(({ path }: { path: string }) => path)
          .sort(),
      ).toEqual(['docs/ledger.md', 'docs/rollback.md'])
      expect(freshness.early).toBeGreaterThan(101)
      expect(freshness.early + freshness.changedFiles).toBe(502)
      expect(stderr).toContain(`${freshness.early} of 502 files that match best: ask again`)
      const digest = runYore(['assemble', 'rollback walrus ledger', '--root', root])
      expect(digest.stdout).toContain('keeps a walrus for each rollback')
      expect(digest.stdout).toContain('restores the walrus snapshot')
      expect(digest.stdout).toMatch(/Note:.+The index is being built/)
      const record = { runs: 1, startedAt: Date.now() - 400_000, failure: null }
      writeRecord(indexDir, { ...record, endsAt: Date.now() + 600_000 })
      const status = runYore(['status', '--root', root]).stdout
      expect(status).toMatch(/^fresh {7}no, indexing 4\d %, about (?:10|9) min left$/m)
    } finally {
      lock.release()
    }
  })

  it('has the files that hold the words of the caller', async () => {
    const root = makeFolder()
    const clients = Array.from({ length: 120 }, (_, at) => [
      `clients/c${at}.md`,
      note(at) + 'A client reads the ledger.\n\n'.repeat(20),
    ])
    const text = 'The broker drops a client that is silent for the zebra interval.\n\n'
    writeFiles(root, { ...notes(0, 300), ...Object.fromEntries(clients), 'src/keepalive.md': text + note(0) })
    const words = ['--words', 'broker, zebra, interval']
    const { stdout } = runYore(['search', 'a client that', '--match', 'exact', ...words, '--root', root])
    expect(stdout).toContain('src/keepalive.md')
    await untilFree(path.join(root, '.yore'))
  })
})

describe('the folder of an early answer', () => {
  it('needs no temporary folder', async () => {
    const root = makeFolder()
    writeFiles(root, { ...notes(0, 400), ...answer })
    const env = { ...process.env, TMPDIR: '/nonexistent/folder', NO_COLOR: '1' }
    const { status, stdout, stderr } = runYore(['search', ask, '--root', root], { env })
    expect([status, stderr]).toEqual([0, expect.stringContaining('the index is being built')])
    expect(stdout).toContain('walrus snapshot')
    await untilFresh(root)
  })

  it('is removed by the next run when its process is gone', async () => {
    const root = makeFolder()
    writeFiles(root, { ...notes(0, 400), ...answer })
    const indexDir = path.join(root, '.yore')
    const partOf = (): string | undefined => {
      const names = existsSync(indexDir) ? readdirSync(indexDir) : []
      return names.find((name) => name.startsWith('part-'))
    }
    const asking = spawn(process.execPath, [main, 'search', ask, '--root', root], { stdio: 'ignore' })
    while (partOf() === undefined && asking.exitCode === null) await setTimeout(5)
    asking.kill('SIGKILL')
    await new Promise((resolve) => asking.on('exit', resolve))
    expect(partOf()).toBeDefined()
    expect(runYore(['index', '--root', root]).status).toBe(0)
    expect(partOf()).toBeUndefined()
  })
})
