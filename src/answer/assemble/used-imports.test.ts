// Does an import chunk come along with the lines that matter?
import { expect, it } from 'vitest'
import type { ExpandedDocument, Passage } from '../../model/digest.ts'
import { digestFixture } from './digest.fixture.ts'
import { keepUsedImports } from './used-imports.ts'

const [base] = digestFixture.primary as [Passage]
const passage = (kind: string, start: number, text: string): Passage => {
  const lines = { start, end: start + text.split('\n').length - 1 }
  return { ...base, path: 'a.x', kind: kind as Passage['kind'], excerpts: [{ lines, text }] }
}
const document = (...passages: Passage[]): ExpandedDocument => ({
  path: 'a.x',
  title: 'a.x',
  type: 'code',
  canonicality: { score: 0.5, reasons: [] },
  passages,
})
const kept = (imports: string, code: string): string[] =>
  keepUsedImports([document(passage('x_import', 1, imports))], [passage('x_function', 50, code)]).flatMap(
    ({ passages }) => passages.flatMap(({ excerpts }) => excerpts.map(({ text }) => text)),
  )

it.each([
  [
    "const net = require('node:net')\nconst os = require('node:os')",
    'net.connect()',
    "const net = require('node:net')",
  ],
  ["import { a, b } from './net.js'\nimport c from './c.js'", 'b(net)', "import { a, b } from './net.js'"],
  [
    'from .lexer import Token\nfrom .runtime import Undefined',
    'lexer = Undefined()',
    'from .runtime import Undefined',
  ],
  ['import java.util.List;\nimport java.util.Map;', 'Map<String, util> x', 'import java.util.Map;'],
  ['use std::io::{Read, Write};\nuse std::fmt;', 'fmt::Display', 'use std::fmt;'],
])('keeps what binds a name in use: %j', (imports, code, expected) => {
  expect(kept(imports, code)).toEqual([expected])
})

it('keeps the ends of a long statement with the lines that bind, and nothing where nothing is used', () => {
  const inner = Array.from({ length: 12 }, (_, at) => `  k${at},`)
  const statement = ['const {', ...inner, "} = require('./symbols')"].join('\n')
  expect(kept(statement, 'this[k6] = 1')).toEqual(['const {', '  k6,', "} = require('./symbols')"])
  expect(kept(statement, 'nothing()')).toEqual([])
  expect(kept('import (\n\t"net/http"\n\t"os"\n\t"io"\n\t"fmt"\n\t"log"\n)', 'http.Get()')).toEqual([
    'import (\n\t"net/http"',
    ')',
  ])
})

it('leaves other code as it is', () => {
  const documents = [document(passage('x_function', 1, 'unused()'))]
  expect(keepUsedImports(documents, [])).toEqual(documents)
})
