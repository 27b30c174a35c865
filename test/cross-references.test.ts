// Does a section bring along what it refers to, and nothing else? The tests of the cross-reference contract, by their numbers.
// 5.1.1 and 5.1.2 are also tested without an engine in src/corpus/resolve/resolve-mention.test.ts, and the arithmetic of 5.2.3
// and 5.2.4 in src/answer/assemble/take-offers.test.ts.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import type { AssembleOptions } from '../src/answer/answering/question-options.ts'
import { referencesSql } from '../src/corpus/store/schema.ts'
import { defaultSettings } from '../src/model/config/settings.ts'
import type { Digest, ExpandedDocument, Passage } from '../src/model/digest.ts'
import { indexFixture } from './indexed-fixture.ts'
import { parseDigest } from './parse-digest.ts'
import { type Files, makeFolder, openCorpus, writeFiles } from './temporary-corpus.ts'

/** Families stay at home here: test/family-expansion.test.ts is about them. */
const plain = { 'embedding.provider': 'none', 'references.family': 'off' } as const

const { root, engine } = await indexFixture('crossref', { ...plain })
/** As a user has it. */
const { engine: atDefaults } = await indexFixture('crossref', {
  'embedding.provider': defaultSettings['embedding.provider'],
})

async function askFiles(
  files: Files,
  question: string,
  options: Partial<AssembleOptions> = {},
): Promise<Asked> {
  const folder = makeFolder()
  writeFiles(folder, files)
  using corpus = openCorpus(folder)
  await corpus.index()
  return await corpus.assemble(question, options)
}

type Asked = { readonly output: string; readonly digest: Digest; readonly tokensUsed: number }

/** One primary section unless more are asked for: what else is there came along. */
async function ask(question: string, options: Partial<AssembleOptions> = {}): Promise<Asked> {
  return engine.assemble(question, { sections: 1, ...options })
}

const passagesOf = (documents: readonly ExpandedDocument[]): readonly Passage[] =>
  documents.flatMap(({ passages }) => passages)
const namesOf = ({ digest }: Asked): string[] => passagesOf(digest.expanded).map(({ name }) => name)
const pathsOf = ({ digest }: Asked): string[] => digest.expanded.map((document) => document.path)

const execution = 'docs/testing/KUBERNETES_TEST_EXECUTION.md'
const retries = 'docs/adr/ADR-013-retries.md'
const timeouts = 'docs/adr/ADR-014-timeouts.md'
const auth = 'docs/architecture/AUTH_SYSTEM_DESIGN.md'

interface StoredMention {
  readonly form: string
  readonly target: string
  readonly outcome: string
  readonly path: string | null
  readonly anchor: string | null
}

/** References as they are stored, of the lines of one file. */
function mentionsIn(file: string): StoredMention[] {
  using db = new DatabaseSync(path.join(root, '.yore/index.db'), { readOnly: true })
  const sql = `SELECT m.form, m.target, m.outcome, m.path, m.anchor FROM ${referencesSql} m JOIN artifacts a ON a.id = m.artifact
    JOIN files f ON f.id = a.file WHERE f.path = ? ORDER BY m.line, m.id`
  return db.prepare(sql).all(file) as unknown as StoredMention[]
}

describe('5.1 parsing', () => {
  it('5.1.1 Markdown link parsing: one reference, the external link and the image lead out of the graph', () => {
    const mentions = mentionsIn('docs/testing/ONBOARDING_NOTES.md').slice(0, 3)
    expect(mentions.map(({ form, outcome }) => `${form} ${outcome}`).sort()).toEqual([
      'image external',
      'link external',
      'link resolved',
    ])
    expect(mentions.find(({ outcome }) => outcome === 'resolved')).toMatchObject({
      form: 'link',
      path: 'docs/architecture/SERVICE_ONBOARDING.md',
      anchor: 'retry-semantics',
    })
  })

  it('5.1.2 ADR ID parsing: each id leads to its own file, with its dash or without', () => {
    const mentions = mentionsIn(execution).filter(({ form }) => form === 'id')
    expect(mentions.slice(0, 2)).toMatchObject([
      { target: 'ADR-013', outcome: 'resolved', path: retries },
      { target: 'adr 14', outcome: 'resolved', path: timeouts },
    ])
  })
})

