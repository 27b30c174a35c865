// Does `yore links` find documents that are out of date, and nothing in documents that need no care?
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { LinkReport } from '../src/check/links/link-report.ts'
import { printLinks } from '../src/offer/cli/commands/links.ts'
import { makePalette } from '../src/offer/cli/format.ts'
import type { Engine } from '../src/offer/engine/engine.ts'
import { runYore } from './run-command-line.ts'
import { git, startRepository } from './support/test-tree.ts'
import { makeFolder, openCorpus, writeFiles } from './temporary-corpus.ts'

let root: string
let engine: Engine
beforeEach(() => {
  root = makeFolder()
  engine = openCorpus(root, { 'embedding.provider': 'none' })
})
afterEach(() => engine.close())

async function check(): Promise<LinkReport> {
  await engine.index()
  return (await engine.checkLinks()).links
}

const print = (links: LinkReport): string =>
  printLinks(links, {
    ...{ orphans: false, anchors: false, unindexed: false, doubtful: false },
    palette: makePalette(false),
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
  const { broken: found, moved, ambiguous, anchors } = await check()
  expect([found, moved, ambiguous, anchors]).toEqual([[], [], [], []])
})

it('finds a superseded decision that is cited, but not by its successor or a list', async () => {
  writeFiles(root, {
    'docs/adr/ADR-001-old.md': '---\nstatus: superseded\nsuperseded_by: ADR-002\n---\n# ADR-001\n\nOld.\n',
    'docs/adr/ADR-002-new.md': '# ADR-002\n\nReplaces ADR-001.\n',
    'docs/adr/README.md': '# Decisions\n\n- ADR-001\n- ADR-002\n',
    'docs/guide.md': '# Guide\n\nAs ADR-001 says, and ADR-001 again.\n',
  })
  const text = print(await check())
  expect(text).toContain('superseded docs/guide.md:3 → docs/adr/ADR-001-old.md: docs/adr/ADR-002-new.md\n')
  expect(text).toContain('\n1 to superseded documents\n')
})

it('finds a document that quotes code which is gone since, by git', async () => {
  const code = (parameter: string): string =>
    `export function fitDigest(${parameter}) {\n  return 1\n}\n\nexport function keepAll(a) {\n  return a\n}\n`
  const document = '# Fitting\n\n`fitDigest(budget)` fits, and `keepAll(a)` keeps.\n'
  writeFiles(root, { 'docs/architecture/fit.md': document, 'src/fit.ts': code('budget') })
  expect((await check()).stale).toBeNull()
  startRepository(root)
  expect((await check()).stale).toEqual([])
  writeFiles(root, { 'src/fit.ts': code('budget, counter') })
  git(root, ['commit', '--quiet', '-a', '-m', 'second'], { GIT_COMMITTER_DATE: '2037-01-01T12:00:00Z' })
  const text = print(await check())
  expect(text).toContain('stale      docs/architecture/fit.md:3 → fitDigest(budget): src/fit.ts\n')
  expect(text).toContain('\n1 quote of code that is gone\n')
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
  expect((await check()).broken.map(({ target }) => target)).toEqual([
    'lost-in-the-depths-of-the-house.md',
    '../made-by.md',
  ])
})

it('reports a target once for each line', async () => {
  writeFiles(root, {
    'README.md':
      '# Start\n\n[a](lib/fit.ts) and [b](lib/fit.ts), [c](gone.md) and [d](gone.md)\n\n[e](gone.md)\n',
    'src/fit.ts': 'export const x = 1\n',
  })
  const { broken } = await check()
  expect(broken.map(({ line, target }) => `${line} ${target}`)).toEqual([
    '3 lib/fit.ts',
    '3 gone.md',
    '5 gone.md',
  ])
})

it('checks one document alone', async () => {
  writeFiles(root, { 'a.md': '# A\n\n[x](gone.md)\n', 'b.md': '# B\n\n[y](lost.md)\n' })
  await engine.index()
  const { links } = await engine.checkLinks({ path: 'b.md' })
  expect(links.broken.map(({ target }) => target)).toEqual(['lost.md'])
})

it('says what replaces the removed command', () => {
  const { status, stderr } = runYore(['health', '--fail-on', 'error'], { cwd: root })
  expect(status).toBe(2)
  expect(stderr).toContain('`yore health` was removed')
  expect(stderr).toContain('`yore links` reports stale and superseded documents')
})
