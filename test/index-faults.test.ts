// What does yore say, and what does it leave, when the disk is full, a folder is closed, or its own files are in the way?
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Ran, runYore } from './run-command-line.ts'
import { indexFolder, makeFolder, writeFiles } from './temporary-corpus.ts'

const main = path.join(import.meta.dirname, '../src/offer/cli/main.ts')
const asRoot = process.getuid?.() === 0
const nobody = { uid: 65_534, gid: 65_534 }

let base: string
let root: string
beforeEach(() => {
  base = makeFolder()
  root = path.join(base, 'corpus')
  chmodSync(base, 0o755)
  writeFiles(root, { 'docs/retry.md': '# Retry\n\nbackoff\n', 'fee.md': '# Fees\n\nbackoff\n' })
})
const undo: (() => unknown)[] = []
afterEach(() => {
  for (const step of undo.splice(0)) step()
})

function yore(args: readonly string[], who: { uid?: number; gid?: number } = {}): Ran {
  const env = {
    ...process.env,
    HOME: base,
    XDG_STATE_HOME: path.join(base, 'state'),
    YORE_EMBEDDING_PROVIDER: 'none',
  }
  return runYore([...args, '--root', root], { env: { ...env, NO_COLOR: '1' }, cwd: '/', ...who })
}

const canTry = process.platform !== 'win32' && (!asRoot || yoreRunsAs(nobody))

function yoreRunsAs(who: { uid: number; gid: number }): boolean {
  return runYore(['--version'], { cwd: '/', ...who }).status === 0
}

it('never writes a digest over a file of the index', async () => {
  await indexFolder(root, { 'embedding.provider': 'none' })
  const before = readFileSync(path.join(root, '.yore/index.db'))
  for (const name of ['index.db', 'index.db-journal', 'owner', 'writer.lock', 'sessions/last.jsonl']) {
    const run = yore(['assemble', 'backoff', '--output', path.join(root, '.yore', name)])
    expect(run).toMatchObject({ status: 1, stdout: '' })
    expect(run.stderr).toMatch(/belongs to the index of this corpus\nhint: name another file/)
  }
  expect(readFileSync(path.join(root, '.yore/index.db'))).toEqual(before)
})

describe.skipIf(!canTry)('a folder that may not be entered', () => {
  const who = asRoot ? nobody : {}
  const closed = (name: string): void => {
    const place = path.join(root, name)
    chmodSync(place, 0)
    undo.push(() => chmodSync(place, 0o755))
  }
  beforeEach(() => {
    if (asRoot)
      for (const entry of ['', ...readdirSync(base, { recursive: true, encoding: 'utf8' })])
        chownSync(path.join(base, entry), nobody.uid, nobody.gid)
    expect(yore(['index'], who).status).toBe(0)
  })

  it('of documents is left out', () => {
    closed('docs')
    const found = yore(['search', 'backoff'], who)
    expect([found.status, found.stderr]).toEqual([0, expect.not.stringContaining('EACCES')])
    expect(found.stdout).toContain('fee.md')
    expect(found.stdout).not.toContain('retry.md')
    expect(yore(['doctor'], who).stdout).toContain('files: 1 cannot be read, for example docs: no permission')
  })

  it('of the index is named, with what to do', () => {
    closed('.yore')
    for (const args of [['search', 'backoff'], ['status'], ['index'], ['index', '--rebuild']]) {
      const run = yore(args, who)
      expect(run.status).toBe(1)
      expect(run.stderr).toMatch(
        /error: .*\.yore.* (may not be read|cannot be written)\nhint: make the folder/,
      )
    }
    expect(yore(['doctor'], who)).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('may not be read'),
    })
  })
})

/** A small file system of its own; null where that cannot be had. */
function mountSmall(kilobytes: number): string | null {
  const place = path.join(base, 'small')
  mkdirSync(place)
  const run = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'none', place])
  if (run.status !== 0) return null
  undo.push(() => spawnSync('umount', ['-l', place]))
  return place
}

const words = (seed: number): string =>
  Array.from({ length: 2000 }, (_, at) => `word${(at * 7919 + seed * 104_729) % 99_991}`).join(' ')

describe('a full disk', () => {
  it('is told as such, and the old index still answers', ({ skip }) => {
    const place = mountSmall(700)
    if (place === null) return skip('no file system of its own here')
    const index = path.join(place, 'index')
    const at = ['--index', index]
    expect(yore(['index', ...at])).toMatchObject({ status: 0 })
    for (let file = 0; file < 40; file++)
      writeFiles(root, { [`more/${file}.md`]: `# More\n\n${words(file)}\n` })
    for (const args of [['index'], ['index', '--rebuild']]) {
      const run = yore([...args, ...at])
      expect(run).toMatchObject({ status: 1, stderr: expect.stringMatching(/error: no space left/) })
      expect(readdirSync(index).filter((name) => name.includes('.new') || name.includes('lock'))).toEqual([])
      const found = yore(['search', 'backoff', '--refresh', 'never', ...at])
      expect([found.status, found.stderr]).toEqual([0, expect.stringContaining('')])
      expect(found.stdout).toContain('docs/retry.md')
    }
    // Not a byte is left: neither a lock nor shared memory can be made.
    const fill = path.join(place, 'fill')
    for (let size = 700; size > 0; size = Math.floor(size / 2))
      for (let file = 0; file < 2; file++)
        spawnSync('dd', ['if=/dev/zero', `of=${fill}-${size}-${file}`, 'bs=1k', `count=${size}`])
    expect(yore(['index', ...at])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/no space left/),
    })
    const found = yore(['search', 'backoff', '--refresh', 'never', ...at])
    expect([found.status, found.stderr, found.stdout]).toEqual([
      0,
      expect.anything(),
      expect.stringContaining('retry.md'),
    ])
    expect(yore(['doctor', ...at]).stdout).not.toContain('damaged')
  })

  it('at the first run leaves nothing that looks like an index', ({ skip }) => {
    const place = mountSmall(60)
    if (place === null) return skip('no file system of its own here')
    const at = ['--index', path.join(place, 'index')]
    expect(yore(['index', ...at])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/no space left/),
    })
    expect(yore(['search', 'backoff', '--refresh', 'never', ...at])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/no index|not complete/),
    })
  })
})

it('a limit on the size of files is told with what to look for', ({ skip }) => {
  if (process.platform === 'win32') return skip('no such limit here')
  for (let file = 0; file < 40; file++)
    writeFiles(root, { [`more/${file}.md`]: `# More\n\n${words(file)}\n` })
  writeFileSync(path.join(base, 'run.sh'), `ulimit -f 400; exec "$@"`)
  const run = spawnSync(
    'bash',
    [path.join(base, 'run.sh'), process.execPath, main, 'index', '--root', root],
    { encoding: 'utf8', env: { ...process.env, NO_COLOR: '1', YORE_EMBEDDING_PROVIDER: 'none' } },
  )
  const said = /error: the index could not be written.*\nhint: look for free space, a quota/
  expect([run.status, run.stderr]).toEqual([1, expect.stringMatching(said)])
})
