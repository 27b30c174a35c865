// Do the statements of the design documents hold for a user who sets nothing, on pages that use the same words as real ones do?
// test/conformance.md names these tests; scripts/break-seeds.ts shows that they fail when the behaviour is gone.
import { describe, expect, it } from 'vitest'
import { defaultSettings } from '../src/model/config/settings.ts'
import type { Digest, Passage } from '../src/model/digest.ts'
import type { Engine } from '../src/offer/engine/engine.ts'
import { loadTokenizer } from '../src/read/assets/load-tokenizer.ts'
import { indexFiles } from './indexed-fixture.ts'
import type { Files } from './temporary-corpus.ts'

const countTokens = loadTokenizer()

/** With embeddings, references, families and limits as they are installed. */
async function open(files: Files): Promise<Engine> {
  const { engine } = await indexFiles(files, defaultSettings)
  return engine
}

const textOf = ({ excerpts }: Passage): string => excerpts.map(({ text }) => text).join('\n')
const tokensOf = (passages: readonly Passage[]): number =>
  passages.reduce((sum, passage) => sum + countTokens(textOf(passage)), 0)
/** What references brought, without parents and siblings. */
const followed = ({ expanded }: Digest): Passage[] =>
  expanded.filter(({ type }) => type !== 'family').flatMap(({ passages }) => [...passages])

const parts = ['charge', 'refund', 'payout', 'invoice', 'webhook', 'ledger', 'dispute', 'mandate'] as const

/** Sentences about a part of a payment system. Every part is described in the same words, as teams do. */
function describePart(part: string, sentences: number): string {
  const said = [
    `A failed ${part} is retried by the worker until the queue gives it up.`,
    `The worker reads the ${part} from the queue and writes its state to the ledger.`,
    `Support sees the state of a ${part} in the console, and may retry it by hand.`,
    `When the provider is slow, the ${part} waits in the queue and an alert is raised.`,
    `Each retry of a ${part} has an idempotency key, so that the provider books it once.`,
    `The limit of retries for a ${part} is set per provider in the configuration.`,
    `A ${part} that was given up is moved to the review queue of the team on duty.`,
    `Metrics count every ${part}, its retries and the time that it spent in the queue.`,
  ]
  return Array.from({ length: sentences }, (_, at) => said[at % said.length]).join('\n')
}

/** Pages about each part, none of which says what the others do not. */
const pages: Files = Object.fromEntries(
  parts.map((part) => [
    `docs/services/${part}s.md`,
    `# The ${part} service\n\n## How a ${part} is retried\n\n${describePart(part, 16)}\n\n## Configuration\n\n${describePart(part, 8)}\n`,
  ]),
)

const decisionOf = (id: string, part: string, sentences: number): string =>
  `# ${id}: The ${part} queue\n\n## Context\n\nSupport could not say why a ${part} was late.\n${describePart(part, sentences)}\n\n## Decision\n\nEvery ${part} goes through one queue.\n${describePart(part, sentences)}\n\n## Appendix\n\n${describePart(part, 4)}\n`

const numberOf = (at: number): string => String(at + 1).padStart(3, '0')

