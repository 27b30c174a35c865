// Does a question that the graph or a name answers begin with the answer? Over a small program of several languages.
import path from 'node:path'
import { expect, it } from 'vitest'
import { lookUp } from '../src/answer/answering/look-up.ts'
import { analyzeQuery } from '../src/answer/retrieve/analyze-query.ts'
import { CorpusReader } from '../src/corpus/store/corpus-reader.ts'
import { openForReading } from '../src/corpus/store/open-database.ts'
import { indexFiles } from './indexed-fixture.ts'

const filler = Array.from({ length: 30 }, (_, at) => `  const step${at} = prepare(${at})`).join('\n')
const { engine, root } = await indexFiles({
  'src/paths.ts': `export interface Paths {
  splitPath(path: string): string[]
}

/** Splits a path at its slashes. */
export function splitPath(path: string): string[] {
  const parts = path.split('/')
  if (parts.length === 0) return []
  return parts.filter((part) => part !== '')
}
`,
  'src/load.ts': `import { splitPath } from './paths.ts'

export function loadFile(path: string): string {
${filler}
  return splitPath(path).join()
}

export function openPage(path: string): string {
  return loadFile(path)
}
`,
  'src/form_parser.py': `class FormParser:
    """Parses forms of many parts."""

    def __init__(self, max_form_parts=None):
        self.max_form_parts = max_form_parts
`,
  'src/request.py': `class Request:
    max_form_parts = 1000
`,
  'src/limits.ts': `export const defaultRetryDelay = 250
export const maxRetryCount = 7
export const cacheFolder = 'cache'
`,
  'src/shapes.ts': `export class Shape {
  area(): number {
    return 0
  }
}

export class Square extends Shape {
  area(): number {
    return 4
  }
}
`,
  'tools/waiting.py': `class Waiting:
    @property
    def longest(self):
        return max(self.times)

    def report(self):
        return 'waited ' + str(self.longest)
`,
  'tools/start.py': `def start(run):
    return run(
        grace_period=3,
    )
`,
  'include/prune.h': 'void prune_objects(int opts);\n',
  'src/prune.c': `#include "prune.h"

void prune_objects(int opts)
{
	opts = opts + 1;
	opts = opts * 2;
}

static int cmd_prune(void)
{
	prune_objects(1);
	return 0;
}
`,
  'test/load.test.ts':
    "import { splitPath } from '../src/paths.ts'\n\nit('splits', () => {\n  expect(splitPath('a/b')).toEqual(['a', 'b'])\n})\n",
  'CHANGELOG.md':
    '# Changelog\n\n## 1.1.0 (2025-04-01)\n\n- Splits paths in 1.0 milliseconds, what changed in 1.0 is faster.\n\n## 1.0.0\n\n- Loads files.\n',
  'docs/paths.md': '# Paths\n\nCall splitPath(path) to split a path. splitPath is called by loaders.\n',
})

const firstOf = async (question: string): Promise<string[]> =>
  (await engine.assemble(question, { maxTokens: 2000, layout: 'brief' })).digest.primary.flatMap(
    ({ artifacts }) => artifacts,
  )

it('begins with the callers of a function, in digests and in search', async () => {
  expect((await firstOf('who calls splitPath'))[0]).toBe('src/load.ts#loadFile')
  const { hits } = await engine.search('who calls splitPath', { limit: 3 })
  expect(hits[0]?.artifact).toBe('src/load.ts#loadFile')
})

it('says that a name has more users than it lists', async () => {
  const calls = Array.from({ length: 9 }, (_, at) => `def user_${at}():\n    return load_all(${at})\n`)
  const { engine: many } = await indexFiles({
    'all.py': `def load_all(n):\n    return n\n\n\n${calls.join('\n\n')}`,
  })
  const { digest } = await many.assemble('who calls load_all?')
  expect(digest.confidence.why).toMatch(/: all\.py:6(?:, \d+){7}; `uses` lists more$/)
})

it('finds what calls a member by the name of its class', async () => {
  const { engine: own } = await indexFiles({
    'zones.py': 'class ZoneParser:\n    @classmethod\n    def parse(cls, text):\n        return text\n',
    'use.py': 'from zones import ZoneParser\n\n\ndef run(text):\n    return ZoneParser.parse(text)\n',
    'test_zones.py': 'from zones import ZoneParser\n\n\ndef test_it():\n    assert ZoneParser\n',
  })
  const { digest } = await own.assemble('who uses ZoneParser?')
  expect(digest.confidence.why).toMatch(/^the first passages use “ZoneParser”: use\.py:5/)
})

it('shows the line of the call, however long the caller is', async () => {
  const { output } = await engine.assemble('who calls splitPath', { maxTokens: 400, layout: 'brief' })
  expect(output).toContain('return splitPath(path).join()')
})