describe('5.2 resolution', () => {
  it('5.2.1 ADR expansion: context, decision and consequences, never the appendix', async () => {
    const { digest } = await atDefaults.assemble('retry semantics')
    const found = digest.expanded.find((document) => document.path === retries)
    expect(found?.type).toBe('adr')
    expect(found?.passages.map(({ name }) => name)).toEqual(['Context', 'Decision', 'Consequences'])
    expect(digest.primary.map((passage) => passage.path)).not.toContain(retries)
  })

  it('5.2.1 ADR expansion: a decision that matches, too, is shown by the reference, without its appendix', async () => {
    const { digest } = await atDefaults.assemble('retry semantics of a job')
    const found = digest.expanded.find((document) => document.path === retries)
    expect(found?.passages.map(({ name }) => name)).toEqual(['Context', 'Decision', 'Consequences'])
    expect(found?.passages[0]?.referencedBy).toContainEqual({ path: execution, line: 7 })
    const shown = [...digest.primary, ...passagesOf(digest.expanded)].flatMap(({ artifacts }) => artifacts)
    expect(shown).not.toContain(`${retries}#adr-013-retries.appendix`)
  })

  it('5.2.1 ADR expansion: a long context does not push the decision out', async () => {
    const long = Array.from(
      { length: 90 },
      (_, at) => `Reason ${at} of a flaky node fills a whole line here.`,
    )
    const { digest } = await askFiles(
      {
        'docs/guide.md': '# Guide\n\n## Zebra protocol\n\nThe zebra protocol follows ADR-007.\n',
        'docs/decisions/0007-stripes.md': `# ADR-007: Stripes\n\n## Context\n\n${long.join('\n')}\n\n## Decision\n\nPaint them black.\n\n## Consequences\n\nMore paint.\n\n## Appendix\n\nColours.\n`,
      },
      'zebra protocol',
    )
    const [cited] = digest.expanded
    expect([cited?.type, cited?.passages.map(({ name }) => name)]).toEqual([
      'adr',
      ['Context', 'Decision', 'Consequences'],
    ])
    expect(cited?.passages.map(({ truncated }) => truncated)).toEqual([false, false, false])
  })

  it('5.2.2 anchor resolution in a design document: the named section alone', async () => {
    const asked = await atDefaults.assemble('first week of a service')
    expect(asked.digest.primary[0]?.path).toBe('docs/testing/ONBOARDING_NOTES.md')
    const { primary, expanded } = asked.digest
    const referred = expanded.filter(({ type }) => type !== 'family')
    const found = [...primary, ...passagesOf(referred)].filter(({ path }) =>
      path.endsWith('SERVICE_ONBOARDING.md'),
    )
    expect(found.map(({ name }) => name)).toEqual(['Retry Semantics'])
    expect(found[0]?.referencedBy).toEqual([{ path: 'docs/testing/ONBOARDING_NOTES.md', line: 5 }])
  })

  it.each([700, 900, 1000, 1200, 2000])(
    '5.2.3 token budget cap: in %i tokens what comes along stays within its share and the digest within its budget',
    async (maxTokens) => {
      using narrow = openCorpus(root, { ...plain, 'references.share': 0.1 })
      const wide = await ask('retry semantics', { sections: 2, maxTokens })
      const less = await narrow.assemble('retry semantics', { sections: 2, maxTokens })
      expect(Math.max(wide.tokensUsed, less.tokensUsed)).toBeLessThanOrEqual(maxTokens)
      const lines = (digest: Digest): number => passagesOf(digest.expanded).flatMap(textOf).length
      expect(lines(less.digest)).toBeLessThanOrEqual(lines(wide.digest))
      expect(lines(less.digest) * 2).toBeLessThanOrEqual(maxTokens * 0.1)
    },
  )

  it('5.2.4 no-budget scenario: a best section that has no room for itself is not cut for references', async () => {
    const long = Array.from(
      { length: 90 },
      (_, at) => `Line ${at} of the zebra protocol says how a stripe is painted.`,
    )
    const { digest } = await askFiles(
      {
        'docs/guide.md': `# Guide\n\n## Zebra protocol\n\nIt follows ADR-007.\n${long.join('\n')}\n`,
        'docs/adr/ADR-007-paint.md': '# ADR-007: Paint\n\n## Decision\n\nPaint them black.\n',
      },
      'zebra protocol',
      { maxTokens: 200 },
    )
    expect(digest.primary[0]?.path).toBe('docs/guide.md')
    expect(digest.expanded).toEqual([])
  })
})

