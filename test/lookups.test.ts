// Do look-ups say the same on every surface: no match, tabs, and paths? Command line, JSON and the agents' tools.
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { git, startRepository } from '../src/source/make-test-tree.ts'
import { call, type Served, serveStdio } from './mcp-clients.ts'
import { runYore } from './run-command-line.ts'
import { copyFixture, indexFolder, makeFolder, writeFiles } from './temporary-corpus.ts'

const root = path.join(makeFolder(), 'corpus')
const go = [
  'package queue',
  '',
  '// Drain empties the queue.',
  'func Drain(items []string) int {',
  '\tleft\t:= 0',
  '\tfor range items {',
  '\t\tleft++\t// one more',
  '\t}',
  '\treturn left',
  '}',
  '',
]
let served: Served

beforeAll(async () => {
  copyFixture('crossref', root)
  writeFiles(root, {
    'queue/drain.go': go.join('\n'),
    'queue/use.go': 'package queue\n\nfunc Use() int {\n\treturn Drain(nil)\n}\n\nvar\tlimit = Use()\n',
    Makefile: 'drain:\n\tgo run ./queue\t# drains\n',
  })
  await indexFolder(root)
  served = await serveStdio(root, 'modern', { YORE_EMBEDDER: 'builtin' })
})
afterAll(() => served.close())

describe('a search whose words occur nowhere', () => {
  it('says so on the command line, and exits with 3 when asked to', () => {
    const { stdout, status } = runYore(['search', 'zzzzqqq', '-C', root, '--exit-code'])
    expect(stdout).toMatch(/^no match for zzzzqqq; the closest by meaning, all weak:\n\n1\. /)
    expect(status).toBe(3)
    expect(runYore(['search', 'zebra', '-C', root, '--exit-code']).status).toBe(0)
  })

  it('says so in JSON', () => {
    const { stdout, status } = runYore(['search', 'zzzzqqq', '-C', root, '--exit-code', '--json'])
    expect(JSON.parse(stdout).confidence.label).toBe('nothing found')
    expect(status).toBe(3)
  })

  it('says so to an agent', async () => {
    const { text, facts } = await call(served.client, 'search', { words: 'zzzzqqq' })
    expect(text).toMatch(/^No match\. These are the closest sections by meaning, all weak\.\n/)
    expect(facts?.['confidence']).toBe('nothing found')
  })
})

describe('a file with tabs', () => {
  const mark = /⟦U\+0009⟧|⟦U\+27E6⟧/

  it.each([
    ['search', { words: 'left one more', path: 'queue/drain.go' }],
    ['search', { words: 'left\t:=', match: 'exact' }],
    ['search', { words: 'drains', path: 'Makefile' }],
    ['assemble_context', { question: 'Which function drains the queue?' }],
    ['read', { place: 'queue/drain.go' }],
    ['read', { place: 'Makefile' }],
    ['uses', { name: 'Use' }],
    ['outline', { place: 'queue/use.go' }],
    ['outline', {}],
    ['expand', { from: 'queue/use.go#Use' }],
  ] as const)('reaches an agent with its tabs: %s %j', async (tool, input) => {
    const { text, facts, isError } = await call(served.client, tool, input)
    expect(isError).toBe(false)
    expect(`${text}${JSON.stringify(facts)}`).not.toMatch(mark)
    if (tool === 'search' || tool === 'read') expect(text).toContain('\t')
  })

  it.each([
    ['search', 'left one more'],
    ['search', 'left\t:=', '--match', 'exact'],
    ['assemble', 'Which function drains the queue?'],
    ['read', 'queue/drain.go'],
    ['uses', 'Use'],
    ['outline', 'queue/use.go'],
    ['graph', 'queue/use.go'],
  ])('is printed with its tabs: yore %s %j', (...args) => {
    const { stdout, status } = runYore([...args, '-C', root])
    expect(status).toBe(0)
    expect(stdout).not.toMatch(/⟦U\+|\\u0009/)
    if (['search', 'read', 'assemble'].includes(args[0] as string)) expect(stdout).toContain('\t')
  })

  it('is named once for each hit of an agent', async () => {
    const { text } = await call(served.client, 'search', { words: 'left one more', limit: 1 })
    expect(text.match(/queue\/drain\.go/g)).toHaveLength(1)
    expect(text).toContain('queue/drain.go#Drain lines 3-10')
  })
})

describe('files that git tracks although an ignore rule matches', () => {
  const folder = makeFolder()

  beforeAll(async () => {
    writeFiles(folder, {
      '.gitignore': '# built\nbuild/\n\n*.conf\n',
      'README.md': '# Server\n',
      'conf/main.tf': 'resource "server" {}\n',
      'conf/server.conf': 'port = 1\n',
      'conf/.gitignore': '/only.txt\n',
      'conf/only.txt': 'Only.\n',
      'build/kept.md': '# Kept\n',
      'build/made.md': '# Made\n',
      'new.conf': 'port = 2\n',
      '.hidden/page.md': '# Hidden\n',
    })
    startRepository(folder)
    for (const file of ['conf/server.conf', 'conf/only.txt', 'build/kept.md'])
      git(folder, ['add', '-f', file])
    await indexFolder(folder)
  })

  it('are listed by status with the rule, before the rest', () => {
    const { stdout } = runYore(['status', '--skipped', '-C', folder])
    expect(stdout).toBe(
      [
        'tracked by git but ignored (3 files); a line with ! in .yoreignore includes them',
        '  build/  .gitignore:2 build/  (1 tracked file)',
        '  conf/only.txt  conf/.gitignore:1 /only.txt',
        '  conf/server.conf  .gitignore:4 *.conf',
        'ignored (2)',
        '  .hidden/  never read',
        '  new.conf  .gitignore:4 *.conf',
        '',
      ].join('\n'),
    )
  })

  it('are in the JSON of status, and not in the index', () => {
    const { stdout } = runYore(['status', '--skipped', '--json', '-C', folder])
    const { ignoredFiles, files } = JSON.parse(stdout)
    expect(ignoredFiles).toMatchObject({ total: 5, tracked: 3 })
    expect(ignoredFiles.entries[2]).toEqual({
      path: 'conf/server.conf',
      rule: '.gitignore:4 *.conf',
      tracked: 1,
    })
    expect(files).toBe(2)
  })
})
