// Does every language give what its format promises? Chunks and fields of each fixture folder.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseAs, parseFixture } from '../../../../test/support/code-tool.ts'
import type { ParsedDocument } from '../../../model/artifact.ts'
import type { CodeMetadata, Format } from '../../../model/code.ts'
import { codeLanguages, languageOfExtension, shapesByLanguage } from '../../../model/code-languages.ts'
import { readFormat } from '../../../model/config/read-formats.ts'

const kinds = (document: ParsedDocument | undefined): string[] =>
  (document?.artifacts ?? []).map(({ id, kind }) => `${kind} ${id.split('#')[1] ?? ''}`.trim())

const find = (files: ReadonlyMap<string, ParsedDocument>, id: string) =>
  files.get(id.split('#')[0] as string)?.artifacts.find((one) => one.id === id)

/** The errors in a chunk's metadata; empty if it fits its format. */
function checkFields(metadata: CodeMetadata, kind: string, format: Format): string[] {
  const type = format.chunk_types[kind]
  if (type === undefined) return [`${kind} is not a chunk type of ${format.language}`]
  return Object.entries(metadata).flatMap(([name, value]) => {
    const wanted = Object.hasOwn(type.fields, name) ? type.fields[name] : undefined
    if (wanted === undefined) return [`${kind} has no field ${name}`]
    const fits = wanted === 'string' ? typeof value === 'string' : isList(value)
    return fits ? [] : [`${name} of ${kind} must be a ${wanted}`]
  })
}

