// Can the site be built from these documents? Its pages are written without VitePress: every link has a target there.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { anchorAt, fence, readDocuments, rewriteLinks } from './pages.ts'

const root = path.join(import.meta.dirname, '..')
const documents = readDocuments()

it('leads every link of every document to a page or a file of the site', () => {
  const targets = { pages: new Map(documents.map(({ source, place }) => [source, place])), files: new Map() }
  for (const { source, text } of documents.filter(({ source }) => !source.startsWith('docs/examples/')))
    rewriteLinks(text, source, targets)
  expect([...targets.files.keys()].filter((file) => !existsSync(path.join(root, file)))).toEqual([])
  expect(targets.files.size).toBeGreaterThan(5)
})

it('gives no two documents one address', () => {
  expect(new Set(documents.map(({ place }) => place)).size).toBe(documents.length)
})

it('names the heading above a line, not one inside of code', () => {
  const text = '# Title\n\nText\n\n## One `two`\n\n```sh\n# comment\n```\n\n## One two\n\nEnd\n'
  expect([1, 4, 8, 13].map((line) => anchorAt(text, line))).toEqual(['', '', '#one-two', '#one-two-1'])
})

it('leaves links in code alone, and refuses one that leads nowhere', () => {
  const targets = { pages: new Map([['docs/a.md', 'a']]), files: new Map() }
  const text = '[a](a.md#x) [out](https://example.org)\n\n```\n[b](b.md)\n```'
  expect(rewriteLinks(text, 'docs/b.md', targets)).toBe(text.replace('a.md#x', '/a.md#x'))
  expect(() => rewriteLinks('[c](gone.md)', 'docs/b.md', targets)).toThrow('gone.md')
})

it('puts a text into a fence that it cannot close', () => {
  expect(fence('````\nx\n````', 'markdown').split('\n')[0]).toBe('`````markdown')
})

it('writes pages, answers, figures, the landing page and what models read', () => {
  const out = execFileSync(process.execPath, ['lab/site/build.ts', '--pages'], {
    cwd: root,
    encoding: 'utf8',
  })
  expect(out).toMatch(/^\d+ pages, \d\d of them answered by yore/)
  const read = (file: string): string => readFileSync(path.join(root, 'site/work', file), 'utf8')
  const landing = JSON.parse(read('landing.json')) as { tokensUsed: number; budget: number; digest: string }
  expect(landing.tokensUsed).toBeLessThanOrEqual(landing.budget)
  expect(landing.digest).toContain('**Referenced by:**')
  expect(read('pages/questions/how-do-i-exclude-files-from-the-index.md')).toContain('.yoreignore')
  expect(read('pages/figures.md')).toMatch(/\| yore: brief digest, frame included \| \.\d{3} \|/)
  const models = read('pages/public/llms.txt')
  expect(models.startsWith('# yore\n\n> ')).toBe(true)
  expect(models).toContain('](/guides/agents.md): ')
  expect(read('pages/public/llms-full.txt')).toContain('<!-- Source: docs/guides/agents.md -->')
})
