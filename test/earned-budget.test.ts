// Does a digest end where what follows adds little, and does its first line say what the matches are worth?
import { cpSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { indexFixture, indexTree } from './indexed-fixture.ts'
import { parseDigest } from './parse-digest.ts'

const { engine } = await indexFixture('services')

const own = await indexTree((root) => cpSync('docs', path.join(root, 'docs'), { recursive: true }))

const deploy = 'How do I deploy a new service?'
/** What the digest says about doubt. */
const doubts = (output: string): string[] =>
  output.split('\n').filter((line) => /^> Confidence |may not be here/.test(line))

it('ends before what adds little, says why, and fills the budget when it is told to', async () => {
  const asked = 'How do I exclude files from the index?'
  const ended = await own.engine.assemble(asked, { explain: true })
  const filled = await own.engine.assemble(asked, { fill: true })
  expect(ended.tokensUsed).toBeLessThan(0.75 * filled.tokensUsed)
  expect(ended.explanation).toMatch(/^stopped: .* below the cut-off of 0\.\d\d \(confidence high 0\.\d\d\)/m)
  expect(ended.digest.dropped.some(({ reason }) => reason === 'adds little')).toBe(true)
  const kept = new Set(filled.digest.primary.flatMap(({ artifacts }) => artifacts))
  expect(ended.digest.primary.every(({ artifacts }) => artifacts.every((id) => kept.has(id)))).toBe(true)
})

it.each([
  ['fixture', deploy],
  ['fixture', 'How do I troubleshoot agent coordinator failures?'],
  ['fixture', 'What happens when a health check fails?'],
  ['fixture', 'What does the registry store about a service?'],
  ['own', 'How do I exclude files from the index?'],
  ['own', 'Where does a digest end, and how large is it?'],
  ['own', 'How do embeddings find sections without common words?'],
  ['own', 'How are references followed, and what do they cost?'],
])('ends no sooner with a larger budget (%s): %s', async (corpus, question) => {
  let smaller: readonly string[] = []
  for (const maxTokens of [1000, 1500, 2000, 3000, 4000, 6000, 8000, 16_000]) {
    const asked = corpus === 'own' ? own.engine : engine
    const { digest } = await asked.assemble(question, { maxTokens, layout: 'brief' })
    const shown = digest.primary.flatMap(({ artifacts }) => artifacts)
    const ended = digest.dropped.filter(({ reason }) => reason === 'adds little')
    expect(ended.filter(({ artifact }) => smaller.includes(artifact))).toEqual([])
    expect(shown.length, `sections in ${maxTokens} tokens`).toBeGreaterThanOrEqual(smaller.length)
    smaller = shown
  }
})

it('lists nothing as dropped that it shows', async () => {
  const { digest } = await own.engine.assemble('How are references followed, and what do they cost?')
  const passages = [...digest.primary, ...digest.expanded.flatMap((one) => one.passages)]
  const shown = new Set(passages.flatMap(({ artifacts }) => artifacts))
  expect(digest.dropped.length).toBeGreaterThan(0)
  expect(digest.dropped.filter(({ artifact }) => shown.has(artifact))).toEqual([])
})

it('says first how confident it is, once', async () => {
  const { output, digest } = await engine.assemble(deploy)
  expect(digest.confidence.label).toBe('high')
  expect(output.split('\n').slice(0, 3)).toEqual([
    `# Context Digest for: "${deploy}"`,
    '',
    expect.stringMatching(/^> Confidence high: the first passage has “deploy”, “new”, “service”\./),
  ])
  expect(doubts(output)).toHaveLength(1)
})

it('names a word that no document has, and is no longer sure', async () => {
  const known = await engine.assemble('How do I register a new service in the registry?')
  const unknown = await engine.assemble('How do I register a new service in the Consul registry?')
  expect(known.digest.confidence.label).toBe('high')
  expect(unknown.output.split('\n')[2]).toMatch(
    /^> Confidence medium: no section has “Consul”\. If it is not here, ask again with words/,
  )
  expect(doubts(unknown.output)).toHaveLength(1)
})

it('is not confident at all of a question about something else, and shows three passages at most', async () => {
  const { output, digest, tokensUsed } = await engine.assemble(
    'How do I bake sourdough bread after the holidays?',
  )
  expect(digest.confidence.label).toBe('none')
  expect(output.split('\n')[2]).toMatch(/^> Confidence none: .+ Ask with other words/)
  expect(doubts(output)).toHaveLength(1)
  expect(parseDigest(output).passages.length).toBeLessThanOrEqual(3)
  expect(tokensUsed).toBeLessThanOrEqual(800)
})
