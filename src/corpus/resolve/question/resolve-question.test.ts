import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { processorTime } from '../../../../test/processor-time.ts'
import { makeDocumentNames } from '../../../../test/support/catalogue.ts'
import { allFormats } from '../../../read/source/extracted-formats.ts'
import { DocumentNames, packNames } from '../document-names.ts'
import type { NamedDocument } from '../pack-names.ts'
import { type QuestionReference, type ResolvedReference, resolveQuestion } from './resolve-question.ts'

function document(
  path: string,
  title: string,
  headings: readonly string[] = [],
  frontmatter: Readonly<Record<string, unknown>> = {},
): NamedDocument {
  const sections = headings.map((name) => {
    const anchor = name.toLowerCase().replaceAll(' ', '-')
    return { id: `${path}#${anchor}`, anchor, name }
  })
  return { path, title, frontmatter, sections }
}

const hummel = 'papers/hummel-et-al-2021-data-sovereignty.pdf'
const documents: readonly NamedDocument[] = [
  document(hummel, 'Data sovereignty: a review', ['Introduction', 'Control and power', 'Consent']),
  document('papers/smith-2019-consent.md', 'Consent in practice', ['Method'], {
    author: 'Jane Smith',
    date: '2019-03-01',
  }),
  document('docs/retry-policy.md', 'Retry policy', ['Backoff', 'Limits']),
  document('docs/setup.md', 'Setting up', ['Install', 'Configure']),
  document('docs/deploy/overview.md', 'Overview', ['Steps']),
  document('docs/store/overview.md', 'Overview', ['Tables']),
  document('docs/adr/0013-use-sqlite.md', 'ADR-013: Use SQLite', ['Context', 'Decision', 'Consequences']),
  document('docs/adr/0014-cache-answers.md', 'ADR-014: Cache answers', ['Context', 'Decision']),
  document('docs/terms-of-service.md', 'Terms of Service'),
  document('EIPS/eip-20.md', 'EIP-20: Token Standard'),
  document('EIPS/eip-1559.md', 'EIP-1559: Fee market'),
  document('README.md', 'Acme', ['Getting started']),
]
const codePaths = [
  'src/corpus/store/postings/postings.ts',
  'src/retry.ts',
  'src/deploy/index.ts',
  'src/store/index.ts',
  'Makefile',
]
const links = [
  { text: 'getting going', path: 'docs/setup.md', count: 5 },
  { text: 'first aid', path: 'docs/setup.md', count: 1 },
  { text: 'nowhere', path: 'docs/gone.md', count: 4 },
]
const families = [{ prefix: 'EIP', aliases: ['ERC'] }]
const names = makeDocumentNames(documents, { links, families, codePaths })

/** Each document packed by itself, with the families of an index that was made with others. */
const parts = [...documents, ...codePaths.map((path) => ({ ...document(path, path), isCode: true }))].flatMap(
  (one) => [...packNames([[one, links.filter(({ path }) => path === one.path)]], [])],
)
const divided = new DocumentNames(
  parts.map(({ data }) => data),
  families,
  () => documents,
)

const ask = (question: string): QuestionReference[] => resolveQuestion(question, names)

function only(question: string): ResolvedReference {
  const references = ask(question)
  expect(references).toHaveLength(1)
  const [reference] = references
  if (reference?.outcome !== 'resolved') throw new Error(`${question}: ${reference?.outcome}`)
  return reference
}

describe('the story of the hummel paper', () => {
  it('is certain of "the hummel paper"', () => {
    const reference = only('tell me more about the hummel paper')
    expect(reference.path).toBe(hummel)
    expect(reference.confidence).toBeGreaterThanOrEqual(0.9)
    expect(reference.exclusive).toBe(true)
    expect('tell me more about the hummel paper'.slice(...reference.span)).toBe('hummel paper')
  })

  it('knows nothing of a paper that is not there', () => {
    expect(ask('the zorblax paper')).toMatchObject([{ outcome: 'unknown', mention: 'zorblax' }])
    expect(ask('tell me about the zorblax retry paper')).toMatchObject([{ outcome: 'unknown' }])
  })
})

