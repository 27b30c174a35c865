import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { fetchDefaults, fetchRepository } from './fetch/fetch-repository.ts'
import { findProgram } from './find-program.ts'
import { runGit } from './git/run-git.ts'

const isWindows = process.platform === 'win32'

/** A checkout with a `git` of its own, which leaves a file where it ran. */
function plant(): { base: string; root: string; bin: string; ran: string } {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'yore-program-')))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  const root = path.join(base, 'app')
  const bin = path.join(root, 'node_modules/.bin')
  mkdirSync(path.join(root, '.git'), { recursive: true })
  mkdirSync(path.join(root, 'docs'))
  mkdirSync(bin, { recursive: true })
  const ran = path.join(base, 'ran')
  for (const place of [path.join(root, 'git'), path.join(bin, 'git')]) {
    writeFileSync(place, `#!/bin/sh\ntouch ${ran}\n`)
    chmodSync(place, 0o755)
  }
  return { base, root, bin, ran }
}

it.skipIf(isWindows)('finds no program of the repository, by its folders or through a link', () => {
  const { base, root, bin } = plant()
  const linked = path.join(base, 'linked')
  symlinkSync(bin, linked)
  const outside = path.join(base, 'tools')
  mkdirSync(outside)
  symlinkSync(path.join(root, 'git'), path.join(outside, 'git'))
  const planted = ['', '.', 'node_modules/.bin', root, bin, linked, outside]
  const search = (PATH: string) => findProgram('git', { outside: root, env: { PATH } })
  expect(search(planted.join(':'))).toBe(null)
  const own = path.join(base, 'own')
  mkdirSync(own)
  writeFileSync(path.join(own, 'git'), '#!/bin/sh\n')
  expect(search([...planted, own].join(':'))).toBe(null)
  chmodSync(path.join(own, 'git'), 0o755)
  // What was found is remembered for the same PATH.
  expect(search([...planted, own, ''].join(':'))).toBe(path.join(own, 'git'))
})

it.skipIf(isWindows)('runs no planted git, with the folders first on PATH that npx puts there', async () => {
  const { base, root, bin, ran } = plant()
  const before = process.env['PATH'] ?? ''
  onTestFinished(() => {
    process.env['PATH'] = before
  })
  process.env['PATH'] = ['.', bin, before].join(':')
  expect(runGit(path.join(root, 'docs'), ['--version'])).toMatch(/^git version/)
  const options = { ...fetchDefaults, env: { PATH: process.env['PATH'] } }
  const fetched = fetchRepository({ folder: root, ref: 'HEAD' }, path.join(base, 'laid'), options)
  await expect(fetched).rejects.toMatchObject({ code: 'CANNOT_FETCH' })
  expect(existsSync(ran)).toBe(false)
})
