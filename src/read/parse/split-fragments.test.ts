import { expect, test } from 'vitest'
import type { Artifact, Fragment } from '../../model/artifact.ts'
import { parseDocument } from './parse-document.ts'
import { fragmentDefaults, splitFragments } from './split-fragments.ts'

/** The last artifact of a Markdown file, and its fragments. */
function fragmentsOf(text: string, maxChars?: number): { artifact: Artifact; fragments: Fragment[] } {
  const artifact = parseDocument({ path: 'a.md', language: 'markdown', text }).artifacts.at(-1)!
  return { artifact, fragments: splitFragments(artifact, maxChars === undefined ? {} : { maxChars }) }
}

const paragraph = (chars: number): string => `${'x'.repeat(chars - 2)}\n\n`

test('a short section is one fragment', () => {
  const { artifact, fragments } = fragmentsOf('# A\n\none\n\ntwo\n')
  expect(fragments).toEqual([
    { artifact: 'a.md#a', number: 0, of: 1, pieces: { start: 0, end: 3 }, text: artifact.text },
  ])
})

test('a blank or empty text has no fragment', () => {
  expect(fragmentsOf('').fragments).toEqual([])
  expect(fragmentsOf('\n \n').fragments).toEqual([])
  expect(fragmentsOf('\n'.repeat(5_000)).fragments).toEqual([])
})

test('pieces are grouped up to the limit', () => {
  const { fragments } = fragmentsOf(`# A\n\n${paragraph(700).repeat(6)}`)
  expect(fragments.map((fragment) => [fragment.number, fragment.of, fragment.pieces])).toEqual([
    [0, 3, { start: 0, end: 3 }],
    [1, 3, { start: 3, end: 5 }],
    [2, 3, { start: 5, end: 7 }],
  ])
  expect(fragments.every((fragment) => fragment.text.length <= fragmentDefaults.maxChars)).toBe(true)
})

test('a heading goes with the piece that follows it, even over the limit', () => {
  const { fragments } = fragmentsOf(`# A\n\n${paragraph(100)}${paragraph(100)}`, 50)
  expect(fragments.map((fragment) => fragment.pieces)).toEqual([
    { start: 0, end: 2 },
    { start: 2, end: 3 },
  ])
})

test('a tiny last fragment joins the one before when the sum is small enough', () => {
  const joined = fragmentsOf(`${paragraph(800)}${paragraph(790)}${paragraph(100)}`)
  expect(joined.fragments.length).toBe(1)
  const kept = fragmentsOf(`${paragraph(800)}${paragraph(790)}${paragraph(210)}`)
  expect(kept.fragments.length).toBe(2)
  const small = fragmentsOf(`${paragraph(100)}${paragraph(60)}`, 120)
  expect(small.fragments.length).toBe(2)
})

test('no fragment is blank, however many blank lines there are', () => {
  for (const text of [
    `${'\n'.repeat(9_000)}end`,
    `start${'\n'.repeat(9_000)}`,
    `a${'\n'.repeat(9_000)}b`,
    `# A${'\n'.repeat(9_000)}`,
  ]) {
    const { artifact, fragments } = fragmentsOf(text)
    expect(fragments.map((fragment) => fragment.text).join('')).toBe(artifact.text)
    expect(fragments.every((fragment) => fragment.text.trim() !== '')).toBe(true)
  }
})
