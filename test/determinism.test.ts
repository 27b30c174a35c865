// Same files, same question: same bytes? Whatever the order, time zone, locale, threads and history of the index (T7).
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ProcessTask } from './index-process.ts'
import { randomFiles } from './random-corpus.ts'
import { type Files, makeFolder, openCorpus, runSeed, usualTime, writeFiles } from './temporary-corpus.ts'

const questions = [
  'How do I deploy a service to staging?',
  'retry backoff deadline',
  'Wie startet der Koordinator? 部署 失败',
  'İstanbul IŞIK registry',
  'nothing matches zyxwv',
]

/** Many random files, some that differ only in what locales treat in their own way, and enough bytes for threads. */
function makeFiles(): Files {
  const random = fc.sample(randomFiles, { seed: runSeed, numRuns: 3 })
  const files = random.flatMap((corpus, at) =>
    Object.entries(corpus).map(([file, text]) => [`part${at}/${file}`, text]),
  )
  const filler = 'The registry of services is read by the deploy worker.\n\n'.repeat(1500)
  return {
    ...Object.fromEntries(files),
    'docs/ı-İ-i-I.md': '# IŞIK\n\nThe registry in İstanbul, ışık and IŞIK.\n',
    'docs/straße.md': '# Straße\n\nDer Koordinator startet von selbst: service, STRASSE.\n',
    'docs/B.md': '# Same\n\nregistry deploy\n',
    'docs/a.md': '# Same\n\nregistry  deploy\n',
    'docs/ä.md': '# Same\n\nregistry deploy.\n',
    'big/1.md': `# One\n\n${filler}`,
    'big/2.md': `# Two\n\n${filler}`,
    'big/3.md': `# Three\n\n${filler}`,
    'big/4.md': `# Four\n\n${filler}`,
    'big/5.md': `# Five\n\n${filler}`,
    'big/6.md': `# Six\n\n${filler}`,
    'big/7.md': `# Seven\n\n${filler}`,
  }
}

const files = makeFiles()
const names = Object.keys(files)
const times = Object.fromEntries(names.map((name, at) => [name, usualTime - at * 3_600_000]))
const orders: Readonly<Record<string, readonly string[]>> = {
  'as written': names,
  backwards: names.toReversed(),
  shuffled: [...names].sort((a, b) => (sha(a) < sha(b) ? -1 : 1)),
}

function sha(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

const pick = (chosen: readonly string[]): Files =>
  Object.fromEntries(chosen.map((name) => [name, files[name] as string]))

function digestInProcess(root: string, options: { workers: number; env: Record<string, string> }): string[] {
  const task: ProcessTask = { root, do: 'digest', workers: options.workers, questions }
  const run = spawnSync(
    process.execPath,
    [path.join(import.meta.dirname, 'index-process.ts'), JSON.stringify(task)],
    { encoding: 'utf8', env: { ...process.env, ...options.env } },
  )
  expect(run.stderr.replace(/^.*ExperimentalWarning.*\n.*\n/, '')).toBe('')
  return JSON.parse(run.stdout) as string[]
}

let expected: string[]
beforeAll(() => {
  const root = makeFolder()
  writeFiles(root, files, times)
  expected = digestInProcess(root, { workers: 1, env: { TZ: 'UTC', LC_ALL: 'C' } })
  expect(new Set(expected).size).toBe(questions.length * 2)
})

describe.each(Object.entries(orders))('files created %s', (order, sequence) => {
  it.each([
    { workers: 1, TZ: 'Asia/Kathmandu', LC_ALL: 'de_DE.UTF-8' },
    { workers: 2, TZ: 'UTC', LC_ALL: 'tr_TR.UTF-8' },
    { workers: 2, TZ: 'America/St_Johns', LC_ALL: 'C' },
  ])('give the same digests with $workers workers in $TZ, $LC_ALL', ({ workers, ...env }) => {
    const root = makeFolder()
    writeFiles(root, pick(sequence), times)
    expect(digestInProcess(root, { workers, env }), order).toEqual(expected)
  })
})

async function digestHere(root: string): Promise<string[]> {
  using engine = openCorpus(root)
  const sums: string[] = []
  await engine.index()
  for (const question of questions)
    for (const format of ['markdown', 'json'] as const)
      sums.push(sha((await engine.assemble(question, { format, maxTokens: 3000 })).output))
  return sums
}

describe('an index with a history', () => {
  it('gives the digests of a fresh one after files came, changed, moved and went', async () => {
    const root = makeFolder()
    const half = names.length >> 1
    writeFiles(root, pick(names.slice(0, half)), times)
    writeFiles(root, { 'gone.md': '# Gone\n\nretry backoff\n', 'part0/gone/too.md': '# deploy\n\nstaging\n' })
    await digestHere(root)
    writeFiles(root, pick(names.slice(half)), times)
    for (const name of names.slice(0, 10)) writeFiles(root, { [name]: '# Other\n\nretry backoff deadline\n' })
    rmSync(path.join(root, 'gone.md'))
    await digestHere(root)
    for (const name of names.slice(5, 15)) rmSync(path.join(root, name))
    await digestHere(root)
    rmSync(path.join(root, 'part0/gone'), { recursive: true })
    writeFiles(root, files, times)
    expect(await digestHere(root)).toEqual(expected)
  })

  it('gives the digests of a fresh one after the same text was written again at another time', async () => {
    const root = makeFolder()
    writeFiles(root, files, Object.fromEntries(names.map((name) => [name, usualTime - 400 * 86_400_000])))
    await digestHere(root)
    writeFiles(root, files, times)
    expect(await digestHere(root)).toEqual(expected)
  })
})
