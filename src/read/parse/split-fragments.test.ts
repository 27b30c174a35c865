import { expect, test } from 'vitest'
import type { Artifact } from '../../model/artifact.ts'
import { parseDocument } from './parse-document.ts'
import { fragmentChars, splitFragments } from './split-fragments.ts'

interface Split {
  readonly artifact: Artifact
  readonly fragments: ReturnType<typeof splitFragments>
  readonly texts: readonly string[]
}

/** The last artifact of a Markdown file, its fragments, and their texts. */
function fragmentsOf(written: string, maxChars?: number): Split {
  const artifact = parseDocument({ path: 'a.md', language: 'markdown', text: written }).artifacts.at(-1)!
  const fragments = splitFragments(artifact, maxChars)
  const { text, pieces } = artifact
  const texts = fragments.map(({ start, end }) => text.slice(pieces[start]!.start, pieces[end - 1]!.end))
  return { artifact, fragments, texts }
}

const paragraph = (chars: number): string => `${'x'.repeat(chars - 2)}\n\n`

test('a short section is one fragment', () => {
  const { artifact, fragments, texts } = fragmentsOf('# A\n\none\n\ntwo\n')
  expect(fragments).toEqual([{ start: 0, end: 3 }])
  expect(texts).toEqual([artifact.text])
})

test('a blank or empty text has no fragment', () => {
  expect(fragmentsOf('').fragments).toEqual([])
  expect(fragmentsOf('\n \n').fragments).toEqual([])
  expect(fragmentsOf('\n'.repeat(5_000)).fragments).toEqual([])
})

test('pieces are grouped up to the limit', () => {
  const { fragments, texts } = fragmentsOf(`# A\n\n${paragraph(700).repeat(6)}`)
  expect(fragments).toEqual([
    { start: 0, end: 3 },
    { start: 3, end: 5 },
    { start: 5, end: 7 },
  ])
  expect(texts.every((text) => text.length <= fragmentChars)).toBe(true)
})

test('a heading goes with the piece that follows it, even over the limit', () => {
  const { fragments } = fragmentsOf(`# A\n\n${paragraph(100)}${paragraph(100)}`, 50)
  expect(fragments).toEqual([
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
    const { artifact, texts } = fragmentsOf(text)
    expect(texts.join('')).toBe(artifact.text)
    expect(texts.every((one) => one.trim() !== '')).toBe(true)
  }
})
