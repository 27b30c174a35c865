// Does the loop do what the protocol says, whatever an LLM writes? 10,000 outputs, beside a reference of a hundred lines (T25).
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runLoop } from '../src/answer/converse/run-loop.ts'
import type { ContextSection, Outcome, TraceStep } from '../src/model/conversation.ts'
import { estimateTokens } from '../src/read/tokens/token-counter.ts'
import { indexFiles } from './indexed-fixture.ts'
import { interpret, type Limits, type World } from './loop-interpreter.ts'
import { atScale } from './support/scaled-runs.ts'

/** Documents that refer to each other in circles. */
const files = {
  'a.md':
    '# Alpha\n\nAbout alpha.\n\n## One\n\nSee [bravo two](b.md#two) and ADR-007.\n\n## Two\n\nSee [Charlie](c.md).\n',
  'b.md':
    '# Bravo\n\nAbout bravo, see [alpha](a.md#alpha).\n\n## One\n\nNothing.\n\n## Two\n\nBack to [alpha one](a.md#one), on to [two](c.md#two).\n',
  'c.md': '# Charlie\n\nAbout charlie.\n\n## Two\n\nAs ADR-007 says, see [bravo](b.md#bravo).\n',
  'ADR-007-circles.md': '# ADR-007: Circles\n\nDecided. See [alpha one](a.md#one) and [charlie](c.md).\n',
}

const node = (parent: string | null, names: string[], own = true) => ({ parent, names, own })
const section = (parent: string, names: string[]) => node(parent, names)
const [a, b, c, adr] = ['a.md', 'b.md', 'c.md', 'ADR-007-circles.md'] as const
const adrTop = `${adr}#adr-007-circles`

const world: World = {
  nodes: new Map([
    [a, node(null, ['Alpha'], false)],
    [`${a}#alpha`, section(a, ['Alpha', 'alpha'])],
    [`${a}#alpha.one`, section(`${a}#alpha`, ['One', 'one'])],
    [`${a}#alpha.two`, section(`${a}#alpha`, ['Two', 'two'])],
    [b, node(null, ['Bravo'], false)],
    [`${b}#bravo`, section(b, ['Bravo', 'bravo'])],
    [`${b}#bravo.one`, section(`${b}#bravo`, ['One', 'one'])],
    [`${b}#bravo.two`, section(`${b}#bravo`, ['Two', 'two'])],
    [c, node(null, ['Charlie'], false)],
    [`${c}#charlie`, section(c, ['Charlie', 'charlie'])],
    [`${c}#charlie.two`, section(`${c}#charlie`, ['Two', 'two'])],
    [adr, node(null, ['ADR-007: Circles'], false)],
    [adrTop, section(adr, ['ADR-007: Circles', 'adr-007-circles'])],
  ]),
  links: [
    { from: `${a}#alpha.one`, via: 'links', to: `${b}#bravo.two`, names: ['bravo two', 'b.md#two'] },
    { from: `${a}#alpha.one`, via: 'cites', to: adr, names: ['ADR-007'] },
    { from: `${a}#alpha.two`, via: 'links', to: c, names: ['Charlie', 'c.md'] },
    { from: `${b}#bravo`, via: 'links', to: `${a}#alpha`, names: ['alpha', 'a.md#alpha'] },
    { from: `${b}#bravo.two`, via: 'links', to: `${a}#alpha.one`, names: ['alpha one', 'a.md#one'] },
    { from: `${b}#bravo.two`, via: 'links', to: `${c}#charlie.two`, names: ['two', 'c.md#two'] },
    { from: `${c}#charlie.two`, via: 'cites', to: adr, names: ['ADR-007'] },
    { from: `${c}#charlie.two`, via: 'links', to: `${b}#bravo`, names: ['bravo', 'b.md#bravo'] },
    { from: adrTop, via: 'links', to: `${a}#alpha.one`, names: ['alpha one', 'a.md#one'] },
    { from: adrTop, via: 'links', to: c, names: ['charlie', 'c.md'] },
  ],
}

