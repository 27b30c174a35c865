// Do the exact words of a question lead? Pasted messages, test failures, headings, quoted strings and error codes on a real folder.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../src/offer/engine/engine.ts'
import { makeFolder, openCorpus, writeFiles } from './temporary-corpus.ts'

/** A dispatcher of some 800 lines; one of its cases refuses a stream. */
const cases = Array.from({ length: 130 }, (_, at) => [
  `    case FRAME_${at}:`,
  `      stream = find_stream(conn, frame->id);`,
  `      if (stream->window < ${at * 16}) {`,
  at === 87
    ? '        return fail(conn, "peer sent %zu bytes on half-closed stream %u, ignoring frame");'
    : `        wait_for_window(stream, ${at * 16});`,
  `      }`,
  `      break;`,
])

const files: Record<string, string> = {
  'src/frames.c': `#include "frames.h"\n\nint handle_frame(struct conn *conn, struct frame *frame)\n{\n  switch (frame->kind) {\n${cases.flat().join('\n')}\n  }\n  return 0;\n}\n`,
  'docs/streams.md': `# Streams\n\n${Array.from(
    { length: 12 },
    (_, at) =>
      `## Frames of a stream, part ${at}\n\nA peer sends bytes of a frame on a stream. A stream that is half closed still receives frames; the peer may be ignoring them. How many bytes a frame on a closed stream has, the peer decides (${at}).\n`,
  ).join('\n')}`,
  'src/queue.js': `'use strict'\n\n/** A queue of subscribers: finds the queue sub that is expected next. */\nclass Queue {\n  /** Finds the expected queue sub, or null when it did not find it. */\n  findSub(expected) {\n    for (const sub of this.subs) if (sub.queue === expected) return sub\n    return null\n  }\n}\n\nmodule.exports = { Queue }\n`,
  'docs/queue.md':
    '# Queue subscribers\n\nThe queue expects a sub. When it does not find the expected queue sub, it waits until it did.\n',
  'test/queue.test.js': `const { test } = require('node:test')\nconst { Queue } = require('../src/queue.js')\n\ntest('find', (t) => {\n  const queue = new Queue()\n  if (!queue.findSub('orders')) {\n    t.fail('Expected queue sub, did not find it')\n  }\n})\n`,
  'src/upload.py': `def check(name, size, limit):\n    """Check the size of an upload."""\n    if size > limit:\n        raise UploadError(f"upload of {name} is {size} bytes over the limit of the plan")\n    if name is None:\n        raise UploadError("UPL4711", "no name")\n`,
  'docs/uploads.md':
    '# Uploads\n\n## Limits of plans\n\nEach plan limits the bytes of an upload. An upload over the limit of its plan is refused, whatever its name is.\n\n## Size of the limit of an upload\n\nThe limit is over 4,711 bytes.\n',
  'docs/operations.md':
    '# Operations\n\n## Draining a node before an upgrade\n\nRun `drain`.\n\n## Upgrades\n\nBefore the upgrade of a node, drain the node: a node that is drained before an upgrade loses nothing. Draining takes a minute for each node, and an upgrade of a node that was not drained before fails.\n',
  'docs/index.md':
    '# Index\n\n| page | what it decides |\n|---|---|\n| [Parcels](parcels.md) | Weigh every parcel at the dock to bill its real mass |\n',
  'docs/parcels.md':
    '# Parcels\n\nA parcel is weighed at the dock. Its mass decides the bill: each parcel that is weighed is billed by its mass, and a parcel whose mass is not real is weighed at the dock again.\n',
  'src/store.go':
    'package store\n\nfunc isDuplicate(err error) bool {\n\treturn strings.Contains(err.Error(), "ORA-00001")\n}\n',
  'docs/store.md':
    '# The store\n\n## Orders\n\nOrders are rows of the table of orders; the rows of an order are stored once.\n\n## Rows that are stored twice\n\nA table with rows of orders that are stored twice is repaired at night.\n',
  'test/write_test.go':
    'package store\n\nfunc TestWrite(t *testing.T) {\n\twrite(t, fmt.Sprintf("order%d.rows", 3), []byte("some rows of orders"))\n}\n',
  'src/codes.ts':
    "export const codes = {\n  ERR_LEASE_EXPIRED: 'the lease is over',\n  ERR_LEASE_TAKEN: 'somebody else has the lease',\n}\n",
  'src/spans.py':
    'def is_between(self, start, end):\n    """Tells whether it is between\n    the start and end limits.\n    """\n    return start < self < end\n',
  'src/options.py':
    'def add_option(parser):\n    """Add a command line argument.\n\n    Hooks run first.\n    """\n    return parser\n',
  'docs/leases.md':
    '# Leases\n\nA lease expires after a minute; an expired lease is an error (err). A lease that is taken is an error, too.\n\n## Expired leases\n\nWhat to do when a lease expired: err on the side of a new lease.\n',
}

let engine: Engine
beforeAll(async () => {
  const root = makeFolder()
  writeFiles(root, files)
  engine = openCorpus(root)
  await engine.index()
})
afterAll(() => engine.close())

/** The text of the first passage, with its path. */
async function firstPassage(question: string): Promise<string> {
  const { digest } = await engine.assemble(question, { maxTokens: 4000 })
  const [first] = digest.primary
  return first === undefined ? '' : `${first.path}\n${first.excerpts.map(({ text }) => text).join('\n')}`
}

it('says that the text is at a line only if that is the very text', async () => {
  const why = async (question: string): Promise<string> =>
    (await engine.assemble(question, { maxTokens: 4000 })).digest.confidence.why
  expect(await why('add a command line argument')).toMatch('the text is at options.py:2')
  const other = await why('How do I add a command line flag?')
  expect(other).not.toContain('the text is at')
  expect(other).toContain('“command”')
})

it('takes a line that shares only common words with the question for no quote', async () => {
  const { digest } = await engine.assemble('How do I get the start and end of a month?', { maxTokens: 4000 })
  expect(digest.confidence.why).not.toContain('the text is at')
})

describe('the first passage', () => {
  it('shows the line of a pasted message, in a function of 800 lines', async () => {
    const pasted =
      '2026-11-03T08:14:22.318Z ERROR [main] peer sent 4096 bytes on half-closed stream 17, ignoring frame'
    const passage = await firstPassage(pasted)
    expect(passage).toMatch(/^src\/frames\.c\n/)
    expect(passage).toContain('peer sent %zu bytes on half-closed stream %u, ignoring frame')
  })

  it('shows the line of a message whose values are names and paths', async () => {
    const pasted =
      'Traceback (most recent call last):\n  File "/srv/app/run.py", line 41\nUploadError: upload of /home/kim/plan/limit.pdf is 4711 bytes over the limit of the plan'
    const passage = await firstPassage(pasted)
    expect(passage).toMatch(/^src\/upload\.py\n/)
    expect(passage).toContain('bytes over the limit of the plan')
  })

  it("shows the line of a failing test's message", async () => {
    const passage = await firstPassage('--- FAIL: find\n    Expected queue sub, did not find it')
    expect(passage).toMatch(/^test\/queue\.test\.js\n/)
    expect(passage).toContain("t.fail('Expected queue sub, did not find it')")
  })

  it('shows a string of common words beside another string that has one of them', async () => {
    const passage = await firstPassage('not ok 17 - some rows of orders')
    expect(passage).toMatch(/^test\/write_test\.go\n/)
    expect(passage).toContain('"some rows of orders"')
  })

  it('is not the line of an index that describes what it links to', async () => {
    const passage = await firstPassage('Weigh every parcel at the dock to bill its real mass')
    expect(passage).toMatch(/^docs\/parcels\.md\n/)
  })

  it('holds a string that the question quotes', async () => {
    for (const quoted of ['"somebody else has"', '`somebody else has`']) {
      const passage = await firstPassage(`when does an expired lease say ${quoted} and what is the error`)
      expect(passage).toMatch(/^src\/codes\.ts\n/)
      expect(passage).toContain('somebody else has')
    }
  })

  it.each([
    ['UPL4711', 'src/upload.py', 'UPL4711: is our plan too small for this upload, or which limit is it'],
    ['ERR_LEASE_EXPIRED', 'src/codes.ts', 'handling expired leases, which error is ERR_LEASE_EXPIRED'],
    ['ORA-00001', 'src/store.go', 'ORA-00001 and orders: which rows does the table have twice'],
  ])('holds the error code %s of the question', async (code, path, question) => {
    const passage = await firstPassage(question)
    expect(passage.split('\n')[0]).toBe(path)
    expect(passage).toContain(code)
  })
})

it('keeps its place where the words of the caller lead to the explanation', async () => {
  const pasted = 'UploadError: upload of report.pdf is 9000 bytes over the limit of the plan'
  const paths = async (words: readonly string[]): Promise<string[]> => {
    const { digest } = await engine.assemble(pasted, { maxTokens: 4000, words })
    return digest.primary.map(({ path }) => path)
  }
  expect((await paths([]))[0]).toBe('src/upload.py')
  const guided = await paths(['refused', 'limits', 'each plan'])
  expect(guided[0]).toBe('src/upload.py')
  expect(guided).toContain('docs/uploads.md')
})

it('says in an explanation that the exact words lead', async () => {
  const { hits } = await engine.search('Expected queue sub, did not find it')
  expect(hits[0]).toMatchObject({ path: 'test/queue.test.js' })
  expect(hits[0]?.signals.parts[0]?.name).toBe('exact words')
})

it('leaves a question in words of its own as it is', async () => {
  const { hits } = await engine.search('what happens when the queue does not find a sub that it expects')
  expect(hits.flatMap(({ signals }) => signals.parts.map(({ name }) => name))).not.toContain('exact words')
})