function textOf({ excerpts }: Passage): string[] {
  return excerpts.flatMap(({ text }) => text.split('\n'))
}

describe('5.3 integration', () => {
  it('5.3.1 "retry semantics": the section of the test guide, and the decision that it names under its label', async () => {
    const { digest, output } = await atDefaults.assemble('retry semantics', { layout: 'auto' })
    expect(digest.primary.map((passage) => passage.path)).toContain(execution)
    const [primary, expanded = ''] = output.split('\n## Cross-Referenced Documents\n')
    expect(primary).toContain('Retry behavior is defined in ADR-013.')
    expect(primary).not.toContain(`**Source:** ${retries}`)
    expect(expanded).toContain(`### ADR-013: Retries (${retries})\n\n**Source:** ${retries}:`)
    expect(expanded).toContain(`**Referenced by:** ${execution}:7`)
    expect(expanded).toContain('Flaky nodes made one run in twelve fail.')
    expect(expanded).toContain('The scheduler repeats a failed job, nobody else does:')
    expect(output).not.toContain('Numbers of May 2025')
  })

  it('5.3.2 "authentication system": the investigation, and only the session model from the design', async () => {
    const { digest, output } = await atDefaults.assemble('authentication system')
    expect(digest.primary[0]?.path).toBe('docs/investigations/SESSION_ISOLATION_INVESTIGATION.md')
    expect(output).toContain('See [Auth Architecture](../architecture/AUTH_SYSTEM_DESIGN.md#session-model)')
    const model = digest.expanded.find((document) => document.path === auth)
    expect(model?.type).toBe('design')
    expect(model?.passages.map(({ name }) => name)).toEqual(['Session Model'])
    expect(digest.primary.map((passage) => passage.path)).not.toContain(auth)
    expect(output).toContain('Its key is 128 random bits')
    expect(output).not.toContain('Appendix')
  })
})

describe('what a primary section refers to', () => {
  it('is labelled where search found it', async () => {
    const { digest, output } = await atDefaults.assemble('retry semantics')
    const onboarding = digest.primary.find(({ name }) => name.includes('Retry Semantics'))
    expect(onboarding?.path).toBe('docs/architecture/SERVICE_ONBOARDING.md')
    expect(onboarding?.referencedBy).toEqual([{ path: 'docs/testing/ONBOARDING_NOTES.md', line: 5 }])
    expect(output).toContain('**Referenced by:** docs/testing/ONBOARDING_NOTES.md:5')
  })

  it('is shown with the line that refers to it, by search or by the reference', async () => {
    const files = {
      'docs/guide.md': '# Guide\n\n## Zebra protocol\n\nThe zebra protocol: see ADR-007.\n',
      'docs/adr/ADR-007-paint.md':
        '# ADR-007: Paint\n\n## Decision\n\nA zebra protocol is painted black.\n\n## Appendix\n\nColours.\n',
    }
    const { digest } = await askFiles(files, 'zebra protocol')
    const paint = [...digest.primary, ...passagesOf(digest.expanded)].find(({ path }) =>
      path.includes('paint'),
    )
    expect([paint?.path, paint?.referencedBy]).toEqual([
      'docs/adr/ADR-007-paint.md',
      [{ path: 'docs/guide.md', line: 5 }],
    ])
  })
})

it('what the cost budget cut off is explained with its reason', async () => {
  using few = openCorpus(root, { 'references.budget': 1 })
  const { digest, explanation } = await few.assemble('retry semantics', { explain: true, all: true })
  expect(digest.dropped).toContainEqual(
    expect.objectContaining({ path: timeouts, reason: 'expansion budget' }),
  )
  expect(explanation).toMatch(/expansion budget\s+docs\/adr\/ADR-014-timeouts\.md/)
})