const { engine } = await indexFiles(files)

function shownAs(artifacts: readonly string[]): ContextSection {
  const path = (artifacts[0] as string).split('#')[0] as string
  const excerpts = [{ lines: { start: 1, end: 1 }, text: 'text' }]
  return { artifacts, kind: 'markdown_section', path, name: path, excerpts, truncated: false, offers: [] }
}

const roomy = { promptTokens: 1_000_000, answerTokens: 1000 }

/** Plays the outputs as an LLM would give them; gives what happened, and how many outputs were taken. */
async function play(
  start: readonly (readonly string[])[],
  outputs: readonly string[],
  limits: Limits,
): Promise<{ outcome: Outcome; happened: string[] }> {
  const present = start.flat().map((id) => ({ id, depth: 0 }))
  const session = await engine.startExpansion(present, { budget: limits.budget, maxDepth: limits.depth })
  let turn = 0
  const outcome = await runLoop({
    question: 'why?',
    sections: start.map(shownAs),
    history: [],
    budget: limits.budget,
    limits: { ...roomy, turns: limits.turns, refusals: limits.refusals },
    countTokens: estimateTokens,
    session,
    passages: '',
    complete: async () => {
      return { text: outputs[turn++] ?? '', inputTokens: null, outputTokens: null }
    },
  })
  return { outcome, happened: outcome.trace.map(toText) }
}

function toText(step: TraceStep): string {
  if (step.step === 'expanded') return `+${step.target} ${step.budgetLeft}`
  if (step.step === 'denied') return step.reason
  return step.step === 'malformed' ? step.fault : step.step
}

const ids = [...world.nodes.keys()]
const names = [
  'ADR-007',
  'adr-007',
  'One',
  'two',
  ' TWO ',
  'Charlie',
  'bravo two',
  'c.md',
  'a.md#one',
  'nothing',
  '',
]
const from = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('S1', 'S2', 'S3', 'S4') },
  { weight: 3, arbitrary: fc.constant(null) },
  fc.constantFrom(...ids),
  fc.constantFrom('S0', 'S99', 'nowhere', 'constructor', ''),
)
const via = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('links', 'cites', 'defines') },
  fc.constantFrom('uses', '', '__proto__'),
)
const target = fc.oneof(fc.constantFrom(...ids), fc.constantFrom(...names))
const request = fc.record({ from, via, target }).map(({ from, via, target }) => ({
  action: 'expand',
  ...(from === null ? {} : { from }),
  via,
  target_identifier: target,
}))
/** Requests that the world can grant, so that budgets and depths are really used up. */
const lawful = fc
  .constantFrom(...world.links)
  .map(({ via, to }) => ({ action: 'expand', via, target_identifier: to }))
const expansion = fc.oneof(request, lawful).map((object) => JSON.stringify(object))
const answer = fc.constantFrom(
  ...['{"action":"answer","content":"So."}', '{"action":"answer","source":"S1","content":"So."}'],
  ...['{"action":"answer","content":" "}', '{"action":"answer","source":"none","content":"…"}'],
)
const broken = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('Sure! ', 'I need more.\n', ''),
      expansion,
      fc.constantFrom('', ' Thanks.', '\n{}', '}'),
    )
    .map((parts) => parts.join('')),
  expansion.map((text) => text.replace('"via"', '"via":"links","via"')),
  expansion.map((text) => text.replace('"via"', '"\\u0076ia":"links","via"')),
  expansion.map((text) => text.replace('{', '{"note":"x",')),
  expansion.map((text) => text.replace('{', '{"content":null,"from":null,').replace('"from":null,', '')),
  expansion.map((text) => text.replace(/"via":"[^"]*"/, '"via":["links"]')),
  expansion.map((text) => `[${text}]`),
  expansion.map((text) => `\`\`\`json\n${text}\n\`\`\``),
  expansion.map((text) => ` \n${text.replaceAll(':', ' : ')}\t`),
  expansion.chain((text) => fc.nat(text.length).map((end) => text.slice(0, end))),
  fc.json(),
  fc.string(),
  fc.constantFrom('{"action":"run","content":"x"}', '{"action":7}', '{}', 'null', '{'.repeat(50)),
)
const outputs = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: expansion },
      { weight: 3, arbitrary: broken },
      { weight: 1, arbitrary: answer },
    ),
    { minLength: 4, maxLength: 14 },
  )
  // Replays of what was said before.
  .chain((list) =>
    fc
      .array(fc.nat(list.length * 3), { minLength: list.length, maxLength: list.length })
      .map((replays) => list.map((one, at) => (replays[at]! < at ? (list[replays[at]!] as string) : one))),
  )