it('takes what reads a property for its user', async () => {
  expect((await firstOf('who uses longest?'))[0]).toBe('tools/waiting.py#Waiting.report')
})

it('says in the verdict what was looked up', async () => {
  const why = async (question: string): Promise<string> =>
    (await engine.assemble(question, { maxTokens: 2000 })).digest.confidence.why
  expect(await why('who calls splitPath')).toBe(
    'the first passages use “splitPath”: src/load.ts:34; test/load.test.ts:4',
  )
  expect(await why('what does splitPath do?')).toBe('the first passage defines “splitPath”')
  expect(await why('what is grace_period?')).toBe('the first passage has “grace_period”')
  expect(await why('what extends Shape')).toBe('the first passages extend “Shape”')
  expect(await why('how does openPage reach splitPath?')).toBe(
    'the calls lead openPage → loadFile → splitPath',
  )
})

it('takes no declaration for a caller', async () => {
  expect((await firstOf('who calls prune_objects'))[0]).toBe('src/prune.c#cmd_prune')
})

it('begins with the definition of a name, before declarations and pages', async () => {
  for (const question of ['where is splitPath defined', 'what does splitPath do?', 'splitPath'])
    expect((await firstOf(question))[0]).toBe('src/paths.ts#splitPath')
})

it('begins with the line that gives a name its value, also when asked by the words of the name', async () => {
  for (const question of ['what is the value of maxRetryCount', 'what is the max retry count set to'])
    expect((await engine.assemble(question, { maxTokens: 1000, layout: 'brief' })).output).toContain(
      'maxRetryCount = 7',
    )
})

it('begins with the value itself, not with a parameter that has none', async () => {
  expect((await firstOf('what is the default of max_form_parts?'))[0]).toBe('src/request.py#Request')
})

it('takes a question for a reason for no question for a value', async () => {
  const { digest } = await engine.assemble('why is the max retry count not set to 8', { maxTokens: 1000 })
  expect(digest.confidence.why).not.toContain('value')
})

it('begins with the tests of a name', async () => {
  for (const question of ['where is splitPath tested?', 'tests for splitPath'])
    expect((await firstOf(question))[0]).toMatch(/^test\/load\.test\.ts/)
})

it('begins with the notes of a version, unless a task is in it', async () => {
  for (const question of ['What changed in 1.0?', 'which files are new in version 1.0.0'])
    expect((await firstOf(question))[0]).toBe('CHANGELOG.md#changelog.100')
  const { digest } = await engine.assemble('How do I load what was added in 1.0?')
  expect(digest.confidence.why).not.toContain('notes')
})

it('begins with what extends a class', async () => {
  expect((await firstOf('what extends Shape'))[0]).toContain('src/shapes.ts#Square')
})

it('shows the calls between two functions in their order', async () => {
  const found = await firstOf('how does openPage reach splitPath?')
  expect(found.slice(0, 3)).toEqual([
    'src/load.ts#openPage',
    'src/load.ts#loadFile',
    'src/paths.ts#splitPath',
  ])
})

