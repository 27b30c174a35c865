import { expect, it } from 'vitest'
import { TermBatchBuilder } from '../../corpus/store/postings/term-batch.ts'
import { StoredVocabulary, WordPacker } from '../../corpus/store/rows/pack-words.ts'
import { SectionWords, type WordWindow } from '../../corpus/store/rows/section-words.ts'
import type { QueryAnalysis } from '../../model/report.ts'
import { analyzeQuery } from './analyze-query.ts'
import {
  type CandidateFacts,
  type FeatureInput,
  type FeatureName,
  type Features,
  featuresFor,
  featureTable,
  readFeatures,
  weighFeatures,
} from './feature-table.ts'
import { findScope, isInScope } from './match-names.ts'
import { viewQuestion, weighCandidates } from './section-features.ts'

const corpus = { frequency: () => 3, fragments: 100, has: (path: string) => path === 'src/lib/util.ts' }

function words(text: string): WordWindow {
  const vocabulary = new StoredVocabulary()
  const packed = new WordPacker(new TermBatchBuilder()).finish(text, [{ piece: 0, at: 0 }])
  return new SectionWords(vocabulary.number(packed), vocabulary.keys).window(0)
}

const candidate = (more: Partial<FeatureInput>): FeatureInput => ({
  kind: 'markdown_section',
  name: 'A',
  headings: ['A'],
  level: 1,
  path: 'docs/a.md',
  lines: { start: 1, end: 10 },
  title: 'A',
  text: '',
  words: words(more.text ?? ''),
  tokens: 100,
  relevance: 0.5,
  document: 0.5,
  vector: null,
  isSuperseded: false,
  ...more,
})

/** The features that held for a candidate of some test. */
const seen = new Set<string>()

const factsFor = (analysis: QueryAnalysis, inputs: readonly Partial<FeatureInput>[]): CandidateFacts[] => {
  const found = weighCandidates(viewQuestion(analysis, corpus), inputs.map(candidate), corpus)
  for (const [name, value] of found.flatMap((one) => Object.entries(readFeatures(one))))
    if (value > 0) seen.add(name)
  return found
}

const facts = (question: string, ...inputs: Partial<FeatureInput>[]): CandidateFacts[] =>
  factsFor(analyzeQuery(question), inputs)

const features = (question: string, ...inputs: Partial<FeatureInput>[]): Features[] =>
  facts(question, ...inputs).map(readFeatures)

const worths = (question: string, ...inputs: Partial<FeatureInput>[]): number[] =>
  facts(question, ...inputs).map(
    (one) => weighFeatures(one, featuresFor(one.intent, { listsFiles: true, hasCode: true })).worth,
  )

it('refuses a mistyped feature at compile time', () => {
  const [one] = features('lease', { text: 'The lease.' })
  // @ts-expect-error The feature is called `namesFile`.
  expect(one?.namesFiles).toBeUndefined()
})

it('tells words that stand together from words that are scattered', () => {
  const near = 'The lease of a key expires.'
  const far = `The lease.${'\n\nSomething else.'.repeat(10)}\n\nA key expires.`
  const [together, scattered] = features('lease key expires', { text: near }, { text: far })
  expect(together?.coverage).toBe(1)
  expect(scattered?.coverage).toBe(1)
  expect(together?.together).toBe(1)
  expect(scattered?.together).toBeLessThan(1)
})

it('finds a message word for word', () => {
  const [quoted, paraphrased] = features(
    'Error: query processing would load too many samples into memory',
    { text: 'errors.New("query processing would load too many samples into memory")' },
    { text: 'Samples of a query are processed in memory, too many of them load it.' },
  )
  expect(quoted?.quoted).toBe(1)
  expect(paraphrased?.quoted).toBe(0)
})

it('counts release notes little, unless versions are asked for', () => {
  const worth = (question: string, path: string): number =>
    worths(question, { path, text: 'Cookies are secure now.' })[0] as number
  const plain = 'cookies secure'
  expect(worth(plain, 'CHANGELOG.md')).toBeLessThan(worth(plain, 'docs/cookies.md'))
  const versions = 'since which version are cookies secure'
  const loss = (question: string): number =>
    worth(question, 'docs/cookies.md') - worth(question, 'CHANGELOG.md')
  expect(loss(versions)).toBeLessThan(loss(plain))
})

