// Are the proposed questions answerable, spread over the documents, and always the same?
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { defaultSettings } from '../src/config/settings.ts'
import type { Engine } from '../src/engine/engine.ts'
import { openEngine } from '../src/engine/open-engine.ts'
import { spreadChoice } from '../src/evaluation/propose-questions.ts'
import { makeTestTree } from '../src/source/make-test-tree.ts'

const prose =
  'This paragraph is long enough to be an answer, because it says more than eighty characters of text.'

async function openTree(files: Record<string, string>): Promise<Engine> {
  const root = makeTestTree(files)
  const settings = { ...defaultSettings, workers: 1 }
  const engine = openEngine({ root, indexDir: path.join(root, '.yore'), settings, now: 1e12 })
  onTestFinished(() => engine.close())
  await engine.index()
  return engine
}

describe('proposeQuestions', () => {
  const files = {
    'docs/deploy.md': `# Deploying\n\nDeploying brings a new version of the service to all of its customers.\n\n## Roll back\n\nTo roll back means that the version of yesterday replaces the broken one within minutes. ${prose}\n\n## Options\n\n- none\n\n${prose} O1.\n\n## Stub\n\nShort.\n`,
    'docs/retry.md': `# Retry policy\n\nSee [undo a bad release](deploy.md#roll-back), [here](deploy.md), [deploying](./deploy.md) and [elsewhere far away](https://example.org/x.md). Nothing else leads anywhere from this page.\n\n## How long are the pauses?\n\nEach one doubles until an hour is over, and then the job has failed for good. ${prose}\n`,
    'src/queue.py':
      'def push(job):\n    """Hands a new piece of work to whoever is idle at this moment."""\n    return workers.first().take(job) if workers else waiting.append(job)\n',
    'tests/test_queue.py':
      'def test_push():\n    """Hands a new piece of work over and looks whether somebody took it."""\n    assert push(1) is None\n',
    'CHANGELOG.md': `# Changelog\n\n## 1.0\n\nThe first version that everybody may use as they like it. ${prose}\n`,
    'notes.txt': 'short\n',
  }

  it('asks with link texts and opening sentences, without the words of the headings', async () => {
    const { questions } = await (await openTree(files)).proposeQuestions()
    expect(
      questions.map(({ question, expectedSections, expectedDocs }) => [
        question,
        ...expectedSections,
        ...expectedDocs,
      ]),
    ).toEqual([
      ['version yesterday replaces broken minutes', 'docs/deploy.md#deploying.roll-back'],
      ['paragraph long enough answer eighty characters', 'docs/deploy.md#deploying.options'],
      ['undo a bad release', 'docs/deploy.md#deploying.roll-back'],
      ['undo bad release deploying elsewhere far', 'docs/retry.md#retry-policy'],
      ['doubles hour job failed', 'docs/retry.md#retry-policy.how-long-are-the-pauses'],
      ['Hands new piece work whoever idle', 'src/queue.py#push'],
    ])
    expect(questions.every(({ generated }) => generated)).toBe(true)
    expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length)
  })

  it('takes from every document before it takes more from one', async () => {
    const { questions } = await (await openTree(files)).proposeQuestions({ limit: 2 })
    expect(questions.map(({ expectedSections }) => expectedSections)).toEqual([
      ['docs/deploy.md#deploying.roll-back'],
      ['docs/deploy.md#deploying.roll-back'],
    ])
  })

  it('proposes questions that pass on their own corpus', async () => {
    const engine = await openTree(files)
    const { questions } = await engine.proposeQuestions()
    const { evaluation } = await engine.evaluate({ questions })
    expect(evaluation.questions.filter(({ passed }) => !passed).map(({ question }) => question)).toEqual([])
  })

  it('says so when there is nothing to ask about', async () => {
    const engine = await openTree({ 'notes.txt': files['notes.txt'] })
    await expect(engine.proposeQuestions()).rejects.toMatchObject({ code: 'BAD_INPUT' })
  })
})

describe('spreadChoice', () => {
  it('takes entries at even distances when there are more groups than room', () => {
    expect(spreadChoice([['a'], ['b'], ['c'], ['d'], ['e'], ['f']], 3)).toEqual(['a', 'c', 'e'])
  })

  it('takes as many as there are, each once, and no group two ahead of another that has some left', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 5 }), { maxLength: 8 }), fc.nat({ max: 30 }), (sizes, limit) => {
        const groups = sizes.map((size, group) => Array.from({ length: size }, (_, at) => `${group}:${at}`))
        const chosen = spreadChoice(groups, limit)
        expect(new Set(chosen).size).toBe(chosen.length)
        expect(chosen.length).toBe(Math.min(limit, groups.flat().length))
        const taken = groups.map((group) => group.filter((entry) => chosen.includes(entry)).length)
        const open = taken.filter((count, group) => count < (sizes[group] as number))
        expect(Math.max(0, ...taken) - Math.min(...open, Number.POSITIVE_INFINITY)).toBeLessThanOrEqual(1)
      }),
    )
  })
})
