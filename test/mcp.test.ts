// Does the agents' server keep its promises? The official client on both revisions of the protocol.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadTokenizer } from '../src/read/assets/load-tokenizer.ts'
import { type Answer, call, type Era, type Served, serveStdio } from './mcp-clients.ts'
import { parseDigest } from './parse-digest.ts'
import { startRepository } from './support/test-tree.ts'
import { copyFixture, indexFolder, makeFolder, writeFiles } from './temporary-corpus.ts'

const count = loadTokenizer()
const execution = 'docs/testing/KUBERNETES_TEST_EXECUTION.md'
const question = 'How do I clean up after an aborted run?'
const linked = { via: 'links', target: 'docs/operations/CLEANUP_RUNBOOK.md' }

let root: string
beforeAll(async () => {
  root = makeFolder()
  copyFixture('crossref', root)
  // More than a result can hold, with much that JSON has to escape.
  const row = (at: number): string => `| "entry ${at}" | C:\\\\path\\\\${at} | quota of the collector |`
  const table = [
    '# Large',
    '',
    '| a | b | c |',
    '|---|---|---|',
    ...Array.from({ length: 4000 }, (_, at) => row(at)),
  ]
  writeFiles(root, { 'docs/large.md': `${table.join('\n')}\n` })
  await indexFolder(root, { 'embedding.provider': 'none' })
})

