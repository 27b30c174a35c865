// Does a digest ever exceed its budget, waste it, repeat itself or misquote? Random corpora, questions and budgets (T24).
import { readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { countTokens as countWithPackage } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, it } from 'vitest'
import type { AssembleOptions } from '../src/answer/answering/question-options.ts'
import { sourceLines } from '../src/answer/assemble/escape-text.ts'
import type { Lines } from '../src/model/artifact.ts'
import type { Digest, Passage } from '../src/model/digest.ts'
import { YoreError } from '../src/model/errors.ts'
import type { AssembleResult } from '../src/model/report.ts'
import type { Engine } from '../src/offer/engine/engine.ts'
import { parseDigest } from './parse-digest.ts'
import { randomBudget, randomFiles, randomQuestion } from './random-corpus.ts'
import { atScale } from './support/scaled-runs.ts'
import { makeFolder, openCorpus, removeFolder, slow, writeFiles } from './temporary-corpus.ts'

/** Tests, and corpora of each: a long run that is cut off has still shown something. */
const PARTS = slow ? 16 : 1
const CORPORA = slow ? 25 : Math.max(4, atScale(20))
const QUESTIONS = slow ? 25 : 20
/** From so many tokens on, at least this share of the budget is used when there is enough to say. */
const FILLED_FROM = 1000
const FILLED_SHARE = 0.9
/** Tokens by which the frames of two passages differ at most: names, paths, notices. */
const FRAME_SLACK = 120

/** The independent count. The package loses U+FEFF, which digests escape anyway. */
function countExactly(text: string): number {
  return countWithPackage(text.replaceAll('\ufeff', ''), { disallowedSpecial: new Set() })
}

const randomAsk = fc.record({
  question: randomQuestion,
  maxTokens: randomBudget,
  format: fc.constantFrom('markdown', 'json'),
  layout: fc.constantFrom('full', 'auto', 'brief'),
  sections: fc.constantFrom(1000, 1000, 1000, 20, 3),
  explain: fc.constantFrom(false, false, false, true),
  depth: fc.constantFrom(0, 0, 1, 1, 2),
  fill: fc.constantFrom(true, true, true, false),
})
type Ask = typeof randomAsk extends fc.Arbitrary<infer T> ? T : never

async function tryAssemble(engine: Engine, question: string, options: Partial<AssembleOptions>) {
  try {
    return await engine.assemble(question, options)
  } catch (cause) {
    if (cause instanceof YoreError) return cause
    throw cause
  }
}

/** Too small a budget is an error that names one that works. */
async function checkMinimum(engine: Engine, error: YoreError, { question, ...options }: Ask): Promise<void> {
  expect(error.code).toBe('BUDGET_TOO_SMALL')
  const minimum = Number(/\d+/.exec(error.hint)?.[0])
  expect(minimum).toBeGreaterThan(options.maxTokens)
  const { output } = await engine.assemble(question, { ...options, maxTokens: minimum })
  expect(output).not.toBe('')
}

function checkCount({ output, tokensUsed }: AssembleResult, ask: Ask): void {
  const counted = countExactly(output)
  expect(counted).toBeLessThanOrEqual(ask.maxTokens)
  expect(tokensUsed).toBe(counted)
}

/** A section without room is proof of enough text, and so is a cut one. Only who asks for it gets a full digest. */
function checkFilled({ digest, tokensUsed }: AssembleResult, ask: Ask): void {
  const left = (reason: string): boolean => digest.dropped.some((dropped) => dropped.reason === reason)
  const enough = left('no room') || digest.primary.some(({ truncated }) => truncated)
  // JSON holds the selection of Markdown as far as it fits: the budget is filled there.
  if (!ask.fill || ask.format === 'json' || ask.maxTokens < FILLED_FROM || !enough) return
  if (left('section limit')) return
  expect(tokensUsed / ask.maxTokens).toBeGreaterThanOrEqual(FILLED_SHARE)
}

function passagesOf(digest: Digest): Passage[] {
  return [...digest.primary, ...digest.expanded.flatMap(({ passages }) => passages)]
}

function checkNoneTwice(digest: Digest): void {
  const artifacts = passagesOf(digest).flatMap((passage) => passage.artifacts)
  expect(new Set(artifacts).size).toBe(artifacts.length)
  const ranges = passagesOf(digest).flatMap(({ path: place, excerpts }, passage) =>
    excerpts.map(({ lines }) => ({ place, passage, ...lines })),
  )
  for (const [index, one] of ranges.entries())
    for (const other of ranges.slice(index + 1)) {
      if (one.place !== other.place) continue
      // A line that was cut may go on after the cut.
      if (one.passage === other.passage) expect(one.end).toBeLessThanOrEqual(other.start)
      else expect(one.start <= other.end && other.start <= one.end).toBe(false)
    }
}

/** JSON holds the first passages of the Markdown digest; where the first is another, not even that one fits. */
async function checkSelection(engine: Engine, json: AssembleResult, ask: Ask): Promise<void> {
  const { question, ...options } = ask
  const markdown = await tryAssemble(engine, question, { ...options, format: 'markdown', explain: false })
  if (markdown instanceof YoreError) return
  const [held, all] = [passagesOf(json.digest), passagesOf(markdown.digest)]
  if (JSON.stringify(held.slice(0, 1)) === JSON.stringify(all.slice(0, 1)))
    expect(held).toEqual(all.slice(0, held.length))
  else {
    const [first] = all as [Passage]
    const text = first.excerpts.map((excerpt) => JSON.stringify(excerpt.text)).join()
    const [own] = held as [Passage]
    const frame = json.tokensUsed - countExactly(own.excerpts.map((one) => JSON.stringify(one.text)).join())
    expect(frame + countExactly(text) + FRAME_SLACK).toBeGreaterThan(ask.maxTokens)
  }
}

