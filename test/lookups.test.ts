// Do look-ups say the same on every surface: no match, tabs, and paths? Command line, JSON and the agents' tools.
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeLanguages } from '../src/model/code-languages.ts'
import { call, type Served, serveStdio } from './mcp-clients.ts'
import { runYore } from './run-command-line.ts'
import { git, startRepository } from './support/test-tree.ts'
import { copyFixture, indexFolder, makeFolder, openCorpus, writeFiles } from './temporary-corpus.ts'

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
  served = await serveStdio(root, 'modern', { YORE_EMBEDDING_PROVIDER: 'builtin' })
})
afterAll(() => served.close())

describe('a search whose words occur nowhere', () => {
  it('says so on the command line, and exits with 3 when asked to', () => {
    const { stdout, status } = runYore(['search', 'zzzzqqq', '-C', root, '--exit-code'])
    expect(stdout).toMatch(/^no match for zzzzqqq; the closest sections:\n\n1\. /)
    expect(status).toBe(3)
    expect(runYore(['search', 'zebra', '-C', root, '--exit-code']).status).toBe(0)
  })

  it('says so in JSON', () => {
    const { stdout, status } = runYore(['search', 'zzzzqqq', '-C', root, '--exit-code', '--json'])
    expect(JSON.parse(stdout).confidence.label).toBe('no match')
    expect(status).toBe(3)
  })

  it('says so to an agent', async () => {
    const { text } = await call(served.client, 'search', { query: 'zzzzqqq' })
    expect(text).toMatch(
      /^No match: “zzzzqqq” appears nowhere; these are the closest passages\. Try other words/,
    )
  })
})