it('tells overloads apart by their signatures, and means the one with a body', async () => {
  const kinds = ['year', 'month', 'week'].map(
    (kind) => `@overload\ndef parse(\n    text: Literal["${kind}"],\n    strict: bool,\n) -> ${kind}: ...\n`,
  )
  const body = Array.from({ length: 9 }, (_, at) => `    step(${at})`).join('\n')
  const text = `from typing import overload\n\n${kinds.join('\n')}\ndef parse(text, strict):\n${body}\n`
  const { engine: python } = await indexFiles({ 'parse.py': text })
  const outline = (await python.outline('parse.py', {})).output
  expect(outline.match(/def parse\(.*/g)).toEqual([
    'def parse(text: Literal["year"], strict: bool) -> year',
    'def parse(text: Literal["month"], strict: bool) -> month',
    'def parse(text: Literal["week"], strict: bool) -> week',
    'def parse(text, strict)',
  ])
  expect((await python.outline('parse', {})).output).toContain('def parse(text, strict)')
  python.close()
})

it('prefers the largest of several overloads, however long the comment above another is', async () => {
  const { engine: java } = await indexFiles({
    'src/Reader.java': `public class Reader {
  /**
   * Reads the next one.
   * Long ago there was only this.
   * It has many lines of comment.
   * And some more.
   */
  int next() {
    return next(1);
  }

  int next(int count) {
    int sum = 0;
    for (int at = 0; at < count; at++) {
      sum += read(at);
    }
    return sum;
  }
}
`,
  })
  const { digest } = await java.assemble('what does Reader.next do?', { maxTokens: 1000, layout: 'brief' })
  expect(digest.primary[0]?.artifacts).toEqual(['src/Reader.java#Reader.next-1'])
})

it('looks up names that end in ? or !, and takes a question mark for what it is elsewhere', async () => {
  const { engine: ruby } = await indexFiles({
    'user.rb':
      'class User\n  def valid?\n    check(self)\n  end\n\n  def save!\n    store(self)\n  end\n\n  def load\n    fetch(self)\n  end\nend\n',
    'job.rb':
      'class Job\n  def run\n    user = User.new\n    user.load\n    user.save! if user.valid?\n  end\nend\n',
  })
  const why = async (question: string): Promise<string> =>
    (await ruby.assemble(question, { maxTokens: 1000 })).digest.confidence.why
  expect(await why('who calls save!?')).toMatch(/^the first passages use “save!”: /)
  expect(await why('who calls valid?')).toMatch(/^the first passages use “valid\?”: /)
  expect(await why('what does User#valid? do?')).toBe('the first passage defines “User#valid?”')
  expect(await why('who calls load?')).toMatch(/^the first passages use “load”: /)
})

it('shows the candidates of a name that several definitions have, and the callers of each', async () => {
  const { engine: several } = await indexFiles({
    'schema.js': 'exports.compile = (a) => a + 1\n',
    'text.js': 'exports.compile = (a) => a + 2\n',
    'run.js': "const { compile } = require('./schema')\n\nexports.run = () => compile(1)\n",
    'send.js': "const Text = require('./text')\n\nexports.send = () => Text.compile(2)\n",
  })
  const { digest, output } = await several.assemble('who calls compile?', { maxTokens: 1000 })
  const files = [...new Set(digest.primary.map(({ path: file }) => file))]
  expect(files.slice(0, 2)).toEqual(['run.js', 'send.js'])
  expect(output).toContain('“compile” (2 definitions: schema.js#compile, text.js#compile)')
})

it('looks up a name with its receiver as code writes it, and reports one that nothing defines or writes', () => {
  const reader = new CorpusReader(openForReading(path.join(root, '.yore/index.db')))
  const found = (question: string) => {
    const { answers, unknownName = null } = lookUp(question, analyzeQuery(question), [], reader)
    return { ids: answers.map(({ at }) => at.row.id), unknownName }
  }
  expect(found('who calls path.split')).toEqual({ ids: ['src/paths.ts#splitPath'], unknownName: null })
  for (const question of [
    'what calls Nope.splitPath?',
    'what does Nope.splitPath do?',
    'what is the value of Nope.splitPath',
    'how does openPage reach Nope.splitPath?',
  ])
    expect(found(question)).toEqual({ ids: [], unknownName: 'Nope.splitPath' })
  expect(found('what is the value of Nope.maxRetryCount')).toEqual({
    ids: [],
    unknownName: 'Nope.maxRetryCount',
  })
  reader.close()
})

it('takes no word that begins a question for a name', async () => {
  const { engine: small } = await indexFiles({
    'a.py': 'def get_locale():\n    return 1\n\n\ndef show():\n    return get_locale()\n',
  })
  const { digest } = await small.assemble('What calls get_locale?', { maxTokens: 1000 })
  expect(digest.confidence.why).toBe('the first passages use “get_locale”: a.py:6')
})

it('goes on from a function that sends an event to the only handler of that event', async () => {
  const { engine: shop } = await indexFiles({
    'order.js':
      "const bus = require('./bus')\nfunction placeOrder(order) {\n  save(order)\n  bus.emit('order.placed', order)\n  bus.emit('error')\n}\nfunction checkout(cart) {\n  return placeOrder(cart.order)\n}\n",
    'mail.js':
      "const bus = require('./bus')\nfunction sendMail(order) {\n  deliver(order)\n}\nfunction refund(order) {\n  deliver(order)\n}\nfunction report(cause) {\n  deliver(cause)\n}\nfunction start() {\n  bus.on('order.placed', (order) => {\n    if (order.mail) sendMail(order)\n  })\n  bus.on('order.failed', refund)\n  bus.on('error', report)\n}\n",
    'mode.c': '#include <stdlib.h>\n\nint read_mode(void)\n{\n\treturn getenv("SHOP_MODE") != 0;\n}\n',
    'main.c':
      '#include <stdlib.h>\n\nint choose_mode(int fast)\n{\n\treturn setenv("SHOP_MODE", fast ? "1" : "0", 1);\n}\n',
  })
  const why = async (question: string): Promise<string> =>
    (await shop.assemble(question, { maxTokens: 1000 })).digest.confidence.why
  expect(await why('how does checkout reach sendMail?')).toBe(
    'the calls lead checkout → placeOrder → “order.placed” → start → sendMail',
  )
  expect(await why('what happens from choose_mode until read_mode?')).toBe(
    'the calls lead choose_mode → “SHOP_MODE” → read_mode',
  )
  // Another event of the same function, and a name that any program may send.
  for (const end of ['refund', 'report'])
    expect(await why(`how does checkout reach ${end}?`)).not.toContain('the calls lead')
})
