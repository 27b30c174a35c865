// Is what the simulator counts what an agent would read? Policies on a small repository, and a model over a real socket.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeFolder, openCorpus, removeFolder, writeFiles } from '../../test/temporary-corpus.ts'
import { modelPolicies } from './agent-model.ts'
import { policies, wordsToGrep } from './agent-policies.ts'
import { isCitedShown } from './agent-tasks.ts'
import { AgentTools, type Call } from './agent-tools.ts'
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
  const one = { set: 'real', calls: 2, yoreCalls: 0, modelTokens: 0 }
  const figures = sumUpOutcomes([
    { ...one, id: 'a', policy: 'grep', found: true, tokens: 100 },
    { ...one, id: 'b', policy: 'grep', found: false, tokens: 300 },
    { ...one, id: 'a', policy: 'yore', found: true, tokens: 200 },
    { ...one, id: 'b', policy: 'yore', found: true, tokens: 9000, yoreCalls: 2, modelTokens: 700 },
  ])
  expect(figures[1]).toMatchObject({ found: 1, foundWithin8k: 0.5, meanTokens: 4600, less: 1, more: 1 })
  expect(figures[1]).toMatchObject({ callRate: 0.5, meanModelTokens: 350 })
  expect(figures[0]?.meanTokens).toBe((100 + agentLimits.tokens) / 2)
})

it('takes a cited place for seen by one of its lines, and every cited file has to be', () => {
  const gold = [
    { path: 'a.py', start: 10, end: 12 },
    { path: 'a.py', start: 1, end: Number.POSITIVE_INFINITY },
    { path: 'pkg/b.py', start: 1, end: Number.POSITIVE_INFINITY },
  ]
  const b = { path: 'src/pkg/b.py', start: 5, end: 6 }
  expect(isCitedShown(gold, [{ path: 'src/a.py', start: 12, end: 40 }, b])).toBe(true)
  expect(isCitedShown(gold, [{ path: 'src/a.py', start: 13, end: 40 }, b])).toBe(false)
  expect(isCitedShown(gold, [{ path: 'src/a.py', start: 1, end: 40 }])).toBe(false)
})

interface Asked {
  readonly model: string
  readonly tools: { readonly function: { readonly name: string } }[]
  readonly messages: { readonly role: string; readonly content: string | null }[]
}

it('lets a model call the tools over the protocol of OpenAI, once without yore and once with it', async () => {
  const asked: { body: Asked; key: string | undefined }[] = []
  const replies = [
    { name: 'grep', arguments: '{"pattern":"backoff"}' },
    { name: 'nothing', arguments: '{broken' },
    { name: 'read', arguments: '{"path":"docs/retries.md","start":60,"end":70}' },
  ]
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => (text += chunk))
    request.on('end', () => {
      const body = JSON.parse(text) as Asked
      asked.push({ body, key: request.headers.authorization })
      const called = replies[body.messages.filter(({ role }) => role === 'tool').length]
      const message =
        called === undefined
          ? { role: 'assistant', content: 'docs/retries.md:65' }
          : {
              role: 'assistant',
              content: null,
              tool_calls: [{ id: '1', type: 'function', function: called }],
            }
      response.setHeader('content-type', 'application/json')
      response.end(
        JSON.stringify({ choices: [{ message }], usage: { prompt_tokens: 90, completion_tokens: 10 } }),
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    let used = 0
    const onUsage = ({ input, output }: { input: number; output: number }): void => {
      used += input + output
    }
    const both = modelPolicies({ url, model: 'small', key: 'secret', onUsage })
    for (const policy of Object.values(both)) {
      const calls: Call[] = []
      const outcome = await runPolicy(task, policy, tools, (call) => calls.push(call))
      expect(outcome).toMatchObject({ found: true, calls: 3 })
      expect(calls[1]?.text).toBe('error: there is no tool nothing')
    }
    expect(used).toBe(100 * asked.length)
    expect(asked[0]?.body.messages[0]?.content).not.toContain('assemble_context')
    expect(asked.at(-1)?.body.messages[0]?.content).toContain('Ask assemble_context first')
    expect(asked.every(({ key, body }) => key === 'Bearer secret' && body.model === 'small')).toBe(true)
    const offered = [asked[0], asked.at(-1)].map((one) => one?.body.tools.map((tool) => tool.function.name))
    expect(offered).toEqual([
      ['grep', 'read'],
      ['assemble_context', 'search', 'grep', 'read'],
    ])
    expect(asked[1]?.body.messages.at(-1)?.content).toContain('docs/retries.md')
  } finally {
    server.close()
  }
})
