// Does an index made in steps say what a fresh one says? Random edits, and every output compared byte for byte (T35).
import path from 'node:path'
import { expect, it } from 'vitest'
import { defaultSettings } from '../src/model/config/settings.ts'
import type { Engine } from '../src/offer/engine/engine.ts'
import { openEngine } from '../src/offer/engine/open-engine.ts'
import { EditedRepository, randomFrom } from './edit-sequences.ts'
import { readAnswers, readGraphs } from './index-answers.ts'
import { inMemory, makeFolder, now, removeFolder, slow } from './temporary-corpus.ts'

const SEQUENCES = slow ? 2000 : 100
/** Sequences that one test runs; a sequence is repeated by its number alone. */
const PER_TEST = 50
const STEPS = 4
/** Two of them are asked of each state: of each kind one. */
const questions = [
  [
    'How do I restart the worker of the queue?',
    '"shorter than before" lease budget',
    'alpha beta',
    'zyxwv leeder',
  ],
  ['ADR-001 alpha decision', 'Where is retryLater used?', 'docs/alpha.md', 'push an item to Queue in python'],
] as const

const always = { ...defaultSettings, refresh: 'never' } as const

function open(repository: EditedRepository, index: string): Engine {
  const { root, number, settings } = repository
  const indexDir = path.join(path.dirname(root), index)
  return openEngine({
    root,
    indexDir,
    settings: { ...always, 'embedding.provider': number % 4 < 2 ? 'builtin' : 'none', ...settings },
    now,
  })
}

async function answersOf(engine: Engine, repository: EditedRepository): Promise<Record<string, string>> {
  const asked = questions.map((kind) => kind[(repository.number >> 2) % kind.length] as string)
  return { ...(await readAnswers(engine, asked)), ...(await readGraphs(engine, repository.named())) }
}

/** Names of the outputs that differ from those of a fresh index, with the first lines that do. */
async function compare(stepped: Engine, repository: EditedRepository, fresh: string): Promise<string[]> {
  const other = open(repository, fresh)
  try {
    await other.index()
    const [found, expected] = [await answersOf(stepped, repository), await answersOf(other, repository)]
    return Object.keys(expected)
      .filter((name) => found[name] !== expected[name])
      .map((name) => `${name}\n${firstDifference(found[name] as string, expected[name] as string)}`)
  } finally {
    other.close()
  }
}

function firstDifference(found: string, expected: string): string {
  const [left, right] = [found.split('\n'), expected.split('\n')]
  const at = left.findIndex((line, index) => line !== right[index])
  return `  stepped: ${left[at]?.slice(0, 300)}\n  fresh:   ${right[at]?.slice(0, 300)}`
}

/** Says what differed after which edits; null when nothing did. */
async function runSequence(number: number): Promise<string | null> {
  const folder = makeFolder(inMemory)
  const random = randomFrom(number)
  const repository = new EditedRepository(path.join(folder, 'root'), number)
  let { settings } = repository
  let stepped = open(repository, 'stepped')
  try {
    await stepped.index()
    for (let step = 1; step <= STEPS; step++) {
      repository.edit()
      if (repository.settings !== settings) {
        stepped.close()
        stepped = open(repository, 'stepped')
        settings = repository.settings
      }
      const way = random()
      if (way < 0.1) await stepped.index({ paths: ['docs'] })
      await stepped.index({ rebuild: way > 0.95 })
      if (step < STEPS && random() < 0.8) continue
      const differences = await compare(stepped, repository, `fresh${step}`)
      if (differences.length > 0)
        return `sequence ${number}, step ${step}: ${repository.done.join(', ')}\n${differences.join('\n')}`
    }
    return null
  } finally {
    stepped.close()
    removeFolder(folder)
  }
}

it.each(Array.from({ length: SEQUENCES / PER_TEST }, (_, part) => part * PER_TEST))(
  `equals a fresh index after each of ${PER_TEST} sequences of edits, from number %i`,
  async (first) => {
    const differing: string[] = []
    for (let number = first; number < first + PER_TEST; number++) {
      const difference = await runSequence(number)
      if (difference !== null) differing.push(difference)
    }
    expect(differing, `${differing.length} of ${PER_TEST}`).toEqual([])
  },
  slow ? 3_600_000 : 900_000,
)
