// Do `yore expand` and `yore read` show a person what an agent would get?
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { type Ran, runYore } from './run-command-line.ts'
import { copyFixture, indexFolder, makeFolder } from './temporary-corpus.ts'

const section = 'docs/testing/KUBERNETES_TEST_EXECUTION.md#retry-semantics'

let root: string
beforeAll(async () => {
  root = makeFolder()
  copyFixture('crossref', root)
  await indexFolder(root, { 'embedding.provider': 'none' })
})

const yore = (...args: string[]): Ran => runYore([...args, '--root', root])

it('expand lists what is allowed, brings it, and a denial is no error', () => {
  const listed = yore('expand', section)
  expect(listed.stdout).toContain('  - cites docs/adr/ADR-013-retries.md (ADR-013: Retries)\n')
  const brought = yore('expand', section, '--via', 'cites', '--target', 'ADR-014')
  expect(brought.stdout).toContain('**Source:** docs/adr/ADR-014-timeouts.md:1-9')
  expect(brought.stdout).toContain('allows 3 more, at most 1 reference away from it.')
  const denied = yore('expand', section, '--via', 'links', '--target', 'ADR-014')
  expect(denied).toMatchObject({ status: 0, stderr: '' })
  expect(denied.stdout).toContain('Denied (target_not_in_metadata)')
  expect(denied.stdout).toContain('Possible instead:')
})

it('expand as JSON has the verdict, the text and what is left', () => {
  const { stdout } = yore('expand', section, '--via', 'cites', '--target', 'ADR-013', '--json')
  expect(JSON.parse(stdout)).toMatchObject({
    outcome: {
      allowed: true,
      approval: { cost: 1, depth: 1 },
      brought: { path: 'docs/adr/ADR-013-retries.md' },
    },
    left: { budgetLeft: 3, maxDepth: 1 },
  })
})

it('read prints the place and the exact lines, and says where they go on', () => {
  const file = 'docs/adr/ADR-013-retries.md'
  const lines = readFileSync(path.join(root, file), 'utf8').trimEnd()
  const read = yore('read', file)
  expect(read.stdout).toBe(`${file}:1-25\n${lines}\n`)
  const cut = yore('read', 'ADR-013', '--max-tokens', '120')
  expect(cut.stderr).toMatch(/note: there is more: yore read docs\/adr\/ADR-013-retries\.md:\d+-25\n/)
  const unknown = yore('read', 'docs/adr/ADR-013-retrys.md')
  expect(unknown).toMatchObject({ status: 1, stderr: expect.stringContaining('hint: did you mean') })
})