it('knows what was compiled from src', () => {
  const [built, source] = features('a', { path: 'lib/util.js' }, { path: 'lib/other.js' })
  expect(built?.generated).toBe(1)
  expect(source?.generated).toBe(0)
})

it('counts deprecated code little, unless something old is asked for', () => {
  const paths = [
    'app/deprecated/load.py',
    'lib/v1/util.js',
    'src/lib/v1/util.ts',
    'src/legacy-load.ts',
    'src/v2/new.ts',
  ]
  const found = (question: string): unknown[] =>
    features(question, ...paths.map((path) => ({ path }))).map((one) => one.deprecated)
  expect(found('how do I load a file')).toEqual([1, 0, 1, 1, 0])
  expect(found('how did v1 load a file')).toEqual([0, 0, 0, 0, 0])
})

it('does not prefer long sections of generic text', () => {
  const [data, page] = features('a', { kind: 'blind', tokens: 9000 }, { tokens: 9000 })
  expect([data?.long, page?.long]).toEqual([0, 1])
})

it('prefers code where the place in the code is asked for', () => {
  const [code] = features('where is the limit checked', { kind: 'go_function', path: 'a.go' })
  const [test] = features('where is the limit checked', { kind: 'go_function', path: 'a_test.go' })
  expect(code?.codeOfPlace).toBe(1)
  expect(test?.codeOfPlace).toBe(0)
})

it('prefers the newest version, and drops what a release superseded', () => {
  const notes = (heading: string, isSuperseded = false): Partial<FeatureInput> => ({
    path: 'CHANGELOG.md',
    headings: [heading, 'Added'],
    text: 'Cookies are secure.',
    isSuperseded,
  })
  const [older, newest, superseded] = worths(
    'when were cookies made secure',
    notes('1.9.0'),
    notes('1.10.0'),
    notes('2.0.0-rc.1', true),
  )
  expect(newest).toBeGreaterThan(older as number)
  expect(superseded).toBe(0)
})

it('knows the file and the line that a stack trace names', () => {
  const trace = 'Error: x\n    at connect (/srv/node_modules/undici/lib/dispatcher/proxy-agent.js:231:22)'
  const [named, other, elsewhere] = features(
    trace,
    { path: 'lib/dispatcher/proxy-agent.js', lines: { start: 200, end: 240 } },
    { path: 'lib/dispatcher/proxy-agent.js', lines: { start: 1, end: 40 } },
    { path: 'lib/proxy-agent.js' },
  )
  expect([named?.namesFile, named?.namesLine]).toEqual([1, 1])
  expect([other?.namesFile, other?.namesLine]).toEqual([1, 0])
  expect(elsewhere?.namesFile).toBe(0)
})

it.each(['a.', '#', '()', '..', 'x#', '`.`', '::'])('is not lost in a name that is none: %s', (question) => {
  const [one] = facts(question, { kind: 'go_function', text: 'a(b) . # ::' })
  expect(one?.names.defines).toBe(0)
})

it('reads the part of the code that a message is about, and finds it by file or folder', () => {
  expect(findScope('fix(json-lines): respect the limit')).toBe('json-lines')
  expect(findScope('cacheprovider: fix some files')).toBe('cacheprovider')
  expect(findScope('fix: empty array')).toBeNull()
  expect(findScope('Error: it broke')).toBeNull()
  expect(findScope('why does http://x: fail')).toBeNull()
  expect(isInScope('json-lines', 'axum-extra/src/json_lines.rs')).toBe(1)
  expect(isInScope('dialect/mysql', 'src/dialect/mysql/mysql-driver.ts')).toBe(0.5)
  expect(isInScope('sse', 'src/essence.rs')).toBe(0)
})

it('counts for code that its tests match, and not for an overview', () => {
  const code = { kind: 'typescript_function', path: 'src/lease.ts' }
  const test = { kind: 'typescript_function', path: 'test/lease.test.ts', relevance: 0.9 }
  const other = { kind: 'typescript_function', path: 'src/store.ts' }
  const tested = (question: string): (number | undefined)[] =>
    features(question, code, test, other).map((one) => one.tested)
  expect(tested('where does a lease expire')).toEqual([0.9, 0, 0])
  expect(tested('explain how a lease works')).toEqual([0, 0, 0])
})

const code = (path: string): Partial<FeatureInput> => ({ kind: 'python_function', path })

