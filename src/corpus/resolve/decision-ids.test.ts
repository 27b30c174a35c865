// Which documents carry which decision ids, and when does a family exist at all?
import { expect, it, test } from 'vitest'
import { catalogueOf, documentAt, resolveBrief } from '../../../test/support/catalogue.ts'
import type { CatalogueDocument } from './catalogue.ts'
import { type IdFamily, parseIdFamilies } from './decision-ids.ts'

function resolveId(
  documents: readonly (string | CatalogueDocument)[],
  id: string,
  families: readonly IdFamily[] = [],
): string {
  return resolveBrief(catalogueOf(documents, { families }), id, 'origin.md', 'id')
}

const two = ['docs/architecture/adr-013-retries.md', 'elsewhere/ADR_0014.md']

test.each(['ADR-013', 'ADR 13', 'adr13', 'ADR_0013', 'Adr-013'])('compares %j as an integer', (id) => {
  expect(resolveId(two, id)).toBe('docs/architecture/adr-013-retries.md id 0.95')
})

test('reads the number of a file name whose words follow it without a separator', () => {
  const files = [
    'docs/adr/ADR_0041retries.md',
    'docs/adr/ADR-23cache.md',
    'docs/adr/ADR-24b.md',
    'docs/adr/ADR_0025c.md',
    'docs/adr/ADR-26.md',
    'docs/adr/ADR-26b.md',
    'docs/adr/ADR-27-limits.md',
    'docs/adr/ADR-27b-other-limits.md',
    'pep8speaks.md',
  ]
  expect(resolveId(files, 'ADR-041')).toBe('docs/adr/ADR_0041retries.md id 0.95')
  expect(resolveId(files, 'ADR 23')).toBe('docs/adr/ADR-23cache.md id 0.95')
  expect(resolveId(files, 'ADR-24')).toBe('docs/adr/ADR-24b.md id 0.95')
  expect(resolveId(files, 'ADR-025')).toBe('docs/adr/ADR_0025c.md id 0.95')
  expect(resolveId(files, 'ADR-26')).toBe('docs/adr/ADR-26.md id 0.95')
  expect(resolveId(files, 'ADR-27')).toBe('docs/adr/ADR-27-limits.md id 0.95')
  expect(resolveId(files, 'PEP 8')).toBe('external')
})

test('knows a family from two file names, or from one title', () => {
  expect(resolveId(['rfc-001.md'], 'RFC 001')).toBe('external')
  expect(resolveId(['rfc-001.md', 'rfc-002.md'], 'RFC 001')).toBe('rfc-001.md id 0.95')
  expect(resolveId([documentAt('x.md', { title: 'RFC 001: Words' })], 'RFC-1')).toBe('x.md id-title 0.85')
  expect(resolveId([documentAt('rfc-001.md', { title: 'RFC 001: Words' })], 'RFC-1')).toBe(
    'rfc-001.md id 0.95',
  )
})

test.each(['docs/adr/ADR-013-retries.md', 'decisions/adr-0013.md', 'docs/adrs/0013-retries.md'])(
  'knows a family from one file in a folder of its decisions: %s',
  (path) => {
    expect(resolveId([documentAt(path, { title: 'Retry policy' })], 'ADR-013')).toBe(`${path} id 0.95`)
  },
)

test('knows no family from one numbered chapter', () => {
  expect(resolveId(['docs/architecture/01-overview.md'], 'ADR-1')).toBe('external')
})

test.each(['RFC', 'PEP', 'EIP', 'KEP'])('recognises %s without configuration', (family) => {
  const names = [`x/${family.toLowerCase()}-0012.md`, `x/${family}-13-words.md`]
  expect(resolveId(names, `${family} 12`)).toBe(`${names[0]} id 0.95`)
})

test('an unknown number is missing in the own series and foreign in a public one', () => {
  expect(resolveId(two, 'ADR-999')).toBe('missing')
  expect(resolveId(['rfc-001.md', 'rfc-002.md'], 'RFC 2119')).toBe('external')
  expect(resolveId(['a.md'], 'ADR-999')).toBe('external')
})

