// In which order are sections found, and why? Rankings of the fixtures as text, so that a change of ranking is a diff; `YORE_UPDATE=1` writes them anew.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { SearchHit, SearchResult } from '../src/model/report.ts'
import { copyFixture, makeFolder, openCorpus } from './temporary-corpus.ts'

const questions: Readonly<Record<string, readonly string[]>> = {
  services: [
    'How do I deploy a new service?',
    'What are the retry semantics for failed API calls?',
    'Which ADR defines retry semantics?',
    'why did we choose the message bus',
    'something is wrong with the coordinator, what now',
  ],
  crossref: [
    'What does ADR-013 decide?',
    'how are test sessions isolated from each other',
    'what should I do when the cleanup fails',
    'how long does a token live',
  ],
  mixed: [
    'where is the retry implemented',
    'how long do we wait between deliveries',
    'what calls give_up',
    'why are deliveries retried',
  ],
  code: [
    'how is the price of an order computed',
    'where is a job queued',
    'who calls deliver',
    'Courier.Check',
  ],
}

/** Score parts that are shown of each section, largest first. */
const PARTS = 4

const number = (value: number): string => value.toFixed(3)

function renderHit({ artifact, lines, score, signals }: SearchHit, at: number): string {
  const { relevance, lexical, document, vector, canonicality, parts } = signals
  const signed = parts
    .slice(0, PARTS)
    .map(({ name, effect }) => `${name} ${effect < 0 ? '−' : '+'}${number(Math.abs(effect))}`)
  return [
    `${String(at + 1).padStart(2)}  ${number(score)}  ${artifact}:${lines.start}-${lines.end}`,
    `      relevance ${number(relevance)} (words ${number(lexical)}, document ${number(document)}, meaning ${vector === null ? '–' : number(vector)})  canonicality ${number(canonicality)}`,
    ...(signed.length === 0 ? [] : [`      ${signed.join(', ')}`]),
  ].join('\n')
}

function renderRanking({ query, strategy, confidence, hits, candidateSections }: SearchResult): string {
  return [
    `## ${query}`,
    `${strategy.name}, ${confidence.label} ${number(confidence.score)}, ${candidateSections} candidates`,
    ...hits.map(renderHit),
  ].join('\n')
}

it.each(Object.entries(questions))('ranks the sections of %s as agreed', async (fixture, asked) => {
  const root = makeFolder()
  copyFixture(fixture, root)
  const engine = openCorpus(root)
  onTestFinished(() => {
    engine.close()
  })
  await engine.index()
  const rankings: string[] = []
  for (const question of asked)
    rankings.push(renderRanking(await engine.search(question, { limit: 10, allSections: true })))
  const text = `${rankings.join('\n\n')}\n`
  const file = path.join(import.meta.dirname, 'golden', 'ranking', `${fixture}.txt`)
  if (process.env['YORE_UPDATE'] === '1') {
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  expect(text).toBe(readFileSync(file, 'utf8'))
})
