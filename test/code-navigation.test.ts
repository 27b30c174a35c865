// Can a repository of code be walked by its names? Graph, read and expand over classes, members and callers.
import { describe, expect, it } from 'vitest'
import type { Engine } from '../src/offer/engine/engine.ts'
import { indexFiles } from './indexed-fixture.ts'

const tasks = `import clock


class Task:
    """A thing to do."""

    def __init__(self):
        self.done = False

    def cancel(self):
        return self.finish()

    def finish(self):
        self.done = True
        return gather([self])


def gather(tasks):
    return [check(task) for task in tasks]


def check(task):
    return task.done
`
const clock = `def now():
    return 0


def check(hand):
    return hand
`

const { engine } = await indexFiles({ 'lib/tasks.py': tasks, 'lib/clock.py': clock })

const targets = async (request: Parameters<Engine['expand']>[0]): Promise<string[]> =>
  (await engine.expand(request)).offers.map(({ from, via, target }) => `${from} ${via} ${target}`)

const callers = async (named: string): Promise<string[]> =>
  (await engine.graph(named, { direction: 'in' })).graph.edges.map(
    ({ kind, from, evidence }) => `${kind} ${from} ${evidence.line}`,
  )

describe('graph', () => {
  it('shows callers of the same file', async () => {
    expect(await callers('lib/tasks.py#check')).toEqual([
      'DEFINES lib/tasks.py 22',
      'USES lib/tasks.py#gather 19',
    ])
    expect(await callers('lib/tasks.py#Task.finish')).toEqual([
      'MEMBER_FUNCTIONS lib/tasks.py#Task 13',
      'USES lib/tasks.py#Task.cancel 11',
    ])
  })

  it('of a whole file shows what other files say of it', async () => {
    expect(await callers('lib/tasks.py')).toEqual([])
    expect(await callers('lib/clock.py')).toEqual(['IMPORTS lib/tasks.py#imports 1'])
  })
})

describe('a place', () => {
  it('is for graph the smallest section around its lines', async () => {
    const subject = async (named: string) => (await engine.graph(named)).graph.subject.id
    expect(await subject('lib/tasks.py:11')).toBe('lib/tasks.py#Task.cancel')
    expect(await subject('lib/tasks.py:10-14')).toBe('lib/tasks.py#Task')
    expect(await subject('lib/tasks.py:1')).toBe('lib/tasks.py#imports')
    expect(await subject('lib/tasks.py:11-19')).toBe('lib/tasks.py')
    await expect(engine.graph('lib/tasks.py:99')).rejects.toMatchObject({
      code: 'BAD_INPUT',
      hint: 'its last line is 23',
    })
  })

  it('whose lines end before they start is refused', async () => {
    const refusal = { code: 'BAD_INPUT', hint: 'write lib/tasks.py:10-11' }
    await expect(engine.read('lib/tasks.py:11-10')).rejects.toMatchObject(refusal)
    await expect(engine.graph('lib/tasks.py:11-10')).rejects.toMatchObject(refusal)
  })
})

describe('expand', () => {
  it('brings a function of the class that it starts from: nothing was shown before', async () => {
    for (const from of ['lib/tasks.py#Task', 'Task', 'lib/tasks.py']) {
      const { outcome } = await engine.expand({ from, via: 'member_functions', target: 'cancel' })
      expect(outcome).toMatchObject({ allowed: true, brought: { id: 'lib/tasks.py#Task.cancel' } })
    }
  })

  it('lists only what fits when the relation or the target alone is given', async () => {
    const from = 'lib/tasks.py#Task.finish'
    expect(await targets({ from, via: 'uses' })).toEqual([`${from} uses lib/tasks.py#gather`])
    expect(await targets({ from, target: 'gather' })).toContain(`${from} uses lib/tasks.py#gather`)
    for (const offer of await targets({ from, target: 'gather' })) expect(offer).toContain('#gather')
    expect(await targets({ from, via: 'cites' })).toEqual([])
    expect(await targets({ from, target: 'nothing' })).toEqual([])
    expect((await targets({ from })).length).toBeGreaterThan(1)
    await expect(engine.expand({ from, via: 'usess' })).rejects.toMatchObject({
      code: 'BAD_INPUT',
      hint: 'did you mean uses?',
    })
  })

  it('starts from a bare name, too', async () => {
    expect(await targets({ from: 'gather', via: 'uses' })).toEqual([
      'lib/tasks.py#gather uses lib/tasks.py#check',
    ])
  })

  it('knows a name that the context has, though the corpus has it twice', async () => {
    const session = await engine.startExpansion([{ id: 'lib/tasks.py#check', depth: 0 }])
    expect(session.offers('check')).toEqual(session.offers('lib/tasks.py#check'))
    expect(session.offers('check')).not.toEqual([])
  })
})