describe('decision ids', () => {
  it('are found in lower case and outside of docs/adr', async () => {
    const asked = await ask('naming of suites')
    expect(asked.digest.primary[0]?.path).toBe(execution)
    expect(pathsOf(asked)).toEqual(['team/adr-021-labels.md'])
  })

  it('that two files carry are reported with both, and neither comes along', async () => {
    const asked = await ask('naming of suites')
    expect(asked.digest.unresolved).toContainEqual({
      path: execution,
      line: 20,
      target: 'ADR-030',
      reason: 'ambiguous',
      candidates: ['docs/adr/ADR-030-image-cache.md', 'docs/archive/ADR-030-queue.md'],
    })
    expect(pathsOf(asked).filter((place) => place.includes('030'))).toEqual([])
  })

  it('a link to a page that is gone is reported with its line', async () => {
    const { digest } = await ask('naming of suites')
    expect(digest.unresolved).toContainEqual(
      expect.objectContaining({ path: execution, line: 20, target: 'gone.md', reason: 'missing' }),
    )
  })
})

describe('the leading document', () => {
  it('brings along what its other sections name where there is room, behind what the quoted ones name', async () => {
    const folder = makeFolder()
    const words = 'Blue lamps are changed by the night shift, who know the way of every cable.\n\n'.repeat(60)
    writeFiles(folder, {
      'docs/lamps.md': `# Lamps\n\n## Colours\n\nEvery turquoise zebra lamp follows [zebras](zebras.md).\n\n## Wiring\n\nSee ADR-007.\n\n${words}`,
      'docs/zebras.md': '# Zebras\n\nThey have stripes of turquoise zebra paint.\n',
      'docs/adr/ADR-007-cables.md': '# ADR-007: Cables\n\n## Decision\n\nCopper only.\n',
    })
    using corpus = openCorpus(folder, { ...plain })
    await corpus.index()
    const paths = async (options: Partial<AssembleOptions>): Promise<string[]> => {
      const { digest } = await corpus.assemble('turquoise zebra lamp colours', { layout: 'full', ...options })
      return digest.expanded.map((document) => document.path)
    }
    expect(await paths({ maxTokens: 8_000 })).toContain('docs/adr/ADR-007-cables.md')
    expect(await paths({ maxTokens: 8_000, sections: 1 })).not.toContain('docs/adr/ADR-007-cables.md')
  })
})

describe('anchors are honoured for every document type', () => {
  it.each([
    ['adr', retries, 'Appendix', 'Every anchor: numbers, history, zones'],
    ['ops', 'docs/operations/CLEANUP_RUNBOOK.md', 'History', 'Every anchor: numbers, history, zones'],
    ['design', auth, 'Storage', 'Every anchor: numbers, history, zones'],
    ['other', 'docs/reference/exit-codes.md', 'Codes from 64 on', 'codes of the shell'],
  ])('%s', async (type, file, section, question) => {
    const { digest } = await ask(question)
    expect(digest.primary[0]?.path).toBe('docs/testing/ONBOARDING_NOTES.md')
    const document = digest.expanded.find((one) => one.path === file)
    expect([document?.type, document?.passages.map(({ name }) => name)]).toEqual([type, [section]])
  })
})

describe('without an anchor each type brings its own part', () => {
  it('ops: the operational headings', async () => {
    const asked = await ask('cleaning up after a run')
    expect(namesOf(asked)).toEqual(['Restart the collector', 'Rollback of a quota'])
    expect(asked.output).toContain('kubectl rollout restart deployment/pod-collector -n e2e')
  })

  it('other: the overview', async () => {
    const asked = await ask('reading the result of a run')
    expect(pathsOf(asked)).toEqual(['docs/reference/exit-codes.md'])
    expect(namesOf(asked)).toEqual(['Exit codes'])
  })

  it('design: what speaks of the question, else what speaks of the same as the section that refers to it', async () => {
    const near = await ask('authentication system', { sections: 2 })
    const tokens = near.digest.expanded.find((one) => one.path.endsWith('TOKEN_DESIGN.md'))
    expect(tokens?.passages.map(({ name }) => name)).toEqual([
      'Signing keys',
      'What a token carries on login',
    ])
    const asked = await ask('slow logins: the authentication system waits for mail and rotates')
    expect(asked.digest.primary[0]?.path).toContain('INVESTIGATION')
    expect(namesOf(asked)).toEqual(['Signing keys', 'What a token carries on login'])
  })
})