describe('references', () => {
  it('are followed one hop, unless two are asked for', async () => {
    const engine = await open({
      ...pages,
      'docs/guides/RETRIES.md':
        '# Retries\n\n## How failed payments are retried\n\nThe worker retries failed payments as ADR-001 says.\n',
      'docs/adr/ADR-001-queue.md':
        '# ADR-001: The queue\n\n## Context\n\nWorkers shared a table.\n\n## Decision\n\nA queue, with the timeouts of ADR-002.\n',
      'docs/adr/ADR-002-timeouts.md':
        '# ADR-002: Timeouts\n\n## Decision\n\nTen seconds for every provider.\n',
    })
    const ask = async (options: { readonly depth?: number }): Promise<string[]> => {
      const { digest } = await engine.assemble('How are failed payments retried?', {
        sections: 1,
        ...options,
      })
      return digest.expanded.filter(({ type }) => type === 'adr').map(({ path }) => path)
    }
    expect(await ask({})).toEqual(['docs/adr/ADR-001-queue.md'])
    expect(await ask({ depth: 2 })).toEqual(['docs/adr/ADR-001-queue.md', 'docs/adr/ADR-002-timeouts.md'])
  })

  it('take at most three tenths of the budget where search results fill the rest', async () => {
    const cited = parts.map((part, at) => `The queue of each ${part} is decided in ADR-${numberOf(at)}.`)
    const engine = await open({
      ...pages,
      'docs/guides/RETRIES.md': `# Retries\n\n## How failed payments are retried\n\n${cited.join('\n')}\n`,
      ...Object.fromEntries(
        parts.map((part) => [
          `docs/guides/${part}s.md`,
          `# Guide to the ${part}\n\n## Payments\n\n${describePart(part, 16)}\n`,
        ]),
      ),
      ...Object.fromEntries(
        parts.map((part, at) => [
          `docs/adr/ADR-${numberOf(at)}-${part}.md`,
          decisionOf(`ADR-${numberOf(at)}`, part, 6),
        ]),
      ),
    })
    for (const maxTokens of [2000, 4000]) {
      const { digest } = await engine.assemble('How are failed payments retried?', { maxTokens })
      expect(followed(digest).length).toBeGreaterThan(0)
      expect(tokensOf(followed(digest))).toBeLessThanOrEqual(0.3 * maxTokens)
    }
  })

  it('add at most twenty sections', async () => {
    const many = Array.from({ length: 30 }, (_, at) => at)
    const engine = await open({
      ...pages,
      'docs/guides/DECISIONS.md': `# Decisions\n\n## Which decisions shape the queue\n\nThe queue was shaped by ${many.map((at) => `ADR-${numberOf(at)}`).join(', ')}.\n`,
      ...Object.fromEntries(
        many.map((at) => [
          `docs/adr/ADR-${numberOf(at)}-queue-${at}.md`,
          `# ADR-${numberOf(at)}: Queue ${at}\n\n## Decision\n\nWorkers of group ${at} read the queue.\n`,
        ]),
      ),
    })
    const { digest } = await engine.assemble('Which decisions shape the queue?', { maxTokens: 16_000 })
    const sections = digest.expanded.flatMap(({ passages }) => passages)
    expect(sections.length).toBeGreaterThan(10)
    expect(sections.length).toBeLessThanOrEqual(20)
    expect(digest.dropped.map(({ reason }) => reason)).toContain('expansion budget')
  })
})

it('two pages that say the same differ in score by three tenths of their authority', async () => {
  const sentences = describePart('payout', 8).split('\n')
  const page = (lines: readonly string[]): string => `# Payouts\n\n## Late payouts\n\n${lines.join('\n')}\n`
  const engine = await open({
    ...pages,
    'docs/architecture/payout-flow.md': page(sentences),
    'docs/archive/payout-flow.md': page([...sentences.slice(4), ...sentences.slice(0, 4)]),
  })
  const { digest } = await engine.assemble('Which alert is raised for late payouts?')
  const of = (folder: string) => digest.documents.find(({ path }) => path === `docs/${folder}/payout-flow.md`)
  const [current, archived] = [of('architecture'), of('archive')]
  if (current === undefined || archived === undefined) throw new Error('a page is missing')
  expect(current.canonicality.score - archived.canonicality.score).toBeGreaterThan(0.4)
  expect(current.score - archived.score).toBeCloseTo(
    0.3 * (current.canonicality.score - archived.canonicality.score),
    1,
  )
})

it('several long sections share a small budget', async () => {
  const engine = await open(
    Object.fromEntries(
      parts.map((part) => [
        `docs/services/${part}s.md`,
        `# The ${part} service\n\n## How a ${part} is retried\n\n${describePart(part, 80)}\n`,
      ]),
    ),
  )
  const { digest } = await engine.assemble('How does the worker retry what failed?', { maxTokens: 4000 })
  expect(digest.primary.length).toBeGreaterThan(3)
  expect(Math.max(...digest.primary.map((passage) => tokensOf([passage])))).toBeLessThanOrEqual(1600)
})

it('a function of 2,000 characters, which is indexed in two fragments, is shown from its first line to its last', async () => {
  const steps = Array.from({ length: 60 }, (_, at) => `    total += rate_of(order, ${at})`)
  const engine = await open({
    ...pages,
    'billing/discount.py': [
      'def rate_of(order, step):',
      '    return order.rates[step]',
      '',
      '',
      'def compute_invoice_discount(order):',
      '    total = 0',
      ...steps,
      '    return total / 100',
      '',
    ].join('\n'),
  })
  const { digest } = await engine.assemble('compute_invoice_discount')
  expect(digest.primary[0]?.path).toBe('billing/discount.py')
  expect(digest.primary[0]?.excerpts.map(({ lines }) => lines)).toEqual([{ start: 5, end: 67 }])
})

