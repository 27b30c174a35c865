// Does `yore health` find what needs care, and leave alone what is right? Each finding with its place and its fix.
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { HealthFinding } from '../src/check/health/health-rules.ts'
import { isFailed, printHealth, renderSarif } from '../src/offer/cli/commands/health.ts'
import { makePalette } from '../src/offer/cli/format.ts'
import type { Engine } from '../src/offer/engine/engine.ts'
import { git, startRepository } from './support/test-tree.ts'
import { makeFolder, openCorpus, writeFiles } from './temporary-corpus.ts'

let root: string
let engine: Engine
beforeEach(() => {
  root = makeFolder()
  engine = openCorpus(root, { 'embedding.provider': 'none' })
})
afterEach(() => engine.close())

async function check(): Promise<readonly HealthFinding[]> {
  await engine.index()
  return (await engine.checkHealth()).health.findings
}

const brief = (findings: readonly HealthFinding[]): string[] =>
  findings.map(({ rule, path, line, fix, fixed }) => `${rule} ${path}:${line} ${fixed ?? fix}`)

it('says where a moved file is now and which heading was meant', async () => {
  writeFiles(root, {
    'README.md':
      '# Start\n\n[a](lib/fit.ts) [b](docs/guide.md#instal) [c](docs/gone.md) [d](docs/guide.md#history)\n',
    'docs/guide.md': '# Guide\n\nText.\n\n## Install\n\nText.\n\n## History of the guide\n\nText.\n',
    'src/a.py': '# See docs/example.md.\nx = 1\n',
    'src/fit.ts': 'export const x = 1\n',
  })
  const line = '[a](lib/fit.ts) [b](docs/guide.md#instal) [c](docs/gone.md) [d](docs/guide.md#history)'
  const found = await check()
  expect(found.every(({ evidence }) => evidence === line)).toBe(true)
  expect(brief(found)).toEqual([
    `broken-reference README.md:3 ${line.replace('lib/fit', 'src/fit')}`,
    'broken-reference README.md:3 Remove the link, or add the file that it names',
    `lost-anchor README.md:3 ${line.replace('#instal', '#install')}`,
    `lost-anchor README.md:3 ${line.replace('#history', '#history-of-the-guide')}`,
  ])
})

it('proposes no fix that it cannot check: other versions, common names, several files', async () => {
  writeFiles(root, {
    'docs/a.md':
      '# A\n\n[a](b.md#500-2023-11-16) [b](/docs/user-guide/) [c](/docs/old/pod-security-policy/) [d](old/two.md)\n',
    'docs/b.md':
      '# B\n\n## 6.0.0 (2024-11-26) {#600-2024-11-26}\n\n[x](/docs/new/pod-security-policy/) [y](/docs/windows/user-guide/)\n',
    'docs/new/pod-security-policy.md': '# Policy\n',
    'docs/old/index.md': '# Old\n',
    'docs/windows/user-guide.md': '# Windows\n',
    'x/two.md': '# Two\n',
    'y/two.md': '# Two\n',
  })
  const found = await check()
  expect(found.map(({ message, fixed }) => [message, fixed === null])).toEqual([
    ['/docs/user-guide/ does not exist', true],
    ['/docs/old/pod-security-policy/ does not exist', false],
    ['docs/b.md has no heading #500-2023-11-16', true],
  ])
  expect(found[1]?.fixed).toContain('[c](/docs/new/pod-security-policy/)')
})

it('exempts changelogs, posts, dated pages and translations', async () => {
  const broken = '# A\n\n[a](gone.md) [b](guide.md#gone)\n'
  const dated = 'CHANGELOG.md docs/blog/announcing-2.md docs/2024-05-01-plan.md docs/release-notes/2.md'
  writeFiles(root, {
    ...Object.fromEntries(dated.split(' ').map((path) => [path, broken])),
    'content/en/docs/guide.md': '# Guide\n\n## Start\n\nText.\n',
    'content/de/docs/andere.md': '# Andere\n\n[a](/docs/guide/#start) [b](/docs/gone) [c](gone.md)\n',
    'content/ja/docs/guide.md': '# Guide\n',
    'guide.md': '# Guide\n\n[a](CHANGELOG.md#100)\n',
  })
  expect(await check()).toEqual([])
})

