// Do uses, outline, diff and matching by text tell what is so, with lines and within their tokens? Real files and git.
import { chmodSync, rmSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Engine } from '../src/offer/engine/engine.ts'
import { loadTokenizer } from '../src/read/assets/load-tokenizer.ts'
import { indexTree } from './indexed-fixture.ts'
import { startRepository } from './support/test-tree.ts'
import { makeFolder, openCorpus, writeFiles } from './temporary-corpus.ts'

const count = loadTokenizer()
const { root, engine } = await indexTree(
  (root) => {
    writeFiles(root, {
      'clock.py': 'def sleep(seconds):\n    return seconds\n',
      'retry.py':
        'from clock import sleep\n\n\ndef retry(times):\n    for n in range(times):\n        sleep(n)\n',
      'app.py': 'from retry import retry\n\n\ndef run():\n    retry(2)\n    retry(3)\n',
      'main.py': 'from app import run\n\n\ndef main():\n    run()\n',
      'tests/test_retry.py': 'from retry import retry\n\n\ndef test_retry():\n    retry(1)\n',
      'jobs/nightly.py': 'from retry import retry\n\nprint("nightly")\nretry(4)\n',
      'docs/guide.md':
        '# Guide\n\nCall `retry()` for that, see [the old page](old.md).\n\n## Other\n\nNothing.\n',
      'docs/old.md': '# Old\n\nGone soon.\n',
      'keys.md': '# Keys\n\nThe key is AKIAIOSFODNN7EXAMPLE and no other.\n',
    })
    startRepository(root)
  },
  { refresh: 'auto' },
)

describe('uses', () => {
  it('takes a name with its arity, and suggests the file that has the name', async () => {
    expect((await engine.uses('retry/1')).facts.subject.id).toBe('retry.py#retry')
    await expect(engine.uses('nightly')).rejects.toMatchObject({ hint: 'did you mean jobs/nightly.py?' })
  })

  it('lists callers and callees with their lines, documents among them', async () => {
    const { output, facts } = await engine.uses('retry')
    expect(facts.subject.id).toBe('retry.py#retry')
    expect(facts.usedBy.map(({ node, lines }) => [node.id, lines])).toEqual(
      expect.arrayContaining([
        ['app.py#run', [5, 6]],
        ['docs/guide.md#guide', [3]],
        ['tests/test_retry.py#test_retry', [5]],
      ]),
    )
    expect(output).toContain('- app.py:5,6 run\n')
    expect(output).toContain('- jobs/nightly.py:4 print("nightly")\n')
    expect(output).toContain('Guide (names it)')
    expect(output).toContain('- clock.py:1-2 sleep, at retry.py:6')
  })

  it('goes as many steps as asked for, each below the one before', async () => {
    const { output, facts } = await engine.uses('sleep', { direction: 'callers', depth: 3 })
    const steps = facts.usedBy.map(({ node, depth }) => `${depth} ${node.id}`)
    expect(steps).toEqual(expect.arrayContaining(['1 retry.py#retry', '2 app.py#run', '3 main.py#main']))
    expect(output).toContain('    - main.py:5 main')
    expect(output).not.toContain('Uses:')
  })

  it('says what is wrong with a name', async () => {
    await expect(engine.uses('no_such_name')).rejects.toMatchObject({ code: 'BAD_INPUT' })
  })
})

describe('outline', () => {
  it('of a file has its headings or signatures with lines', async () => {
    expect((await engine.outline('docs/guide.md')).output).toBe('docs/guide.md\n  1-7 Guide\n    5-7 Other\n')
    expect((await engine.outline('retry.py')).output).toContain('  4-6 def retry(times)\n')
  })

  it('of the repository starts with what others rely on, and with what a question finds', async () => {
    const { facts } = await engine.outline(null)
    expect(facts[0]?.path).toBe('clock.py')
    expect(facts.at(-1)?.path).toBe('tests/test_retry.py')
    const asked = await engine.outline(null, { question: 'old page' })
    expect(asked.facts[0]?.path).toBe('docs/old.md')
  })

  it.each([100, 130, 200])('stays within %i tokens and says what is missing', async (maxTokens) => {
    const { output, tokensUsed } = await engine.outline(null, { maxTokens })
    expect(tokensUsed).toBe(count(output))
    expect(tokensUsed).toBeLessThanOrEqual(maxTokens)
    if (maxTokens === 100) expect(output).toMatch(/… and \d+ more lines\n$/)
  })
})