/** Accepted, and not true yet: each becomes an ordinary test with the change that makes it true, and its row "met". */
describe('what was asked for leads, whole', () => {
  it('a decision that is followed shows its Context and its Decision', async () => {
    const cited = parts.slice(0, 6)
    const engine = await open({
      'docs/guides/QUEUES.md': `# Queues\n\n## Rollout checklist\n\n${cited.map((part, at) => `Check the ${part} queue as ADR-${numberOf(at)} says.`).join('\n')}\n`,
      ...Object.fromEntries(
        cited.map((part, at) => [
          `docs/adr/ADR-${numberOf(at)}-${part}.md`,
          decisionOf(`ADR-${numberOf(at)}`, part, 12),
        ]),
      ),
    })
    const { digest } = await engine.assemble('rollout checklist')
    for (const { passages } of digest.expanded.filter(({ type }) => type === 'adr'))
      expect(passages.map(({ name }) => name)).toEqual(expect.arrayContaining(['Context', 'Decision']))
    expect(digest.expanded.filter(({ type }) => type === 'adr')).toHaveLength(6)
  })

  it('a hit on a child section shows its parent and siblings', async () => {
    const engine = await open({
      ...pages,
      'README.md': [
        '# The queue console\n\nThe console shows every queue, its workers and their retries.',
        '## Installation\n\nInstall the console next to a worker, and give it the address of the queue.',
        '## Configuration\n\nSet `retention` to the days that the console keeps a retry. The default is 30.',
        '## Troubleshooting\n\nIf the console shows no retries, the retention may have ended. Raise it and wait.',
        '## License\n\nMIT.\n',
      ].join('\n\n'),
    })
    const { digest } = await engine.assemble('What does retention mean?')
    const shown = [...digest.primary, ...digest.expanded.flatMap(({ passages }) => passages)]
    const names = shown.filter(({ path }) => path === 'README.md').map(({ name }) => name)
    for (const name of ['The queue console', 'Installation', 'Configuration', 'Troubleshooting', 'License'])
      expect(names.some((one) => one.includes(name))).toBe(true)
  })

  it('an archived page whose heading is the question does not lead', async () => {
    const engine = await open({
      ...pages,
      'docs/deployment/NEW_SERVICE_GUIDE.md': `# New service guide\n\n## Deployment process\n\nDeploy a new service to staging with \`yarn services deploy\`, then to production.\n`,
      'docs/archive/OLD_DEPLOY.md': `# How do I deploy a new service?\n\nTo deploy a new service, copy the files to the server and restart it.\n`,
    })
    const { digest } = await engine.assemble('How do I deploy a new service?')
    expect(digest.primary[0]?.path).toBe('docs/deployment/NEW_SERVICE_GUIDE.md')
  })

  it.each(['Which alternatives did ADR-005 reject?', 'What problem does ADR-005 solve?'])(
    'a decision that the question names leads: %s',
    async (question) => {
      const engine = await open(
        Object.fromEntries(
          parts.map((part, at) => [
            `docs/adr/ADR-${numberOf(at)}-${part}.md`,
            `${decisionOf(`ADR-${numberOf(at)}`, part, 6)}\n## Alternatives\n\nA problem that a second queue would solve was rejected with the other alternatives.\n`,
          ]),
        ),
      )
      const { digest } = await engine.assemble(question)
      expect(digest.strategy.name).toBe('reference_filter')
      expect(digest.primary[0]?.path).toBe('docs/adr/ADR-005-webhook.md')
    },
  )

  it('a long function is shown whole where the budget allows it', async () => {
    const steps = Array.from(
      { length: 90 },
      (_, at) => `    total += rate_of(order, ${at}) * weight_of(order.customer, ${at})`,
    )
    const engine = await open({
      ...pages,
      'billing/discount.py': `def compute_invoice_discount(order):\n    total = 0\n${steps.join('\n')}\n    return total\n`,
    })
    const { digest } = await engine.assemble('compute_invoice_discount')
    expect(digest.primary[0]?.excerpts.map(({ lines }) => lines)).toEqual([{ start: 1, end: 93 }])
  })
})
