// Do the words that a caller expects in the answer help, and never mislead? Library, command line, MCP and explorer, on a small folder.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../src/index.ts'
import { call, serveStdio } from './mcp-clients.ts'
import { runCommandLine } from './run-command-line.ts'
import { makeFolder, openCorpus, writeFiles } from './temporary-corpus.ts'

const files: Record<string, string> = {
  'docs/deadlines.md': `# Deadlines

## Aborting a request

Set \`requestTimeout\` to a number of milliseconds. After the deadline the client aborts the socket and throws a timeout error.

## Default deadline

The default timeout is thirty seconds.
`,
  'docs/answers.md': `# Answers

## When the other side answers

Calls hang on the line until the other side answers. Stop the call with the red button when the side gives up.

## Waiting

People who wait forever may give up and make another call.
`,
  'docs/retries.md': `# Retries

## Backoff

Failed calls are retried three times with exponential backoff and jitter.
`,
  'docs/leases.md': `# Leases

## Stale leases

The node prints: refused to serve a stale lease from the old leader. Restart the old leader.

## Renewal

A lease is renewed every ten seconds with exponential backoff, jitter and a quorum of the members.
`,
  'docs/kitchen.md':
    '# Kitchen\n\n## Bread\n\nKnead the dough, let it rest overnight, bake it at 230 degrees.\n',
  'src/client.ts': `/** Opens the socket. */
export function openSocket(host: string): void {
  connect(host)
}

function connect(host: string): void {
  if (host === '') throw new Error('no host')
}
`,
  'src/pool.ts': `import { openSocket } from './client.ts'

export function fillPool(hosts: string[]): void {
  for (const host of hosts) openSocket(host)
}
`,
}

const root = makeFolder()
writeFiles(root, files)
let engine: Engine
beforeAll(async () => {
  engine = openCorpus(root, { refresh: 'never' })
  await engine.index()
})
afterAll(() => engine.close())

const gap = 'calls hang forever when the other side stops, how do I make it give up'
const right = { words: ['timeout', 'deadline', 'abort', 'milliseconds'], names: ['requestTimeout'] }
const wrong = { words: ['sourdough', 'timetable', 'ferry', 'zebra', 'invoice'], names: ['FerryClient'] }

async function firstOf(question: string, options = {}): Promise<string | undefined> {
  return (await engine.search(question, options)).hits[0]?.artifact
}

