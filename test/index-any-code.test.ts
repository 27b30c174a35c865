// Does every nesting of colliding names become an index? Generated code of each language, and headings with dots.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ParsedDocument } from '../src/model/artifact.ts'
import { parseDocument } from '../src/read/parse/parse-document.ts'
import { parseAs } from './support/code-tool.ts'
import { TestCorpus } from './support/corpus.ts'
import { runSeed, slow } from './temporary-corpus.ts'

/** `$N` is the name, `$O` another one, `$B` what stands inside; `$L` makes a function long enough to hold others. */
interface Form {
  readonly text: string
  readonly holds?: string
}

/** What may stand at the top of a file, and in each kind of what stands there. */
type Forms = Readonly<Record<'top', readonly Form[]> & Record<string, readonly Form[]>>

const javascript: Forms = {
  top: [
    { text: 'class $N {\n$B\n}', holds: 'class' },
    { text: 'const $N = {\n$B\n};', holds: 'object' },
    { text: 'function $N() {\n  return 1;\n}' },
    { text: 'function $N() {\n$L\n$B\n}', holds: 'top' },
    { text: '$O.prototype.$N = function () {\n  return 2;\n};' },
    { text: '$O.$N = () => {\n  return 3;\n};' },
    { text: '$O.$N.$O = function () {\n  return 3;\n};' },
    { text: 'exports.$N = function () {\n  return 4;\n};' },
    { text: 'let $N = 5;' },
  ],
  class: [
    { text: '$N() {\n  return 1;\n}' },
    { text: 'static $N() {\n  return 2;\n}' },
    { text: 'get $N() {\n  return 3;\n}' },
    { text: "'$N-1'() {\n  return 4;\n}" },
    { text: '$N = () => {\n  return 5;\n};' },
    { text: 'static $N = class {\n$B\n};', holds: 'class' },
  ],
  object: [
    { text: '$N() {\n  return 1;\n},' },
    { text: '$N: function () {\n  return 2;\n},' },
    { text: "'$N.$O': () => {\n  return 3;\n}," },
    { text: '$N: {\n$B\n},', holds: 'object' },
  ],
}

const typescript: Forms = {
  ...javascript,
  top: [
    ...javascript.top,
    { text: 'export namespace $N {\n$B\n}', holds: 'top' },
    { text: 'namespace $O.$N {\n$B\n}', holds: 'top' },
    { text: 'interface $N {\n$O(): number;\n}' },
    { text: 'export function $N(k: string): number;' },
    { text: 'enum $N {\n  $O,\n}' },
  ],
  class: [...javascript['class']!, { text: '$N(k: string): void;' }],
}

const members = (type: string): readonly Form[] => [
  { text: `int $N() {\n  return 1;\n}` },
  { text: `int $N(int k) {\n  return k;\n}` },
  { text: `${type} $N {\n$B\n}`, holds: 'type' },
]