describe('search by text', () => {
  const found = async (pattern: string, match: 'exact' | 'regex'): Promise<string[]> =>
    (await engine.search(pattern, { match })).hits.map(
      ({ path: file, matchedLines: [first] }) => `${file}:${first?.start}`,
    )

  it('finds exactly that, in any case or none', async () => {
    expect(await found('retry(3)', 'exact')).toEqual(['app.py:6'])
    expect(await found('Retry(3)', 'exact')).toEqual([])
    expect(await found('(?i)RETRY\\(\\d\\)', 'regex')).toEqual([
      'app.py:5',
      'jobs/nightly.py:4',
      'tests/test_retry.py:5',
    ])
    expect(await found('^def \\w+\\(\\):$', 'regex')).toEqual([
      'app.py:4',
      'main.py:4',
      'tests/test_retry.py:4',
    ])
  })

  it('marks the matches, and counts what it does not list', async () => {
    const { hits, candidateSections } = await engine.search('retry', {
      match: 'exact',
      limit: 1,
      kind: 'code',
    })
    expect(hits).toHaveLength(1)
    expect(candidateSections).toBeGreaterThan(1)
    const { text, matches } = hits[0]!.excerpt
    expect(matches.map(([start, end]) => text.slice(start, end))).toContain('retry')
  })

  it('does not find what is masked, refuses what is no expression, and takes linear time', async () => {
    expect(await found('AKIA[A-Z0-9]{16}', 'regex')).toEqual([])
    await expect(found('a(b', 'regex')).rejects.toMatchObject({
      code: 'BAD_INPUT',
      message: '"a(b" is not a regular expression: missing closing )',
    })
    await expect(found('(a)\\1', 'regex')).rejects.toMatchObject({ code: 'BAD_INPUT' })
    expect(await found('(x+x+)+y', 'regex')).toEqual([])
  })
})

describe('search by text in 1,000 files, with an rg on the PATH that finds nothing', () => {
  const folder = makeFolder()
  let large: Engine

  beforeAll(async () => {
    const filler = Array.from({ length: 1000 }, (_, at) => [`filler/${at}.md`, `# Page ${at}\n`])
    writeFiles(folder, {
      ...Object.fromEntries(filler),
      'bin/rg': '#!/bin/sh\nexit 1\n',
      'span.md': 'It ends with alphaterm\nbetaterm starts the next line.\n',
      'western.txt': Buffer.from('Viele gr\u00fc\u00dfende Leute, caf\u00e9footerm.\n', 'latin1'),
      'dos.md': 'The line has withterm\r\nand goes on.\r\n',
    })
    chmodSync(path.join(folder, 'bin/rg'), 0o755)
    vi.stubEnv('PATH', `${path.join(folder, 'bin')}${path.delimiter}${process.env['PATH']}`)
    large = openCorpus(folder)
    await large.index()
  })
  afterAll(() => {
    vi.unstubAllEnvs()
    large.close()
  })

  it.each([
    ['regex', 'alphaterm\\s+betaterm', 'span.md'],
    ['regex', '(?s)alpha.*beta', 'span.md'],
    ['exact', 'gr\u00fc\u00dfende', 'western.txt'],
    ['regex', '\\Wfooterm', 'western.txt'],
    ['regex', 'withterm$', 'dos.md'],
    ['exact', 'withterm\nand', 'dos.md'],
    ['regex', 'withterm\\r\\n', 'dos.md'],
  ] as const)('finds the %s pattern %j', async (match, pattern, file) => {
    const { hits } = await large.search(pattern, { match })
    expect(hits.map((hit) => hit.path)).toEqual([file])
    expect(hits[0]?.matchedLines[0]?.start).toBe(1)
  })
})

describe('diff', () => {
  it('says when nothing differs, and refuses what is no commit', async () => {
    expect((await engine.diff('main')).output).toBe('Nothing differs from main.\n')
    await expect(engine.diff('no-such')).rejects.toMatchObject({ code: 'BAD_INPUT' })
  })

  it('names what a change touches, relies on, and may make stale', async () => {
    writeFiles(root, {
      'retry.py':
        'from clock import sleep\n\n\ndef retry(times, pause=1):\n    for n in range(times):\n        sleep(n)\n',
    })
    rmSync(path.join(root, 'docs/old.md'))
    await engine.index()
    const { facts, output } = await engine.diff('main')
    expect(facts.touched.map(({ id }) => id)).toEqual(['retry.py#retry'])
    expect(facts.removed).toEqual(['docs/old.md'])
    expect(facts.stale.map(({ node, line }) => [node.id, line])).toEqual([['docs/guide.md#guide', 3]])
    expect(facts.usedBy.map(({ node }) => node.id)).toEqual(
      expect.arrayContaining(['app.py#run', 'tests/test_retry.py#test_retry']),
    )
    expect(facts.reliesOn.map(({ node }) => node.id)).toEqual(['clock.py#sleep'])
    expect(output).toContain('May be stale, for it names what changed: 1')
  })
})
