// Do the documents still describe this tree? Names, limits, commands and links are compared with the files.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { codeLanguages } from '../src/model/code-languages.ts'
import { readFormat } from '../src/model/config/read-formats.ts'
import { errorTable, locateDocs } from '../src/model/errors.ts'
import { yoreVersion } from '../src/model/version.ts'
import { loadSpecs } from '../src/offer/cli/commands.ts'
import { tools } from '../src/offer/mcp/tools.ts'

const specs = await loadSpecs()

const root = path.join(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')
const exists = (file: string): boolean => existsSync(path.join(root, file))
const lineCount = (file: string): number => read(file).trimEnd().split('\n').length

function filesBelow(folder: string): string[] {
  const names = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
  return names.map((name) => path.posix.join(folder, name.replaceAll(path.sep, '/'))).sort()
}

const sources = filesBelow('src').filter((file) => /(?<!\.test|\.fixture)\.ts$/.test(file))

/** Made by the build. */
const built = new Set(['assets/', 'assets/o200k.bin'])

describe('ARCHITECTURE.md', () => {
  const page = read('ARCHITECTURE.md')
  const marked = [...page.replaceAll(/```[\s\S]*?```/g, '').matchAll(/`([\w.$()-][\w./$-]*)`/g)].map(
    ([, name]) => name as string,
  )

  it('names only files and folders that exist', () => {
    const places = marked.filter((name) => name.includes('/') || /\.(?:ts|js|json|md|bin)$/.test(name))
    expect(places.length).toBeGreaterThan(40)
    expect(places.filter((name) => !exists(name) && !built.has(name))).toEqual([])
  })

  it('names only functions and classes that the source exports, in both ways through the house', () => {
    const names = [...page.matchAll(/\*\*The way of a [\s\S]*?\n\n/g)].flatMap(([way]) =>
      [...way.matchAll(/`(\w+)(?:\.(\w+))?`/g)].map(([, name]) => name as string),
    )
    expect(names.length).toBeGreaterThan(20)
    const code = sources.map(read).join('\n')
    const isExported = (name: string): boolean =>
      new RegExp(
        `^export (?:async )?(?:function\\*?|class|interface) ${name}\\b|async function\\* ${name}\\b`,
        'm',
      ).test(code)
    expect(names.filter((name) => !isExported(name))).toEqual([])
  })

  it('has the question of every folder of src and server/src', () => {
    const folders = ['src', 'server/src']
      .flatMap(filesBelow)
      .filter((file) => statSync(path.join(root, file)).isDirectory())
    expect(folders.filter((folder) => !marked.includes(folder))).toEqual([])
  })
})

describe('what is read', () => {
  it('is described in full by the guide', () => {
    const guide = read('docs/guides/ignore-and-limits.md')
    for (const language of codeLanguages) {
      for (const extension of Object.keys(readFormat(language).grammars))
        expect(guide).toContain(`\`${extension}\``)
    }
  })
})

it('the guide for agents lists every tool', () => {
  const rows = [...read('docs/guides/agents.md').matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
  expect(rows).toEqual(expect.arrayContaining(tools.map(({ name }) => name)))
})

describe('hints', () => {
  const marked = [
    ...Object.values(errorTable).map(({ hint }) => hint),
    ...specs.flatMap(({ details = [] }) => details),
  ]
  const named = marked.flatMap((text) => [...text.matchAll(/\{docs\}\/[\w/-]+\.md/g)].map(([name]) => name))

  it('name documents of the package by a path that exists', () => {
    expect(named.length).toBeGreaterThan(2)
    for (const name of named) expect(existsSync(locateDocs(name)), name).toBe(true)
    const { files } = JSON.parse(read('package.json')) as { files: string[] }
    expect(files).toContain('docs')
  })

  it('are all that README.md links to: npm and an installed package show it, too', () => {
    const { files } = JSON.parse(read('package.json')) as { files: string[] }
    const isIn = (file: string, entries: string[]): boolean =>
      entries.some((entry) => file === entry || file.startsWith(`${entry}/`))
    const left = files.filter((file) => file.startsWith('!')).map((file) => file.slice(1))
    const links = [...read('README.md').matchAll(/\]\(([^)\s#]+)(?:#[^)\s]*)?\)/g)].map(
      ([, to]) => to as string,
    )
    const local = links.filter((link) => !/^[a-z]+:/.test(link))
    expect(local.length).toBeGreaterThan(10)
    expect(local.filter((link) => !isIn(link, files) || isIn(link, left))).toEqual([])
  })

  it('name none as if it were a file of the user', () => {
    const code = sources
      .map(read)
      .join('\n')
      .replaceAll(/^\s*(?:\/\/|\*).*$/gm, '')
    expect(code.match(/(?<!\{)\bdocs\/(?:guides|reference|explanation)\/[\w-]+\.md/g)).toBe(null)
  })
})

describe('limits', () => {
  it.each([
    ['README.md', 110],
    ['ARCHITECTURE.md', 130],
    ['AGENTS.md', 60],
  ])('%s has at most %i lines', (file, most) => {
    expect(lineCount(file)).toBeLessThanOrEqual(most)
  })
})

it('the documents have at most 55,000 words', () => {
  const pages = ['README.md', 'CHANGELOG.md', ...filesBelow('docs')].filter((file) => file.endsWith('.md'))
  const words = pages.map((page) => read(page).split(/\s+/).length).reduce((sum, count) => sum + count, 0)
  expect(words).toBeLessThanOrEqual(55_000)
})

describe('commands', () => {
  const page = read('docs/reference/cli.md')
  it.each(specs.map(({ name }) => name))('yore %s is in the reference', (name) => {
    expect(page).toContain(`\n## yore ${name}\n`)
  })

  it('README.md shows only commands that exist', () => {
    const names = new Set(specs.map(({ name }) => name.split(' ')[0]))
    const shown = [...read('README.md').matchAll(/\byore ([a-z]+)\b(?= [<["`-]|`|$)/gm)].map(
      ([, name]) => name,
    )
    expect(shown.length).toBeGreaterThan(2)
    expect(shown.filter((name) => !names.has(name as string))).toEqual([])
  })
})

it('README.md shows a recorded digest, shortened', () => {
  const shown = /````markdown\n([\s\S]*?)````/.exec(read('README.md'))?.[1] ?? ''
  const parts = shown.split('…\n').filter((part) => part.trim() !== '')
  expect(parts.length).toBeGreaterThan(1)
  const { questions } = JSON.parse(read('lab/site/demo.json')) as { questions: { digest: string }[] }
  const digest = questions.find((one) => one.digest.startsWith(parts[0]?.trim() ?? ''))?.digest ?? ''
  let at = 0
  for (const part of parts) {
    const found = digest.indexOf(part.trim(), at)
    expect(found, part).toBeGreaterThanOrEqual(at)
    at = found
  }
})

describe('links', () => {
  const pages = [
    'README.md',
    'ARCHITECTURE.md',
    'ARCHITECTURE-MAP.md',
    'CONTRIBUTING.md',
    'AGENTS.md',
    'CHANGELOG.md',
    // Examples quote the documents of a fixture, with the links of those documents.
    ...filesBelow('docs').filter((file) => !file.startsWith('docs/examples/')),
    ...filesBelow('lab/records'),
    'lab/eval/README.md',
  ]
  it.each(pages.filter((file) => file.endsWith('.md')))('%s links only to files that exist', (file) => {
    const targets = [...read(file).matchAll(/\]\(([^)\s#]+)(?:#[^)\s]*)?\)/g)].map(
      ([, target]) => target as string,
    )
    const local = targets.filter((target) => !/^[a-z]+:/.test(target))
    expect(local.filter((target) => !exists(path.posix.join(path.posix.dirname(file), target)))).toEqual([])
  })
})

describe('decisions', () => {
  const records = readdirSync(path.join(root, 'docs/decisions'))
    .filter((name) => name.endsWith('.md'))
    .sort()

  it('are numbered without a gap', () => {
    expect(records.map((name) => Number(name.slice(0, 4)))).toEqual(records.map((_, at) => at + 1))
  })

  it.each(records)('%s says context, decision and consequences', (name) => {
    const headings = [...read(`docs/decisions/${name}`).matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)
    expect(headings).toEqual(expect.arrayContaining(['Context', 'Decision', 'Consequences']))
  })

  it.each(records)('%s has a status, and is short', (name) => {
    const text = read(`docs/decisions/${name}`)
    expect(text).toMatch(/^\*\*Status:\*\* (?:accepted|superseded by \[|withdrawn)/m)
    expect(text.split(/\s+/).length).toBeLessThanOrEqual(400)
  })

  it('explain every runtime dependency', () => {
    const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> }
    const record = read('docs/decisions/0012-dependencies.md')
    expect(Object.keys(dependencies).filter((name) => !record.includes(`\`${name}\``))).toEqual([])
  })
})

it('the version of the code is that of the package', () => {
  expect(yoreVersion).toBe((JSON.parse(read('package.json')) as { version: string }).version)
})

it('the names that a rename changes stand in src/model/version.ts alone, as far as the code acts on them', () => {
  const literal = /(['"`])(?:\.yore(?:ignore)?|YORE_[A-Z_]*)\1/
  const acting = (file: string): string => read(file).replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '')
  expect(sources.filter((file) => literal.test(acting(file)))).toEqual(['src/model/version.ts'])
})
