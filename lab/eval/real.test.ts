// Is a real question judged as its set says? Needs by half of their lines, the first place by what it touches.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeTestTree } from '../../test/support/test-tree.ts'
import { areaUnderRoc, estimate } from './measures.ts'
import { readRows } from './read-sets.ts'
import type { CallerGuess, RealQuestion } from './real-set.ts'
import { judgePlaces } from './score-real.ts'
import { Packer, WindowFloor } from './window-floor.ts'

const question = {
  _id: 'q',
  package: 'p',
  kind: 'howto',
  text: '',
  needs: [[{ path: 'a.md', start: 1, end: 10 }], [{ path: 'b.md', start: 5, end: 5 }]],
  first_ok: ['c.md'],
  avoid_first: ['test/'],
}

it('meets a need with half of its lines, in however many places they are shown', () => {
  const shown = [
    { path: 'a.md', start: 1, end: 3 },
    { path: 'a.md', start: 3, end: 4 },
    { path: 'a.md', start: 10, end: 12 },
  ]
  expect(judgePlaces(question, shown).met).toEqual([true, false])
  expect(judgePlaces(question, shown.slice(0, 2)).met).toEqual([false, false])
})

it('looks only at the first place to say whether an answer begins well', () => {
  const need = { path: 'a.md', start: 9, end: 20 }
  const beside = { path: 'a.md', start: 11, end: 20 }
  const test = { path: 'test/a.md', start: 1, end: 1 }
  const other = { path: 'c.md', start: 1, end: 1 }
  expect(judgePlaces(question, [need, test])).toMatchObject({
    onNeed: true,
    inRightFile: true,
    misled: false,
  })
  expect(judgePlaces(question, [beside])).toMatchObject({ onNeed: false, inRightFile: true })
  expect(judgePlaces(question, [other])).toMatchObject({ onNeed: false, inRightFile: true })
  expect(judgePlaces(question, [test, need])).toMatchObject({ onNeed: false, misled: true, empty: false })
  expect(judgePlaces(question, [])).toMatchObject({ onNeed: false, misled: false, empty: true })
})

it('finds windows of every text file by any word, and packs what fits', () => {
  const lines = Array.from({ length: 70 }, (_, at) => (at === 54 ? 'the walrus sleeps' : `line ${at + 1}`))
  const root = makeTestTree({
    'long.c': `${lines.join('\n')}\n`,
    'short.txt': 'a walrus\n',
    'image.png': new Uint8Array([0, 1]),
  })
  const floor = new WindowFloor(root, join(makeTestTree(), 'windows.db'))
  const found = floor.search('do Walrus fly')
  expect(found[0]).toEqual({ path: 'short.txt', start: 1, end: 1 })
  expect(
    found
      .slice(1)
      .map(({ start, end }) => `${start}-${end}`)
      .sort(),
  ).toEqual(['21-60', '41-70'])
  expect(new Packer(root).pack(found, 10).places).toEqual([{ path: 'short.txt', start: 1, end: 1 }])
  const overlapping = new Packer(root).pack(
    [
      { path: 'long.c', start: 21, end: 60 },
      { path: 'long.c', start: 1, end: 70 },
    ],
    8000,
  )
  expect(overlapping.places.map(({ start, end }) => `${start}-${end}`)).toEqual(['21-60', '1-20', '61-70'])
  expect(floor.answer('walrus', 8000).tokens).toBeLessThan(8000)
  expect(floor.search('')).toEqual([])
  floor.close()
})

it.each(['held', 'short'])('has words and places for each question of a listed repository: %s', (set) => {
  const folder = join(import.meta.dirname, set)
  const repositories: { name: string; part: string }[] = JSON.parse(
    readFileSync(join(folder, 'repositories.json'), 'utf8'),
  )
  type Row = Omit<RealQuestion, 'package'> & Required<CallerGuess> & { readonly repository: string }
  const rows = readRows<Row>(join(folder, 'questions.jsonl'))
  const names = new Set(repositories.map(({ name }) => name))
  expect(new Set(rows.map(({ _id }) => _id)).size).toBe(rows.length)
  expect(new Set(rows.map(({ repository }) => repository))).toEqual(names)
  expect(rows.filter(({ words }) => words.length < 3 || words.length > 8)).toEqual([])
  expect(rows.filter(({ kind, needs }) => (kind === 'unanswerable') !== (needs.length === 0))).toEqual([])
  expect(rows.flatMap(({ needs }) => needs.flat()).filter(({ start, end }) => end < start)).toEqual([])
})

it('weighs questions in the mean and in its interval', () => {
  expect(estimate([1, 0], [3, 1]).mean).toBe(0.75)
  expect(estimate([1, 0, 1])).toEqual(estimate([1, 0, 1], [2, 2, 2]))
})

it('counts how often a score tells two groups apart, ties as half', () => {
  expect(areaUnderRoc([3, 2], [1])).toBe(1)
  expect(areaUnderRoc([1], [1])).toBe(0.5)
  expect(areaUnderRoc([1, 3], [2])).toBe(0.5)
})
