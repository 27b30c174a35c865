// Does a question find the document that it names? The story of the hummel paper, step by step.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { analyzeQuery } from '../src/answer/retrieve/analyze-query.ts'
import { runCascade } from '../src/answer/retrieve/run-cascade.ts'
import { CorpusReader } from '../src/corpus/store/corpus-reader.ts'
import { openForReading } from '../src/corpus/store/open-database.ts'
import { type DigestLimits, defaultSettings } from '../src/model/config/settings.ts'
import { openEngine } from '../src/offer/engine/open-engine.ts'
import { makePdf } from './support/sample-files.ts'
import { makeFolder, openCorpus, writeFiles } from './temporary-corpus.ts'

const files: Record<string, string> = {
  'papers/hummel-et-al-2021-data-sovereignty.md': `---
title: "Data sovereignty: A review"
author: [Patrik Hummel, Matthias Braun]
date: 2021-01-15
---
# Data sovereignty: A review

The review maps what data sovereignty means across disciplines.

## Findings

Sovereignty is about control, inclusive deliberation and recognition of rights.
`,
  'papers/braun-2019-consent.txt':
    'Consent in practice\n\nA paper about consent forms and what people remember of them.\n',
  'docs/retry.md':
    '# Retry policy\n\nFailed calls are retried three times with backoff. The paper trail is in the log.\n',
  'src/retry.ts':
    "import { log } from './log.ts'\n\nexport function first(): void {}\n\nexport function retry(): void {\n  log('retry')\n}\n",
  // Every third paragraph has the words of the path.
  'notes/walkthrough.txt': Array.from(
    { length: 300 },
    (_, at) =>
      `${at % 3 === 0 ? 'The notes of the walkthrough' : 'Something'} at step ${at}, told at length.\n\n`,
  ).join(''),
  'docs/onboarding.md':
    '# Onboarding\n\nTell new people more about the team, and give them a paper to read.\n',
}

const root = makeFolder()
writeFiles(root, files)
const now = Date.UTC(2026, 10, 15)
const settings = { ...defaultSettings, 'embedding.provider': 'none' as const }
const engine = openEngine({ root, indexDir: join(root, '.yore'), settings, now })
beforeAll(() => engine.index())
afterAll(() => engine.close())

const paper = 'papers/hummel-et-al-2021-data-sovereignty.md'

async function ask(question: string): Promise<{ strategy: string; why: string; paths: string[] }> {
  const { strategy, hits } = await engine.search(question, { refresh: 'never' })
  return { strategy: strategy.name, why: strategy.why, paths: [...new Set(hits.map(({ path }) => path))] }
}