const starts = fc.constantFrom<readonly (readonly string[])[]>(
  [[`${a}#alpha.one`], [`${b}#bravo.one`, `${b}#bravo.two`]],
  [[`${a}#alpha.two`], [`${c}#charlie.two`], [`${b}#bravo`]],
  [[adrTop]],
)
const limits = fc.record({
  budget: fc.nat(6),
  depth: fc.nat(3),
  turns: fc.integer({ min: 1, max: 14 }),
  refusals: fc.nat(9),
})

it('agrees with the reference on 10,000 outputs, never overspends and always ends (T25)', async () => {
  let taken = 0
  const seen = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(starts, outputs, limits, async (start, said, caps) => {
      const { outcome, happened } = await play(start, said, caps)
      const expected = interpret(world, start, [...said, ...Array<string>(14).fill('')], caps)
      expect(happened).toEqual(expected)
      expect(outcome.turns).toBe(expected.length)
      expect(outcome.turns).toBeLessThanOrEqual(caps.turns)
      expect(outcome.budgetLeft).toBe(caps.budget - happened.filter((step) => step.startsWith('+')).length)
      expect(outcome.budgetLeft).toBeGreaterThanOrEqual(0)
      expect(outcome.outcome).toBe(expected.at(-1) === 'answered' ? 'answered' : 'gave_up')
      taken += happened.length
      for (const step of happened) {
        const kind = step.startsWith('+') ? 'allowed' : step
        seen.set(kind, (seen.get(kind) ?? 0) + 1)
      }
    }),
    { numRuns: 10_000 },
  )
  expect(taken).toBeGreaterThanOrEqual(atScale(10_000))
  // Nothing that can happen was left out.
  for (const kind of (
    'allowed answered must_answer budget_exceeded depth_exceeded already_visited unknown_origin ' +
    'via_not_allowed target_not_in_metadata duplicate_key text_around_json not_json not_an_object ' +
    'unknown_key unknown_action wrong_type missing_key empty_content'
  ).split(' '))
    expect(seen.get(kind) ?? 0, kind).toBeGreaterThan(atScale(10))
})

it('lists no request where none can be granted, not even one that costs nothing', async () => {
  const offers = [
    { from: `${a}#alpha.one`, via: 'links', target: `${b}#bravo.two`, cost: 0, name: 'bravo two' },
  ] as const
  const session = await engine.startExpansion([{ id: `${a}#alpha.one`, depth: 0 }], { budget: 2 })
  const schemas: string[] = []
  const ask = (turns: number, promptTokens: number): Promise<Outcome> =>
    runLoop({
      ...{ question: 'why?', history: [], budget: 2, countTokens: estimateTokens, session, passages: '' },
      sections: [{ ...shownAs([`${a}#alpha.one`]), offers: [...offers] }],
      limits: { turns, refusals: 3, promptTokens, answerTokens: 100 },
      complete: async (_, options) => {
        schemas.push(JSON.stringify(options.schema))
        return { text: '{"action":"answer","content":"So."}', inputTokens: null, outputTokens: null }
      },
    })
  for (const [turns, promptTokens] of [
    [8, 1_000_000],
    [1, 1_000_000],
    [8, 700],
  ] as const)
    await ask(turns, promptTokens)
  expect(schemas.map((schema) => schema.includes('"expand"'))).toEqual([true, false, false])
})