describe('a file with tabs', () => {
  const mark = /⟦U\+0009⟧|⟦U\+27E6⟧/

  it.each([
    ['search', { query: 'left one more', path: 'queue/drain.go' }],
    ['search', { query: 'left\t:=', match: 'exact' }],
    ['search', { query: 'drains', path: 'Makefile' }],
    ['assemble_context', { question: 'Which function drains the queue?' }],
    ['read', { place: 'queue/drain.go' }],
    ['read', { place: 'Makefile' }],
    ['uses', { name: 'Use' }],
    ['outline', { place: 'queue/use.go' }],
    ['outline', {}],
    ['expand', { from: 'queue/use.go#Use' }],
  ] as const)('reaches an agent with its tabs: %s %j', async (tool, input) => {
    const { text, isError } = await call(served.client, tool, input)
    expect(isError).toBe(false)
    expect(text).not.toMatch(mark)
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
    const { text } = await call(served.client, 'search', { query: 'left one more', limit: 1 })
    expect(text.match(/queue\/drain\.go/g)).toHaveLength(1)
    expect(text).toMatch(/\n1\. queue\/drain\.go:3-10 /)
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

describe('an outline', () => {
  it.each(codeLanguages)('of %s ends each signature where the body begins', async (language) => {
    const folder = makeFolder()
    copyFixture(`code/${language}`, folder)
    using engine = openCorpus(folder, { 'embedding.provider': 'none' })
    await engine.index()
    const { facts } = await engine.outline(null, { maxTokens: 20_000 })
    const files = await Promise.all(facts.map(({ path: file }) => engine.outline(file)))
    const names = files.flatMap((file) =>
      file.facts.flatMap(({ entries }) => entries.map(({ name }) => name)),
    )
    expect(names.length).toBeGreaterThan(1)
    // Braces of a signature stand inside of its parameters.
    const outer = names.map((name) => name.replace(/\([^()]*\)/g, '()'))
    expect(
      outer.filter((name) => /[{}]|=> *\S|\) = (?!default)|@\w+ =|attr_reader|LIMIT =|#/.test(name)),
    ).toEqual(language === 'typescript' ? ['export type Take = () => void'] : [])
  })
})

describe('calls on a receiver without a known type', () => {
  const calls: Readonly<
    Record<string, readonly [defines: string, text: string, calls: string, text: string]>
  > = {
    python: [
      'fetch.py',
      'class Fetch:\n    def bulk_requeue(self, jobs):\n        return jobs\n',
      'manager.py',
      'def stop(capsule, jobs):\n    capsule.fetcher.bulk_requeue(jobs)\n',
    ],
    ruby: [
      'fetch.rb',
      'class Fetch\n  def bulk_requeue(jobs)\n    jobs\n  end\nend\n',
      'manager.rb',
      'class Manager\n  def stop(jobs)\n    capsule.fetcher.bulk_requeue(jobs)\n  end\nend\n',
    ],
    javascript: [
      'fetch.js',
      'class Fetch {\n  bulk_requeue(jobs) {\n    return jobs\n  }\n}\n',
      'manager.ts',
      'export function stop(capsule: any, jobs: string[]) {\n  capsule.fetcher?.bulk_requeue(jobs)\n}\n',
    ],
    php: [
      'Fetch.php',
      '<?php\nclass Fetch {\n  function bulk_requeue($jobs) { return $jobs; }\n}\n',
      'Manager.php',
      '<?php\nfunction stop($capsule, $jobs) {\n  $capsule->fetcher->bulk_requeue($jobs);\n}\n',
    ],
    go: [
      'fetch.go',
      'package q\n\ntype Fetch struct{}\n\nfunc (f *Fetch) bulk_requeue(n int) int { return n }\n',
      'manager.go',
      'package q\n\nfunc stop(all map[string]any) {\n\tpick(all).bulk_requeue(1)\n}\n',
    ],
    java: [
      'Fetch.java',
      'class Fetch {\n  int bulk_requeue(int n) { return n; }\n}\n',
      'Manager.java',
      'class Manager {\n  void stop(Capsule capsule) {\n    capsule.fetcher().bulk_requeue(1);\n  }\n}\n',
    ],
    kotlin: [
      'Fetch.kt',
      'class Fetch {\n  fun bulk_requeue(n: Int) = n\n}\n',
      'Manager.kt',
      'fun stop(capsule: Capsule) {\n  capsule.fetcher().bulk_requeue(1)\n}\n',
    ],
    csharp: [
      'Fetch.cs',
      'class Fetch {\n  int bulk_requeue(int n) { return n; }\n}\n',
      'Manager.cs',
      'class Manager {\n  void Stop(Capsule capsule) {\n    capsule.Fetcher().bulk_requeue(1);\n  }\n}\n',
    ],
    cpp: [
      'fetch.hpp',
      'class Fetch {\n public:\n  int bulk_requeue(int n) { return n; }\n};\n',
      'manager.cpp',
      'void stop(Capsule &capsule) {\n  capsule.fetcher()->bulk_requeue(1);\n}\n',
    ],
    rust: [
      'src/fetch.rs',
      'pub struct Fetch;\n\nimpl Fetch {\n    pub fn bulk_requeue(&self, n: u8) -> u8 { n }\n}\n',
      'src/manager.rs',
      'pub fn stop(capsule: &dyn Capsule) {\n    capsule.fetcher().bulk_requeue(1);\n}\n',
    ],
  }

  it.each(Object.entries(calls))('are possible uses in %s, apart from certain ones', async (_, given) => {
    const [defining, definition, calling, call] = given
    const folder = makeFolder()
    writeFiles(folder, {
      [defining]: definition,
      [calling]: call,
      'guide.md': '# Guide\n\nCall `bulk_requeue()` then.\n',
    })
    using engine = openCorpus(folder, { 'embedding.provider': 'none' })
    await engine.index()
    const { output, facts } = await engine.uses('bulk_requeue')
    const line = call.split('\n').findIndex((one) => one.includes('bulk_requeue')) + 1
    expect(facts.usedBy.map((use) => use.path)).toEqual(['guide.md'])
    expect(facts.possibleUses.map((use) => `${use.path}:${use.lines}`)).toEqual([`${calling}:${line}`])
    expect(facts.possibleTotal).toBe(1)
    expect(output).toContain('Used by: 1, and 1 possible\n')
    expect(output).toContain(`Possible uses (same name, unresolved receiver): 1\n- ${calling}:${line} `)
    expect((await engine.uses('bulk_requeue', { direction: 'callees' })).output).not.toContain('ossible')
  })

  it('are not those whose receiver is resolved, or comes from elsewhere', async () => {
    const folder = makeFolder()
    writeFiles(folder, {
      'fetch.py': 'class Fetch:\n    def join(self, jobs):\n        return jobs\n',
      'other.py': 'class Other:\n    def join(self):\n        return 1\n',
      'use.py': [
        'import os.path',
        'from other import Other',
        '',
        '',
        'def run(path):',
        '    # it.join(path)',
        '    other = Other()',
        '    other.join()',
        '    return os.path.join(path)',
        '',
      ].join('\n'),
    })
    using engine = openCorpus(folder, { 'embedding.provider': 'none' })
    await engine.index()
    expect((await engine.uses('Fetch.join')).facts).toMatchObject({ usedBy: [], possibleUses: [] })
  })
})
