// Are the examples of cross-references in the documents what yore writes today? `YORE_UPDATE=1` writes them anew.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { indexFixture } from './indexed-fixture.ts'

const folder = path.join(import.meta.dirname, 'golden/cross-references')
const page = path.join(import.meta.dirname, '../docs/explanation/cross-references.md')

/** One for each type of document; `answer` is what a reader would miss without its reference. */
const examples = [
  {
    type: 'adr',
    question: 'retry semantics',
    sections: 2,
    answer: 'A job is repeated at most twice, and only on another node.',
  },
  {
    type: 'design',
    question: 'authentication system',
    sections: 2,
    answer: 'Its key is 128 random bits; time is never part of it.',
  },
  {
    type: 'ops',
    question: 'cleaning up after a run',
    sections: 1,
    answer: 'kubectl rollout restart deployment/pod-collector -n e2e',
  },
  {
    type: 'other',
    question: 'reading the result of a run',
    sections: 1,
    answer: '3 when\nthe cluster took a node away',
  },
] as const

const { engine } = await indexFixture('crossref', { 'embedding.provider': 'none', refresh: 'auto' })

it.each(examples)('$type: the example is what the fixture gives', async ({ type, question, sections }) => {
  const { output } = await engine.assemble(question, { sections, maxTokens: 4000, layout: 'auto' })
  const file = path.join(folder, `${type}.md`)
  if (process.env['YORE_UPDATE']) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, output)
  }
  expect(output).toBe(readFileSync(file, 'utf8'))
})

it.each(examples)('$type: only with the reference is the answer there', async (example) => {
  const { question, sections, answer, type } = example
  const without = await engine.assemble(question, { sections, maxTokens: 4000, depth: 0 })
  const withIt = await engine.assemble(question, { sections, maxTokens: 4000, depth: 1 })
  expect(without.output).not.toContain(answer)
  expect(withIt.output).toContain(answer)
  expect(withIt.digest.expanded.map((document) => document.type)).toContain(type)
})

it('what the explanation shows is taken from the examples', () => {
  const digests = readdirSync(folder).map((file) => readFileSync(path.join(folder, file), 'utf8'))
  const shown = [...readFileSync(page, 'utf8').matchAll(/````markdown\n([\s\S]*?)````/g)].flatMap(
    ([, text = '']) => text.split('…\n').filter((part) => part.trim() !== ''),
  )
  expect(shown.length).toBeGreaterThanOrEqual(examples.length)
  for (const part of shown)
    expect(
      digests.some((digest) => digest.includes(part.trim())),
      part,
    ).toBe(true)
})
