// Can the site be built from these documents? Its pages are written without VitePress: every link has a target there.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { fence, makePage, readDocuments, rewriteLinks, withoutComments } from './pages.ts'
import { splitCommands } from './split-commands.ts'
import { listed, structure } from './structure.ts'

const root = path.join(import.meta.dirname, '../..')
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

it('has every page in the structure once, or in a list of another page', () => {
  const placed = structure.flatMap(({ pages }) => pages)
  expect(new Set(placed).size).toBe(placed.length)
  const missing = documents
    .map(({ place }) => place)
    .filter((place) => !placed.includes(place) && !listed.test(place))
  expect(missing).toEqual([])
})

it('removes comments for authors, not those inside of code', () => {
  expect(
    withoutComments(
      '# A\n\n<!-- origin -->\n\n<!-- figure x -->70 %<!-- /figure -->\n\n```\n<!-- kept -->\n```',
    ),
  ).toBe('# A\n\n70 %\n\n```\n<!-- kept -->\n```')
})

it('leaves links in code alone, and refuses one that leads nowhere', () => {
  const targets = { pages: new Map([['docs/a.md', 'a']]), files: new Map() }
  const text = '[a](a.md#x) [out](https://example.org)\n\n```\n[b](b.md)\n```'
  expect(rewriteLinks(text, 'docs/b.md', targets)).toBe(text.replace('a.md#x', '/a.md#x'))
  expect(() => rewriteLinks('[c](gone.md)', 'docs/b.md', targets)).toThrow('gone.md')
})

it('divides the commands into pages by group, and leads links there', () => {
  const text =
    '# Command line\n\n**Ask**\n\n- [`yore ask`](#yore-ask): Ask.\n\nOptions.\n\n## yore ask\n\nAsks.\n'
  const { pages, moved } = splitCommands(makePage('docs/reference/cli.md', 'reference/cli', text))
  expect(pages.map(({ place }) => place)).toEqual(['reference/cli', 'reference/cli-ask'])
  expect(pages[0]?.text).toContain('(/reference/cli-ask.md#yore-ask)')
  expect(pages[0]?.text).not.toContain('## yore ask')
  expect(pages[1]?.text).toContain('## yore ask\n\nAsks.')
  expect([...moved.keys()]).toEqual(['/reference/cli.md#yore-ask'])
})

it('puts a text into a fence that it cannot close', () => {
  expect(fence('````\nx\n````', 'markdown').split('\n')[0]).toBe('`````markdown')
})

it('writes pages, lists and what models read', () => {
  const out = execFileSync(process.execPath, ['lab/site/build.ts', '--pages'], {
    cwd: root,
    encoding: 'utf8',
  })
  expect(out).toMatch(/^\d+ pages, \d+ files/)
  const read = (file: string): string => readFileSync(path.join(root, 'lab/site/work', file), 'utf8')
  const places = new Set(JSON.parse(read('pages.json')).map(({ place }: { place: string }) => place))
  expect(structure.flatMap(({ pages }) => pages).filter((place) => !places.has(place))).toEqual([])
  for (const page of ['explanation/evidence', 'reference/cli', 'project/architecture-map'])
    expect(read(`pages/${page}.md`)).not.toContain('<!--')
  expect(read('pages/explanation/evidence.md')).toMatch(/\| yore, digest \| \d+ % /)
  expect(read('pages/reference/cli.md')).toContain('\n## Shared options\n')
  expect(read('pages/reference/cli-ask.md')).toContain('](/reference/cli.md#shared-options)')
  const models = read('pages/public/llms.txt')
  expect(models.startsWith('# yore\n\n> ')).toBe(true)
  expect(models).toContain('](/guides/agents.md): ')
  expect(read('pages/public/llms-full.txt')).toContain('<!-- Source: docs/guides/agents.md -->')
})
