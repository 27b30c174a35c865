// Does ingestion give what the expansion plan asks for? Each of its requirements, by name, on a fixture.
import { describe, expect, it } from 'vitest'
import { parseAs, parseFixture } from '../../../../test/support/code-tool.ts'
import type { Artifact, ParsedDocument } from '../../../model/artifact.ts'
import { splitFragments } from '../split-fragments.ts'
import { maxPieceChars } from '../split-pieces.ts'

const python = await parseFixture('python')
const javascript = await parseFixture('javascript')
const typescript = await parseFixture('typescript')

function find(files: ReadonlyMap<string, ParsedDocument>, id: string): Artifact {
  const document = files.get(id.split('#')[0] as string)
  const artifact = document?.artifacts.find((one) => one.id === id)
  if (artifact === undefined)
    throw new Error(`no ${id} among ${document?.artifacts.map((one) => one.id).join(', ')}`)
  return artifact
}

const kinds = (document: ParsedDocument | undefined): string[] =>
  (document?.artifacts ?? []).map(({ id, kind }) => `${kind} ${id.split('#')[1] ?? ''}`.trim())

describe('Python', () => {
  it('becomes modules, docstrings, imports, classes, functions and class functions', () => {
    expect(kinds(python.get('shop/orders.py'))).toEqual([
      'python_module',
      'python_docstring docstring',
      'python_import imports',
      'python_class Base',
      'python_class_function Base.describe',
      'python_class Order',
      'python_class_function Order.__init__',
      'python_class_function Order.amount',
      'python_class_function Order.save',
      'python_class_function Order.check',
      'python_class TooMany',
      'python_function place_order',
    ])
  })

  it('attaches decorators to their functions', () => {
    const { text, ownLines } = find(python, 'shop/orders.py#Order.save')
    expect(text.trimStart().startsWith('@logged("save")\n')).toBe(true)
    expect(ownLines?.start).toBe(28)
  })

  it('includes decorator calls in uses', () => {
    expect(find(python, 'shop/orders.py#Order.save').metadata?.uses).toContain('logged')
    expect(find(python, 'shop/pricing.py#total').metadata?.uses).toContain('functools.cache')
  })

  it('populates uses, without local names and without what the language gives', () => {
    expect(find(python, 'shop/orders.py#Order.amount').metadata?.uses).toEqual(['prices.total'])
    expect(find(python, 'shop/orders.py#place_order').metadata?.uses).toEqual(['Order', 'order.save'])
  })

  it('populates member_functions and class_name', () => {
    expect(find(python, 'shop/orders.py#Order').metadata?.member_functions).toEqual([
      '__init__',
      'amount',
      'save',
      'check',
    ])
    expect(find(python, 'shop/orders.py#Order.save').metadata?.class_name).toBe('Order')
  })

  it('keeps a docstring with its function, and the docstring of a module apart', () => {
    expect(find(python, 'shop/orders.py#place_order').text).toContain('"""Places an order."""')
    expect(find(python, 'shop/orders.py#docstring').text.trim()).toBe(
      '"""Orders, and how they are placed."""',
    )
  })

  it('names the variables of a module', () => {
    expect(find(python, 'shop/pricing.py#RATES').kind).toBe('python_block')
    expect(find(python, 'shop/pricing.py#RATES').metadata?.identifier).toBe('RATES')
  })
})

describe('JavaScript', () => {
  it('normalises function declarations, function expressions and arrow functions', () => {
    const of = (name: string): string => find(javascript, `lib/retry.js#${name}`).kind
    expect(['retry', 'fail', 'once', 'always'].map(of)).toEqual(Array(4).fill('javascript_function'))
    expect(['Retrier.run', 'Retrier.attempt'].map(of)).toEqual(Array(2).fill('javascript_class_function'))
  })

  it('populates uses, member_functions and class_name', () => {
    expect(find(javascript, 'lib/retry.js#retry').metadata?.uses).toEqual([
      'log.warn',
      'wait',
      'retry',
      'fail',
    ])
    expect(find(javascript, 'lib/retry.js#Retrier').metadata?.member_functions).toEqual([
      'constructor',
      'run',
      'attempt',
    ])
    expect(find(javascript, 'lib/retry.js#Retrier.run').metadata?.class_name).toBe('Retrier')
  })

  it('takes a class without a name that is assigned', async () => {
    const { artifacts } = await parseAs(
      'a.js',
      'exports.Report = class {\n  toString() {\n    return this.code\n  }\n}\n',
    )
    expect(artifacts.map(({ id, kind }) => [id, kind])).toEqual([
      ['a.js', 'javascript_module'],
      ['a.js#Report', 'javascript_class'],
      ['a.js#Report.toString', 'javascript_class_function'],
    ])
  })

  it('extracts javascript_import, also from CommonJS', () => {
    expect(find(javascript, 'lib/retry.js#imports').metadata?.imports).toEqual(['./wait', './log'])
    expect(find(javascript, 'index.mjs#imports').metadata?.imports).toEqual(['./panel.jsx', './lib/retry.js'])
  })

  it('keeps a doc comment with what it documents', () => {
    expect(find(javascript, 'lib/retry.js#retry').text.startsWith('/** Calls until it works. */')).toBe(true)
    expect(find(javascript, 'lib/retry.js#docstring').text).toContain('Retries with growing pauses.')
  })

  it('reads JSX', () => {
    expect(find(javascript, 'panel.jsx#Panel').metadata?.uses).toEqual(['Row'])
  })
})