describe("the caller's words", () => {
  it('put the section first that says the same in other words', async () => {
    expect(await firstOf(gap)).toMatch(/^docs\/answers\.md/)
    expect(await firstOf(gap, right)).toBe('docs/deadlines.md#deadlines.aborting-a-request')
    const { digest } = await engine.assemble(gap, { ...right, maxTokens: 600 })
    expect(digest.primary[0]?.path).toBe('docs/deadlines.md')
    expect(digest.strategy.callerWords).toEqual({
      used: [...right.words, ...right.names],
      notFound: [],
      setAside: [],
    })
  })

  it('are judged as a list, and the reply says in one line what became of them', async () => {
    const words = ['timeout', 'deadline', 'abort', 'milliseconds', 'sourdough', 'zebra']
    const { digest, output } = await engine.assemble(gap, { words, maxTokens: 1000 })
    expect(digest.primary[0]?.path).toBe('docs/deadlines.md')
    expect(digest.strategy.callerWords).toMatchObject({ notFound: ['sourdough', 'zebra'] })
    expect(output.split('\n').filter((line) => line.startsWith('> Words: '))).toEqual([
      '> Words: used timeout, deadline, abort, milliseconds; not found sourdough, zebra.',
    ])
  })

  it('count as found only as they are written', async () => {
    const words = ['SocketBackoff', 'RetriedSplit', 'jitter']
    const { digest } = await engine.assemble('Which backoff do retries have?', { words })
    expect(digest.strategy.callerWords).toEqual({
      used: ['jitter'],
      notFound: ['SocketBackoff', 'RetriedSplit'],
      setAside: [],
    })
  })

  it('that are names of the corpus always count', async () => {
    const { hits, strategy } = await engine.search('how is a purple bicycle painted', { names: ['fillPool'] })
    expect(strategy).toMatchObject({ callerWords: { used: ['fillPool'] } })
    expect(hits[0]?.path).toBe('src/pool.ts')
  })

  it.each([gap, 'Which backoff do retries have?', 'How long does the dough rest?'])(
    'that no section holds change nothing: %s',
    async (question) => {
      const { hits: alone } = await engine.search(question)
      const { hits, strategy } = await engine.search(question, wrong)
      expect(hits.map(({ artifact, score }) => [artifact, score])).toEqual(
        alone.map(({ artifact, score }) => [artifact, score]),
      )
      expect(strategy).toMatchObject({ callerWords: { used: [] } })
    },
  )

  it.each([
    ['docs/leases.md#leases.stale-leases', 'refused to serve a stale lease from the old leader'],
    ['docs/leases.md#leases.stale-leases', 'what is it when it says "to serve a stale lease"'],
  ])('never push a literal match of the question down: %s', async (section, question) => {
    const words = ['renewed', 'exponential', 'backoff', 'jitter', 'quorum', 'members', 'ten seconds']
    expect(await firstOf(question)).toBe(section)
    expect(await firstOf(question, { words })).toBe(section)
  })

  it.each(['Which purple zebra rides the quantum bicycle?', 'zebra timetable'])(
    'that lead away leave a question without an answer without one: %s',
    async (question) => {
      for (const words of [wrong, { words: 'quorum, renewed' }]) {
        const { digest } = await engine.assemble(question, { maxTokens: 4000, ...words })
        expect(['low', 'none']).toContain(digest.confidence.label)
      }
    },
  )

  it.each(['who calls openSocket?', 'openSocket'])(
    'never take the first place from a name that is looked up: %s',
    async (question) => {
      const { hits: alone } = await engine.search(question)
      const { hits } = await engine.search(question, { words: ['calls', 'hang', 'backoff', 'jitter'] })
      expect(hits[0]?.artifact).toBe(alone[0]?.artifact)
    },
  )

  it('are the same as a list and as a text with commas, each once, at most twelve', async () => {
    const list = await engine.assemble(gap, right)
    const text = await engine.assemble(gap, {
      words: ' timeout,deadline, timeout ,abort,, milliseconds',
      names: 'requestTimeout',
    })
    expect(text.output).toBe(list.output)
    const many = Array.from({ length: 20 }, (_, at) => `word${at}`)
    const { strategy } = await engine.search(gap, { words: many })
    expect(strategy).toMatchObject({ callerWords: { notFound: many.slice(0, 12) } })
  })

  it('are part of what a question is: the next question without them is answered without them', async () => {
    const before = await engine.assemble(gap)
    await engine.assemble(gap, right)
    expect((await engine.assemble(gap)).output).toBe(before.output)
  })

  it('are explained', async () => {
    const { explanation } = await engine.assemble(gap, { ...right, explain: true })
    expect(explanation).toContain('Words: used timeout, ')
  })
})

it('come from the command line, with commas or one by one', () => {
  const folder = makeFolder()
  writeFiles(folder, files)
  runCommandLine(['index', '-C', folder])
  const asked = ['search', gap, '-C', folder]
  const lists = [['--words', 'timeout, deadline, abort', '--names', 'requestTimeout']]
  lists.push(['--words', 'timeout', '--words', 'deadline', '--words', 'abort', '--names', 'requestTimeout'])
  for (const words of lists)
    expect(runCommandLine([...asked, ...words])).toMatch(/^1\. docs\/deadlines\.md:3-6/)
})

it('come from an agent as a list or a text, and are asked for where the reply is doubtful', async () => {
  const folder = makeFolder()
  writeFiles(folder, files)
  const served = await serveStdio(folder, 'legacy', { YORE_EMBEDDING_PROVIDER: 'builtin' })
  try {
    for (const words of [right.words, right.words.join(', ')]) {
      const { text } = await call(served.client, 'assemble_context', { question: gap, words })
      expect(/\*\*Source:\*\* (\S+?):/.exec(text)?.[1]).toBe('docs/deadlines.md')
    }
    const doubtful = 'Which purple zebra rides the timeout?'
    const { text } = await call(served.client, 'assemble_context', { question: doubtful })
    expect(text).toMatch(/Confidence (?:low|none): no section has “purple”, “zebra”/)
    expect(text).toMatch(/Ask with other words/)
  } finally {
    await served.close()
  }
})
