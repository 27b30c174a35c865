// Is what the simulator counts what an agent would read? Policies on a small repository.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeFolder, openCorpus, removeFolder, writeFiles } from '../../test/temporary-corpus.ts'
import { policies, wordsToGrep } from './agent-policies.ts'
import { AgentTools } from './agent-tools.ts'
import type { Place } from './real-set.ts'
import { agentLimits, runPolicy, sumUpOutcomes } from './simulate-agent.ts'

const root = makeFolder()
const engine = openCorpus(root, { 'embedding.provider': 'none' })
let tools: AgentTools

beforeAll(async () => {
  const filler = Array.from({ length: 30 }, (_, at) => `Paragraph ${at} about the weather.\n`).join('\n')
  writeFiles(root, {
    'docs/retries.md': `# Retries\n\n${filler}\n## Backoff\n\nA failed call is retried after two seconds.\n`,
    'docs/weather.md': `# Weather\n\n${filler}`,
    'src/client.ts': 'export function callWithBackoff(): void {\n  // retried after two seconds\n}\n',
  })
  await engine.index()
  tools = new AgentTools(root, engine)
})
afterAll(() => {
  engine.close()
  removeFolder(root)
})

const task = {
  question: 'How long is the backoff after a failed call?',
  isFound: (shown: readonly Place[]) =>
    shown.some(({ path, start, end }) => path === 'docs/retries.md' && start <= 65 && end >= 65),
}

it('greps for names of code first, and never for ordinary words', () => {
  expect(wordsToGrep('How does callWithBackoff wait for the server?')).toEqual([
    'callWithBackoff',
    'server',
    'wait',
  ])
})

describe('tools', () => {
  it('count matches by file, and show the lines of one', () => {
    expect(tools.grepFiles('BACKOFF').call.text).toBe('docs/retries.md:1\nsrc/client.ts:1')
    expect(tools.grepLines('two seconds|nothing', 'src')).toMatchObject({
      text: 'src/client.ts:2:  // retried after two seconds',
      shown: [{ path: 'src/client.ts', start: 2, end: 2 }],
    })
  })

  it('read what is there, and say what is not', () => {
    expect(tools.read('src/client.ts', 2, 99)).toMatchObject({ shown: [{ start: 2, end: 3 }] })
    expect(tools.read('../outside', 1, 2)).toMatchObject({ shown: [], text: 'no such lines in ../outside' })
  })

  it('a list of hits shows no line that counts as read', async () => {
    expect((await tools.search('backoff')).call.shown).toEqual([])
  })
})

it.each(Object.keys(policies))('%s finds the lines, the same way every time', async (name) => {
  const policy = policies[name] as (typeof policies)[string]
  const once = await runPolicy(task, policy, tools)
  expect(once.found).toBe(true)
  expect(await runPolicy(task, policy, tools)).toEqual(once)
})

it('is a miss when the limits are reached, and costs no more than they say', async () => {
  const never = { question: task.question, isFound: () => false }
  for (const policy of Object.values(policies)) {
    const { found, tokens, calls } = await runPolicy(never, policy, tools)
    expect(found).toBe(false)
    expect(tokens).toBeLessThanOrEqual(agentLimits.tokens)
    expect(calls).toBeLessThanOrEqual(agentLimits.calls)
  }
})

it('counts a miss as the limit, and says how often a policy reads less and more', () => {
  const one = { calls: 2 }
  const figures = sumUpOutcomes([
    { ...one, id: 'a', policy: 'grep', found: true, tokens: 100 },
    { ...one, id: 'b', policy: 'grep', found: false, tokens: 300 },
    { ...one, id: 'a', policy: 'yore', found: true, tokens: 200 },
    { ...one, id: 'b', policy: 'yore', found: true, tokens: 9000 },
  ])
  expect(figures[1]).toMatchObject({ found: 1, foundWithin8k: 0.5, meanTokens: 4600, less: 1, more: 1 })
  expect(figures[0]?.meanTokens).toBe((100 + agentLimits.tokens) / 2)
})
