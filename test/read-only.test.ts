// Does an index answer that may be read but not written? Tried as a user who is not root, with no right to write.
import { chmodSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Ran, runYore } from './run-command-line.ts'
import { indexFolder, makeFolder, writeFiles } from './temporary-corpus.ts'

const asRoot = process.getuid?.() === 0
const nobody = { uid: 65_534, gid: 65_534 }

let root: string
beforeEach(() => {
  root = makeFolder()
  writeFiles(root, { 'docs/retry.md': '# Retry\n\nbackoff\n' })
})
afterEach(() => {
  setModes(root, 0o755, 0o644)
})

function setModes(folder: string, forFolders: number, forFiles: number): void {
  chmodSync(folder, 0o755)
  for (const name of readdirSync(folder)) {
    const place = path.join(folder, name)
    if (statSync(place).isDirectory()) setModes(place, forFolders, forFiles)
    else chmodSync(place, forFiles)
  }
  chmodSync(folder, forFolders)
}

function yore(...args: string[]): Ran {
  const env = { ...process.env, HOME: root, XDG_CONFIG_HOME: root, NO_COLOR: '1' }
  const who = asRoot ? nobody : {}
  return runYore([...args, '--root', root], { env, ...who })
}

/** Root may write everything; another user may not even be let into the folder of this checkout or of Node. */
const canTry = process.platform !== 'win32' && (!asRoot || runsAs(nobody))
if (!canTry) console.warn('skipped: no other user can run this checkout with this Node')

function runsAs(who: { uid: number; gid: number }): boolean {
  return runYore(['--version'], { cwd: '/', ...who }).status === 0
}

const indexReadOnly = (): Promise<void> => indexFolder(root, { 'embedding.provider': 'none' })

it.skipIf(!canTry)('answers, and says what it could not include', async () => {
  await indexReadOnly()
  setModes(root, 0o555, 0o444)
  const fresh = yore('search', 'backoff')
  expect([fresh.status, fresh.stderr]).toEqual([0, ''])
  expect(fresh.stdout).toContain('docs/retry.md')
  expect(yore('search', 'backoff', '--refresh', 'never').stdout).toContain('docs/retry.md')
  expect(yore('assemble', 'backoff').stdout).toContain('docs/retry.md')
  expect(yore('status').stdout).toContain('1 file')
  expect(yore('doctor')).toMatchObject({ status: 0, stdout: expect.stringContaining('cannot be written') })

  setModes(root, 0o755, 0o644)
  const changed = path.join(root, 'docs/retry.md')
  writeFileSync(changed, '# Retry\n\nbackoff and jitter\n')
  utimesSync(changed, 1_700_000_000, 1_700_000_000)
  setModes(root, 0o555, 0o444)
  const stale = yore('search', 'backoff')
  expect(stale.stdout).toContain('docs/retry.md')
  expect(stale.stderr).toContain('1 changed file since the index was built')
  expect(stale.stderr).toContain('not included, because the index cannot be written here')
})

it.skipIf(!canTry)('says what to do when something has to be written', async () => {
  setModes(root, 0o555, 0o444)
  const advice = /error: the index folder .+ cannot be written\nhint: .*--index/
  expect(yore('index')).toMatchObject({ status: 1, stderr: expect.stringMatching(advice) })
  setModes(root, 0o755, 0o644)
  await indexReadOnly()
  setModes(root, 0o555, 0o444)
  expect(yore('index')).toMatchObject({ status: 1, stderr: expect.stringMatching(advice) })
  expect(yore('index', '--rebuild')).toMatchObject({ status: 1, stderr: expect.stringMatching(advice) })
})

it.skipIf(!canTry)('does not answer from a file whose last changes lie beside it', async () => {
  await indexReadOnly()
  const indexPath = path.join(root, '.yore/index.db')
  writeFileSync(`${indexPath}-wal`, 'what a killed process left')
  setModes(root, 0o555, 0o444)
  expect(yore('search', 'backoff', '--refresh', 'never')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('index.db-wal'),
  })
})
