// Can a repository of code be walked by its names? Graph, read and expand over classes, members and callers.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../src/engine/engine.ts'
import { makeFolder, openCorpus, removeFolder, writeFiles } from './temporary-corpus.ts'

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

let root: string
let engine: Engine
beforeAll(async () => {
  root = makeFolder()
  writeFiles(root, { 'lib/tasks.py': tasks, 'lib/clock.py': clock })
  engine = openCorpus(root, { embedder: 'none' })
  await engine.index()
})
afterAll(() => {
  engine.close()
  removeFolder(root)
})

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
