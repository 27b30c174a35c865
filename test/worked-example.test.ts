// Does the worked example of `yore assemble` come out of its own corpus, with a user's defaults, and say the same on every surface?
import { expect, it } from 'vitest'
import { defaultSettings } from '../src/model/config/settings.ts'
import { callTool } from '../src/offer/mcp/call-tool.ts'
import { Contexts } from '../src/offer/mcp/contexts.ts'
import { completeInput } from '../src/offer/operations/check-input.ts'
import { operations } from '../src/offer/operations/operations.ts'
import { loadTokenizer } from '../src/read/assets/load-tokenizer.ts'
import { indexFiles, indexFixture } from './indexed-fixture.ts'
import { parseDigest } from './parse-digest.ts'
import { runCommandLine } from './run-command-line.ts'
import { copyFixture, makeFolder, now } from './temporary-corpus.ts'

const question = 'How do I deploy a new service?'
const guide = 'docs/deployment/NEW_SERVICE_GUIDE.md'
const adr = 'docs/adr/ADR-0013-service-onboarding.md'

/** A text whose lines stand at the numbers given; blank lines between them. */
function place(blocks: Readonly<Record<number, string>>, last: number): string {
  const lines = Array.from({ length: last }, () => '')
  for (const [line, text] of Object.entries(blocks))
    for (const [at, one] of text.split('\n').entries()) lines[Number(line) - 1 + at] = one
  return `${lines.join('\n')}\n`
}

/** Sentences about something else, each a paragraph of its own. */
function filler(from: number, to: number, about: string): Record<number, string> {
  const blocks: Record<number, string> = {}
  for (let line = from; line <= to; line += 2)
    blocks[line] = `Note ${line}: the ${about} is reviewed by its owner in week ${line % 52}.`
  return blocks
}

const files: Readonly<Record<string, string>> = {
  [guide]: place(
    {
      1: '# New Service Guide',
      3: '## Audience',
      ...filler(5, 41, 'cost centre of a team'),
      45: '## Required Steps',
      47: 'Create a new service skeleton using the script:',
      49: '```bash\n./scripts/new_service.sh <service-name>\n```',
      53: 'Register the service in `services.yaml` with required fields:\n- `owner` - Team email\n- `team` - Team name\n- `runtime` - nodejs | python | rust\n- `deployment_env` - staging | prod',
      67: 'Why there is a registry: [ADR-0013](../adr/ADR-0013-service-onboarding.md#service-registry).',
      89: 'The bot answers within a minute.',
      91: '## Naming',
      ...filler(93, 117, 'name of a repository'),
      120: '## Deployment Process',
      122: 'First-time deployment to staging:',
      124: '```bash\nyarn services deploy <service-name> --env=staging\n```',
      138: 'After staging validation, deploy to production:',
      140: '```bash\nyarn services deploy <service-name> --env=prod\n```',
      145: 'Both commands wait for the health checks.',
    },
    145,
  ),
  [adr]: place(
    {
      1: '# ADR-0013: Service onboarding',
      3: '## Alternatives',
      ...filler(5, 73, 'wiki page'),
      78: '## Service Registry',
      80: 'All services must be registered in the central `services.yaml` registry.\nThis enables automated:\n- CI/CD pipeline generation\n- Service discovery\n- Dependency tracking',
      95: 'The registry is the source of truth for service metadata.',
    },
    95,
  ),
  'docs/operations/RUNBOOK.md':
    '# Runbook\n\n## A deployment hangs\n\nLook at the new service with `kubectl logs`, then deploy again.\n',
  ...Object.fromEntries(
    ['billing', 'search', 'mail', 'metrics', 'storage', 'login'].map((name) => [
      `docs/services/${name}.md`,
      `# ${name}\n\n## Purpose\n\nThe ${name} service keeps ${name} records.\n\n## Limits\n\nIt answers in 200 ms.\n`,
    ]),
  ),
}

/** As a user has it: words and embeddings. */
const asUsed = { 'embedding.provider': defaultSettings['embedding.provider'] } as const
const { engine } = await indexFiles(files, asUsed)

interface Place {
  readonly path: string
  readonly lines: readonly (readonly number[])[]
  readonly text: readonly string[]
}
interface JsonDigest {
  readonly sectionsSelected: number
  readonly notices: readonly string[]
  readonly documents: readonly { readonly path: string; readonly sections: number }[]
  readonly primary: readonly Place[]
  readonly expanded: readonly { readonly passages: readonly Place[] }[]
}

/** Sources and text of each passage, in the order of the digest. */
function placesIn(output: string): string[] {
  if (!output.startsWith('{')) {
    const { passages, expanded } = parseDigest(output)
    return [...passages, ...expanded].map(({ path: file, ranges, texts }) =>
      JSON.stringify([
        file,
        ranges.map(({ start, end }) => [start, end]),
        texts.map((one) => one.join('\n')),
      ]),
    )
  }
  const { primary, expanded } = JSON.parse(output) as JsonDigest
  return [...primary, ...expanded.flatMap(({ passages }) => passages)].map(({ path: file, lines, text }) =>
    JSON.stringify([file, lines, text]),
  )
}

