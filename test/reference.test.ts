// Are the generated reference pages what the code says?
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { checkSetting, settingNames, specOf } from '../src/model/config/check-settings.ts'
import { errorTable } from '../src/model/errors.ts'
import { loadSpecs } from '../src/offer/cli/commands.ts'

const specs = await loadSpecs()

const root = path.join(import.meta.dirname, '..')
const page = (name: string) => readFileSync(path.join(root, 'docs', 'reference', name), 'utf8')

it('finds every reference page fresh', () => {
  const run = spawnSync(process.execPath, ['scripts/build-reference.ts', '--check'], {
    cwd: root,
    encoding: 'utf8',
  })
  expect([run.stderr, run.status]).toEqual(['', 0])
})

it('finds every command, setting and error described', () => {
  for (const { name } of specs) expect(page('cli.md')).toContain(`## yore ${name}\n`)
  for (const name of settingNames) expect(page('configuration.md')).toContain(`| \`${name}\` |`)
  for (const code of Object.keys(errorTable)) expect(page('errors.md')).toContain(`| \`${code}\` |`)
})

it('says which settings a repository may not set', () => {
  for (const name of settingNames) {
    const { warning } = checkSetting(name, specOf(name).default, { name: 'yore.json', trusted: false })
    const row = page('configuration.md')
      .split('\n')
      .find((line) => line.startsWith(`| \`${name}\` |`))
    expect(row?.endsWith('| no |'), name).toBe(warning !== null)
  }
})