it('finds a superseded decision that is cited, but not by its successor or a list', async () => {
  writeFiles(root, {
    'docs/adr/ADR-001-old.md': '---\nstatus: superseded\nsuperseded_by: ADR-002\n---\n# ADR-001\n\nOld.\n',
    'docs/adr/ADR-002-new.md': '# ADR-002\n\nReplaces ADR-001.\n',
    'docs/adr/README.md': '# Decisions\n\n- ADR-001\n- ADR-002\n',
    'docs/guide.md': '# Guide\n\nAs ADR-001 says.\n',
  })
  expect(brief(await check())).toEqual([
    'superseded-citation docs/guide.md:3 Cite docs/adr/ADR-002-new.md instead',
  ])
})

it('finds a document that quotes code which is gone since, by git', async () => {
  const code = (parameter: string): string =>
    `export function fitDigest(${parameter}) {\n  return 1\n}\n\nexport function keepAll(a) {\n  return a\n}\n`
  const document =
    '---\nstatus: canonical\n---\n# Fitting\n\n`fitDigest(budget)` fits, and `keepAll(a)` keeps.\n'
  writeFiles(root, { 'docs/architecture/fit.md': document, 'src/fit.ts': code('budget') })
  startRepository(root)
  expect(await check()).toEqual([])
  writeFiles(root, { 'src/fit.ts': code('budget, counter') })
  git(root, ['commit', '--quiet', '-a', '-m', 'second'], { GIT_COMMITTER_DATE: '2037-01-01T12:00:00Z' })
  const found = await check()
  expect(found.map(({ rule, path, line, message }) => [rule, `${path}:${line}`, message])).toEqual([
    [
      'stale-document',
      'docs/architecture/fit.md:6',
      'fitDigest(budget) was in src/fit.ts when this document was last changed, and is not there now',
    ],
  ])
})

it('prints ten of a kind, fails by severity, and writes SARIF that names rule, place and fix', async () => {
  const links = Array.from({ length: 12 }, (_, at) => `[x](gone-${at}.md)`).join(' ')
  writeFiles(root, { 'docs/a.md': '# A\n', 'a b.md': `# A\n\n${links}\n\n[a](docs/a.md#gone)\n` })
  await engine.index()
  const { health } = await engine.checkHealth()
  const text = printHealth(health, { all: false, palette: makePalette(false) })
  expect(text).toContain('✗ Broken references: 12\n  a b.md:3 gone-0.md does not exist\n    - [x](gone-0.md)')
  expect(text).toContain('2 more (--all lists them)')
  expect(text).toMatch(/2 documents and 13 references checked: 12 errors, 1 warning\n$/)
  expect([isFailed(health, 'error'), isFailed(health, 'never')]).toEqual([true, false])
  const warned = { ...health, findings: health.findings.filter(({ rule }) => rule === 'lost-anchor') }
  expect([isFailed(warned, 'error'), isFailed(warned, 'warning')]).toEqual([false, true])
  const [run] = JSON.parse(renderSarif(health)).runs
  expect(run.results).toHaveLength(13)
  const [first] = run.results
  expect(run.tool.driver.rules[first.ruleIndex].id).toBe('broken-reference')
  expect(first).toMatchObject({
    level: 'error',
    message: { text: 'gone-0.md does not exist. Remove the link, or add the file that it names.' },
    locations: [{ physicalLocation: { artifactLocation: { uri: 'a%20b.md' }, region: { startLine: 3 } } }],
  })
})

it('takes what a build makes for there: files that ignore files name, and pages of sources', async () => {
  writeFiles(root, {
    'docs/.gitignore': 'made-*.md\n*.html\n/out/\n',
    'docs/a.md':
      '# A\n\n[a](made-by.md) [b](index-of-all.html) [c](out/x.md) [d](trace.html) [e](lost-in-the-depths-of-the-house.md) [f](../made-by.md) [g](/x/lost.html) [h](../layers/index.html#all)\n',
    'src/layers/mod.rs': 'pub fn all() {}\n',
    'docs/trace.txt': '1 2 3 {}\n'.repeat(50),
    'test/fixtures/adr/ADR-001-x.md': '# ADR-001\n\nOf a test.\n',
    'origin.md': '# Origin\n\nAs ADR-046 of another project says.\n',
    'deno_dist/copy.md': '# Copy\n\n[x](nowhere.md)\n',
    'PKG-INFO': 'Metadata-Version: 2.1\nName: x\n\nSee [x](nowhere.md).\n',
  })
  const found = await check()
  expect(found[0]?.fix).toBe('Remove the link, or add the file that it names')
  expect(found.map(({ rule, message }) => `${rule} ${message}`)).toEqual([
    'broken-reference lost-in-the-depths-of-the-house.md does not exist',
    'broken-reference ../made-by.md does not exist',
    'broken-reference /x/lost.html does not exist',
  ])
})