describe('TypeScript', () => {
  it('knows interfaces, aliases and enumerations as types, and abstract classes as classes', () => {
    expect(kinds(typescript.get('src/app/queue.ts'))).toEqual([
      'typescript_module',
      'typescript_docstring docstring',
      'typescript_import imports',
      'typescript_type QueueOptions',
      'typescript_type Take',
      'typescript_class Holder',
      'typescript_class_function Holder.note',
      'typescript_class Queue',
      'typescript_class_function Queue.constructor',
      'typescript_class_function Queue.take',
      'typescript_function makeQueue',
    ])
  })

  it('reads TSX', () => {
    expect(find(typescript, 'src/view.tsx#View').metadata?.uses).toEqual(
      expect.arrayContaining(['Queue', 'first', 'createQueue', 'Label']),
    )
  })
})

describe('what is split', () => {
  const body = Array.from(
    { length: 120 },
    (_, line) => `    total = add(total, ${line}, "of a rather long list")`,
  )
  const text = `class Sums:\n  def sum(self, total):\n${body.slice(0, 75).join('\n')}\n`

  it('keeps all metadata, and its fragments follow each other', async () => {
    const { artifacts } = await parseAs('sums.py', text)
    const sum = artifacts.find(({ id }) => id === 'sums.py#Sums.sum') as Artifact
    const fragments = splitFragments(sum)
    expect(fragments.length).toBeGreaterThan(2)
    expect(fragments.map(({ start }) => start)).toEqual([0, ...fragments.slice(0, -1).map(({ end }) => end)])
    expect(sum.metadata).toMatchObject({ identifier: 'Sums.sum', class_name: 'Sums', uses: ['add'] })
  })

  it('has parts below it, under its own name, that use what they call', async () => {
    const longer = `class Sums:\n  def sum(self, total):\n${body.join('\n')}\n`
    const { artifacts } = await parseAs('sums.py', longer)
    const parts = artifacts.filter(({ parent }) => parent === 'sums.py#Sums.sum')
    expect(parts.length).toBeGreaterThan(1)
    for (const { kind, headings, metadata, text: own } of parts) {
      expect({ kind, headings }).toEqual({ kind: 'python_block', headings: ['Sums', 'sum'] })
      expect(metadata?.uses).toEqual(['add'])
      expect(own.length).toBeLessThan(2_800)
    }
  })

  it('names runs of constants by their first, and keeps a comment with its constant', async () => {
    const constants = Array.from(
      { length: 60 },
      (_, at) => `\t// LIMIT_${at} is how many are allowed of kind ${at}.\n\tLIMIT_${at} = ${at}\n`,
    )
    const { artifacts, outline } = await parseAs(
      'const.go',
      `package a\n\nconst (\n${constants.join('\n')})\n`,
    )
    const runs = artifacts.filter(({ kind }) => kind === 'go_block')
    expect(runs.length).toBeGreaterThan(1)
    for (const [at, { id, name, text: own, parent }] of runs.entries()) {
      const [first] = own.match(/LIMIT_\d+/) ?? []
      expect(id).toBe(`const.go#${first}`)
      expect(name).toContain(`${first}, `)
      expect(parent).toBe('const.go')
      if (at > 0) expect(own.trimStart()).toMatch(/^\/\/ LIMIT/)
      expect(outline?.symbols.find((symbol) => symbol.name === first)?.id).toBe(first)
    }
  })

  it('is a long function inside a function, and what is left around it belongs to that one', async () => {
    const inner = Array.from({ length: 60 }, (_, at) => `    add(${at}, 'of a rather long list')`).join('\n')
    const { artifacts } = await parseAs(
      'a.js',
      `function outer() {\n  const first = 1\n  function inner() {\n${inner}\n  }\n  return inner(first)\n}\n`,
    )
    expect(artifacts.map(({ id, kind }) => [id, kind])).toEqual([
      ['a.js', 'javascript_module'],
      ['a.js#outer', 'javascript_function'],
      ['a.js#outer.inner', 'javascript_function'],
      ['a.js#outer.block', 'javascript_block'],
    ])
    expect(artifacts[3]?.headings).toEqual(['outer'])
    expect(artifacts[3]?.metadata?.uses).toEqual(['inner'])
  })

  it('reads items in the braces of a macro of Rust', async () => {
    const doc = `/// ${'Reads as much as there is. '.repeat(20)}`
    const { artifacts } = await parseAs(
      'io.rs',
      `cfg_io! {\n    ${doc}\n    pub trait Read {\n        fn read(&self) -> u8 { next() }\n    }\n\n    pub fn copy() {}\n}\n\nrules! { a => b }\n`,
    )
    expect(artifacts.map(({ id, text: own }) => [id, own.trim().slice(0, 9)])).toEqual([
      ['io.rs', 'cfg_io! {'],
      ['io.rs#Read', '/// Reads'],
      ['io.rs#Read.read', 'fn read(&'],
      ['io.rs#copy', 'pub fn co'],
      ['io.rs#block', 'rules! { '],
    ])
  })

  it('merges to the whole again when sorted by their starts', async () => {
    const { artifacts } = await parseAs('sums.py', text)
    const sum = artifacts.find(({ id }) => id === 'sums.py#Sums.sum') as Artifact
    const shuffled = splitFragments(sum).toReversed()
    const { text: own, pieces } = sum
    const merged = shuffled
      .sort((a, b) => a.start - b.start)
      .map(({ start, end }) => own.slice(pieces[start]?.start, pieces[end - 1]?.end))
    expect(merged.join('')).toBe(own)
  })

  it('is cut between statements, the signature apart', async () => {
    const nested = Array.from(
      { length: 30 },
      (_, n) => `  if (x > ${n}) {\n    call(${n},\n      "${'y'.repeat(40)}")\n  }`,
    )
    const { artifacts } = await parseAs('long.js', `function long(x) {\n${nested.join('\n')}\n}\n`)
    const long = artifacts.find(({ id }) => id === 'long.js#long') as Artifact
    const starts = long.pieces.map(({ start }) => long.text.slice(start).split('\n', 1)[0] as string)
    expect(starts[0]).toBe('function long(x) {')
    expect(starts.slice(1).every((line) => /^ {2}if \(x > \d+\) \{$/.test(line))).toBe(true)
    expect(long.pieces.every(({ start, end }) => end - start <= maxPieceChars)).toBe(true)
  })
})

describe('what a grammar cannot read', () => {
  it('becomes blind chunks when it nests without end', async () => {
    const { artifacts } = await parseAs('deep.js', `x = ${'['.repeat(5_000)}`)
    expect(artifacts.map(({ kind }) => kind)).toEqual(['blind'])
  })

  it('still gives what can be read beside a broken part', async () => {
    const { artifacts } = await parseAs('broken.py', 'def good():\n    pass\n\n\ndef bad(:\n    pass\n')
    expect(artifacts.some(({ id }) => id === 'broken.py#good')).toBe(true)
  })
})

describe('comments', () => {
  it('cite decisions and documents', () => {
    const cited = [...python.values()].flatMap(({ mentions }) =>
      mentions
        .filter(({ form }) => form === 'id' || form === 'link')
        .map(({ origin, target }) => [origin, target]),
    )
    expect(cited).toEqual([
      ['shop/__init__.py#docstring', 'docs/orders.md'],
      ['shop/orders.py#Order.save', 'docs/orders.md'],
      ['shop/pricing.py', 'ADR-007'],
    ])
  })

  it('cite documents of every format, and neither hosts, addresses nor bare names', async () => {
    const named = 'docs/x.rst, papers/tides.pdf; a/b.adoc (doc/spec.docx) nb/run.ipynb'
    const not = 'www.gnu.org x/www.gnu.org https://host.example/a/b.pdf out.pdf LICENSE.rst a/b.pdfs'
    const { mentions } = await parseAs('cites.py', `# See ${named}.\n# Not ${not}\nx = 'docs/y.pdf'\n`)
    expect(mentions.filter(({ form }) => form === 'link').map(({ target }) => target)).toEqual([
      ...['docs/x.rst', 'papers/tides.pdf', 'a/b.adoc', 'doc/spec.docx', 'nb/run.ipynb'],
    ])
  })
})

describe('a file that is matched window by window', () => {
  it('gives each definition, use and import once, also where they span windows', async () => {
    const count = 2_500
    const doc = 'What it does. '.repeat(10)
    const methods = Array.from(
      { length: count },
      (_, n) => `  def ünit${n}(self):\n    # ${doc}\n    return g${n}(1)\n`,
    )
    const imports = Array.from({ length: count }, (_, n) => `import m${n}\n`)
    const text = `class Wide:\n${methods.join('')}\n${imports.join('')}`
    expect(text.length).toBeGreaterThan(400_000)
    const { artifacts, mentions, outline } = await parseAs('wide.py', text)
    expect(artifacts.map((artifact) => artifact.text).join('')).toBe(text)
    const ofClass = artifacts.filter(({ kind }) => kind === 'python_class_function')
    expect(ofClass.map(({ name }) => name)).toEqual(methods.map((_, n) => `ünit${n}`))
    expect(ofClass.map(({ metadata }) => metadata?.uses)).toEqual(methods.map((_, n) => [`g${n}`]))
    expect(outline?.imports.map(({ module }) => module)).toEqual(imports.map((_, n) => `m${n}`))
    const used = mentions.filter(({ form }) => form === 'uses').map(({ target }) => target)
    expect(new Set(used).size).toBe(used.length)
  })
})