const languages: Readonly<Record<string, Forms>> = {
  'a.js': javascript,
  'a.ts': typescript,
  'a.tsx': {
    ...typescript,
    top: [...typescript.top, { text: 'const $N = () => {\n  return <b>$O</b>;\n};' }],
  },
  'a.py': {
    top: [
      { text: 'class $N:\n    x = 1\n$B', holds: 'class' },
      { text: 'def $N():\n    return 1' },
      { text: '$O.$N = lambda k: (\n    k\n)' },
      { text: '$N = 3' },
    ],
    class: [
      { text: 'def $N(self):\n    return 1' },
      { text: '@$O.setter\ndef $N(self, k):\n    return 2' },
      { text: 'class $N:\n    x = 1\n$B', holds: 'class' },
    ],
  },
  'a.go': {
    top: [
      { text: 'type $N struct {\n\tx int\n}' },
      { text: 'type $N interface {\n\t$O() int\n}' },
      { text: 'func $N() int {\n\treturn 1\n}' },
      { text: 'func (o *$O) $N() int {\n\treturn 2\n}' },
      { text: 'func (o $O[T]) $N() int {\n\treturn 3\n}' },
      { text: 'var $N = 4' },
    ],
  },
  'a.rs': {
    top: [
      { text: 'mod $N {\n$B\n}', holds: 'top' },
      { text: 'struct $N {\n    x: i32,\n}' },
      { text: 'impl $N {\n$B\n}', holds: 'impl' },
      { text: 'impl $O for $N {\n$B\n}', holds: 'impl' },
      { text: 'trait $N {\n$B\n}', holds: 'impl' },
      { text: 'fn $N() -> i32 {\n    1\n}' },
      { text: 'macro_rules! $N {\n    () => {};\n}' },
    ],
    impl: [{ text: 'fn $N(&self) -> i32 {\n    1\n}' }, { text: 'fn $N(&self);' }],
  },
  'A.java': {
    top: [
      { text: 'class $N {\n$B\n}', holds: 'type' },
      { text: 'interface $N {\n  int $O();\n}' },
      { text: 'enum $N {\n  $O;\n}' },
    ],
    type: [...members('static class'), { text: '$N() {\n  x = 1;\n}' }],
  },
  'a.c': {
    top: [
      { text: 'struct $N {\n  int x;\n};' },
      { text: 'int $N(void) {\n  return 1;\n}' },
      { text: '/* One. */\nint $N(int k);' },
      { text: '#ifdef $O\nint $N(int k) {\n  return k;\n}\n#endif' },
      { text: '#define $N(k) \\\n  (k)' },
      { text: 'static int $N[] = {\n  1,\n};' },
    ],
  },
  'a.cpp': {
    top: [
      { text: 'namespace $N {\n$B\n}', holds: 'top' },
      { text: 'struct $N {\n$B\n};', holds: 'type' },
      { text: 'template <class T> struct $N {\n$B\n};', holds: 'type' },
      { text: 'int $N() {\n  return 1;\n}' },
      { text: 'int $O::$N(int k) {\n  return k;\n}' },
      { text: '$N::$N(int k) {\n  x = k;\n}' },
      { text: 'int $N::$O::$N() {\n  return 2;\n}' },
    ],
    type: [
      ...members('struct').map(({ text, ...form }) => ({ text: text.replace('$B\n}', '$B\n};'), ...form })),
      { text: '$N() {\n  x = 1;\n}' },
      { text: '// One.\nint $N(int k);' },
      { text: 'int operator()(int k) {\n  return k;\n}' },
    ],
  },
  'a.cs': {
    top: [
      { text: 'namespace $N {\n$B\n}', holds: 'top' },
      { text: 'namespace $O.$N {\n$B\n}', holds: 'top' },
      { text: 'partial class $N {\n$B\n}', holds: 'type' },
    ],
    type: [...members('class'), { text: 'int $N {\n  get;\n}' }, { text: 'int I$O.$N() {\n  return 3;\n}' }],
  },
  'a.rb': {
    top: [
      { text: 'module $N\n$B\nend', holds: 'top' },
      { text: 'class $N\n$B\nend', holds: 'top' },
      { text: 'class $O::$N\n$B\nend', holds: 'top' },
      { text: 'def $N\n  1\nend' },
      { text: 'def self.$N\n  2\nend' },
      { text: 'def $O.$N\n  3\nend' },
    ],
  },
  'a.php': {
    top: [
      { text: 'class $N {\n$B\n}', holds: 'class' },
      { text: 'trait $N {\n$B\n}', holds: 'class' },
      { text: 'namespace $N {\n$B\n}', holds: 'top' },
      { text: 'function $N() {\n  return 1;\n}' },
    ],
    class: [
      { text: 'public function $N() {\n  return 1;\n}' },
      { text: 'static function $N($k) {\n  return 2;\n}' },
    ],
  },
  'a.sh': {
    top: [
      { text: '$N() {\n  echo 1\n}' },
      { text: 'function $N {\n  echo 2\n}' },
      { text: '$N-1() {\n  echo 3\n}' },
      { text: '$O.$N() {\n  echo 4\n}' },
      { text: '$N=5' },
    ],
  },
  'a.kt': {
    top: [
      { text: 'class $N {\n$B\n}', holds: 'class' },
      { text: 'object $N {\n$B\n}', holds: 'class' },
      { text: 'fun $N(): Int {\n  return 1\n}' },
      { text: 'fun $O.$N(): Int {\n  return 2\n}' },
      { text: 'val $O.$N: Int\n  get() = 3' },
    ],
    class: [
      { text: 'fun $N(): Int {\n  return 1\n}' },
      { text: 'fun $N(k: Int): Int {\n  return k\n}' },
      { text: 'companion object {\n$B\n}', holds: 'class' },
      { text: 'class $N {\n$B\n}', holds: 'class' },
    ],
  },
  'a.html': {
    top: [
      { text: '<section id="$N">\n$B\n</section>', holds: 'top' },
      { text: '<section id="$O.$N">\n$B\n</section>', holds: 'top' },
      { text: '<div id="$N-1">\n<p>one</p>\n</div>' },
      { text: '<script>\nfunction $N() {\n  return 1;\n}\n</script>' },
      { text: '<main>\n$B\n</main>', holds: 'top' },
    ],
  },
}

const indented = new Set(['a.py'])
const opened: Readonly<Record<string, string>> = { 'a.php': '<?php\n', 'a.go': 'package a\n' }
/** A module of Ruby has a capital. */
const namesOf = (file: string): fc.Arbitrary<string> =>
  fc.constantFrom('A', 'B', file === 'a.rb' ? 'Get' : 'get')
const longBody = '  call(1, 2, 3, 4, 5, 6, 7, 8, 9);\n'.repeat(240)
/** Stands where a file may have any number of blank lines. */
const gap = '\u0001'

