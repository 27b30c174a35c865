// Does a digest for an agent use the tokens that it was given, and never more? A corpus with more to say than fits.

import { expect, it } from 'vitest'
import type { AssembleOptions } from '../src/answer/answering/question-options.ts'
import { defaultSettings, type Settings } from '../src/model/config/settings.ts'
import type { Engine } from '../src/offer/engine/engine.ts'
import { callTool } from '../src/offer/mcp/call-tool.ts'
import { Contexts } from '../src/offer/mcp/contexts.ts'
import { hardCap, type ToolResult } from '../src/offer/mcp/fit-result.ts'
import { loadTokenizer } from '../src/read/assets/load-tokenizer.ts'
import { indexTree } from './indexed-fixture.ts'
import { parseDigest } from './parse-digest.ts'
import { copyFixture, makeFolder, openCorpus, writeFiles } from './temporary-corpus.ts'

const countTokens = loadTokenizer()
const settings: Settings = { ...defaultSettings, 'embedding.provider': 'none', refresh: 'never' }
const inProse = 'How does the scheduler cancel a task?'
const inCode = 'cancel_task scheduler callbacks'

const words =
  'a waiting task is told by an exception at its next step while the queue keeps what others have put there and nobody loses work'.split(
    ' ',
  )

/** Sentences of varied length about one thing, the same in every run. */
function prose(seed: number, sentences: number): string {
  const sentence = (at: number): string => {
    const length = 6 + ((seed * 7 + at * 11) % 17)
    const rest = Array.from({ length }, (_, step) => words[(seed * 3 + at * 5 + step) % words.length])
    return `The scheduler may cancel task ${seed}.${at}: ${rest.join(' ')}.`
  }
  return Array.from({ length: sentences }, (_, at) => sentence(at)).join(' ')
}

function page(at: number): string {
  const section = (part: number): string =>
    `## Cancel a task, case ${at}.${part}\n\n${prose(at * 10 + part, 3 + ((at + part) % 9))}\n\nSee [the next case](page-${(at + 1) % 30}.md).`
  return `# Scheduler ${at}\n\n${[1, 2, 3].map(section).join('\n\n')}\n`
}

function module(at: number): string {
  const method = (part: number): string =>
    [
      `    def cancel_task_${part}(self, task, msg=None):`,
      `        """Cancel a task of the scheduler: "${prose(at + part, 1)}" """`,
      '        if task.done():\n            return False',
      ...Array.from(
        { length: 2 + ((at + part) % 6) },
        (_, line) => `        self._callbacks["${line}\\\\n"].append(f"{task!r}\\t{msg}")`,
      ),
      '        return True',
    ].join('\n')
  return `class Scheduler${at}:\n${[1, 2, 3, 4].map(method).join('\n\n')}\n`
}

const { engine } = await indexTree((root) => {
  const pages = Array.from({ length: 30 }, (_, at) => [`docs/page-${at}.md`, page(at)])
  const modules = Array.from({ length: 30 }, (_, at) => [`scheduler/module_${at}.py`, module(at)])
  writeFiles(root, Object.fromEntries([...pages, ...modules]))
})

/** The corpus has short sections: more of them than the budget suggests fill it. */
function ofManySections(from: Engine): Engine {
  return new Proxy(from, {
    get(target, key) {
      if (key === 'assemble')
        return (question: string, options: Partial<AssembleOptions>) =>
          target.assemble(question, { ...options, sections: 60 })
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

function assemble(
  question: string,
  maxTokens: number,
  { from = engine, contexts = new Contexts(from) } = {},
): Promise<ToolResult> {
  return callTool(
    'assemble_context',
    { question, maxTokens },
    {
      engine: ofManySections(from),
      settings,
      countTokens,
      contexts,
      signal: new AbortController().signal,
    },
  )
}

/** Tokens of the longest section with its source. */
const longest = countTokens(`### Cancel\n\n**Source:** docs/page-1.md:9-13\n\n${prose(1, 11)}`)

it.each([300, 450, 700, 1000, 1500, 2000, 3000, 4000, 6000, 8000, 12_000])(
  'fills %i tokens with passages',
  async (maxTokens) => {
    for (const question of [inProse, inCode]) {
      const result = await assemble(question, maxTokens)
      expect(result.isError).toBeUndefined()
      const { text } = result.content[0]
      const size = countTokens(text)
      expect(size).toBeLessThanOrEqual(maxTokens)
      // Sections are quoted whole: what is left holds none. A larger budget is not used up: what follows adds little.
      if (maxTokens >= 1000)
        expect(size).toBeGreaterThanOrEqual(Math.min(maxTokens - longest, Math.min(maxTokens, 4000) * 0.9))
      expect(countTokens(JSON.stringify(result))).toBeLessThanOrEqual(hardCap)
    }
  },
)

it('names the least budget that does, whatever was given', async () => {
  for (const question of [inProse, `${inCode} ${'and which are not told '.repeat(12)}`]) {
    const told = new Set<number>()
    for (const given of [100, 110]) {
      const { isError, content } = await assemble(question, given)
      expect(isError).toBe(true)
      const [, least] =
        /^error: \d+ tokens cannot .+ \(BUDGET_TOO_SMALL\)\nhint: raise maxTokens to (\d+) or more$/.exec(
          content[0].text,
        ) as RegExpExecArray
      expect(content[0].text).toContain(`error: ${given} tokens`)
      told.add(Number(least))
    }
    expect(told.size).toBe(1)
    const least = [...told][0] as number
    for (const more of [0, 9, 50]) expect((await assemble(question, least + more)).isError).toBeUndefined()
    expect((await assemble(question, least - 40)).isError).toBe(true)
  }
})

it.each(['crossref', 'code', 'mixed', 'services'])(
  'gives one answer over %s, and offers only what starts from what it shows',
  async (fixture) => {
    const folder = makeFolder()
    copyFixture(fixture, folder)
    using other = openCorpus(folder, { 'embedding.provider': 'none' })
    await other.index()
    const contexts = new Contexts(other)
    // Asked again in the same conversation, with less room: the context holds more than the answer shows.
    for (const maxTokens of [6000, 900, 400])
      for (const question of ['How do retries and cancelled tasks behave?', 'deploy a new service']) {
        const { content, structuredContent } = await assemble(question, maxTokens, { contexts, from: other })
        expect(structuredContent).toBeUndefined()
        const { passages, expanded } = parseDigest(content[0].text)
        const origins = [...content[0].text.matchAll(/^- from (.+)$/gm)].map(([, id]) => id as string)
        for (const origin of origins) {
          const { passage } = await other.read(origin, { maxTokens: 4000 })
          const isShown = [...passages, ...expanded].some(
            ({ path, ranges }) =>
              path === passage.path &&
              ranges.some(({ start, end }) => start <= passage.lines.end && end >= passage.lines.start),
          )
          expect(isShown, origin).toBe(true)
        }
      }
  },
)
