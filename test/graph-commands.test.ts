import { describe, expect, it } from 'vitest'
import type { GraphReport } from '../src/explore/read-graph.ts'
import { indexFixture } from './indexed-fixture.ts'
import { type Ran, runYore } from './run-command-line.ts'
import { makeFolder, openCorpus, writeFiles } from './temporary-corpus.ts'

const retries = 'docs/adr/ADR-013-retries.md'
const execution = 'docs/testing/KUBERNETES_TEST_EXECUTION.md'

const { root, engine } = await indexFixture('crossref')

const run = (...args: string[]): Ran => runYore([...args, '--root', root])

const brief = ({ edges }: GraphReport): string[] =>
  edges.map(({ kind, direction, from, to, evidence }) =>
    [direction, kind, direction === 'out' ? to : from, `${evidence.path}:${evidence.line}`].join(' '),
  )

describe('graph', () => {
  it('shows what refers to a document, with the lines, whatever name it is asked by', async () => {
    const expected = [
      'in LINKS docs/testing/ONBOARDING_NOTES.md#onboarding-notes.every-anchor docs/testing/ONBOARDING_NOTES.md:12',
      `in CITES ${execution}#kubernetes-test-execution.retry-semantics ${execution}:7`,
    ]
    for (const name of [retries, `./${retries}`, 'ADR-013', 'adr 13'])
      expect(brief((await engine.graph(name, { direction: 'in' })).graph)).toEqual(expected)
  })

  it('shows what a document defines and refers to, from all its sections', async () => {
    const { graph } = await engine.graph(execution, { direction: 'out' })
    expect(brief(graph)).toEqual([
      `out DEFINES ${execution}#kubernetes-test-execution ${execution}:1`,
      `out LINKS docs/operations/CLEANUP_RUNBOOK.md ${execution}:11`,
      `out LINKS docs/reference/exit-codes.md ${execution}:16`,
      `out CITES ${retries} ${execution}:7`,
      `out CITES docs/adr/ADR-014-timeouts.md ${execution}:7`,
      `out CITES team/adr-021-labels.md ${execution}:20`,
    ])
    expect(graph.neighbours.map(({ id }) => id)).toContain(retries)
  })

  it('shows the family of a section, asked for by anchor or by canonical id', async () => {
    const id = `${retries}#adr-013-retries.appendix`
    const { graph } = await engine.graph(`${retries}#appendix`)
    expect(graph.subject).toMatchObject({ id, name: 'Appendix', lines: { start: 23, end: 25 } })
    expect((await engine.graph(id)).graph).toEqual(graph)
    expect(brief(graph)).toEqual([
      `in DEFINES ${retries}#adr-013-retries ${retries}:23`,
      'in LINKS docs/testing/ONBOARDING_NOTES.md#onboarding-notes.every-anchor docs/testing/ONBOARDING_NOTES.md:12',
    ])
  })

  it('says what was probably meant', async () => {
    await expect(engine.graph('docs/adr/ADR-013-retrys.md')).rejects.toMatchObject({
      code: 'BAD_INPUT',
      hint: `did you mean ${retries}?`,
    })
    await expect(engine.graph('ADR-030')).rejects.toThrow('several documents')
  })
})

describe('links', () => {
  it('finds the broken link and the ambiguous id at their lines, and fails', () => {
    const { status, stdout } = run('links')
    expect(status).toBe(1)
    expect(stdout).toContain(`broken     ${execution}:20 → gone.md\n`)
    // That both decisions carry the number in their own titles is no reference.
    expect(stdout.match(/^ambiguous/gm)).toHaveLength(1)
    expect(stdout).toContain(
      `ambiguous  ${execution}:20 → ADR-030: docs/adr/ADR-030-image-cache.md, docs/archive/ADR-030-queue.md\n`,
    )
  })

  it('lists orphans and lost anchors when asked', () => {
    const { stdout } = run('links', '--orphans', '--anchors')
    expect(stdout).toContain('orphan     docs/adr/ADR-030-image-cache.md:1\n')
    expect(stdout).not.toContain('orphan     README.md')
    expect(stdout).toContain('AUTH_SYSTEM_DESIGN.md#two-zones: docs/architecture/AUTH_SYSTEM_DESIGN.md\n')
  })

  it('gives the same facts as JSON', async () => {
    const { links } = await engine.checkLinks()
    const { status, stdout } = run('links', '--json')
    expect([status, JSON.parse(stdout)]).toEqual([1, links])
  })

  it('succeeds when nothing is broken', async () => {
    const clean = makeFolder()
    using other = openCorpus(clean, { 'embedding.provider': 'none' })
    writeFiles(clean, { 'README.md': '[a](a.md)\n', 'a.md': '# A\n\nSee [out](https://example.com).\n' })
    await other.index()
    expect((await other.checkLinks()).links).toEqual({
      checked: 1,
      broken: [],
      moved: [],
      doubtful: [],
      silenced: 0,
      unindexed: [],
      ambiguous: [],
      anchors: [],
      orphans: [],
      stale: null,
      superseded: [],
    })
    const { status } = runYore(['links', '--root', clean])
    expect(status).toBe(0)
  })
})