describe('a bare name', () => {
  it('means the only piece of code that has it', async () => {
    const read = async (named: string) => (await engine.read(named)).passage.id
    expect(await read('Task.cancel')).toBe('lib/tasks.py#Task.cancel')
    expect(await read('cancel')).toBe('lib/tasks.py#Task.cancel')
    expect(await read('gather()')).toBe('lib/tasks.py#gather')
    expect(await read('clock.check')).toBe('lib/clock.py#check')
    expect((await engine.graph('gather')).graph.subject.id).toBe('lib/tasks.py#gather')
  })

  it('that several have is refused with their ids', async () => {
    await expect(engine.read('check')).rejects.toMatchObject({
      code: 'BAD_INPUT',
      message: '"check" is the name of 2 pieces of code',
      hint: 'name one of lib/clock.py#check, lib/tasks.py#check',
    })
  })

  it('that none has is answered with a near one', async () => {
    const hints: [string, string][] = [
      ['gathr', 'did you mean lib/tasks.py#gather?'],
      ['Task.cancl', 'did you mean lib/tasks.py#Task.cancel?'],
      ['Clock.cancel', 'did you mean lib/tasks.py#Task.cancel?'],
      ['lib/tasks.py#finish', 'did you mean lib/tasks.py#Task.finish?'],
      ['lib/tasks.py#Task.finsh', 'did you mean lib/tasks.py#Task.finish?'],
      ['lib/clock.py#zebra', 'it has lib/clock.py#now, lib/clock.py#check'],
      ['tasks.py:12', 'did you mean lib/tasks.py?'],
    ]
    for (const [named, hint] of hints) await expect(engine.read(named)).rejects.toMatchObject({ hint })
  })
})

it('follows a name that is passed on from a file of the same name', async () => {
  const passed = await indexFiles({
    'dom/render.ts': 'export function flush() {}\n\nexport function render() {\n  flush()\n}\n',
    'dom/index.ts': "import { flush } from './render'\nexport { render } from './render'\nflush()\n",
    'app.ts': "import { render } from './dom'\n\nexport function start() {\n  render()\n}\n",
  })
  const { graph } = await passed.engine.graph('dom/render.ts#render', { direction: 'in' })
  expect(graph.edges.map(({ from }) => from)).toContain('app.ts#start')
})

it('names the places of a parameter, which is no definition, before a similar name', async () => {
  const { engine: parameters } = await indexFiles({
    'a.py': 'def run(limit_of_one):\n    return limit_of_one\n\n\ndef limit_of_ones():\n    return 1\n',
    'b.py': 'from a import run\n\nrun(limit_of_one=3)\n',
  })
  await expect(parameters.graph('limit_of_one')).rejects.toMatchObject({
    hint: 'nothing defines this name; it occurs in a.py:1, a.py:2, b.py:3',
  })
})

describe('a question after callers', () => {
  const invoice = `export function computeInvoice(total: number): number {
  // computeInvoice computes an invoice from a total
  return total * 2
}
`
  const caller = (name: string, argument: string): string =>
    `import { computeInvoice } from './invoice.ts'

export function ${name}(total: number): number {
  return computeInvoice(${argument})
}
`

  it('begins with the callers that the graph knows, not with text that asks the same', async () => {
    const corpus = await indexFiles({
      'src/invoice.ts': invoice,
      'src/monthly.ts': caller('runMonthEnd', '12'),
      'src/refund.ts': caller('giveBack', '-total'),
      'docs/invoice.md': '# Invoices\n\nWho calls computeInvoice? computeInvoice computes an invoice.\n',
    })
    const { digest } = await corpus.engine.assemble('who calls computeInvoice', { maxTokens: 2000 })
    const leading = digest.primary.slice(0, 2).map(({ path }) => path)
    expect(leading.sort()).toEqual(['src/monthly.ts', 'src/refund.ts'])
    expect(digest.confidence.why).toMatch(/^the first passages use “computeInvoice”: \S+:\d+/)
  })

  it('finds calls of a name that nothing here defines, and callers among several definitions of one name', async () => {
    const overloads = ['int', 'str'].map((type) => `    @overload\n    def run(self, x: ${type}): ...\n\n`)
    const corpus = await indexFiles({
      'src/command.py': `import shutil\n\nclass Command:\n    def make_context(self, a):\n        return shutil.get_terminal_size()\n\n${overloads.join('')}    def run(self, x):\n        with self.make_context(x) as made:\n            return made\n`,
    })
    const { digest } = await corpus.engine.assemble('who calls get_terminal_size')
    expect([digest.primary[0]?.name, digest.confidence.label]).toEqual(['Command.make_context', 'high'])
    const { facts } = await corpus.engine.uses('make_context')
    expect(facts.usedBy.map(({ path, lines }) => [path, lines])).toEqual([['src/command.py', [14]]])
  })
})