test('one digit counts when such a document exists', () => {
  expect(resolveId(['adr-1.md', 'adr-2.md'], 'ADR-1')).toBe('adr-1.md id 0.95')
  expect(resolveId(['adr-1.md', 'adr-2.md'], 'ADR 3')).toBe('external')
})

test('two files with one number are ambiguous', () => {
  expect(resolveId(['a/adr-013-x.md', 'b/adr-013-y.md', 'adr-1.md'], 'ADR-013')).toBe(
    'ambiguous a/adr-013-x.md b/adr-013-y.md',
  )
})

test('a document is the main one among its annexes', () => {
  expect(resolveId(['d/adr-050-x-annex1.md', 'd/adr-050-x.md', 'd/adr-050-x-annex2.md'], 'ADR 050')).toBe(
    'd/adr-050-x.md id-main 0.85',
  )
})

test('a file name is a stronger reason than a title', () => {
  const notes = documentAt('notes.md', { title: 'ADR-013 in practice' })
  expect(resolveId([...two, notes], 'ADR-013')).toBe('docs/architecture/adr-013-retries.md id 0.95')
})

test.each(['adr', 'adrs', 'decisions', 'architecture', 'ADR'])(
  'a number alone counts in a folder named %s',
  (folder) => {
    const names = [`docs/${folder}/0033-words.md`, `docs/${folder}/0034-words.md`]
    expect(resolveId(names, 'ADR-33')).toBe(`${names[0]} id 0.95`)
  },
)

test('a number alone counts nowhere else, and a date is no number', () => {
  expect(resolveId([...two, 'docs/guide/0033-words.md'], 'ADR-33')).toBe('missing')
  expect(resolveId([...two, 'decisions/20240102-words.md'], 'ADR-2024')).toBe('missing')
})

test('a folder with an index page carries the number of its name', () => {
  const names = ['keps/2400-swap/README.md', 'keps/2401-other/README.md']
  expect(resolveId(names, 'KEP-2400')).toBe('keps/2400-swap/README.md id 0.95')
})

test('frontmatter carries ids', () => {
  const byFamily = documentAt('x.md', { frontmatter: { adr: 13 } })
  const byId = documentAt('y.md', { frontmatter: { id: 'ADR-014' } })
  expect(resolveId([byFamily, byId], 'ADR-13')).toBe('x.md id 0.95')
  expect(resolveId([byFamily, byId], 'ADR-14')).toBe('y.md id 0.95')
})

test('a configured family has aliases and paths, and exists without any file', () => {
  const families = [{ prefix: 'EIP', aliases: ['ERC'], paths: 'EIPS/**' }]
  const names = ['EIPS/eip-20.md', 'EIPS/1559.md', 'old/eip-20.md']
  for (const id of ['ERC20', 'ERC-20', 'EIP-20', 'erc 20'])
    expect(resolveId(names, id, families)).toBe('EIPS/eip-20.md id 0.95')
  expect(resolveId(names, 'EIP 1559', families)).toBe('EIPS/1559.md id 0.95')
  expect(resolveId(['a.md'], 'EIP-20', families)).toBe('missing')
})

test('an id of the document itself is self', () => {
  expect(resolveBrief(catalogueOf(two), 'ADR-013', `${two[0]}#context`, 'id')).toBe('self')
})

it.each([
  ['EIP', [{ prefix: 'EIP', aliases: [] }]],
  ['EIP=ERC', [{ prefix: 'EIP', aliases: ['ERC'] }]],
  [' EIP = ', []],
  ['EIP=ERC, ERCS:EIPS/**', [{ prefix: 'EIP', aliases: ['ERC', 'ERCS'], paths: 'EIPS/**' }]],
  ['TIP:tips/*.md', [{ prefix: 'TIP', aliases: [], paths: 'tips/*.md' }]],
  ['1BAD', []],
  ['', []],
])('reads the family %j', (written, families) => {
  expect(parseIdFamilies([written])).toEqual(families)
})