function textIn(file: string, place: string, depth: number): fc.Arbitrary<string> {
  const forms = (languages[file] as Forms)[place] ?? []
  const name = namesOf(file)
  const items = forms.map(({ text, holds }) => {
    const inside = holds !== undefined && depth > 0 ? textIn(file, holds, depth - 1) : fc.constant('')
    return fc.tuple(name, name, inside).map(([own, other, body]) => {
      const placed = indented.has(file) ? body.replaceAll(/^(?=.)/gm, '    ') : body
      const named = text.replaceAll('$N', own).replaceAll('$O', other)
      return named.replace('$L', () => longBody).replace('$B', () => placed)
    })
  })
  return fc.array(fc.oneof(...items), { maxLength: depth === 0 ? 2 : 4 }).map((parts) => parts.join(gap))
}

const codeOf = (file: string): fc.Arbitrary<string> =>
  textIn(file, 'top', 3).map((text) => `${opened[file] ?? ''}${text}\n`)
const tight = (text: string): string => text.replaceAll(gap, '\n')
const loose = (text: string): string => text.replaceAll(gap, '\n\n\n')
const idsOf = ({ artifacts }: ParsedDocument): string[] => artifacts.map(({ id }) => id)

describe.each(Object.keys(languages))('%s', (file) => {
  it('has ids that are unique over the file, below those of their parents, whatever lines stand between', async () => {
    await fc.assert(
      fc.asyncProperty(codeOf(file), async (text) => {
        const document = await parseAs(file, tight(text))
        const ids = idsOf(document)
        expect(new Set(ids.map((id) => id.toWellFormed())).size, ids.join('\n')).toBe(ids.length)
        for (const { id, parent } of document.artifacts)
          if (parent !== null) expect(ids.includes(parent) && id.startsWith(parent)).toBe(true)
        expect(idsOf(await parseAs(file, loose(text)))).toEqual(ids)
      }),
      { numRuns: slow ? 2_000 : 60, seed: runSeed },
    )
  })
})

it('indexes generated code of every language without a file that is skipped', async () => {
  const files = Object.keys(languages).flatMap((file) =>
    fc
      .sample(codeOf(file), { numRuns: slow ? 200 : 12, seed: runSeed })
      .map((text, at) => [`${at}/${file}`, tight(text)] as const)
      .filter(([, text]) => text.trim() !== ''),
  )
  const corpus = new TestCorpus(Object.fromEntries(files))
  const { skipped, indexed } = await corpus.index()
  expect(skipped).toEqual([])
  expect(indexed).toBe(files.length)
})

it.each([
  [
    'a.js',
    'class A {\n  get() {\n    return 1\n  }\n}\nA.prototype.get = function () {\n  return 2\n}\n',
    ['A', 'A.get', 'A.get-1'],
  ],
  [
    'a.js',
    'class A {\n  static get() {\n    return 1\n  }\n}\nA.get = function () {\n  return 2\n}\n',
    ['A', 'A.get', 'A.get-1'],
  ],
  [
    'a.ts',
    'const A = {\n  get() {\n    return 1\n  },\n}\nA.get = () => {\n  return 2\n}\n',
    ['A', 'A.get', 'A.get-1'],
  ],
  [
    'a.cpp',
    'struct A {\n  int get() {\n    return 1;\n  }\n  int get(int k);\n};\nint A::get(int k) {\n  return k;\n}\n',
    ['A', 'A.get', 'A.block', 'A.get-1'],
  ],
  [
    'a.hpp',
    'struct A {\n  A() {\n    x = 1;\n  }\n  A(int k);\n};\nA::A(int k) {\n  x = k;\n}\n',
    ['A', 'A.A', 'A.A-2', 'A.A-1'],
  ],
  ['a.sh', 'get() {\n  echo 1\n}\nget() {\n  echo 2\n}\nget-1() {\n  echo 3\n}\n', ['get', 'get-2', 'get-1']],
])('gives the first definition of a name its plain id, in %s', async (file, text, expected) => {
  expect(idsOf(await parseAs(file, text))).toEqual([file, ...expected.map((id) => `${file}#${id}`)])
})

it('gives long names that differ in half a character ids that the store can tell apart', async () => {
  const long = 'x'.repeat(119)
  // Each letter is two UTF-16 units; the first units differ.
  const text = ['\u{10400}', '\u{20000}']
    .map((last) => `function ${long}${last}() {\n  return 1\n}\n`)
    .join('')
  const { skipped } = await new TestCorpus({ 'a.js': text }).index()
  expect(skipped).toEqual([])
})

it('gives headings with dots ids of their own beside nested ones', () => {
  const part = fc.constantFrom('a', 'b', 'a.b', 'a-1', 'a b', 'a.b.a', 'section', '.')
  const heading = fc
    .tuple(fc.integer({ min: 1, max: 4 }), part)
    .map(([level, text]) => `${'#'.repeat(level)} ${text}`)
  fc.assert(
    fc.property(fc.array(heading, { maxLength: 12 }), (headings) => {
      const parse = (between: string) =>
        idsOf(parseDocument({ path: 'a.md', language: 'markdown', text: headings.join(between) }))
      const ids = parse('\n')
      expect(new Set(ids).size, ids.join('\n')).toBe(ids.length)
      expect(parse('\n\n\nwords\n\n')).toEqual(ids)
    }),
    { numRuns: slow ? 10_000 : 1_000, seed: runSeed },
  )
})
