// Which documents does a question name? On an index of real files.
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { indexFiles } from '../../../test/indexed-fixture.ts'
import { processorTime } from '../../../test/processor-time.ts'
import { type Files, writeFiles } from '../../../test/temporary-corpus.ts'
import { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import { openForReading } from '../../corpus/store/open-database.ts'
import { analyzeQuery } from '../retrieve/analyze-query.ts'
import type { NamedInQuestion } from '../retrieve/run-cascade.ts'
import { NamedDocuments } from './named-documents.ts'

const page = (title: string, ...headings: readonly string[]): string =>
  [`# ${title}`, ...headings.map((heading) => `## ${heading}`)].join('\n\nWhat the team agreed on.\n\n')

const hummel = 'papers/hummel-et-al-2021-data-sovereignty.md'
const files: Files = {
  [hummel]: `${page('Data sovereignty: a review', 'Introduction', 'Control and power', 'Consent')}\n\nText.\n`,
  'papers/consent.md': `---\nauthor: Jane Smith <jane@example.org>\ndate: 2019-03-01\n---\n${page('Consent in practice', 'Method')}\n\nText.\n`,
  'papers/miller-2018-forms.md': page('Forms', 'Sample', ''),
  'docs/retry-policy.md': page('Retry policy', 'Backoff', 'Limits', ''),
  'docs/setup.md': page('Setting up', 'Install', 'Configure', ''),
  'docs/deploy/overview.md': page('Overview', 'Steps', ''),
  'docs/store/overview.md': page('Overview', 'Tables', ''),
  'docs/adr/0013-use-sqlite.md': page('ADR-013: Use SQLite', 'Context', 'Decision', 'Consequences', ''),
  'docs/adr/0014-cache-answers.md': page('ADR-014: Cache answers', 'Context', 'Decision', ''),
  'docs/adr/ADR_0015c-queues.md': page('Queues', 'Context', ''),
  'docs/terms-of-service.md': page('Terms of Service', ''),
  'docs/calls.md': page('Calls', ''),
  'docs/harbour-guide.md': page('Harbour guide', 'Ships', ''),
  'docs/help.md': page('Help pages', 'Texts', ''),
  'docs/harbours.md': page('List of harbours', ''),
  'docs/cache.md': page('Cache', ''),
  'tests/pages/cache.md': page('Cache', ''),
  'tests/pages/foo.md': page('Foo', ''),
  'EIPS/eip-20.md': page('EIP-20: Token Standard', ''),
  'EIPS/eip-1559.md': page('EIP-1559: Fee market', ''),
  'files/harbour-rules.txt': 'Ships wait outside.\n',
  'README.md': page('Acme', 'Getting started', ''),
  'src/store/postings/postings.ts': 'export const postings = 1\n',
  'src/retry.ts': 'export const retry = 1\n',
  'src/deploy/index.ts': 'export const deploy = 1\n',
  'src/store/index.ts': 'export const store = 1\n',
}
const families = [{ prefix: 'EIP', aliases: ['ERC'] }]

let corpus: Awaited<ReturnType<typeof indexFiles>>
let reader: CorpusReader
const naming = new NamedDocuments()
beforeAll(async () => {
  corpus = await indexFiles(files)
  reader = new CorpusReader(openForReading(path.join(corpus.root, '.yore/index.db')))
})
afterAll(() => reader.close())

const ask = (text: string, names = naming): NamedInQuestion[] =>
  reader.snapshot(() => names.find(reader, { text, analysis: analyzeQuery(text) }, families))
const paths = (text: string): string[] => ask(text).map(({ path }) => path)

function only(question: string): NamedInQuestion {
  const [named, ...others] = ask(question)
  if (named === undefined || others.length > 0) throw new Error(`${question}: ${JSON.stringify(others)}`)
  return named
}

describe('the story of the hummel paper', () => {
  it('is certain of "the hummel paper"', () => {
    expect(only('tell me more about the hummel paper')).toEqual({
      path: hummel,
      mention: 'hummel',
      confidence: 0.95,
      exclusive: true,
    })
  })

  it('knows nothing of a paper that is not there', () => {
    expect(ask('the zorblax paper')).toEqual([])
    expect(ask('tell me about the zorblax retry paper')).toEqual([])
  })
})

describe('names with certainty', () => {
  it.each([
    [`what is in ${hummel}?`, hummel],
    ['summarize hummel-et-al-2021-data-sovereignty.md', hummel],
    ['summarize the file "hummel-et-al-2021-data-sovereignty"', hummel],
    ['what does docs/setup say?', 'docs/setup.md'],
    ['what does `setup.md` say?', 'docs/setup.md'],
    ['Open DOCS/Setup.md.', 'docs/setup.md'],
    ['what does deploy/overview.md say?', 'docs/deploy/overview.md'],
    ['why did ADR-13 choose it', 'docs/adr/0013-use-sqlite.md'],
    ['what does adr 0013 say', 'docs/adr/0013-use-sqlite.md'],
    ['what does ADR_0015 say', 'docs/adr/ADR_0015c-queues.md'],
    ['what does ERC-20 say?', 'EIPS/eip-20.md'],
    ['EIP 1559', 'EIPS/eip-1559.md'],
    ['what does the Hummel et al. 2021 paper say about power?', hummel],
    ['the 2018 paper', 'papers/miller-2018-forms.md'],
    ["what is in Smith's paper?", 'papers/consent.md'],
    ['the paper by Smith', 'papers/consent.md'],
    ['the smith 2019 paper', 'papers/consent.md'],
    ['summarize the paper "Consent in practice"', 'papers/consent.md'],
    ['what does the retry policy page say about limits', 'docs/retry-policy.md'],
    ['what does the terms of service document say', 'docs/terms-of-service.md'],
    ['the page about retry limits', 'docs/retry-policy.md'],
    ['what does the harbour guide say', 'docs/harbour-guide.md'],
  ])('%s', (question, path) => {
    const named = only(question)
    expect(named.path).toBe(path)
    expect(named.confidence).toBeGreaterThanOrEqual(0.9)
  })

  it('is not certain of a thing that a title has, too', () => {
    const { path, confidence } = only('how do I hide a command from the help page?')
    expect([path, confidence < 0.9]).toEqual(['docs/help.md', true])
  })

  it('takes an id and an exact path for 1', () => {
    for (const question of ['ADR-13', 'docs/setup.md']) expect(only(question).confidence).toBe(1)
  })

  it('names each document once', () => {
    expect(paths('ADR-13, adr 0013, docs/adr/0013-use-sqlite.md')).toEqual(['docs/adr/0013-use-sqlite.md'])
  })
})

describe('doubt', () => {
  it.each([
    'the overview page',
    'what does overview.md say?',
    'what does docs/nothing.md say?',
    'ADR-99',
    'which page explains that?',
    'how do I file a bug',
    'page me when it fails',
    'Update docs',
    'RFC 2119',
    'see https://example.org/ADR-13 and main.go',
    '',
  ])('names no document: "%s"', (question) => {
    expect(ask(question)).toEqual([])
  })

  it('only boosts for a title without a form, and for a document that may not exist', () => {
    for (const question of [
      'the retry policy',
      'is there a retry policy guide?',
      'retry policy guide',
      'the page about backoff',
    ]) {
      const { path, confidence } = only(question)
      expect(path).toBe('docs/retry-policy.md')
      expect(confidence).toBeGreaterThanOrEqual(0.6)
      expect(confidence).toBeLessThan(0.9)
    }
  })

  it('takes a word for the name of what tests read only where a form or a path says so', () => {
    expect(paths('import foo')).toEqual([])
    expect(paths('cache shared')).toEqual(['docs/cache.md'])
    expect(paths('what does the foo page say')).toEqual(['tests/pages/foo.md'])
    expect(paths('what does pages/foo say')).toEqual(['tests/pages/foo.md'])
  })

  it('takes no verb of a question about code for a title', () => {
    expect(paths('who calls execute?')).toEqual([])
    expect(paths('how are calls retried?')).toEqual(['docs/calls.md'])
  })
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
    expect(ask(question)).not.toEqual([])
    for (const named of ask(question)) expect(named).toMatchObject({ exclusive: true })
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
    const certain = ask(question).filter(({ confidence }) => confidence >= 0.9)
    expect(certain).not.toEqual([])
    for (const named of certain) expect(named).toMatchObject({ exclusive: false })
  })
})

