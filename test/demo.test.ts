// Does the sample repository have what the tutorials find in it, and is nothing of the user overwritten?
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { runYore } from './run-command-line.ts'
import { makeFolder, openCorpus, writeFiles } from './temporary-corpus.ts'

it('copies documents with one broken link, one cited superseded decision and one PDF', async () => {
  const folder = makeFolder()
  const { status, stdout, stderr } = await runYore(['demo', 'sample'], { cwd: folder })
  const sample = path.join(folder, 'sample')
  expect([status, stdout]).toEqual([0, `${sample}\n`])
  const [what, ...next] = stderr.trimEnd().split('\n')
  expect(what).toBe('note: 21 documents of a platform team: guides, runbooks, decisions, and a PDF')
  const say = (yore: string): string =>
    `note: next: cd sample && ${yore} "How do I deploy a new service?"\nnote: then: ${yore} links, ${yore} ui`
  expect(next.join('\n')).toBe(say('npx yore'))
  // The bare command is named only where it starts.
  writeFiles(folder, { 'bin/yore': '' })
  const installed = {
    ...process.env,
    PATH: `${path.join(folder, 'bin')}${path.delimiter}${process.env['PATH']}`,
  }
  const again = await runYore(['demo', 'other'], { cwd: folder, env: installed })
  expect(again.stderr).toContain(say('yore').replace('sample', 'other'))
  using engine = openCorpus(sample)
  expect((await engine.index()).indexed).toBe(21)
  const { links } = await engine.checkLinks()
  expect(links.orphans).not.toContain('docs/team/on-call-handbook.pdf')
  expect((await engine.status()).languages).toEqual({ markdown: 19, pdf: 1, text: 1 })
  expect(links.broken.map(({ target }) => target)).toEqual(['../operations/PAGER_GUIDE.md'])
  expect(links.superseded.map(({ target }) => target)).toEqual(['docs/adr/ADR-0003-polling.md'])
  // What a newcomer asks first begins with what is current.
  const first = (await engine.assemble('How do I deploy a new service?')).digest.primary
  expect(first.slice(0, 5).filter(({ path: file }) => file.startsWith('docs/archive/'))).toEqual([])
  expect(first[0]?.path).toBe('docs/deployment/NEW_SERVICE_GUIDE.md')
  const { digest } = await engine.assemble('Who gets a page that is not acknowledged?')
  expect(digest.primary[0]?.path).toBe('docs/team/on-call-handbook.pdf')
})

it('copies nothing into a folder that is not empty', async () => {
  const folder = makeFolder()
  await runYore(['demo', '.'], { cwd: folder })
  const copied = readdirSync(folder)
  const { status, stderr } = await runYore(['demo', '.'], { cwd: folder })
  expect(status).toBe(1)
  expect(stderr).toContain('is not empty\nhint: if it holds the sample, go on there; else name a new folder')
  expect(readdirSync(folder)).toEqual(copied)
})

it('is a corpus of its own inside of another repository', async () => {
  const project = makeFolder()
  writeFiles(project, {
    '.git/HEAD': 'ref: refs/heads/main\n',
    'docs/own.md': '# How to deploy a new service\n',
  })
  await runYore(['demo'], { cwd: project })
  const { stdout } = await runYore(['index', '--json'], { cwd: path.join(project, 'yore-demo') })
  expect(JSON.parse(stdout)).toMatchObject({ indexed: 21 })
})