describe('the cascade of decision ADR-0033', () => {
  it('0a: a certain reference answers from that document alone', async () => {
    expect(await ask('tell me more about the hummel paper')).toMatchObject({
      strategy: 'reference_filter',
      paths: [paper],
    })
    expect(await ask('what does docs/retry.md say?')).toMatchObject({
      strategy: 'reference_filter',
      paths: ['docs/retry.md'],
    })
  })

  it('0b: a likely reference is boosted and others stay', async () => {
    const { strategy, paths } = await ask('retry policy')
    expect(strategy).toBe('reference_boost')
    expect(paths[0]).toBe('docs/retry.md')
  })

  it('keeps results from other documents when the question asks about something else as well', async () => {
    const { strategy, paths } = await ask('compare the hummel paper with our retry policy')
    expect(strategy).toBe('reference_boost')
    expect(paths).toContain(paper)
    expect(paths).toContain('docs/retry.md')
  })

  it('2: a reference to nothing falls through to the question as it was asked', async () => {
    const { strategy, paths } = await ask('tell me about the zorblax paper')
    expect(strategy).toBe('original')
    expect(paths.length).toBeGreaterThan(1)
  })

  it('says which step answered in the digest, in Markdown and in JSON', async () => {
    const question = 'tell me more about the hummel paper'
    const { output, digest } = await engine.assemble(question, { refresh: 'never' })
    expect(digest.strategy.name).toBe('reference_filter')
    expect(output).toContain('> **Note:** The question names its document: ')
    expect(digest.documents.map(({ path }) => path)).toEqual([paper])
    const json = await engine.assemble(question, { refresh: 'never', format: 'json' })
    expect(JSON.parse(json.output).strategy.name).toBe('reference_filter')
  })

  it('1: a rewritten question is tried with the boosts before the original', () => {
    withReader((reader) => {
      const named = [{ path: paper, mention: 'that one', confidence: 0.7, exclusive: true }]
      const rewritten = analyzeQuery('data sovereignty findings')
      const found = runCascade(reader, analyzeQuery('and what about it?'), {
        rank: { now },
        named,
        rewritten,
        relevanceThreshold: 0.15,
      })
      expect(found.strategy.name).toBe('rewritten_boosted')
      expect(found.sections[0]?.file.path).toBe(paper)
    })
  })

  it('1: a rewritten question without a boost is not called boosted', () => {
    withReader((reader) => {
      const rewritten = analyzeQuery('data sovereignty findings')
      const options = { rank: { now }, rewritten, relevanceThreshold: 0.15 }
      expect(runCascade(reader, analyzeQuery('and that?'), options).strategy.name).toBe('rewritten')
    })
  })

  it.each([
    ['hummel', paper, 0.75],
    ['findings in hummel 2021', paper, 0.85],
    ['What does Hummel recognise?', paper, 0.75],
  ])('boosts the work of an author that "%s" names without a cue', async (question, path, confidence) => {
    const { digest, output } = await engine.assemble(question, {
      refresh: 'never',
      format: 'json',
      explain: true,
    })
    expect(digest.strategy).toMatchObject({ name: 'reference_boost', references: [{ path, confidence }] })
    expect(digest.primary[0]?.path).toBe(path)
    expect(digest.confidence.label).not.toBe('none')
    expect(JSON.parse(output).strategy.references[0].confidence).toBe(confidence)
  })

  it('prints the confidence of every named document', async () => {
    const { output } = await engine.assemble('tell me more about the hummel paper', { explain: true })
    expect(output).toContain(`is ${paper} (confidence 0.95)`)
  })

  it('filters and boosts from the confidences of the limits', async () => {
    const open = (limits: Partial<DigestLimits>) =>
      openEngine({ root, indexDir: join(root, '.yore'), settings, limits, now })
    const strategyOf = async (more: Partial<DigestLimits>, question: string): Promise<string> => {
      using other = open(more)
      return (await other.search(question, { refresh: 'never' })).strategy.name
    }
    expect(await strategyOf({ 'references.filterFrom': 0.7 }, 'retry policy')).toBe('reference_filter')
    expect(await strategyOf({ 'references.boostFrom': 0.8 }, 'retry policy')).toBe('original')
    expect(await strategyOf({ 'references.filterFrom': 0.96 }, 'tell me more about the hummel paper')).toBe(
      'reference_boost',
    )
  })

  it('3: the threshold is lowered only when nothing passes it, and the result says so', () => {
    withReader((reader) => {
      const similar = [{ fragment: 0, similarity: 0.12 }]
      const rank = { now, similar, 'embedding.weight': 0.3 }
      const found = runCascade(reader, analyzeQuery('xyzzy'), { rank, relevanceThreshold: 0.15 })
      expect(found.strategy.name).toBe('lowered_threshold')
      expect(found.relevanceThreshold).toBe(0)
      expect(found.sections).toHaveLength(1)
    })
  })

  it('a filter that yields nothing falls through and says so', () => {
    withReader((reader) => {
      const named = [
        { path: 'docs/onboarding.md', mention: 'the onboarding page', confidence: 1, exclusive: true },
      ]
      const found = runCascade(reader, analyzeQuery('sovereignty deliberation'), {
        rank: { now },
        named,
        relevanceThreshold: 0.15,
      })
      expect(found.strategy.name).not.toBe('reference_filter')
      expect(found.strategy.why).toContain('nothing of the question is in what it names')
      expect(found.sections[0]?.file.path).toBe(paper)
    })
  })
})