it('shows the sections of the example, each under its own heading and source', async () => {
  const { output } = await engine.assemble(question, { layout: 'full' })
  const { passages, expanded } = parseDigest(output)
  const found = passages.map(({ name, path: file, ranges }) => [name, file, ranges])
  expect(found[0]).toEqual(['Deployment Process', guide, [{ start: 120, end: 145 }]])
  expect(found).toContainEqual(['Required Steps', guide, [{ start: 45, end: 89 }]])
  expect(expanded).toMatchObject([
    { path: adr, ranges: [{ start: 78, end: 95 }], referencedBy: [{ path: guide, line: 67 }] },
  ])
  expect(output).not.toContain('wiki page')
  expect(output).toContain(
    `### Required Steps (from ${guide})\n\n**Source:** ${guide}:45-89 (canonical: 0.70)\n`,
  )
})

it.each([
  ['hybrid', 'Relevance threshold', ' (words and embeddings)'],
  ['lexical', 'BM25 relevance threshold', ''],
] as const)(
  'prints the threshold, and the score that ended the digest, searched by %s',
  async (mode, label, by) => {
    const { output, digest } = await engine.assemble(question, { layout: 'full', mode })
    const isEnded = digest.dropped.some(({ reason }) => reason === 'adds little')
    expect(output).toContain(`- ${label}: ${digest.relevanceThreshold.toFixed(2)}${by}\n`)
    expect(output).toContain(`- Cut-off score: ${digest.leastScore.toFixed(2)}\n`)
    expect(isEnded).toBe(mode === 'hybrid')
  },
)

it('prints areas that the question names, too', async () => {
  const { output } = await engine.assemble('What is the deployment process?', { layout: 'full' })
  expect(output).toContain('**Primary Areas:** deployment')
})

/** A corpus with references, surrounding sections and code beside the primary text. */
const mixed = await indexFixture('crossref', asUsed)
const followed = 'Which retry semantics hold for Kubernetes test execution?'

it('counts and lists everything that it holds, in Markdown and in JSON', async () => {
  const { output } = await mixed.engine.assemble(followed, { layout: 'full' })
  const { passages, expanded } = parseDigest(output)
  expect(expanded.length).toBeGreaterThan(0)
  const all = passages.length + expanded.length
  expect(output).toContain(`**Sections Selected:** ${all}\n`)
  expect(output).toContain(`- Selected after filtering: ${all}\n`)
  const json = JSON.parse(
    (await mixed.engine.assemble(followed, { layout: 'full', format: 'json' })).output,
  ) as JsonDigest
  expect(json.sectionsSelected).toBe(all)
  for (const { path: file } of [...passages, ...expanded]) {
    const count = [...passages, ...expanded].filter((one) => one.path === file).length
    expect(json.documents.find((one) => one.path === file)?.sections).toBe(count)
    expect(output).toContain(`. **${file}** (score: `)
  }
})

it('gives one request the same passages on every surface', async () => {
  const options = { maxTokens: 8000, layout: 'brief' } as const
  const library = mixed.engine
  const run = async (more: object): Promise<string[]> =>
    placesIn((await library.assemble(followed, { ...options, ...more })).output)
  const wanted = await run({})
  expect(wanted.length).toBeGreaterThan(8)
  expect(await run({ format: 'json' })).toEqual(wanted)
  expect(await run({ format: 'json', explain: true })).toEqual(wanted)
  const input = { ...completeInput(operations.assemble, { question: followed }, defaultSettings), ...options }
  const http = await library.assemble(followed, input as never)
  expect(placesIn(http.output)).toEqual(wanted)
  const tool = await callTool(
    'assemble_context',
    { question: followed, maxTokens: 8000 },
    {
      engine: library,
      settings: { ...defaultSettings, refresh: 'never' },
      countTokens: loadTokenizer(),
      contexts: new Contexts(library),
      signal: new AbortController().signal,
    },
  )
  // An agent gets numbered lines, and whole sections behind the first.
  const numbered = placesIn(
    (await library.assemble(followed, { maxTokens: 8000, layout: 'numbered' })).output,
  )
  expect(placesIn(tool.content[0].text)).toEqual(numbered)
  const folder = makeFolder()
  copyFixture('crossref', folder)
  const line = ['assemble', followed, '-C', folder, '--layout', 'brief', '--now', String(now / 1000)]
  expect(placesIn(runCommandLine(line))).toEqual(wanted)
  expect(placesIn(runCommandLine([...line, '--format', 'json', '--explain']))).toEqual(wanted)
})

it('omits passages from the end, and says so, where JSON needs more tokens than Markdown', async () => {
  for (const maxTokens of [600, 1000, 1500]) {
    const whole = placesIn((await mixed.engine.assemble(followed, { maxTokens })).output)
    for (const explain of [false, true]) {
      const { output } = await mixed.engine.assemble(followed, { maxTokens, explain, format: 'json' })
      const held = placesIn(output)
      expect(held).toEqual(whole.slice(0, held.length))
      expect(loadTokenizer()(output)).toBeLessThanOrEqual(maxTokens)
      const { notices } = JSON.parse(output) as JsonDigest
      expect(notices.some((one) => one.includes('not fit the budget as JSON'))).toBe(
        held.length < whole.length,
      )
    }
  }
})