describe('names with certainty', () => {
  it.each([
    [`what is in ${hummel}?`, hummel, 'path'],
    ['summarize hummel-et-al-2021-data-sovereignty.pdf', hummel, 'path'],
    ['summarize "hummel-et-al-2021-data-sovereignty"', hummel, 'quoted'],
    ['what does docs/setup say?', 'docs/setup.md', 'path'],
    ['what does `setup.md` say?', 'docs/setup.md', 'path'],
    ['Open DOCS/Setup.md.', 'docs/setup.md', 'path'],
    ['what does deploy/overview.md say?', 'docs/deploy/overview.md', 'path'],
    ['why did ADR-13 choose it', 'docs/adr/0013-use-sqlite.md', 'id'],
    ['what does adr 0013 say', 'docs/adr/0013-use-sqlite.md', 'id'],
    ['what does ERC-20 say?', 'EIPS/eip-20.md', 'id'],
    ['EIP 1559', 'EIPS/eip-1559.md', 'id'],
    ['what does the Hummel et al. 2021 paper say about power?', hummel, 'author'],
    ['the 2019 paper', 'papers/smith-2019-consent.md', 'author'],
    ["what is in Smith's paper?", 'papers/smith-2019-consent.md', 'author'],
    ['the paper by Smith', 'papers/smith-2019-consent.md', 'author'],
    ['summarize "Consent in practice"', 'papers/smith-2019-consent.md', 'quoted'],
    ['what does the retry policy page say about limits', 'docs/retry-policy.md', 'names'],
    ['what does the getting going guide say', 'docs/setup.md', 'names'],
    ['what does the terms of service document say', 'docs/terms-of-service.md', 'names'],
    ['the page about retry limits', 'docs/retry-policy.md', 'names'],
  ])('%s', (question, path, method) => {
    const reference = only(question)
    expect(reference).toMatchObject({ path, method })
    expect(reference.confidence).toBeGreaterThanOrEqual(0.9)
  })

  it('takes an id and an exact path for 1', () => {
    for (const question of ['ADR-13', 'docs/setup.md']) expect(only(question).confidence).toBe(1)
  })
})

describe('doubt', () => {
  it('is ambiguous about two documents of one name', () => {
    const candidates = ['docs/deploy/overview.md', 'docs/store/overview.md']
    for (const question of ['the overview page', 'what does overview.md say?'])
      expect(ask(question)).toMatchObject([{ outcome: 'ambiguous', candidates }])
  })

  it('knows the names of every format that is read, also of files that are not there', () => {
    for (const { extensions } of allFormats)
      for (const extension of extensions)
        expect(ask(`what does nothing${extension} say?`)).toMatchObject([{ outcome: 'unknown' }])
    const saved = allFormats.flatMap(({ name, extensions }) => (name === 'html' ? [] : extensions))
    for (const extension of saved) {
      const path = `files/harbour-rules${extension}`
      const held = makeDocumentNames([document(path, '')], { links: [], families: [], codePaths: [] })
      expect(resolveQuestion('what is in harbour-rules?', held)).toMatchObject([{ path }])
    }
  })

  it('says unknown for a file and an id that are not there', () => {
    for (const question of ['what does docs/nothing.md say?', 'ADR-99'])
      expect(ask(question)).toMatchObject([{ outcome: 'unknown' }])
  })

  it('only boosts for a title without a form, and for a document that may not exist', () => {
    for (const question of [
      'how does the retry policy treat timeouts',
      'is there a retry policy guide?',
      'the page about backoff',
    ]) {
      const { confidence } = only(question)
      expect(confidence).toBeGreaterThanOrEqual(0.6)
      expect(confidence).toBeLessThan(0.9)
    }
  })

  it('finds no reference where there is none', () => {
    for (const question of [
      'which page explains that?',
      'how do I file a bug',
      'page me when it fails',
      'RFC 2119',
      '',
    ])
      expect(ask(question)).toEqual([])
  })

  it('takes a word for the name of what tests read only where a form or a path says so', () => {
    const paths = ['docs/usage.md', 'docs/cache.md', 'tests/res/templates2/foo', 'tests/pages/cache.md']
    const some = makeDocumentNames(
      paths.map((path) => document(path, path.split('/').at(-1)!.split('.')[0]!)),
    )
    const named = (question: string) =>
      resolveQuestion(question, some).map((one) => 'path' in one && one.path)
    expect(named('how do I import foo without context')).toEqual([])
    expect(named('is the cache shared')).toEqual(['docs/cache.md'])
    expect(named('what does the foo page say')).toEqual(['tests/res/templates2/foo'])
    expect(named('what does templates2/foo say')).toEqual(['tests/res/templates2/foo'])
  })

  it('leaves ids inside addresses and other files alone', () => {
    expect(ask('see https://example.org/ADR-13 and main.go')).toEqual([])
  })
})

it('the verb of a question about code is no title', () => {
  const shop = makeDocumentNames([document('docs/calls.md', 'Calls'), document('docs/uses.md', 'Uses')])
  const paths = (question: string): unknown[] =>
    resolveQuestion(question, shop).map((one) => one.outcome === 'resolved' && one.path)
  expect(paths('who calls RealCall.execute?')).toEqual([])
  expect(paths('what uses the pool?')).toEqual([])
  expect(paths('how are calls retried?')).toEqual(['docs/calls.md'])
})

