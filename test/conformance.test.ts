// Does yore do what the five design documents say? The page that lists every statement names real tests, and some are here.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { defaultSettings, digestLimits } from '../src/model/config/settings.ts'
import { indexTree } from './indexed-fixture.ts'
import { parseDigest } from './parse-digest.ts'
import { processorTime } from './processor-time.ts'
import { plainVariables, type Ran, runYore } from './run-command-line.ts'
import { type Files, inMemory, makeFolder, now, openCorpus, writeFiles } from './temporary-corpus.ts'

const root = path.join(import.meta.dirname, '..')
const page = 'test/conformance.md'
const statuses = ['met', 'differs', 'partly', 'not built'] as const

interface Row {
  readonly seed: string
  readonly number: string
  /** Begins with the words of the document. */
  readonly statement: string
  readonly status: string
  readonly reason: string
  readonly tests: readonly string[]
}

/** The cells of every table row below each `## ` heading, without the header row. */
function readTables(markdown: string): { readonly heading: string; readonly rows: readonly string[][] }[] {
  return markdown
    .split(/^## /m)
    .slice(1)
    .map((part) => ({
      heading: part.slice(0, part.indexOf('\n')),
      rows: part
        .split('\n')
        .filter((line) => line.startsWith('| '))
        .slice(1)
        .map((line) =>
          line
            .slice(1, -1)
            .split('|')
            .map((cell) => cell.trim()),
        ),
    }))
}

function readRows(markdown: string): Row[] {
  return readTables(markdown)
    .filter(({ heading }) => /^\d\. /.test(heading))
    .flatMap(({ heading, rows }) =>
      rows.map(([number = '', statement = '', status = '', reason = '', tests = '']) => ({
        seed: heading.slice(3),
        number,
        statement,
        status,
        reason,
        tests: [...tests.matchAll(/`([^`]+)`/g)].map(([, name]) => name as string),
      })),
    )
}

/** Everything that is wrong with a page; `readSource` gives a test file's text, or null if there is none. */
function findProblems(markdown: string, readSource: (file: string) => string | null): string[] {
  const rows = readRows(markdown)
  const problems = rows.flatMap(({ seed, number, statement, status, reason, tests }) => {
    const found: string[] = []
    if (!/^“.+”/.test(statement)) found.push('quotes nothing')
    if (!statuses.some((known) => known === status)) found.push(`has no status, but "${status}"`)
    if (status === 'met' && tests.length === 0) found.push('is met and names no test')
    if (status !== 'met' && reason === '') found.push(`is "${status}" and gives no reason`)
    for (const test of tests) {
      const [file = '', name = ''] = test.split(' › ')
      const source = readSource(file)
      if (source === null) found.push(`names ${file}, which does not exist`)
      else if (name === '' || !testNames(source).has(name)) found.push(`names no test of ${file}: "${name}"`)
    }
    return found.map((problem) => `${seed} ${number} ${problem}`)
  })
  const summary = readTables(markdown).find(({ heading }) => heading === 'Counts')?.rows ?? []
  const expected = [...new Set(rows.map(({ seed }) => seed)), 'All'].map((seed) => {
    const counted = rows.filter((row) => seed === 'All' || row.seed === seed)
    const of = (status: string): string => String(counted.filter((row) => row.status === status).length)
    return [seed, String(counted.length), ...statuses.map(of)].join(' | ')
  })
  const given = summary.map((cells) => cells.join(' | '))
  for (const line of expected) if (!given.includes(line)) problems.push(`the counts lack: ${line}`)
  if (given.length !== expected.length) problems.push(`the counts have ${given.length} rows`)
  return problems
}

/** First arguments of `it`, `test` and `describe` and of their `each`, as they are written in the source. */
function testNames(source: string): Set<string> {
  const calls =
    /(?:\b(?:it|test|describe)(?:\.\w+)*(?:<[^(]*>)?|[\])`])\(\s*(?:'((?:\\.|[^'\\\n])+)'|"((?:\\.|[^"\\\n])+)"|`((?:\\.|[^`\\])+)`)/g
  return new Set(
    [...source.matchAll(calls)].map((call) => (call[1] ?? call[2] ?? call[3] ?? '').replaceAll("\\'", "'")),
  )
}

describe('the page about conformance', () => {
  const markdown = readFileSync(path.join(root, page), 'utf8')
  const readSource = (file: string): string | null => {
    try {
      return /\.test\.ts$/.test(file) ? readFileSync(path.join(root, file), 'utf8') : null
    } catch {
      return null
    }
  }

  it('names tests that exist, gives every statement a status, and counts them right', () => {
    expect(findProblems(markdown, readSource)).toEqual([])
  })

  it('has every statement of the five documents once', () => {
    const counts = Object.entries(Object.groupBy(readRows(markdown), ({ seed }) => seed))
    expect(counts.map(([, rows]) => new Set(rows?.map(({ number }) => number)).size)).toEqual([
      46, 40, 21, 74, 31,
    ])
    expect(readRows(markdown)).toHaveLength(212)
  })

  it('links a decision record from every statement that differs', () => {
    const unlinked = readRows(markdown).filter(
      ({ status, reason }) => status === 'differs' && !/\]\(\.\.\/docs\/decisions\/\d{4}-/.test(reason),
    )
    expect(unlinked.map(({ seed, number }) => `${seed} ${number}`)).toEqual([])
  })

  it('is refused without a status, a test, a reason or the right counts', () => {
    const write = (row: string, counts = '| A | 1 | 1 | 0 | 0 | 0 |\n| All | 1 | 1 | 0 | 0 | 0 |'): string =>
      `## Counts\n\n| seed | n | met |\n|---|---|---|\n${counts}\n\n## 1. A\n\n| # | s |\n|---|---|\n${row}\n`
    const source = "it.each([1])('adds %i', () => {})\nit('subtracts', () => {})\n"
    const problems = (text: string): string[] =>
      findProblems(text, (file) => (file === 'a.test.ts' ? source : null))
    const good = '| 1 | “It adds.” | met | | `a.test.ts › adds %i` `a.test.ts › subtracts` |'
    expect(problems(write(good))).toEqual([])
    expect(problems(write(good, '| A | 2 | 1 | 0 | 0 | 0 |\n| All | 1 | 1 | 0 | 0 | 0 |'))).toHaveLength(1)
    expect(problems(write(good.replace('“It adds.”', 'It adds.')))).toEqual(['A 1 quotes nothing'])
    expect(problems(write(good.replace('met', '')))[0]).toContain('has no status')
    expect(problems(write('| 1 | “It adds.” | met | | |'))).toEqual(['A 1 is met and names no test'])
    expect(problems(write(good.replace('adds %i', 'adds')))).toEqual([
      'A 1 names no test of a.test.ts: "adds"',
    ])
    expect(problems(write(good.replace('a.test.ts', 'b.test.ts')))[0]).toContain('does not exist')
    expect(problems(write(good.replace('met', 'differs')))[0]).toContain('gives no reason')
  })
})

const parse = `# Parse

## Links

See [Service Onboarding](../architecture/SERVICE_ONBOARDING.md#retry-semantics)
and [External Docs](https://example.com/ext), or [write](mailto:a@example.com).

![Diagram](../images/arch.png)

See also [the ids](#ids), and [Service Onboarding](../architecture/SERVICE_ONBOARDING.md#retry-semantics) again.

## Ids

As described in ADR-013 and ADR 14, we changed the retry semantics. ADR_0015 and ADR-99 too.
`

const files: Files = {
  'docs/notes/PARSE.md': parse,
  'docs/adr/ADR-013-retries.md':
    '# ADR-013: Retries\n\n## Context\n\nJobs fail.\n\n## Decision\n\nRetry twice:\n\n```bash\nretry --twice\n```\n\n## Appendix\n\nOld numbers.\n',
  'docs/adr/ADR_0014_timeouts.md': '# Timeouts\n\n## Decision\n\nTen seconds.\n',
  'docs/adr/ADR-15.md': '# Labels\n\n## Decision\n\nBlue.\n',
  'docs/architecture/SERVICE_ONBOARDING.md':
    '# Service Onboarding\n\n## Overview\n\nHow services start.\n\n## Retry Semantics\n\nThe scheduler retries.\n\n## Logging\n\nJSON lines.\n',
}

const corpus = await indexTree((folder) => writeFiles(folder, files), {
  'embedding.provider': defaultSettings['embedding.provider'],
})
const yore = (...args: string[]): Ran =>
  runYore(args, {
    cwd: corpus.root,
    env: { ...plainVariables(), NO_COLOR: '1', NODE_NO_WARNINGS: '1', SOURCE_DATE_EPOCH: String(now / 1000) },
  })

describe('references of a section', () => {
  const edges = async () =>
    (await corpus.engine.graph('docs/notes/PARSE.md')).graph.edges.filter(({ kind }) => kind !== 'DEFINES')
  const onboarding = 'docs/architecture/SERVICE_ONBOARDING.md#service-onboarding.retry-semantics'

  it('have kind, origin, line, target and text', async () => {
    expect(await edges()).toContainEqual({
      kind: 'LINKS',
      direction: 'out',
      from: 'docs/notes/PARSE.md#parse.links',
      to: onboarding,
      evidence: { path: 'docs/notes/PARSE.md', line: 5 },
      text: '../architecture/SERVICE_ONBOARDING.md#retry-semantics',
    })
  })

  it('are neither images, other protocols nor links into the same document', async () => {
    const targets = (await edges()).filter(({ kind }) => kind === 'LINKS').map(({ to }) => to)
    expect(new Set(targets)).toEqual(new Set([onboarding]))
  })

  it('lead to decision files of every spelling, by their numbers', async () => {
    const cited = (await edges()).filter(({ kind }) => kind === 'CITES').map(({ to }) => to)
    expect(cited.sort()).toEqual([
      'docs/adr/ADR-013-retries.md',
      'docs/adr/ADR-15.md',
      'docs/adr/ADR_0014_timeouts.md',
    ])
  })
})

describe('yore assemble', () => {
  const digest = yore('assemble', 'retry semantics').stdout

  it('has the defaults of the seeds', () => {
    expect({ ...defaultSettings, ...digestLimits }).toMatchObject({
      maxTokens: 8000,
      depth: 1,
      expansionBudget: 4,
      'references.budget': 20,
      'references.share': 0.3,
      'references.maxTokens': 2000,
      'references.documentTokens': 600,
      relevanceThreshold: 0.15,
    })
  })

  it('prints the head of the digest line by line', () => {
    const [head = ''] = digest.split('\n---\n')
    const lines = head.split('\n').filter((line) => !line.startsWith('**Primary Areas:**') && line !== '')
    expect(lines.map((line) => line.replaceAll(/\d[\d,]*$/g, 'N'))).toEqual([
      '# Context Digest for: "retry semantics"',
      '> Confidence high: the first passage has “semantics”, “retry”.',
      '**Generated:** 2025-11-29T15:23:00Z',
      '**Token Budget:** N',
      '**Actual Tokens:** ~N',
      '**Documents Scanned:** N',
      '**Sections Selected:** N',
    ])
    expect(digest).toContain('\n**Token Budget:** 8000\n')
    expect(digest).toContain(`\n**Documents Scanned:** ${Object.keys(files).length}\n`)
  })

  it('lists documents with score, date, status and number of sections', () => {
    expect(digest).toMatch(
      /\n## Top Relevant Documents\n\n1\. \*\*docs\/\S+\.md\*\* \(score: 0\.\d\d, canonical: 0\.\d\d\)\n {3}- Last updated: 2025-09-15\n {3}- Status: \w+\n {3}- Sections included: \d+\n/,
    )
  })

  it('prints a heading with its path and a source with lines and authority', () => {
    expect(digest).toMatch(
      /\n### Retry Semantics \(from docs\/architecture\/SERVICE_ONBOARDING\.md\)\n\n\*\*Source:\*\* docs\/architecture\/SERVICE_ONBOARDING\.md:7-\d+ \(canonical: 0\.\d\d\)\n/,
    )
    expect(digest).toContain('\n```bash\nretry --twice\n```\n')
  })

  it('ends with the selection and a prompt', () => {
    const parts = [
      '\n## Metadata\n',
      '\n**Canonicality Scores:**',
      '\n**Section Selection:**\n- Total candidate sections: ',
      '\n- Selected after filtering: ',
      '\n- Token allocation per section: ~',
      '\n## Usage with LLM\n',
      '\n> Using only the information in the context above, answer: "retry semantics"\n',
    ]
    const places = parts.map((part) => digest.indexOf(part))
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(places).not.toContain(-1)
  })

  it('exits with 0, with 1 without an index, and with 2 for a wrong option', () => {
    const codes = [
      yore('assemble', 'retry'),
      yore('assemble', 'retry', '--index', path.join(corpus.root, 'nowhere')),
      yore('assemble', 'retry', '--depth', '3'),
      yore('assemble'),
    ]
    expect(codes.map(({ status }) => status)).toEqual([0, 1, 2, 2])
  })
})

it('the worked example: two sections of the guide, and the registry by reference', () => {
  // test/golden.test.ts compares this file with the digest of "How do I deploy a new service?".
  const golden = readFileSync(path.join(root, 'test/golden/deploy-new-service.golden.md'), 'utf8')
  const { passages, expanded } = parseDigest(golden)
  const guide = 'docs/deployment/NEW_SERVICE_GUIDE.md'
  const holds = (command: string): string[] =>
    passages.filter(({ texts }) => texts.flat().includes(command)).map((passage) => passage.path)
  expect(holds('./scripts/new_service.sh <service-name>')).toContain(guide)
  expect(holds('yarn services deploy <service-name> --env=prod')).toContain(guide)
  expect(golden).toMatch(/\n### \S.*Required Steps \(from docs\/deployment\/NEW_SERVICE_GUIDE\.md\)\n/)
  expect(golden).toMatch(/\n### \S.*Deployment Process \(from docs\/deployment\/NEW_SERVICE_GUIDE\.md\)\n/)
  const registry = expanded.find(({ path: file }) => file.endsWith('ADR-0013-service-onboarding.md'))
  expect(registry?.referencedBy.map((place) => place.path)).toContain(guide)
})

it('a question to 1,000 files takes less than 5 seconds of processor time', async () => {
  const folder = makeFolder(inMemory)
  const topics = ['deploy', 'rollback', 'monitor', 'billing', 'search', 'login', 'queue', 'cache']
  const page = (at: number): string =>
    `# Service ${at}\n\n## ${topics[at % 8]}\n\nService ${at} has a ${topics[at % 8]} of its own.\n\n## Links\n\nSee [next](s${(at + 1) % 1000}.md).\n`
  writeFiles(
    folder,
    Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`docs/s${at}.md`, page(at)])),
  )
  using engine = openCorpus(folder)
  await engine.index()
  const started = processorTime()
  const { digest } = await engine.assemble('How do I roll back the cache of service 7?')
  expect(processorTime() - started).toBeLessThan(5000)
  expect(digest.primary.length).toBeGreaterThan(0)
})
