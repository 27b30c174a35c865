// Do the rulebook commands keep their contract from end to end? Real processes in a repository without an index.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { readShippedRulebook } from '../../../model/config/read-rulebooks.ts'

let root: string
beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), 'yore-rulebook-cli-'))
  mkdirSync(path.join(root, '.git'))
  mkdirSync(path.join(root, 'docs'))
})

function yore(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(import.meta.dirname, '../main.ts'), ...args],
    {
      cwd: path.join(root, 'docs'),
      env: { PATH: process.env.PATH, HOME: root },
      encoding: 'utf8',
    },
  )
  return { status, stdout, stderr }
}

it('prints a table, or the rulebook itself as JSON', () => {
  const table = yore('rulebook', 'markdown')
  expect([table.status, table.stderr]).toEqual([0, ''])
  expect(table.stdout).toMatch(/^markdown \(as shipped\)\nfrom +via +direction +cost +to\n/)
  expect(JSON.parse(yore('rulebook', 'text', '--json').stdout)).toEqual(readShippedRulebook('text'))
  expect(yore('rulebook', 'latin')).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/language must be markdown, text, .* or \w+, not "latin"/),
  })
})

it('check finds what is shipped valid, and a file from the current folder wrong with 1 and a list', () => {
  expect(yore('rulebook', 'check')).toMatchObject({ status: 0, stderr: '' })
  const wrong = { ...readShippedRulebook('text'), depth: 3, language: 'txt' }
  writeFileSync(path.join(root, 'docs', 'mine.json'), JSON.stringify(wrong))
  expect(yore('rulebook', 'check', 'mine.json')).toEqual({
    status: 1,
    stdout:
      '✗ mine.json: 2 errors\n  error: depth is not a known key; allowed: language, chunk_rules\n  error: language must be a known name, not "txt"; did you mean "text"?\n',
    stderr: '',
  })
})

it('says on standard error what the repository was not allowed to widen, and that it was tightened', () => {
  const override = { text: { chunk_rules: { text_document: { expansions: [] }, blind: {} } } }
  writeFileSync(path.join(root, 'yore.rulebook.json'), JSON.stringify(override))
  const shown = yore('rulebook')
  expect(shown.status).toBe(0)
  expect(shown.stdout).toContain('text (tightened by yore.rulebook.json)')
  expect(shown.stdout).toContain('text_document  -    -          -     nothing: terminal\n')
  expect(shown.stderr).toBe(
    'warning: yore.rulebook.json: text.chunk_rules.blind has no rule to tighten; it stays terminal\n',
  )
})
