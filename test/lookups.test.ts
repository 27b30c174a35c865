// Do look-ups say the same on every surface: no match, tabs, and paths? Command line, JSON and the agents' tools.
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeLanguages } from '../src/model/code-languages.ts'
import { showUses } from '../src/offer/ui/uses-page.ts'
import { call, type Served, serveStdio } from './mcp-clients.ts'
import { runYore } from './run-command-line.ts'
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
    expect(JSON.parse(stdout).confidence.label).toBe('none')
    expect(status).toBe(3)
  })

  it('says so to an agent, as of each hit that embeddings alone found', async () => {
    const drain = await call(served.client, 'search', { query: 'drains' })
    expect(drain.text).toMatch(
      /^Confidence .*\nWithout a word of the query, found by embeddings: [\d, ]+\.\n1\. /,
    )
    const { text } = await call(served.client, 'search', { query: 'zzzzqqq' })
    expect(text).not.toContain('Without a word')
    expect(text).toMatch(/^Confidence none: no section has “zzzzqqq”\. Try other words/)
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
    expect(output).toContain(`Possible uses (same name, unresolved): 1\n- ${calling}:${line} `)
    expect((await engine.uses('bulk_requeue', { direction: 'callees' })).output).not.toContain('ossible')
  })

  const unresolved: Readonly<
    Record<string, readonly [name: string, Readonly<Record<string, string>>, found: readonly string[]]>
  > = {
    'on what a function of the corpus returns': [
      'log_messages',
      {
        'check.py':
          'class Messages:\n    def log_messages(self):\n        return 1\n\n\ndef check_sanity():\n    return Messages()\n',
        'tasks.py':
          'import check\nimport json\n\n\ndef run(text):\n    messages = check.check_sanity()\n    messages.log_messages()\n    other = json.loads(text)\n    other.log_messages()\n',
      },
      ['tasks.py:7'],
    ],
    'on a field of a type whose members are unknown': [
      'hasPending',
      {
        'draw.ts': 'export class Draw {\n  hasPending(): boolean {\n    return true\n  }\n}\n',
        'types.ts': "import type { Draw } from './draw.ts'\n\nexport type Props = { draw: Draw }\n",
        'history.ts':
          "import type { Props } from './types.ts'\n\nexport function undo(app: Props): boolean {\n  return !app.draw.hasPending()\n}\n",
      },
      ['history.ts:4'],
    ],
    'on a parameter with the name of an imported module': [
      'typeAt',
      {
        'context.ts': 'export class Context {\n  typeAt(n: number): number {\n    return n\n  }\n}\n',
        'types.ts':
          "import type { Context } from './context.ts'\n\ntype Converter = { convert(context: Context): number }\n\nexport const plain: Converter = {\n  convert(context) {\n    return context.typeAt(1)\n  },\n}\n",
      },
      ['types.ts:7'],
    ],
    'on an interface that its class implements': [
      'Impl.threeArguments',
      {
        'Methods.java': 'interface Methods {\n  int threeArguments(int a);\n}\n',
        'Impl.java': 'class Impl implements Methods {\n  public int threeArguments(int a) { return a; }\n}\n',
        'Other.java': 'class Other {\n  int threeArguments(int a) { return a; }\n}\n',
        'Use.java':
          'class Use {\n  int use(Methods methods, Other other) {\n    methods.threeArguments(1);\n    return other.threeArguments(2);\n  }\n}\n',
      },
      ['Use.java:3'],
    ],
    'on a class outside the corpus that its class extends': [
      'Stripping.visitParameter',
      {
        'Stripping.java':
          'import org.asm.MethodVisitor;\n\nclass Stripping extends MethodVisitor {\n  public void visitParameter(String name) {}\n}\n',
        'Adding.java':
          'import org.asm.MethodVisitor;\nimport org.asm.Label;\n\nclass Adding {\n  void add(MethodVisitor visitor, Label label) {\n    visitor.visitParameter("a");\n    label.visitParameter("b");\n  }\n}\n',
      },
      ['Adding.java:6'],
    ],
    'in Java, on a class of Kotlin': [
      'newClient',
      {
        'support/Rule.kt': 'class ClientRule {\n  fun newClient(): Int = 1\n}\n',
        'test/CallTest.java':
          'class CallTest {\n  ClientRule rule = new ClientRule();\n  int client = rule.newClient();\n}\n',
      },
      ['test/CallTest.java:3'],
    ],
    'on any receiver, of an extension': [
      'readRetryMs',
      {
        'Reader.kt':
          'import okio.BufferedSource\n\nfun BufferedSource.readRetryMs(): Long = readUtf8().toLong()\n\nclass Reader(private val source: BufferedSource) {\n  fun next(): Long {\n    val retry = source.readRetryMs()\n    source.map(Other::readRetryMs)\n    return retry + other.readRetryMs\n  }\n}\n',
      },
      ['Reader.kt:7,8'],
    ],
    'on a constant of its class': [
      'withVersion',
      {
        'a/Excluder.java':
          'package a;\n\npublic class Excluder {\n  public static final Excluder DEFAULT = new Excluder();\n  public Excluder withVersion(int n) { return this; }\n}\n',
        'b/Use.java':
          'package b;\n\nimport a.Excluder;\nimport other.Other;\n\nclass Use {\n  void use() {\n    Excluder.DEFAULT.withVersion(1);\n    Other.DEFAULT.withVersion(2);\n  }\n}\n',
      },
      ['b/Use.java:8'],
    ],
    'on what a parameter returns': [
      'Client.request',
      {
        'client.py': 'class Client:\n    def request(self, n):\n        return n\n',
        'test_client.py':
          'import json\n\n\ndef test_request(make_client):\n    client = make_client()\n    other = json.loads(client)\n    other.request(1)\n    assert client.request(1)\n',
      },
      ['test_client.py:8'],
    ],
    'on an imported variable, in TypeScript': [
      'runQuery',
      {
        'db.ts':
          'export class Db {\n  runQuery(n: number): number {\n    return n\n  }\n}\n\nexport const db = new Db()\n',
        'use.ts':
          "import fs from 'node:fs'\nimport { db } from './db.ts'\nimport * as all from './db.ts'\n\nexport function run(): number {\n  fs.runQuery(0)\n  return db.runQuery(1) + all.db.runQuery(2)\n}\n",
      },
      ['use.ts:7'],
    ],
    'on an imported variable, in Python': [
      'run_query',
      {
        'app/__init__.py': '',
        'app/db.py': 'class Db:\n    def run_query(self, n):\n        return n\n\n\ndb = Db()\n',
        'app/use.py':
          'import requests\nfrom .db import db\n\n\ndef run():\n    requests.run_query(0)\n    return db.run_query(1)\n',
      },
      ['app/use.py:7'],
    ],
    'on a property that an import names, in Kotlin': [
      'runQuery',
      {
        'src/app/db/Db.kt': 'package app.db\n\nclass Db {\n  fun runQuery(n: Int) = n\n}\n\nval db = Db()\n',
        'src/app/Use.kt':
          'package app\n\nimport app.db.db\nimport other.tool\n\nfun run(): Int {\n  tool.runQuery(0)\n  return db.runQuery(1)\n}\n',
      },
      ['src/app/Use.kt:8'],
    ],
    'on a variable of another package, in Go': [
      'RunQuery',
      {
        'go.mod': 'module example.com/app\n',
        'db/db.go':
          'package db\n\ntype Db struct{}\n\nfunc (d *Db) RunQuery(n int) int { return n }\n\nvar Default = &Db{}\n',
        'main.go':
          'package main\n\nimport (\n\t"example.com/app/db"\n\t"net/http"\n)\n\nfunc run() int {\n\thttp.Default.RunQuery(0)\n\treturn db.Default.RunQuery(1)\n}\n',
      },
      ['main.go:10'],
    ],
    'on a static of another module, in Rust': [
      'run_query',
      {
        'src/db.rs':
          'pub struct Db;\n\nimpl Db {\n    pub fn run_query(&self, n: u8) -> u8 { n }\n}\n\npub static DB: Db = Db;\n',
        'src/main.rs': 'mod db;\nuse db::DB;\n\nfn main() {\n    DB.run_query(1);\n}\n',
      },
      ['src/main.rs:5'],
    ],
    'on a variable that is tested for being of its class': [
      'onStart',
      {
        'Starter.kt': 'interface Starter {\n  fun onStart(): Int\n}\n',
        'Use.kt':
          'import android.content.Context\n\nfun create(context: Context): Int {\n  return if (context is Starter) context.onStart() else 0\n}\n\nfun other(context: Context) {\n  context.onStart()\n}\n',
      },
      ['Use.kt:4'],
    ],
    'not on an expression, of a function': [
      'format',
      {
        'format.ts': 'export function format(n: number): number {\n  return n\n}\n',
        'use.ts':
          "import * as own from './format.ts'\n\nexport function show(date: Date): string {\n  own['a'].format(1)\n  return date.clone().format('x')\n}\n",
      },
      [],
    ],
    'on a field of the own class whose type is unknown': [
      'Scope.bind_value',
      {
        'src/scope.rs':
          'pub struct Scope;\n\nimpl Scope {\n    pub fn bind_value(&self, n: u8) -> u8 { n }\n}\n',
        'src/run.rs':
          'use crate::scope::Scope;\n\npub struct Run<S> { scope: S }\n\nimpl Run<Scope> {\n    pub fn start(scope: Scope) -> u8 {\n        let run = Self { scope };\n        run.scope.bind_value(1)\n    }\n}\n',
      },
      ['src/run.rs:8'],
    ],
    'by another name of a macro': [
      'set_flag',
      {
        'flag.h': '#define set_state set_flag\nint set_flag(int n);\n',
        'flag.c': '#include "flag.h"\nint set_flag(int n) { return n; }\n',
      },
      ['flag.h:1'],
    ],
    'inside a macro, by the name of its type': [
      'to_components',
      {
        'src/style.rs':
          'pub struct List;\n\nimpl List {\n    pub fn to_components(n: u8) -> u8 { n }\n}\n\n#[cfg(test)]\nmod tests {\n    use super::List;\n\n    #[test]\n    fn lists() {\n        assert_eq!(List::to_components(1), 1);\n    }\n}\n',
        'build.rs': 'fn main() {\n    quote! { Lazy::new(|| to_components(1)) };\n}\n',
      },
      ['src/style.rs:13'],
    ],
    'inside a macro that writes code': [
      'build_matcher',
      {
        'src/matcher.rs': 'pub fn build_matcher(n: u8) -> u8 { n }\n',
        'build.rs': 'fn main() {\n    quote! { Lazy::new(|| build_matcher(1)) };\n}\n',
      },
      ['build.rs:2'],
    ],
  }

  it.each(Object.entries(unresolved))('are possible uses %s', async (_, [name, files, found]) => {
    const folder = makeFolder()
    writeFiles(folder, files)
    using engine = openCorpus(folder, { 'embedding.provider': 'none' })
    await engine.index()
    const { facts } = await engine.uses(name)
    expect(facts.possibleUses.map((use) => `${use.path}:${use.lines}`)).toEqual(found)
  })

  const certain: Readonly<
    Record<string, readonly [name: string, Readonly<Record<string, string>>, found: readonly string[]]>
  > = {
    'not in comments and strings, nor on other receivers': [
      'Box.put',
      {
        'box.ts': 'export class Box {\n  put(n: number): number {\n    return n\n  }\n}\n',
        'fill.ts':
          "import { Box } from './box.ts'\n\nexport function fill(other: Set<number>): void {\n  const box = new Box()\n  box.put(1)\n  // box.put is slow\n  console.log('box.put(2)')\n  other.put(3)\n  box?.put(4)\n}\n",
      },
      ['fill.ts:5,9'],
    ],
    'on a variable of `var` that a cast or constructor gives its class': [
      'Proxy.cancel',
      {
        'Proxy.java': 'class Proxy {\n  void cancel() {}\n}\n',
        'Pool.java':
          'class Pool {\n  void evict(Object held) {\n    var proxy = (Proxy) held;\n    proxy.cancel();\n    var other = new Proxy();\n    other.cancel();\n  }\n}\n',
      },
      ['Pool.java:4,6'],
    ],
    'on a variable that its annotation gives a class': [
      'Client.request',
      {
        'client.py': 'class Client:\n    def request(self, n):\n        return n\n',
        'use.py':
          'from client import Client\n\n\ndef run(make):\n    client: Client = make()\n    return client.request(1)\n',
      },
      ['use.py:6'],
    ],
    'on the line of the name, where its receiver is on another': [
      'Command.missing',
      {
        'command.rs':
          'pub struct Command;\n\nimpl Command {\n    fn missing(&self) -> u8 { 1 }\n\n    fn run(&self) -> u8 {\n        let found = self\n            .missing();\n        found\n    }\n}\n',
      },
      ['command.rs:8'],
    ],
    'of every overload': [
      'edit.py:8',
      {
        'edit.py':
          'from typing import overload\n\n\n@overload\ndef edit(text: str) -> str: ...\n\n\ndef edit(text):\n    return text\n',
        'use.py': "from edit import edit\n\n\ndef run():\n    return edit('a')\n",
      },
      ['use.py:5'],
    ],
    'not of a function that another type of the file has': [
      'Box.Put',
      {
        'box.go':
          'package box\n\ntype Box struct{}\n\ntype Bag struct{}\n\nfunc (b *Box) Put() {}\n\nfunc (b *Bag) Put() {}\n\nfunc fill(box *Box, bag *Bag) {\n\tbox.Put()\n\tbag.Put()\n}\n',
      },
      ['box.go:12'],
    ],
    'in a class of Kotlin with an actual constructor': [
      'commonSize',
      {
        'src/common/Size.kt': 'package box.common\n\nfun Box.commonSize(): Int {\n  return 1\n}\n',
        'src/jvm/Box.kt':
          'package box\n\nimport box.common.commonSize\n\nactual open class Box\ninternal actual constructor(\n  internal actual val data: ByteArray,\n) : Comparable<Box> {\n  actual open fun size(): Int = commonSize()\n}\n',
      },
      ['src/jvm/Box.kt:9'],
    ],
    'of what a function imports when it runs': [
      'loadLater',
      {
        'later.ts': 'export function loadLater(n: number): number {\n  return n\n}\n',
        'use.ts':
          "export async function run(): Promise<number> {\n  const { loadLater } = await import('./later.ts')\n  return loadLater(1)\n}\n\nexport async function all(): Promise<number> {\n  const later = await import('./later.ts')\n  return later.loadLater(2)\n}\n",
        'old.js':
          "function run() {\n  const { loadLater } = require('./later.ts')\n  return loadLater(1)\n}\n\nmodule.exports = { run }\n",
      },
      ['old.js:3', 'use.ts:3', 'use.ts:8'],
    ],
    'of a constructor in TypeScript': [
      'Box.constructor',
      {
        'box.ts': 'export class Box<T> {\n  constructor(readonly held: T) {}\n}\n',
        'fill.ts':
          "import { Box } from './box.ts'\n\nexport function fill(given: Box<string>): Box<string> {\n  const box = new Box<string>('a')\n  return box ?? given\n}\n",
      },
      ['fill.ts:4'],
    ],
    'of a constructor in Python': [
      'Box.__init__',
      {
        'box.py': 'class Box:\n    def __init__(self, held):\n        self.held = held\n',
        'fill.py': 'from box import Box\n\n\ndef fill(given: Box):\n    return Box(given)\n',
      },
      ['fill.py:5'],
    ],
  }

  it.each(Object.entries(certain))('are certain uses %s', async (_, [name, files, found]) => {
    const folder = makeFolder()
    writeFiles(folder, files)
    using engine = openCorpus(folder, { 'embedding.provider': 'none' })
    await engine.index()
    const { facts } = await engine.uses(name, { direction: 'callers' })
    expect(facts.usedBy.map((use) => `${use.path}:${use.lines}`)).toEqual(found)
  })

  it('are listed for a program beyond the lines of the text', async () => {
    const folder = makeFolder()
    const calls = Array.from({ length: 60 }, (_, at) => `fun call${at}() {\n  "a".toType()\n}\n`)
    writeFiles(folder, { 'Type.kt': 'fun String.toType(): Int = 1\n', 'Calls.kt': calls.join('\n') })
    using engine = openCorpus(folder, { 'embedding.provider': 'none' })
    await engine.index()
    const { facts, output } = await engine.uses('toType')
    expect(facts.possibleUses).toHaveLength(60)
    expect(output).toContain('- … and 40 more')
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

describe('uses of a name', () => {
  /** What `uses` prints for a name in a corpus of these files. */
  async function usesIn(
    files: Readonly<Record<string, string>>,
    name: string,
    direction: 'callers' | 'both' = 'callers',
  ): Promise<string> {
    const folder = makeFolder()
    writeFiles(folder, files)
    using engine = openCorpus(folder, { 'embedding.provider': 'none' })
    await engine.index()
    return (await engine.uses(name, { direction })).output
  }

  it('include those of a variable or constant, next to others in its block', async () => {
    const output = await usesIn(
      {
        'proxy.go':
          'package proxy\n\nimport "errors"\n\nfunc pick(n int) error {\n\tif n > 3 {\n\t\treturn errNoUpstream\n\t}\n\treturn errOther\n}\n\nvar errOther = errors.New("other")\n\n// errNoUpstream means that none is left.\nvar errNoUpstream = errors.New("none")\n',
        'retry.go': 'package proxy\n\nfunc again(err error) bool {\n\treturn err == errNoUpstream\n}\n',
      },
      'errNoUpstream',
    )
    expect(output).toContain(
      'errNoUpstream, proxy.go:15\n\nUsed by: 2\n- proxy.go:7 pick\n- retry.go:4 again',
    )
    expect(output).not.toContain('ossible')
  })

  it('name the variables of a block, not the block; own source comes before tests and documents', async () => {
    const files = {
      'CHANGES.md': '# 1.0\n\n`Clock.tick` waits.\n',
      'limits.py': 'LEAST: int = 1\nMOST: int = 3\nOTHER: int = 4\n',
      'clock.py':
        'from limits import LEAST, MOST\n\n\nclass Clock:\n    def tick(self, n):\n        return max(LEAST, min(MOST, n))\n',
      'test_clock.py': 'from clock import Clock\n\n\ndef test_tick():\n    assert Clock().tick(9) == 3\n',
      'use.py': 'from clock import Clock\n\n\ndef run(clock: Clock):\n    return clock.tick(2)\n',
      'wait.py': 'from clock import Clock\n\n\ndef wait(any):\n    return any.tick(2)\n',
    }
    const output = await usesIn(files, 'Clock.tick', 'both')
    expect(output).toContain('- limits.py:1-2 LEAST, MOST, at clock.py:6')
    expect(output).toMatch(
      /Used by: 2.*\n- use\.py:5 run\n- CHANGES\.md:3 .*\n\nPossible.*\n- wait.*\n- test_clock/,
    )
    const { 'use.py': _, ...others } = files
    expect(await usesIn(others, 'Clock.tick')).toMatch(
      /Used by: 1, and 2 possible\n\nPossible uses.*: 2\n- wait\.py:5 wait\n- .*\n\nCertain uses, in tests and documents: 1\n- CHANGES/,
    )
  })

  it('include those of a constant and a type where the language has modules', async () => {
    const files = {
      'limits.ts': 'export const MAX_RETRIES = 3\n\nexport type RetryPlan = { times: number }\n',
      'run.ts':
        "import { MAX_RETRIES, type RetryPlan } from './limits.ts'\n\nexport function run(plan: RetryPlan): boolean {\n  return plan.times > MAX_RETRIES\n}\n",
      'other.ts': 'export function other(MAX_RETRIES: number): number {\n  return MAX_RETRIES\n}\n',
    }
    const constant = await usesIn(files, 'MAX_RETRIES')
    expect(constant).toContain('MAX_RETRIES, limits.ts:1\n\nUsed by: 1\n- run.ts:4 run\n')
    expect(constant).toContain('Imported: run.ts:1')
    expect(constant).not.toContain('other.ts')
    expect(await usesIn(files, 'RetryPlan')).toContain('Used by: 1\n- run.ts:3 run\n')
  })

  it('list imports, re-exports and names in strings as such', async () => {
    const python = await usesIn(
      {
        'shop/handlers.py': 'def move_files(sender):\n    return sender\n',
        'shop/views.py':
          'from shop.handlers import move_files\n\n\ndef view(request):\n    return move_files(request)\n',
        'tests/test_views.py':
          'from unittest import mock\n\n\n@mock.patch("shop.handlers.move_files")\ndef test_view(moved):\n    """The view calls move_files once."""\n    assert not moved.called\n',
      },
      'move_files',
    )
    expect(python).toContain('Used by: 1\n- shop/views.py:5 view\n')
    expect(python).toContain('Imported: shop/views.py:1\n')
    expect(python).toContain('In strings: tests/test_views.py:4')
    const typescript = await usesIn(
      {
        'src/merge.ts': 'export function mergeScenes(a: number): number {\n  return a\n}\n',
        'src/index.ts': "export { mergeScenes } from './merge.ts'\n",
        'app.ts': "import { mergeScenes } from './src/index.ts'\n\nexport const merged = mergeScenes(1)\n",
      },
      'mergeScenes',
    )
    expect(typescript).toContain('Used by: 1\n- app.ts:3 ')
    expect(typescript).toContain('Imported: app.ts:1\nRe-exported: src/index.ts:1')
  })

  it('are those of the only definition outside tests, with the others named', async () => {
    const output = await usesIn(
      {
        'src/queue.c': 'int queue__send(int n)\n{\n\treturn n;\n}\n',
        'src/loop.c': 'int queue__send(int n);\n\nint loop(void)\n{\n\treturn queue__send(1);\n}\n',
        'test/unit/stubs.c': 'int queue__send(int n)\n{\n\treturn 0;\n}\n',
      },
      'queue__send',
    )
    expect(output).toContain('queue__send, src/queue.c:1-4\nAlso defined: test/unit/stubs.c#queue__send\n')
    expect(output).toContain('- src/loop.c:5 loop')
  })

  it('are listed for each definition of a name that several have', async () => {
    const folder = makeFolder()
    const calls = Array.from({ length: 12 }, (_, at) => `exports.send${at} = () => Text.compile(${at})\n`)
    writeFiles(folder, {
      'schema.js': 'exports.compile = (a) => a + 1\n',
      'text.js': 'exports.compile = (a) => a + 2\n',
      'run.js': "const { compile } = require('./schema')\n\nexports.run = () => compile(1)\n",
      'send.js': `const Text = require('./text')\n\n${calls.join('')}`,
      'test/stub.js': 'exports.compile = (a) => a\n',
    })
    using engine = openCorpus(folder, { 'embedding.provider': 'none' })
    await engine.index()
    const { output, facts } = await engine.uses('compile', { direction: 'callers' })
    expect(output).toMatch(
      /^compile: 3 definitions, 2 of them listed; name one by its path:line for all its uses\.\n/,
    )
    expect(output).toContain(
      'compile, schema.js:1\nAlso defined: test/stub.js#compile\n\nUsed by: 1\n- run.js:3 run\n',
    )
    expect(output).toContain('compile, text.js:1\n\nUsed by: 12\n- send.js:3 send0\n')
    expect(output).toContain('send7\n- … and 4 more')
    expect(facts.others.map((one) => one.usedBy.length)).toEqual([12])
    const page = showUses(facts).text
    for (const place of ['schema.js:1', 'run.js:3', 'text.js:1', 'send.js:14']) expect(page).toContain(place)
    expect((await engine.uses('text.js:1')).facts.others).toEqual([])
  })

  it('are one answer for an expect declaration and its actual definitions', async () => {
    const output = await usesIn(
      {
        'src/commonMain/kotlin/Platform.kt':
          'expect fun platformName(): String\n\nfun greet(): String = "Hello " + platformName()\n',
        'src/jvmMain/kotlin/Platform.jvm.kt':
          'actual fun platformName(): String = "JVM"\n\nfun show(): String = platformName()\n',
        'src/jsMain/kotlin/Platform.js.kt': 'actual fun platformName(): String = "JS"\n',
        'src/commonMain/kotlin/Log.kt': 'fun log(): String = platformName()\n',
      },
      'platformName',
    )
    expect(output).toMatch(/^platformName, src\/commonMain\/kotlin\/Platform\.kt:1/)
    expect(output).toContain('src/commonMain/kotlin/Platform.kt:3 greet')
    expect(output).toContain('src/commonMain/kotlin/Log.kt:1 log')
    expect(output).toContain('src/jvmMain/kotlin/Platform.jvm.kt:3 show')
  })

  it('of a constructor are those that build its class', async () => {
    const output = await usesIn(
      {
        'Box.java':
          'class Box {\n  private final int size;\n  Box(int size) {\n    this.size = size;\n  }\n}\n',
        'Use.java':
          'class Use {\n  Box make() {\n    return new Box(3);\n  }\n  int none(Box box) { return 1; }\n}\n',
      },
      'Box.java#Box.Box',
    )
    expect(output).toContain('Used by: 1\n- Use.java:3 make')
  })

  it('include those through the name of the crate, as Cargo.toml gives it', async () => {
    const output = await usesIn(
      {
        'Cargo.toml':
          '[package]\nauthors = ["A <a@example.com>"]\nname = "my-tool"\n\n[dependencies]\nname = "1"\n',
        'src/lib.rs': 'pub mod style;\n',
        'src/style.rs': 'pub fn plain_style() {}\n',
        'src/main.rs': 'use my_tool::style::plain_style;\n\nfn main() {\n    plain_style();\n}\n',
      },
      'plain_style',
    )
    expect(output).toContain('Used by: 1\n- src/main.rs:4 main')
  })

  it('are no keys of an object that have its name', async () => {
    const output = await usesIn(
      {
        'build.ts': 'export function buildQuery(): string {\n  return ""\n}\n',
        'run.ts':
          "import { buildQuery } from './build.ts'\n\nexport function run() {\n  const built = buildQuery()\n  return {\n    buildQuery: built,\n    other: { buildQuery: buildQuery() },\n  }\n}\n",
      },
      'buildQuery',
    )
    expect(output).toContain('Used by: 1\n- run.ts:4,7 run\n')
  })

  it('of Go are none of the blank identifier', async () => {
    const files = {
      'conn.go':
        'package conn\n\nfunc write() (err error) {\n\tif _, err = send(); err != nil {\n\t\treturn err\n\t}\n\treturn nil\n}\n\nfunc send() (int, error) {\n\treturn 0, nil\n}\n',
      'conn_test.go': 'package conn\n\nvar _ error = errTimeout\n',
    }
    expect(await usesIn(files, 'write', 'both')).toMatch(/Uses: 1\n- conn\.go:10-\d+ send, at conn\.go:4\n$/)
  })

  it('say what cannot be seen where no use was found', async () => {
    const output = await usesIn({ 'a.py': 'def on_ready(event):\n    return event\n' }, 'on_ready')
    expect(output).toContain('Used by: nothing that is indexed')
    expect(output).toContain('Not visible: calls by a computed name, by a framework, or from elsewhere.')
  })
})