it('lifts code whose file or folder is called what a topic says, and no document', () => {
  const [file, folder, other, page] = features(
    'cookie storage',
    code('src/cookies.py'),
    code('cookies/jar.py'),
    code('src/session.py'),
    { path: 'docs/cookies.md' },
  )
  expect([file?.topicFile, folder?.topicFolder]).toEqual([1, 1])
  for (const one of [other, page]) expect([one?.topicFile, one?.topicFolder]).toEqual([0, 0])
  expect([other?.topicCode, page?.topicCode]).toEqual([1, 0])
})

it('does not weigh names of files where a question asks for more than a topic', () => {
  const [one] = features('how do I set a cookie?', code('src/cookie.py'))
  expect(one?.topicFile).toBe(0)
})

it('lifts a file of many matching sections, and lowers a deep one and declarations', () => {
  const [once, many, , deep, declared] = features(
    'cookie storage',
    code('src/a.py'),
    code('src/b.py'),
    code('src/b.py'),
    code('src/x/y/z/c.py'),
    code('src/types/d.py'),
  )
  expect(many?.topicSections).toBeGreaterThan(once?.topicSections as number)
  expect([once?.topicDepth, deep?.topicDepth]).toEqual([0, 0.6])
  expect([once?.topicDeclares, declared?.topicDeclares]).toEqual([0, 1])
})

it('lifts the file and the definition of a name that is the topic', () => {
  const [definition, mention] = features(
    'CookieJar',
    { ...code('src/cookie_jar.py'), name: 'CookieJar', headings: ['CookieJar'] },
    { ...code('src/session.py'), text: 'CookieJar()' },
  )
  expect([definition?.topicNamesake, definition?.topicDefines]).toEqual([1, 1])
  expect([mention?.topicNamesake, mention?.topicDefines]).toEqual([0, 0])
})

it('prefers the file and the folder that the title of a report names, not those that its other lines name', () => {
  const report = `Label printer loses the queue\n\n${'The depot was open, and a parcel was weighed at the dock.\n'.repeat(6)}`
  const kind = 'python_function'
  const [named, folder, other] = features(
    report,
    { kind, path: 'app/printer.py' },
    { kind, path: 'printer/run.py' },
    { kind, path: 'depot/parcel.py' },
  )
  expect([named?.fileOfReport, folder?.folderOfReport]).toEqual([1, 1])
  expect([other?.fileOfReport, other?.folderOfReport]).toEqual([0, 0])
})

const source = {
  kind: 'go_function',
  path: 'src/lease.go',
  text: 'func lease() { return "lease expired too early" }',
}

it.each<[feature: FeatureName, question: string, input: Partial<FeatureInput>]>([
  ['namesScope', 'lease: renew it', source],
  ['imports', 'lease', { ...source, kind: 'go_import' }],
  ['genericText', 'lease', { kind: 'blind' }],
  ['short', 'lease', { tokens: 10 }],
  ['upgradeGuide', 'lease', { path: 'docs/upgrading.md' }],
  ['guideOfVersion', 'which version has a lease', { path: 'docs/upgrading.md' }],
  ['licence', 'lease', { path: 'LICENSE' }],
  ['tableOfContents', 'lease', { text: '- [Lease](#lease)\n'.repeat(9) }],
  ['vendored', 'lease', { ...source, path: 'vendor/lease.go' }],
  ['example', 'lease', { ...source, path: 'examples/lease.go' }],
  ['codeOfReason', 'why is there a lease', source],
])('%s holds for: %s', (feature, question, input) => {
  expect(features(question, input)[0]?.[feature]).toBeGreaterThan(0)
})

it("lifts what has the caller's words, and what is near by its vector", () => {
  const callerTerms = analyzeQuery('lease').terms
  const found = factsFor({ ...analyzeQuery('expiry'), callerTerms }, [
    { text: 'A lease.', vector: 0.9 },
    { text: 'A key.', vector: 0.5 },
  ])
  const [near, far] = found.map(readFeatures)
  for (const name of ['coverage', 'together', 'vector'] as const)
    expect(near?.[name]).toBeGreaterThan(far?.[name] as number)
})

it('has an example of every feature, each with its own label', () => {
  expect(Object.keys(featureTable).filter((name) => !seen.has(name))).toEqual([])
  const labels = Object.values(featureTable).map(({ label }) => label)
  expect(labels).toEqual([...new Set(labels)])
})
