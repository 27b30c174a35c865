// Do the digest, an agent and `yore graph` read one graph? Whatever one brings along, the others offer and show.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { relations } from '../src/corpus/graph/neighbours.ts'
import type { Passage } from '../src/model/digest.ts'
import type { Engine } from '../src/offer/engine/engine.ts'
import { randomLinks, topics } from './random-links.ts'
import {
  copyFixture,
  type Files,
  makeFolder,
  openCorpus,
  removeFolder,
  slow,
  writeFiles,
} from './temporary-corpus.ts'

async function withCorpus(files: Files, use: (engine: Engine) => Promise<void>): Promise<void> {
  const root = makeFolder()
  const engine = openCorpus(root, { 'embedding.provider': 'none', workers: 1 })
  try {
    if (Object.keys(files).length === 0) copyFixture('mixed', root)
    writeFiles(root, files)
    await engine.index()
    await use(engine)
  } finally {
    engine.close()
    removeFolder(root)
  }
}

const guide =
  '# Paint guide\n\nThe zebra brush paints stripes in two coats.\n\n## Drying\n\nStripes dry overnight.\n'
const painter = `# How the stripes are mixed: see docs/paint-guide.md first.
def paint_zebra(coats):
    """Paints a zebra."""
    return mix(coats)


def mix(coats):
    return coats * 2
`
const painting: Files = {
  'docs/paint-guide.md': guide,
  'src/painter.py': painter,
  'docs/tools.md': '# Tools\n\nEverything that paints is in [the painter](../src/painter.py).\n',
}

it('a guide that a comment names comes along, is granted to an agent, and is shown, as what the code cites', async () => {
  await withCorpus(painting, async (engine) => {
    const { digest } = await engine.assemble('`paint_zebra`', { sections: 1, maxTokens: 3000 })
    const came = passagesOf(digest).find(({ path }) => path === 'docs/paint-guide.md')
    expect(came?.origin).toMatchObject({ from: 'src/painter.py#paint_zebra', via: 'cites', cost: 1 })
    const { outcome } = await engine.expand({
      from: 'src/painter.py#paint_zebra',
      via: 'cites',
      target: 'docs/paint-guide.md',
    })
    expect(outcome).toMatchObject({ allowed: true, approval: { cost: 1 } })
    const { graph } = await engine.graph('src/painter.py#paint_zebra', { direction: 'out' })
    expect(graph.edges.filter(({ to }) => to === 'docs/paint-guide.md').map(({ kind }) => kind)).toEqual([
      'CITES',
    ])
  })
})

it('a link from a document to a file of code documents it, for everybody', async () => {
  await withCorpus(painting, async (engine) => {
    const { outcome } = await engine.expand({
      from: 'docs/tools.md#tools',
      via: 'documents',
      target: 'src/painter.py#paint_zebra',
    })
    expect(outcome).toMatchObject({ allowed: true })
    const { graph } = await engine.graph('docs/tools.md#tools', { direction: 'out' })
    expect(graph.edges.map(({ kind, to }) => `${kind} ${to}`)).toEqual(['DOCUMENTS src/painter.py'])
  })
})

it('the licence that a file of code names in its header is no reference', async () => {
  const header =
    '# Copyright 2026 Somebody\n# SPDX-License-Identifier: MIT, see LICENSE.md and docs/NOTICE.txt\n'
  const files = {
    'LICENSE.md': '# Licence\n\nAs is.\n',
    'docs/NOTICE.txt': 'Parts.\n',
    'a.py': `${header}${painter}`,
  }
  await withCorpus({ ...painting, ...files }, async (engine) => {
    const { graph } = await engine.graph('a.py', { direction: 'out' })
    expect(graph.edges.filter(({ kind }) => kind === 'CITES').map(({ to }) => to)).toEqual([
      'docs/paint-guide.md',
    ])
  })
})

function passagesOf({ expanded }: { expanded: readonly { passages: readonly Passage[] }[] }): Passage[] {
  return expanded.flatMap(({ passages }) => passages)
}