describe('a file of code', () => {
  it('is named by its path, the end of its path, or its file name', () => {
    for (const written of ['src/store/postings/postings.ts', 'postings/postings.ts', 'postings.ts'])
      expect(only(`what is in ${written}?`)).toMatchObject({
        path: 'src/store/postings/postings.ts',
        confidence: 1,
      })
  })

  it('is not named by a word that is its name without extension, nor by a name that several have', () => {
    for (const question of ['how do we retry', 'postings of the store', 'what is in index.ts?'])
      expect(ask(question)).toEqual([])
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

  it('answers the same each time, with known paths and a confidence between 0 and 1', () => {
    fc.assert(
      fc.property(question, (text) => {
        const found = ask(text)
        for (const { path, mention, confidence } of found) {
          expect(files).toHaveProperty([path])
          expect(text).toContain(mention)
          expect(confidence).toBeGreaterThan(0)
          expect(confidence).toBeLessThanOrEqual(1)
        }
        expect(ask(text, new NamedDocuments())).toEqual(found)
      }),
      { numRuns: 300 },
    )
  })

  it('stays quick on hostile questions', () => {
    const hostile = [
      'the page '.repeat(20_000),
      `page ${'"'.repeat(50_000)}`,
      `page ${'[['.repeat(50_000)}`,
      `page ${'a-'.repeat(50_000)}`,
      `page ${'x'.repeat(100_000)}`,
      `page ${'the '.repeat(20_000)}`,
      'a/'.repeat(50_000),
      `page ${'('.repeat(50_000)}`,
    ]
    for (const text of hostile) {
      const started = processorTime()
      reader.snapshot(() => naming.find(reader, { text, analysis: analyzeQuery('page') }, families))
      expect(processorTime() - started, text.slice(0, 20)).toBeLessThan(1000)
    }
  })
})

it('knows the decisions of each state of the index', async () => {
  expect(paths('ADR-77')).toEqual([])
  writeFiles(corpus.root, { 'docs/adr/0077-late.md': page('ADR-077: Late', '') })
  await corpus.engine.index()
  expect(paths('ADR-77')).toEqual(['docs/adr/0077-late.md'])
})