function isList(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

const root = path.join(import.meta.dirname, '../../../..')

it.each([
  ['formats', ['code']],
  ['languages', []],
  ['rulebooks', ['code', 'markdown', 'text']],
  ['test/fixtures/code', []],
])('%s has one entry for each language of src/model/code-languages.ts', (folder, others) => {
  const names = readdirSync(path.join(root, folder)).map((name) => path.parse(name).name)
  expect(names.sort()).toEqual([...codeLanguages, ...others].sort())
})

describe.each(codeLanguages)('%s', (language) => {
  it('has a grammar for each of its file extensions', () => {
    const extensions = [...languageOfExtension].filter(([, name]) => name === language)
    expect(Object.keys(readFormat(language).grammars)).toEqual(extensions.map(([one]) => `.${one}`))
  })

  it('has chunk types in its format for the shapes of its chunks, and nothing else', () => {
    const types = shapesByLanguage[language].map((shape) => `${language}_${shape}`)
    expect(Object.keys(readFormat(language).chunk_types).sort()).toEqual(['blind', ...types].sort())
  })

  it('parses its fixtures without an error into metadata that its format allows', async () => {
    const files = await parseFixture(language)
    expect(files.size).toBeGreaterThan(0)
    for (const { artifacts } of files.values())
      for (const { kind, metadata } of artifacts) {
        expect(kind).not.toBe('blind')
        const format = readFormat(kind.slice(0, kind.indexOf('_')) as typeof language)
        expect(checkFields(metadata ?? {}, kind, format)).toEqual([])
      }
  })

  it('tiles every file, with unique ids below their parents', async () => {
    for (const [name, { artifacts }] of await parseFixture(language)) {
      const ids = new Set(artifacts.map(({ id }) => id))
      expect(ids.size).toBe(artifacts.length)
      for (const { id, parent } of artifacts) {
        if (parent === null) expect(id).toBe(name)
        else expect(ids.has(parent) && id.startsWith(parent)).toBe(true)
      }
    }
  })
})

describe('HTML', () => {
  it('is segmented into structural blocks', async () => {
    const files = await parseFixture('html')
    expect(kinds(files.get('index.html'))).toEqual([
      'html_document',
      'html_block head',
      'html_script head.script',
      'html_script head.script-1',
      'html_block block',
      'html_block header',
      'html_block main',
      'html_block main.section',
      'html_block main.section.form',
      'html_block main.section-1',
      'html_script script',
    ])
  })

  it('extracts external_scripts from script tags', async () => {
    const page = find(await parseFixture('html'), 'index.html')
    expect(page?.metadata?.external_scripts).toEqual(['js/app.js', 'https://cdn.example/x.js'])
  })
})

describe('Go', () => {
  it('knows methods by their receivers', async () => {
    const files = await parseFixture('go')
    expect(kinds(files.get('deliver.go'))).toEqual([
      'go_module',
      'go_class_function Courier.Deliver',
      'go_class_function Courier.Name',
    ])
    expect(find(files, 'deliver.go#Courier.Deliver')?.metadata?.class_name).toBe('Courier')
  })
})

describe('Rust', () => {
  it('joins functions to the types of their impl blocks, with attributes and doc comments attached', async () => {
    const files = await parseFixture('rust')
    expect(kinds(files.get('src/lib.rs')).filter((kind) => kind.includes('Courier'))).toEqual([
      'rust_class Courier',
      'rust_class Courier-1',
      'rust_class_function Courier-1.new',
      'rust_class_function Courier-1.deliver',
      'rust_class_function Courier-1.check',
      'rust_class Courier-2',
      'rust_class_function Courier-2.name',
    ])
    expect(find(files, 'src/lib.rs#Courier')?.text.startsWith('/// Who delivers.\n#[derive(Debug)]')).toBe(
      true,
    )
  })
})

describe('Rust with tests in the file', () => {
  it('makes tests of what attributes mark, with the helpers next to them', async () => {
    const text =
      'pub fn parse(a: &str) {}\n\n#[cfg(test)]\nmod unit {\n    fn help() {}\n\n    #[test]\n    #[should_panic]\n    fn parses() {\n        help()\n    }\n}\n\n#[tokio::test]\nasync fn runs() {}\n\n#[cfg(unix)]\nfn open() {}\n'
    expect(kinds(await parseAs('src/lib.rs', text))).toEqual([
      'rust_module',
      'rust_function parse',
      'rust_test unit',
      'rust_test unit.help',
      'rust_test unit.parses',
      'rust_test runs',
      'rust_function open',
    ])
  })
})

describe('C', () => {
  it('makes functions of macros with parameters, blocks of tables, and keeps declarations apart', async () => {
    const files = await parseFixture('c')
    expect(kinds(files.get('include/courier/box.h'))).toEqual([
      'c_module',
      'c_import imports',
      'c_block BOX_EMPTY',
      'c_function BOX_MAX',
      'c_type box',
      'c_block box_fn',
      'c_block box_put',
      'c_block box_clear',
    ])
    expect(kinds(files.get('src/main.c'))).toContain('c_block commands')
    expect(find(files, 'src/box.c#is_full')?.text.startsWith('/* Only so many fit. */\n')).toBe(true)
  })

  it('gives lines of the preprocessor to what they stand around', async () => {
    const files = await parseFixture('c')
    expect(find(files, 'src/box.c#box_clear')?.text).toBe(
      '#ifdef BOX_FAST\nvoid box_clear(struct box *box) { box->count = 0; }\n',
    )
    expect(find(files, 'src/box.c#box_clear-1')?.text).toBe(
      '#else\nvoid box_clear(struct box *box)\n{\n\tbox->first = 0;\n}\n#endif\n\n',
    )
  })

  it('does not lose a function whose braces the preprocessor doubles, or whose type hides behind a macro', async () => {
    const text =
      'int one(int a)\n{\n#ifdef X\n  if(a) {\n#else\n  while(a) {\n#endif\n  a--;\n  }\n  return a;\n}\n\nvoid NORETURN two(void)\n{\n  three();\n}\n\nstatic int\ninternal_function\nfour (int a)\n{\n  return a;\n}\n'
    const { artifacts } = await parseAs('x.c', text)
    expect(artifacts.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'c_module x',
      'c_function one',
      'c_function two',
      'c_function four',
    ])
  })

  it('finds a function whose head the preprocessor divides, and the name behind a macro', async () => {
    const text =
      'int one(int a\n#ifdef X\n  , int b\n#endif\n)\n{\n  return a;\n}\n\nATTR(malloc) ATTR(size)\nSIZE(1)\nvoid *two(int a) {\n  return a;\n}\n\n#ifdef X\nvoid three(void)\n#else\nvoid _three(void)\n#endif\n{\n  one(1);\n}\n\nint four(int a)\n{\n#if X\n  if(a) {\n#else\n  {\n#endif\n  a++;\n}\n\nstatic int\nfive(int a)\n{\n  return a;\n}\n'
    const { artifacts } = await parseAs('x.c', text)
    const functions = artifacts.filter(({ kind }) => kind === 'c_function')
    expect(functions.map(({ name }) => name)).toEqual(['one', 'two', '_three', 'four', 'five'])
    for (const { text: own } of functions) expect(own.match(/^\}/gm)).toHaveLength(1)
  })

  it.each([
    [
      'a line that starts with a name like a keyword',
      'fun one() {\n  val a = b(c("/"))\n  val in1 = a.body()\n  in1.close()\n  val in2 = d()\n  in2.close()\n}',
    ],
    [
      'a variable with the name of a modifier',
      'fun one() {\n  val open: Boolean\n  lock {\n    open = a\n  }\n}',
    ],
    [
      'a variable with the name of an accessor',
      'fun one() {\n  val bit = 1 shl id\n  set = set or bit\n  values[id] = value\n}',
    ],
    ['context parameters', '@A\ncontext(session: Session)\nprivate fun one(): Int = 1'],
    ['a string with two dollars', 'fun one() {\n  check($$"A$fun b")\n}'],
  ])('reads all functions of a Kotlin file with %s', async (_, one) => {
    const text = `class A {\n${one}\n\n  fun three() {\n    val in2 = five()\n    six(in2)\n  }\n}\n`
    const { artifacts, mentions } = await parseAs('a.kt', text)
    expect(artifacts.map(({ name }) => name)).toEqual(['a', 'A', 'one', 'three'])
    expect(mentions.map(({ text: name }) => name)).toContain('five')
  })

  it('reads a header as C++ when it plainly is', async () => {
    const { artifacts } = await parseAs('x.h', 'namespace a {\nclass B {\n  int c() { return 1; }\n};\n}\n')
    expect(artifacts.map(({ kind }) => kind)).toContain('cpp_class_function')
  })
})
