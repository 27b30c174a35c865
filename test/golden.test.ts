// Does the fixture repository give the digests that we agreed on, byte for byte? `YORE_UPDATE=1` writes them anew.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { indexTree } from './indexed-fixture.ts'
import { parseDigest } from './parse-digest.ts'
import { copyFixture } from './temporary-corpus.ts'

const day = (date: string): number => Date.parse(`${date}T09:00:00Z`)
const times: Readonly<Record<string, number>> = {
  'README.md': day('2025-10-20'),
  'docs/adr/ADR-0007-message-bus.md': day('2024-03-05'),
  'docs/adr/ADR-0013-service-onboarding.md': day('2025-10-01'),
  'docs/adr/ADR-0021-retry-semantics.md': day('2025-08-18'),
  'docs/architecture/AGENT_COORDINATOR_DESIGN.md': day('2025-04-02'),
  'docs/architecture/API_CLIENT.md': day('2025-09-02'),
  'docs/archive/old-deployment-guide.md': day('2023-02-11'),
  'docs/archive/retry-notes-2023.md': day('2023-05-30'),
  'docs/deployment/NEW_SERVICE_GUIDE.md': day('2025-11-15'),
  'docs/deployment/ROLLBACK.md': day('2025-07-14'),
  'docs/monitoring/DASHBOARDS.md': day('2025-03-03'),
  'docs/monitoring/agent-coordinator-alerts.md': day('2025-09-15'),
  'docs/operations/AGENT_COORDINATOR_RUNBOOK.md': day('2025-09-16'),
  'docs/operations/API_ERRORS_RUNBOOK.md': day('2025-06-25'),
  'docs/operations/RUNBOOK.md': day('2025-11-01'),
  'docs/team/NEW_COLLEAGUES.md': day('2024-09-09'),
  'docs/team/WRITING.md': day('2024-09-09'),
  'notes/2025-09-12-coordinator-outage.txt': day('2025-09-13'),
}

const deploy = 'How do I deploy a new service?'
const retry = 'What are the retry semantics for failed API calls?'
const troubleshoot = 'How do I troubleshoot agent coordinator failures?'
const goldens = [
  { name: 'deploy-new-service', question: deploy, maxTokens: 8000 },
  { name: 'deploy-new-service-in-700', question: deploy, maxTokens: 700 },
  { name: 'retry-semantics', question: retry, maxTokens: 8000 },
  { name: 'troubleshoot-coordinator', question: troubleshoot, maxTokens: 8000 },
] as const

/** The evaluation questions of the contract, with the words that a useful digest holds. */
const evaluation = [
  {
    question: 'How do I restart the agent coordinator?',
    expected: ['kubectl', 'rollout restart', 'agent-coordinator'],
  },
  { question: 'Which ADR defines retry semantics?', expected: ['ADR', 'retry', 'backoff'] },
  { question: 'How do I onboard a new service?', expected: ['new_service.sh', 'services.yaml', 'register'] },
] as const

const { root, engine } = await indexTree(
  (root) => {
    copyFixture('services', root, times)
    // By words alone: what is agreed on here is the layout, and it should not change with a model.
  },
  { refresh: 'auto' },
)

const schema = JSON.parse(readFileSync(new URL('../schema/digest.schema.json', import.meta.url), 'utf8'))
const validate = new Ajv2020({ strict: true, strictTypes: false, allErrors: true }).compile(schema)

async function digestOf(question: string, maxTokens = 8000) {
  const { output } = await engine.assemble(question, { maxTokens })
  return { output, ...parseDigest(output) }
}

function goldenText(file: string, output: string): string {
  const place = path.join(import.meta.dirname, 'golden', file)
  if (process.env['YORE_UPDATE']) {
    mkdirSync(path.dirname(place), { recursive: true })
    writeFileSync(place, output)
  }
  return readFileSync(place, 'utf8')
}

describe.each(goldens)('the golden digest $name', ({ name, question, maxTokens }) => {
  it('is the same in Markdown', async () => {
    const { output } = await engine.assemble(question, { maxTokens, layout: 'auto' })
    expect(output).toBe(goldenText(`${name}.golden.md`, output))
  })

  it('is the same in JSON, and keeps to the published schema', async () => {
    const { output } = await engine.assemble(question, { maxTokens, layout: 'auto', format: 'json' })
    expect(output).toBe(goldenText(`${name}.golden.json`, output))
    validate(JSON.parse(output))
    expect(validate.errors).toBeNull()
  })
})

it('is the same in the brief layout, which has the same sources and none of the explanations', async () => {
  const { output } = await engine.assemble(deploy, { maxTokens: 1500, layout: 'brief' })
  expect(output).toBe(goldenText('deploy-new-service-brief.golden.md', output))
  const places = parseDigest(output).passages.map(({ path: place }) => place)
  expect(places[0]).toBe('docs/deployment/NEW_SERVICE_GUIDE.md')
  for (const heading of ['## Top Relevant Documents', '## Metadata', '## Usage with LLM'])
    expect(output).not.toContain(heading)
})

