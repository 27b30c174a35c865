// Are calls that travel to threads as data answered as in one process, and is a budget spent once?
import { beforeAll, describe, expect, it } from 'vitest'
import { defaultSettings } from '../src/model/config/settings.ts'
import { openEngine } from '../src/offer/engine/open-engine.ts'
import { answerTool, askInThreads } from '../src/offer/mcp/ask-in-threads.ts'
import { callTool } from '../src/offer/mcp/call-tool.ts'
import { Contexts } from '../src/offer/mcp/contexts.ts'
import type { AskTool } from '../src/offer/mcp/make-server.ts'
import { loadTokenizer } from '../src/read/assets/load-tokenizer.ts'
import { copyFixture, indexFolder, makeFolder, slow } from './temporary-corpus.ts'

const question = 'How do I clean up after an aborted run?'
let root: string
beforeAll(async () => {
  root = makeFolder()
  copyFixture('crossref', root)
  await indexFolder(root, { 'embedding.provider': 'none' })
})

function contextIn({ content }: Awaited<ReturnType<AskTool>>): string | undefined {
  return /^Context ([^;\s]+);/.exec(content[1]?.text ?? '')?.[1]
}

/** Names of contexts are random. */
function withoutName(text: string): string {
  return text.replaceAll(/(Context |"context":")[\w-]{12}(?![\w-])/g, '$1NAME')
}

describe('threads', () => {
  const settings = { ...defaultSettings, 'embedding.provider': 'none', refresh: 'never' } as const
  const open = () => {
    const engine = openEngine({ root, settings, indexDir: `${root}/.yore`, now: 1764429780_000 })
    return { engine, settings, countTokens: loadTokenizer('o200k') }
  }
  /** Each question and each answer is copied, as between threads. */
  const askCopies = (serving: ReturnType<typeof open>): AskTool =>
    askInThreads(
      {
        ask: async (asked) => structuredClone(await answerTool(serving, structuredClone(asked))),
      },
      new Map(),
      9,
    )
  const { signal } = new AbortController()
  const linked = {
    from: 'docs/testing/KUBERNETES_TEST_EXECUTION.md',
    via: 'links',
    target: 'docs/operations/CLEANUP_RUNBOOK.md',
  }

  /** One conversation: each kind of call, its errors, and a budget that is spent. */
  async function converse(askTool: AskTool): Promise<readonly unknown[]> {
    const said: unknown[] = []
    let context = ''
    const say = async (name: Parameters<AskTool>[0], given: Record<string, unknown>): Promise<void> => {
      const result = await askTool(name, given, signal)
      context = contextIn(result) ?? context
      said.push(JSON.parse(withoutName(JSON.stringify(result))))
    }
    await say('assemble_context', { question, maxTokens: 1500 })
    await say('expand', { ...linked, context })
    await say('expand', { ...linked, context })
    await say('expand', { from: linked.from, context })
    await say('search', { query: 'collector quota', limit: 3 })
    await say('expand', { from: linked.from, context })
    await say('expand', { ...linked })
    await say('expand', { ...linked, context: 'nobody' })
    await say('read', { place: `${linked.target}:1-5` })
    await say('read', { place: 'no/such/file.md' })
    await say('assemble_context', { question, maxTokens: 100 })
    await say('assemble_context', { question: 7 })
    return said
  }

  it('give the same bytes as the thread that serves', async () => {
    const serving = open()
    const contexts = new Contexts({ newId: () => 'abcdefghijkl', alone: false, most: 9 })
    const here = await converse((name, given) => callTool(name, given, { ...serving, contexts, signal }))
    // Several at once, so that their calls interleave.
    const there = await Promise.all(Array.from({ length: slow ? 40 : 4 }, () => converse(askCopies(serving))))
    serving.engine.close()
    for (const said of there) expect(said).toEqual(here)
    expect(JSON.stringify(here)).toContain('Followed: links')
  })

  it('spend a budget once, however many calls of one context there are at a time', async () => {
    const serving = open()
    const askTool = askCopies(serving)
    const opened = await askTool('assemble_context', { question }, signal)
    const context = contextIn(opened)
    const given = { ...linked, context }
    const results = await Promise.all(Array.from({ length: 6 }, () => askTool('expand', given, signal)))
    const allowed = results.filter(({ content }) => content[0].text.startsWith('Followed'))
    expect(allowed.length).toBe(1)
    const after = await askTool('expand', { from: linked.from, context }, signal)
    expect(after.content[0].text).toContain('budget left: 3')
    serving.engine.close()
  })
})