describe('depth', () => {
  const zebra = (depth: number): Promise<Asked> => ask('zebra protocol', { depth })

  it('0 brings nothing along', async () => {
    const asked = await zebra(0)
    expect(asked.digest.expanded).toEqual([])
    expect(asked.output).not.toContain('Cross-Referenced')
  })

  it('1 stops at what the primary section names', async () => {
    expect(pathsOf(await zebra(1))).toEqual(['docs/adr/ADR-041-zebra.md'])
  })

  it('2 follows one more hop, ends in a cycle, and says which hop each is', async () => {
    const asked = await zebra(2)
    expect(pathsOf(asked)).toEqual(['docs/adr/ADR-041-zebra.md', 'docs/adr/ADR-042-paint.md'])
    const hops = passagesOf(asked.digest.expanded).map(({ origin }) =>
      origin.kind === 'expansion' ? [origin.depth, origin.from] : null,
    )
    expect(hops).toEqual([
      [1, 'docs/reference/chain.md#chain.first-hop'],
      [2, 'docs/adr/ADR-041-zebra.md#adr-041-stripes.decision'],
    ])
  })
})

describe('caps', () => {
  const withSettings = async (settings: Record<string, number>): Promise<Asked> => {
    using other = openCorpus(root, { ...plain, ...settings })
    return await other.assemble('retry semantics', { sections: 2 })
  }

  it('in cost: each section counts one', async () => {
    const asked = await withSettings({ 'references.budget': 2 })
    expect(namesOf(asked)).toEqual(['Context', 'Decision'])
  })
})

const questions = [
  'retry semantics',
  'authentication system',
  'naming of suites',
  'Every anchor: numbers, history, zones',
  'reading the result of a run',
  'cleaning up after a run',
  'zebra protocol',
  'decision about a service, a run and a node',
]
const every = questions.flatMap((question) => [1, 2, 5, 20].map((sections) => ({ question, sections })))

describe.each(every)('in the digest of "$question" with $sections sections', ({ question, sections }) => {
  it('no section appears twice', async () => {
    const { digest } = await ask(question, { sections, depth: 2 })
    const all = [...digest.primary, ...passagesOf(digest.expanded)].flatMap(({ artifacts }) => artifacts)
    expect(all).toEqual([...new Set(all)])
  })

  it('`Referenced by` names a line that is there, in a section that is quoted, and that holds the reference', async () => {
    const { digest, output } = await ask(question, { sections, depth: 2 })
    expect(parseDigest(output).expanded).toHaveLength(passagesOf(digest.expanded).length)
    for (const passage of passagesOf(digest.expanded)) {
      expect(passage.referencedBy.length).toBeGreaterThan(0)
      for (const place of passage.referencedBy) {
        const line = readFileSync(path.join(root, place.path), 'utf8').split('\n')[place.line - 1] ?? ''
        const file = path.basename(passage.path)
        const number = /^adr-0*(\d+)/i.exec(file)?.[1]
        const cited = number !== undefined && new RegExp(`adr[-_ ]?0*${number}\\b`, 'i').test(line)
        expect(cited || line.includes(file), `${place.path}:${place.line} ${line}`).toBe(true)
      }
    }
  })
})

it('a pasted question that nothing answers gets its nearest places, however long it is', async () => {
  const pasted = `getQuuxFromZyzzyva() retries ${Array.from({ length: 900 }, (_, n) => `qx${n}zz`).join(' ')}`
  for (const format of ['markdown', 'json'] as const) {
    const { digest } = await engine.assemble(pasted, { maxTokens: 8_000, format })
    expect(digest.confidence?.label).toBe('none')
    expect(digest.primary.length).toBeGreaterThan(0)
  }
})
