// Does a digest end where what follows adds little, and does its first line say what the matches are worth?
import { expect, it } from 'vitest'
import { parseDigest } from '../src/answer/assemble/parse-digest.ts'
import { indexFixture } from './indexed-fixture.ts'

const { engine } = await indexFixture('services')
const deploy = 'How do I deploy a new service?'
/** What the digest says about doubt. */
const doubts = (output: string): string[] =>
  output
    .split('\n')
    .filter((line) =>
      /^(?:> |# Context Digest).*(?:matches:|no match|may not|nothing|no document)/i.test(line),
    )

it('ends before what adds little, says why, and fills the budget when it is told to', async () => {
  const ended = await engine.assemble(deploy, { explain: true })
  const filled = await engine.assemble(deploy, { fill: true })
  expect(ended.tokensUsed).toBeLessThan(0.75 * filled.tokensUsed)
  expect(ended.explanation).toMatch(/^ended: what follows scored under 0\.\d\d \(strong matches 0\.\d\d\)/m)
  expect(ended.digest.dropped.some(({ reason }) => reason === 'adds little')).toBe(true)
  const kept = new Set(filled.digest.primary.flatMap(({ artifacts }) => artifacts))
  expect(ended.digest.primary.every(({ artifacts }) => artifacts.every((id) => kept.has(id)))).toBe(true)
})

it('brings nothing back as a surrounding section that adds little', async () => {
  const { digest } = await engine.assemble('How do I troubleshoot agent coordinator failures?')
  const dropped = new Set(
    digest.dropped.filter(({ reason }) => reason === 'adds little').map(({ artifact }) => artifact),
  )
  const family = digest.expanded.filter(({ type }) => type === 'family').flatMap(({ passages }) => passages)
  expect(dropped.size).toBeGreaterThan(0)
  expect(family.flatMap(({ artifacts }) => artifacts).filter((id) => dropped.has(id))).toEqual([])
})

it('says first what the matches are worth, once', async () => {
  const { output, digest } = await engine.assemble(deploy)
  expect(digest.confidence.label).toBe('strong matches')
  expect(output.split('\n')[0]).toBe(
    `# Context Digest for: "${deploy}" Strong matches: the first passage has most key words of the question. Expand or read what is missing.`,
  )
  expect(doubts(output)).toHaveLength(1)
})

it('names a word that no document has, calls the matches weak, and shows less', async () => {
  const known = await engine.assemble('How do I register a new service in the registry?')
  const unknown = await engine.assemble('How do I register a new service in the Consul registry?')
  expect(known.digest.confidence.label).toBe('strong matches')
  expect(unknown.output.split('\n')[0]).toMatch(
    /" Weak matches: “Consul” appears nowhere; the answer may not be here\. Ask again with words/,
  )
  expect(doubts(unknown.output)).toHaveLength(1)
})

it('finds no match for a question about something else, and shows three passages at most', async () => {
  const { output, digest, tokensUsed } = await engine.assemble(
    'How do I bake sourdough bread after the holidays?',
  )
  expect(digest.confidence.label).toBe('no match')
  expect(output.split('\n')[0]).toMatch(/" No match: .+ Ask again with other words/)
  expect(doubts(output)).toHaveLength(1)
  expect(parseDigest(output).passages.length).toBeLessThanOrEqual(3)
  expect(tokensUsed).toBeLessThanOrEqual(600)
})