describe('is everything asked inside the named documents?', () => {
  it.each([
    'tell me more about the hummel paper',
    'what does the hummel paper say about consent?',
    'which limits are described in ADR-13?',
    'why did ADR-13 choose SQLite?',
    'who wrote the hummel paper?',
    "what is the hummel paper's conclusion?",
    'compare the hummel paper with ADR-13',
  ])('yes: %s', (question) => {
    for (const reference of ask(question))
      expect(reference).toMatchObject({ outcome: 'resolved', exclusive: true })
    expect(ask(question)).not.toEqual([])
  })

  it.each([
    'compare the hummel paper with our retry policy',
    'compare the hummel paper with the zorblax paper',
    'does our gateway follow ADR-13?',
    'how does caching work with ADR-13?',
    'what does the hummel paper say about consent and ownership?',
    'how do we retry and what does the hummel paper say?',
    'How do we roll back? What does the hummel paper say?',
    'the hummel paper and rollback strategies',
    'rollback strategies and the hummel paper',
    'besides the hummel paper, what do we have on consent?',
    'what is known of consent other than the hummel paper?',
    'how does the hummel paper differ from common practice?',
  ])('no: %s', (question) => {
    const certain = ask(question).filter((one) => one.outcome === 'resolved' && one.confidence >= 0.9)
    expect(certain).not.toEqual([])
    for (const reference of certain) expect(reference).toMatchObject({ exclusive: false })
  })
})

describe('for any question', () => {
  const word = fc.constantFrom(
    ...'the hummel paper page it both and overview first second one of ADR-13 what does say docs/setup.md " ( [[ ]] 2021 et al. retry policy section , ? # %zz '.split(
      ' ',
    ),
  )
  const question = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.array(word, { maxLength: 40 }).map((words) => words.join(' ')),
  )
  const cited = fc.array(
    fc.record({
      path: fc.constantFrom(hummel, 'docs/setup.md', 'gone.md'),
      title: fc.string(),
      turn: fc.nat(4),
    }),
    { maxLength: 5 },
  )

  it('answers with known paths, spans of the question in order, and a confidence between 0 and 1', () => {
    fc.assert(
      fc.property(question, cited, (text, earlier) => {
        const references = resolveQuestion(text, names, { cited: earlier })
        let before = 0
        for (const reference of references) {
          const [start, end] = reference.span
          expect(start).toBeGreaterThanOrEqual(before)
          expect(end).toBeGreaterThan(start)
          expect(end).toBeLessThanOrEqual(text.length)
          before = start
          if (reference.outcome === 'resolved') {
            expect(names.numberOf(reference.path)).not.toBe(-1)
            expect(reference.confidence).toBeGreaterThan(0)
            expect(reference.confidence).toBeLessThanOrEqual(1)
          }
          if (reference.outcome === 'ambiguous')
            for (const path of reference.candidates) expect(names.numberOf(path)).not.toBe(-1)
        }
        expect(resolveQuestion(text, names, { cited: earlier })).toEqual(references)
        expect(resolveQuestion(text, divided, { cited: earlier })).toEqual(references)
      }),
      { numRuns: 500 },
    )
  })

  it('names each document once', () => {
    const paths = ask('ADR-13, adr 0013, docs/adr/0013-use-sqlite.md').map((one) =>
      one.outcome === 'resolved' ? one.path : one,
    )
    expect(paths).toEqual(['docs/adr/0013-use-sqlite.md'])
  })

  it('stays quick on hostile questions', () => {
    const hostile = [
      'the page '.repeat(20_000),
      '"'.repeat(50_000),
      '[['.repeat(50_000),
      'a-'.repeat(50_000),
      'x'.repeat(100_000),
      'the '.repeat(20_000),
      'a/'.repeat(50_000),
      '('.repeat(50_000),
      '‘'.repeat(50_000),
    ]
    for (const text of hostile) {
      const started = processorTime()
      resolveQuestion(text, names, { cited: [{ path: hummel, title: '', turn: 1 }] })
      expect(processorTime() - started, text.slice(0, 20)).toBeLessThan(1000)
    }
  })
})

describe('a file of code', () => {
  it('is named by its path, the end of its path, or its file name', () => {
    for (const written of ['src/corpus/store/postings/postings.ts', 'postings/postings.ts', 'postings.ts'])
      expect(only(`what is in ${written}?`)).toMatchObject({
        path: 'src/corpus/store/postings/postings.ts',
        confidence: 1,
      })
  })

  it('is not named by a word that is its name without extension', () => {
    expect(ask('how do we retry')).toEqual([])
    expect(ask('postings of the store')).toEqual([])
  })

  it('is one of several when several have its file name', () => {
    expect(ask('what is in index.ts?')).toMatchObject([{ outcome: 'ambiguous' }])
  })
})