describe.each<Era>(['legacy', 'modern'])('over standard input, %s', (era) => {
  let served: Served
  const ask = (name: string, given: Record<string, unknown> = {}): Promise<Answer> =>
    call(served.client, name, given)
  beforeAll(async () => {
    served = await serveStdio(root, era)
  })
  afterAll(() => served.close())

  it('lists the tools: read-only, with input schemas and no output schemas', async () => {
    const { tools } = await served.client.listTools()
    expect(tools.map(({ name }) => name).join(' ')).toBe('assemble_context search expand read uses outline')
    for (const tool of tools) {
      expect(tool.annotations).toMatchObject({ readOnlyHint: true })
      expect(tool.inputSchema).toMatchObject({ type: 'object' })
      expect(tool.outputSchema).toBeUndefined()
    }
    expect(served.client.getServerVersion()).toMatchObject({ name: 'yore' })
  })

  it('assembles a digest as text alone', async () => {
    const { text, whole } = await ask('assemble_context', { question })
    expect(whole).toMatchObject({ structuredContent: undefined })
    expect(text).toMatch(/^# Context Digest for: "[^"]+"\n\n> Confidence high: .+ Read or expand/)
    const { passages } = parseDigest(text)
    expect(passages.map((passage) => passage.path)).toContain(execution)
    const [first] = passages
    const { start, end } = first?.ranges[0] ?? { start: 0, end: 0 }
    const read = await ask('read', { place: `${first?.path}:${start}-${end}` })
    expect(read.text).toContain(`**Source:** ${first?.path}:${start}-${end}\n`)
  })

  it('looks around: an outline, a map, users of a document, text, and no commit without git', async () => {
    const outline = await ask('outline', { place: execution })
    expect(outline.text).toContain('Cleaning up after a run')
    expect(outline.text).toMatch(/^Index fresh\. Read path:lines/)
    const map = await ask('outline', { question, maxTokens: 300 })
    expect(map.text).toContain(execution)
    expect(count(map.text)).toBeLessThanOrEqual(300)
    expect(map.text).toMatch(/^Index fresh\. .+\n19 files \(markdown \d+/)
    expect((await ask('uses', { name: execution, direction: 'callers' })).text).toMatch(/Used by: \d+\n- /)
    const found = await ask('search', { query: 'quota of \\d+ pods', match: 'regex', kind: 'docs' })
    expect(found.text.match(/^\d+\. /gm)).toHaveLength(1)
    expect(await ask('outline', { since: 'main' })).toMatchObject({ isError: true, code: 'BAD_INPUT' })
  })

  it('expands what is allowed and denies the rest, with what is left', async () => {
    await ask('assemble_context', { question: `${question} (again)` })
    const from = `${execution}#cleaning-up-after-a-run`
    const allowed = await ask('expand', { from, ...linked })
    expect(allowed.text).toMatch(/^Followed: links from .+\n[\s\S]*\nExpansion budget left: 3, /)
    expect(allowed.text).toContain('The namespace has a quota of 200 pods')
    const again = await ask('expand', { from, ...linked })
    expect(again.text).toMatch(
      /^Denied \(already_visited\): .+\n\n## References to follow\n\nExpansion budget left: 3, /,
    )
    expect(again.isError).toBe(false)
    const listed = await ask('expand', { from: execution })
    expect(listed.text).toMatch(/^## References to follow\n\nExpansion budget left: 3, .+\n- from /)
  })

  it('searches and reads lines', async () => {
    const found = await ask('search', { query: 'retry', limit: 3 })
    expect(found.text).toMatch(/^Confidence (?:high|medium|low): .+\n(?:.+\n)*?1\. \S+:\d+/)
    expect(found.text.match(/^\d+\. \S+:\d+/gm)).toHaveLength(3)
    const read = await ask('read', { place: 'docs/adr/ADR-013-retries.md:11-14' })
    const lines = readFileSync(path.join(root, 'docs/adr/ADR-013-retries.md'), 'utf8').split('\n')
    expect(read.text).toContain(lines[12])
  })

  it('counts exact text in all files, also where there is none', async () => {
    const text = async (query: string): Promise<string> =>
      (await ask('search', { query, match: 'exact', limit: 1 })).text
    expect(await text('quota of the collector')).toMatch(
      /^Confidence high: exactly this text is in 1 of 19 files, 4,000 times in \d+ sections\. .+\n1\. docs\/large\.md:\d+ \(also /,
    )
    expect(await text('Quota of the collector')).toMatch(
      /^Confidence none: exactly this text is in 0 of 19 files; in other case in 1, such as docs\/large\.md\./,
    )
    expect(await text('qouta_of_zebras')).toMatch(
      /^Confidence none: exactly this text is in 0 of 19 files\. .+\nNear terms: /,
    )
  })

  it('reads several places at once, and says which are missing', async () => {
    const adr = 'docs/adr/ADR-013-retries.md'
    const { text } = await ask('read', { place: [`${adr}:1-2,11-14`, 'ADR-999', `${execution}:1`] })
    expect(text.match(/^\*\*Source:.+/gm)).toEqual([
      `**Source:** ${adr}:1`,
      `**Source:** ${adr}:11-13`,
      `**Source:** ${execution}:1`,
    ])
    expect(text).toMatch(
      /^Read 3 of 4 places; error for ADR-999\. Index fresh\. Complete; [\s\S]+\nerror: the index contains nothing named "ADR-999"/,
    )
    const cut = await ask('read', { paths: ['docs/large.md', adr], maxTokens: 300 })
    expect(cut.text).toMatch(
      /^Not read: docs\/adr\S+\. Index fresh\. Shortened; read docs\/large\.md:\d+-4004 next\.\n/,
    )
    expect(count(cut.text)).toBeLessThanOrEqual(300)
  })

  it('answers what an agent can mend as a result with a hint', async () => {
    const wrong = async (name: string, given: Record<string, unknown>): Promise<Answer> => {
      const answer = await ask(name, given)
      expect(answer.isError).toBe(true)
      expect(answer.text).toMatch(/^error: .+\nhint: .+/)
      return answer
    }
    expect((await wrong('read', { place: 'docs/adr/ADR-013-retrys.md' })).text).toContain('did you mean')
    expect((await wrong('read', { place: '../../../etc/passwd' })).code).toBe('BAD_INPUT')
    expect((await wrong('assemble_context', {})).text).toContain('missing question')
    expect((await wrong('search', { query: 'x', limit: 0 })).text).toContain('from 1 to 1000')
    expect((await wrong('search', { query: 'x', json: true })).text).toContain('takes no "json"')
    expect((await wrong('expand', { from: execution, via: 7 })).text).toContain('must be a text')
    await expect(ask('nothing')).rejects.toMatchObject({ code: -32_602 })
  })

  it('stays within its tokens in each form, at the default and at the most', async () => {
    const within = (answer: Answer, most: number): void => {
      expect(answer.isError).toBe(false)
      expect(count(answer.text)).toBeLessThanOrEqual(most)
      expect(count(JSON.stringify(answer.whole))).toBeLessThanOrEqual(25_000)
    }
    within(await ask('assemble_context', { question: 'quota of the collector' }), 8000)
    within(await ask('read', { place: 'docs/large.md' }), 8000)
    within(await ask('search', { query: 'quota', limit: 1000 }), 8000)
    const largest = await ask('read', { place: 'docs/large.md', maxTokens: 12_000 })
    within(largest, 12_000)
    expect(count(largest.text)).toBeGreaterThan(10_500)
    within(await ask('assemble_context', { question: 'quota of the collector', maxTokens: 12_000 }), 12_000)
    within(await ask('assemble_context', { question: 'quota of the collector', maxTokens: 1500 }), 1500)
    const tooMuch = await ask('read', { place: 'docs/large.md', maxTokens: 12_001 })
    expect(tooMuch.text).toContain('from 100 to 12000')
    const [, place] = /^Index fresh\. Shortened; read (\S+) next\.$/m.exec(largest.text) ?? []
    const linesOf = ({ text }: Answer): number[] =>
      (/^\*\*Source:\*\* docs\/large\.md:(\d+)-(\d+)$/m.exec(text) ?? []).slice(1).map(Number)
    const next = await ask('read', { place, maxTokens: 12_000 })
    expect(linesOf(next)[0]).toBe((linesOf(largest)[1] ?? 0) + 1)
  })

  it('lets a call be cancelled: nothing is spent, and the next call is answered', async () => {
    await ask('assemble_context', { question: 'aborted run, cancelled' })
    const given = { from: `${execution}#cleaning-up-after-a-run`, ...linked }
    const stop = new AbortController()
    const cancelled = call(served.client, 'expand', given, { signal: stop.signal })
    stop.abort()
    await expect(cancelled).rejects.toThrow()
    const answer = await ask('expand', given)
    expect(answer.text).toMatch(/^Followed: [\s\S]+\nExpansion budget left: 3, /)
  })
})

it('answers many calls at once, and from changed files as they are now', async () => {
  const folder = makeFolder()
  copyFixture('crossref', folder)
  await indexFolder(folder, { 'embedding.provider': 'none' })
  const served = await serveStdio(folder)
  const many = Array.from({ length: 30 }, (_, at) =>
    call(served.client, at % 2 ? 'search' : 'assemble_context', {
      [at % 2 ? 'query' : 'question']: `retry ${at}`,
    }),
  )
  const asked = (await Promise.all(many)).filter(({ isError }) => !isError)
  expect(new Set(asked.map(({ text }) => text)).size).toBeGreaterThanOrEqual(15)
  expect(asked).toHaveLength(30)
  writeFiles(folder, { 'docs/adr/ADR-050-owls.md': '# ADR-050: Owls\n\nOwls are kept in the attic.\n' }, {})
  const after = await call(served.client, 'search', { query: 'owls attic' })
  expect(after.text).toContain('\n1. docs/adr/ADR-050-owls.md:')
  const read = await call(served.client, 'read', { place: 'ADR-050' })
  expect(read.text).toMatch(/^Index fresh\. Complete; [\s\S]+ADR-050-owls\.md:1-3\n/)
  await served.close()
})

it('tells what a change touches: every tool by the client, in a repository with commits', async () => {
  const folder = makeFolder()
  writeFiles(folder, {
    'retry.py': 'def retry(times):\n    return times\n',
    'app.py': 'from retry import retry\n\n\ndef run():\n    return retry(2)\n\n\ndef run_all():\n    run()\n',
    'docs/guide.md': '# Guide\n\nCall `retry()` for whatever fails now and then.\n',
  })
  startRepository(folder)
  writeFiles(folder, { 'retry.py': 'def retry(times, pause=1):\n    return times * pause\n' })
  const served = await serveStdio(folder)
  const ask = async (name: string, given: Record<string, unknown> = {}): Promise<string> => {
    const { text, isError } = await call(served.client, name, given)
    expect(isError, `${name}: ${text}`).toBe(false)
    return text
  }
  expect(await ask('outline', { since: 'main' })).toMatch(
    /1 section touched[\s\S]*retry\.py:1-2 retry[\s\S]*docs\/guide\.md:3[\s\S]*app\.py:5/,
  )
  expect(await ask('assemble_context', { question: 'what fails now and then?' })).toContain('docs/guide.md:')
  expect(await ask('search', { query: 'retry(2)', match: 'exact' })).toContain('app.py')
  // A name as code writes it is found as it is written.
  expect(await ask('search', { query: 'run_all' })).toMatch(/: exactly this text is in 1 of 3 files/)
  expect(await ask('search', { query: 'run_everything' })).not.toContain('exactly')
  expect(await ask('uses', { name: 'retry' })).toMatch(/Used by: \d+\n- app\.py:5 run/)
  expect(await ask('outline', { place: 'app.py' })).toContain('def run()')
  expect(await ask('outline')).toContain('docs/guide.md')
  expect(await ask('read', { place: 'app.py:4-5' })).toContain('return retry(2)')
  expect(await ask('expand', { from: 'docs/guide.md#guide' })).toContain('documents retry.py#retry')
  expect(await ask('outline')).toContain('\n3 files (')
  await served.close()
})

it('builds the index that is not there yet, once for calls that come together', async () => {
  const empty = makeFolder()
  const served = await serveStdio(empty)
  const answer = await call(served.client, 'assemble_context', { question })
  expect(answer).toMatchObject({ isError: true, code: 'NOTHING_INDEXED' })
  writeFiles(empty, { 'owls.md': '# Owls\n\nOwls are kept in the attic.\n' }, {})
  const both = ['owls', 'attic'].map((query) => call(served.client, 'search', { query }))
  for (const { text } of await Promise.all(both)) expect(text).toContain('\n1. owls.md:')
  await served.close()
})

it('an agent asks, expands, is denied for lack of budget, and answers: the session as it was recorded', async () => {
  const served = await serveStdio(root, 'legacy', { EXPANSION_BUDGET: '1' })
  const from = `${execution}#kubernetes-test-execution`
  const steps: readonly (readonly [tool: string, given: Record<string, unknown>])[] = [
    ['assemble_context', { question: `${question} How do I read its result?`, maxTokens: 3000 }],
    ['expand', { from: `${from}.cleaning-up-after-a-run`, ...linked }],
    ['expand', { from: `${from}.reading-the-result-of-a-run`, via: 'links', target: 'exit codes' }],
  ]
  const blocks: string[] = []
  for (const [tool, given] of steps) {
    const { text } = await call(served.client, tool, given)
    blocks.push(`## call ${tool}`, JSON.stringify(given), '## result', text)
  }
  await served.close()
  blocks.push(
    '## answer',
    `Follow the cleanup runbook (${execution}:11-12): restart the collector and wait until the pods of aborted runs are gone (docs/operations/CLEANUP_RUNBOOK.md:9-14). Pods that were left behind count towards the quota of 200 (docs/operations/CLEANUP_RUNBOOK.md:5-7). The run ends with an exit code: 0 when every suite passed, 1 when an assertion failed (docs/reference/exit-codes.md:3-4).`,
  )
  const transcript = `${blocks.join('\n\n')}\n`
  const golden = path.join(import.meta.dirname, 'golden/agent-session.golden.md')
  if (process.env['YORE_UPDATE']) writeFileSync(golden, transcript)
  expect(transcript).toBe(readFileSync(golden, 'utf8'))
  expect(transcript).toContain('Denied (budget_exceeded)')
})