/** What a digest says came along is granted from its origin at its price, and stands in the graph by its name. */
async function checkAlike(engine: Engine, passage: Passage): Promise<string> {
  const { origin, artifacts } = passage
  if (origin.kind !== 'expansion') throw new Error('it came along')
  const { from, via, cost, depth } = origin
  const target = artifacts[0] as string
  const session = await engine.startExpansion([{ id: from, depth: depth - 1 }], { budget: 20, maxDepth: 2 })
  expect(session.offers(from, { via, target })).toMatchObject([{ from, via, target, cost }])
  const documentOf = (id: string): string => id.replace(/#.*$/s, '')
  const { edges } = (await engine.graph(from)).graph
  const whole =
    from === documentOf(from) ? [] : (await engine.graph(documentOf(from), { direction: 'in' })).graph.edges
  const ends = (ids: readonly string[]): boolean => ids.includes(target) || ids.includes(documentOf(target))
  const shown = [...edges, ...whole]
    .filter(({ from: start, to }) => ends([start, to]))
    .map(({ kind }) => kind)
  // A sibling is a child of the parent, which stands around its origin.
  const parents = edges.filter((edge) => edge.direction === 'in' && edge.kind === 'DEFINES')
  for (const parent of via === 'defines' ? parents : [])
    for (const edge of (await engine.graph(parent.from, { direction: 'out' })).graph.edges)
      if (edge.to === target) shown.push(edge.kind)
  expect(shown, `${from} ${via} ${target}`).toContain(relations[via as keyof typeof relations].label)
  return via
}

/** Code beside the pages: comments and docstrings that name them, classes, calls and imports. */
const codeLines = fc.constantFrom(
  '# See docs/alpha.md.',
  '# As docs/adr/ADR-001-alpha.md and ADR-002 say, retry with a lease.',
  'queue = worker_retry()',
  'cache = Cluster().shard_replica()',
)
const codeFile = fc
  .tuple(
    fc.array(codeLines, { maxLength: 3 }),
    fc.array(fc.constantFrom(...topics), { minLength: 2, maxLength: 6 }),
  )
  .map(([comments, words]) => {
    const body = comments.map((line) => `    ${line}\n`).join('')
    return `"""Pipeline of the ${words.join(' ')}. See guide/setup.md."""
import helper


class Cluster:
    """A cluster: ${words.join(' ')}."""

    def shard_replica(self):
        """Shards a replica with ${words[0]}."""
        return helper.elect_leader(self)

    def trace_cluster(self):
        """Traces a cluster: ${words.join(' ')}."""
        return self


def worker_retry():
    """Retries ${words.join(' ')}."""
${body}    return helper.elect_leader(None)
`
  })
const helper =
  'def elect_leader(cluster):\n    """Elects the leader of alpha and beta. ADR-001."""\n    return cluster\n'
const aboutCode =
  '# Code\n\nalpha queue: `worker_retry()` and `Cluster.shard_replica`, in `src/pipeline.py` and [helper](../src/helper.py).\n'

it('whatever a digest brought along, an agent is granted at the same cost, and the graph shows with the same name', async () => {
  const seen = new Map<string, number>()
  const check = async (engine: Engine, questions: readonly string[]): Promise<void> => {
    for (const question of questions)
      for (const depth of [1, 2]) {
        const { digest } = await engine.assemble(question, { depth, sections: depth, maxTokens: 6000 })
        for (const passage of passagesOf(digest)) {
          const via = await checkAlike(engine, passage)
          seen.set(via, (seen.get(via) ?? 0) + 1)
        }
      }
  }
  await withCorpus({}, (engine) =>
    check(engine, ['How does a failed delivery get retried?', '`longest_pause`', '`Policy`', 'give up']),
  )
  await fc.assert(
    fc.asyncProperty(
      randomLinks,
      codeFile,
      fc.array(fc.constantFrom(...topics), { minLength: 1, maxLength: 3 }),
      async (pages, code, words) => {
        const files = {
          ...pages,
          'src/pipeline.py': code,
          'src/helper.py': helper,
          'docs/code.md': aboutCode,
        }
        await withCorpus(files, (engine) =>
          check(engine, [words.join(' '), `\`worker_retry\` ${words[0]}`, '`Cluster`', '`shard_replica`']),
        )
      },
    ),
    { numRuns: slow ? 500 : 20, endOnFailure: !slow },
  )
  // A property that is never put to the test proves nothing.
  for (const via of ['links', 'cites']) expect(seen.get(via) ?? 0, via).toBeGreaterThan(0)
}, 300_000)