describe('a question that is nothing but a path', () => {
  const linesOf = async (question: string): Promise<string[]> => {
    const { hits, strategy } = await engine.search(question)
    expect(strategy.name).toBe('reference_filter')
    return hits.map(({ artifact }) => artifact)
  }

  it('shows the file from its beginning, imports last', async () => {
    expect(await linesOf('src/retry.ts')).toEqual([
      'src/retry.ts#first',
      'src/retry.ts#retry',
      expect.stringContaining('import'),
    ])
  })

  it('reads a long section on from its beginning, or from the lines that it names', async () => {
    const excerptsOf = async (question: string) => {
      const { digest } = await engine.assemble(question, { maxTokens: 2000, depth: 0 })
      return digest.primary.flatMap(({ excerpts }) => excerpts.map(({ lines }) => lines))
    }
    const [whole, ...none] = await excerptsOf('notes/walkthrough.txt')
    expect([whole?.start, none]).toEqual([1, []])
    const [part, ...others] = await excerptsOf('notes/walkthrough.txt:101-105')
    // A short paragraph before them may use the room that the next one after them is too long for.
    expect(part?.start).toBeLessThanOrEqual(101)
    expect(part?.start).toBeGreaterThanOrEqual(99)
    expect(others).toEqual([])
  })

  it('begins at the lines that it names', async () => {
    expect((await linesOf('src/retry.ts:6'))[0]).toBe('src/retry.ts#retry')
  })
})

function withReader(check: (reader: CorpusReader) => void): void {
  const reader = new CorpusReader(openForReading(join(root, '.yore', 'index.db')))
  try {
    reader.snapshot(() => check(reader))
  } finally {
    reader.close()
  }
}

describe('the hummel paper as a PDF, at the defaults', () => {
  const name = 'papers/hummel-et-al-2021-data-sovereignty.pdf'
  const { [paper]: _, ...others } = files
  const notes = {
    'notes/reading.md': '# Reading list\n\nThe paper of Hummel is next; tell Ann more about it.\n',
  }
  const open = async (pdf: Buffer) => {
    const folder = makeFolder()
    writeFiles(folder, { ...others, ...notes, [name]: pdf })
    const reading = openCorpus(folder)
    await reading.index()
    return reading
  }
  const text = 'Sovereignty is about control, deliberation and recognition of rights.'
  const pdf = makePdf({
    pages: [[{ x: 72, y: 720, size: 10, text }]],
    info: '/Title (Data sovereignty: A review) /Author (Patrik Hummel) /CreationDate (D:20210115120000)',
  })

  it('is found by a filter', async () => {
    using reading = await open(pdf)
    const { digest, output } = await reading.assemble('tell me more about the hummel paper')
    expect(digest.strategy).toMatchObject({ name: 'reference_filter', references: [{ path: name }] })
    expect(output).toContain(text)
  })

  it('is named with the reason in the first lines when it cannot be read', async () => {
    using reading = await open(pdf.subarray(0, 200))
    const { output } = await reading.assemble('tell me more about the hummel paper')
    expect(output.split('\n').slice(0, 12).join('\n')).toContain(
      `${name} could not be read: it is not a PDF, or it is damaged`,
    )
    const other = await reading.assemble('How often are failed calls retried?')
    expect(other.output).not.toContain('could not be read')
  })

  it('needs no package that a user installs', () => {
    const manifest = readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')
    expect(JSON.parse(manifest).dependencies).toHaveProperty('@embedpdf/pdfium')
  })
})