it('is brief below 3,000 tokens and for programs, and full where it is asked for', async () => {
  const isFull = async (maxTokens: number, layout?: 'auto' | 'full'): Promise<boolean> => {
    const { output } = await engine.assemble(
      deploy,
      layout === undefined ? { maxTokens } : { maxTokens, layout },
    )
    return output.includes('## Top Relevant Documents')
  }
  expect(await isFull(2999, 'auto')).toBe(false)
  expect(await isFull(3000, 'auto')).toBe(true)
  expect(await isFull(8000)).toBe(false)
  expect(await isFull(1000, 'full')).toBe(true)
  const listed = async (layout: 'auto' | 'brief'): Promise<number> =>
    JSON.parse((await engine.assemble(deploy, { layout, format: 'json' })).output).documents.length
  expect([await listed('auto'), await listed('brief')]).toEqual([3, 0])
})

it('says when a limit of sections excludes what matches, and has none of its own that binds', async () => {
  const limited = await engine.assemble(deploy, { sections: 1 })
  expect(limited.digest.primary).toHaveLength(1)
  expect(limited.output).toMatch(/> \*\*Note:\*\* The limit of 1 section excludes \d+ that match\./)
  const free = await engine.assemble(deploy, { maxTokens: 20_000 })
  expect(free.output).not.toContain('The limit of')
  expect(free.digest.query.maxSections).toBe(80)
})

it.each([300, 400, 500, 599])('leaves three quarters of %i tokens to the sources', async (maxTokens) => {
  const { output, tokensUsed } = await engine.assemble(deploy, { maxTokens, layout: 'full' })
  const sources = output.slice(output.indexOf('\n### ') + 1)
  const end = sources.indexOf('\n## Metadata')
  expect(tokensUsed - countTokens(end === -1 ? sources : sources.slice(0, end))).toBeLessThanOrEqual(
    maxTokens / 4 + 4,
  )
})

describe('the deployment question', () => {
  it('is answered from the guide first, though an archived page has the question as its heading', async () => {
    const { passages } = await digestOf(deploy)
    expect(passages[0]?.path).toBe('docs/deployment/NEW_SERVICE_GUIDE.md')
    const places = passages.map(({ path: place }) => place)
    expect(places).toContain('docs/adr/ADR-0013-service-onboarding.md')
    expect(places).toContain('docs/operations/RUNBOOK.md')
  })

  it.each([
    ['## Required Steps', './scripts/new_service.sh <service-name>'],
    ['## Deployment Process', 'yarn services deploy <service-name> --env=prod'],
  ])('quotes %s at its lines', async (heading, command) => {
    const file = readFileSync(path.join(root, 'docs/deployment/NEW_SERVICE_GUIDE.md'), 'utf8').split('\n')
    const { passages } = await digestOf(deploy)
    const line = file.indexOf(heading) + 1
    const passage = passages.find(
      ({ path: place, ranges }) =>
        place === 'docs/deployment/NEW_SERVICE_GUIDE.md' &&
        ranges.some(({ start, end }) => start <= line && line <= end),
    )
    expect(passage?.texts.flat()).toContain(command)
    expect(passage?.ranges.some(({ end }) => end >= file.indexOf(command) + 1)).toBe(true)
  })
})

it('spans architecture, runbook and decision for a question that crosses documents', async () => {
  const { passages } = await digestOf(retry)
  const places = new Set(passages.map(({ path: place }) => place))
  expect([...places].slice(0, 3).sort()).toEqual([
    'docs/adr/ADR-0021-retry-semantics.md',
    'docs/architecture/API_CLIENT.md',
    'docs/operations/API_ERRORS_RUNBOOK.md',
  ])
})

it('brings runbooks before design documents for an operational question, with commands and monitoring', async () => {
  const { passages, output } = await digestOf(troubleshoot)
  const places = passages.map(({ path: place }) => place)
  const lastOf = (part: string): number => places.findLastIndex((place) => place.includes(part))
  const design = places.findIndex((place) => place.includes('DESIGN'))
  expect(lastOf('AGENT_COORDINATOR_RUNBOOK')).toBeGreaterThanOrEqual(0)
  expect(design).toBeGreaterThan(lastOf('AGENT_COORDINATOR_RUNBOOK'))
  expect(places).toContain('docs/monitoring/agent-coordinator-alerts.md')
  expect(output).toContain('kubectl logs -n agents -l app=agent-coordinator')
})

it.each(evaluation)('holds what an answer needs: $question', async ({ question, expected }) => {
  const { output } = await digestOf(question)
  const [, content = ''] = output.split('## Distilled Content')
  for (const words of expected) expect(content.toLowerCase()).toContain(words.toLowerCase())
})