interface JsonPassage {
  readonly path: string
  readonly lines: readonly [number, number][]
  readonly text: readonly string[]
}

interface Quote {
  readonly path: string
  readonly lines: Lines
  readonly text: readonly string[]
}

function quotesOf(output: string, format: Ask['format']): Quote[] {
  if (format === 'markdown') {
    const { passages, expanded } = parseDigest(output)
    return [...passages, ...expanded].flatMap((passage) =>
      passage.ranges.map((lines, at) => ({ path: passage.path, lines, text: passage.texts[at] as string[] })),
    )
  }
  const { primary, expanded } = JSON.parse(output) as {
    primary: JsonPassage[]
    expanded: { passages: JsonPassage[] }[]
  }
  return [...primary, ...expanded.flatMap(({ passages }) => passages)].flatMap((passage) =>
    passage.lines.map(([start, end], at) => ({
      path: passage.path,
      lines: { start, end },
      text: sourceLines(passage.text[at] as string),
    })),
  )
}

/** Each quoted line stands at its place: counted from the last line, since the heading may be the passage's name. */
function checkQuotes(root: string, quotes: readonly Quote[]): void {
  for (const quote of quotes) {
    const source = sourceLines(readFileSync(path.join(root, quote.path), 'utf8'))
    const first = quote.lines.end - quote.text.length + 1
    expect(first).toBeGreaterThanOrEqual(quote.lines.start)
    quote.text.forEach((line, at) => {
      const inside = at > 0 && at < quote.text.length - 1
      const original = source[first + at - 1] ?? '(no such line)'
      if (inside) expect(line).toBe(original)
      else expect(original).toContain(line)
    })
  }
}

it('explains a question that matches hundreds of sections within a small budget, in JSON', async () => {
  const root = makeFolder()
  const engine = openCorpus(root, { 'embedding.provider': 'none' })
  try {
    const section = (at: number): string => `## Walrus ${at}\n\nThe walrus ${at} is large and likes ice.\n`
    const pages = Array.from({ length: 20 }, (_, page) => {
      const sections = Array.from({ length: 20 }, (_, at) => section(page * 20 + at))
      return [`docs/walruses/page-${page}.md`, `# Page ${page}\n\n${sections.join('\n')}`]
    })
    writeFiles(root, Object.fromEntries(pages))
    await engine.index()
    // With six passages tokens are left for the list; with 1,000 they are not.
    for (const [sections, maxTokens] of [
      [6, 2400],
      [1000, 2000],
    ] as const) {
      const options = { maxTokens, sections, format: 'json' } as const
      const { output } = await engine.assemble('walrus', { ...options, explain: true })
      const { sectionsSelected, dropped, droppedTotal } = JSON.parse(output)
      expect(countExactly(output)).toBeLessThanOrEqual(maxTokens)
      expect(sectionsSelected).toBeGreaterThan(5)
      // Passages come first: the list takes the tokens that they leave.
      if (sections === 6) expect(dropped.length).toBeGreaterThan(0)
      expect(droppedTotal).toBeGreaterThan(300)
      const plain = await engine.assemble('walrus', options)
      expect(quotesOf(output, 'json')).toEqual(quotesOf(plain.output, 'json'))
    }
  } finally {
    engine.close()
    removeFolder(root)
  }
})

it.each(Array.from({ length: PARTS }, (_, part) => part))(
  'keeps every promise of a digest over random corpora, questions and budgets: part %i',
  async () => {
    let asked = 0
    const asks = fc.array(randomAsk, { minLength: QUESTIONS, maxLength: QUESTIONS })
    await fc.assert(
      fc.asyncProperty(randomFiles, asks, async (files, several) => {
        const root = makeFolder()
        // Reading the model takes longer than such a small corpus: every fourth has vectors.
        const embedder = Object.keys(files).length % 4 === 0 ? 'builtin' : 'none'
        const engine = openCorpus(root, { 'embedding.provider': embedder })
        try {
          writeFiles(root, files)
          await engine.index()
          for (const ask of several) {
            const { question, ...options } = ask
            const answer = await tryAssemble(engine, question, options)
            asked++
            if (answer instanceof YoreError) {
              await checkMinimum(engine, answer, ask)
              continue
            }
            checkCount(answer, ask)
            checkFilled(answer, ask)
            if (ask.format === 'json') await checkSelection(engine, answer, ask)
            checkNoneTwice(answer.digest)
            if (ask.depth === 0) expect(answer.digest.expanded).toEqual([])
            checkQuotes(root, quotesOf(answer.output, ask.format))
          }
        } finally {
          engine.close()
          removeFolder(root)
        }
      }),
      // Smaller examples of a failure take longer to find than a run may take.
      { numRuns: CORPORA, endOnFailure: true },
    )
    expect(asked).toBeGreaterThanOrEqual(CORPORA * QUESTIONS)
  },
  slow ? 1_800_000 : 600_000,
)
