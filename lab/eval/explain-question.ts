// Why did one question go as it did? Its analysis, the best sections with their signals, and where the gold stands.
import { join } from 'node:path'
import type { SearchHit } from '../../src/model/report.ts'
import { documentsOf, excerptsOf, type Mode } from './figures.ts'
import { type CorpusName, type PreparedCorpus, prepareCorpus } from './prepare-corpus.ts'
import { evalFolder, pathOf, type QueryRow, readQrels, readRows } from './read-sets.ts'
import { coverageSections, coverGold } from './score-coverage.ts'
import { evaluateOwn, readOwnQuestions } from './score-own.ts'

const SHOWN = 10
const MAX_TOKENS = 8000

interface Gold {
  readonly path: string
  /** Lines that answer; null when the whole document does. */
  readonly lines: { readonly start: number; readonly end: number } | null
}

interface Explained {
  readonly question: string
  readonly gold: readonly Gold[]
  readonly row: QueryRow | null
}

function readQuestion(set: string, id: string): Explained {
  if (set === 'own') {
    const found = readOwnQuestions().find((question) => question.id === id)
    if (found === undefined) throw new Error(`no question ${id} in ${set}`)
    return { question: found.question, gold: [], row: null }
  }
  const folder = join(evalFolder() ?? '', set)
  const row = readRows<QueryRow>(join(folder, 'queries.jsonl')).find(({ _id }) => _id === id)
  if (row === undefined) throw new Error(`no question ${id} in ${set}`)
  return { question: row.text, gold: goldOf(set, row), row }
}

function goldOf(set: string, row: QueryRow): Gold[] {
  if (row.gold?.line_start !== undefined)
    return [{ path: row.gold.path, lines: { start: row.gold.line_start, end: row.gold.own_end } }]
  if (row.corpus !== undefined) return [{ path: pathOf(row.corpus), lines: null }]
  const qrels = join(evalFolder() ?? '', set, 'qrels', set === 'eips' ? 'context.tsv' : 'test.tsv')
  return [...(readQrels(qrels).get(row._id)?.keys() ?? [])].map((path) => ({ path, lines: null }))
}

function showHit(hit: SearchHit, rank: number): string {
  const { relevance, lexical, document, vector, ranks, canonicality } = hit.signals
  const signals = [
    `relevance ${relevance.toFixed(3)}`,
    `words ${lexical.toFixed(3)}`,
    `document ${document.toFixed(3)}`,
    `meaning ${vector?.toFixed(3) ?? '-'}`,
    `canonical ${canonicality.toFixed(2)}`,
    `ranks ${Object.entries(ranks)
      .map(([list, place]) => `${list} ${place}`)
      .join(', ')}`,
  ]
  const place = `${hit.path}:${hit.lines.start}-${hit.lines.end}`
  return `${String(rank).padStart(4)}. ${hit.score.toFixed(3)}  ${place}  ${hit.headings.join(' › ')}\n      ${signals.join(', ')}`
}

function isGold({ path, lines }: Gold, hit: SearchHit): boolean {
  return (
    hit.path === path && (lines === null || (hit.lines.start <= lines.end && hit.lines.end >= lines.start))
  )
}

async function explainShared(corpus: PreparedCorpus, asked: Explained, mode: Mode): Promise<string[]> {
  const { question, gold, row } = asked
  const { hits, analysis } = await corpus.engine.search(question, { limit: 1000, allSections: true, mode })
  const wanted = { mode, maxTokens: MAX_TOKENS, sections: coverageSections, layout: 'full' } as const
  const { digest, tokensUsed } = await corpus.engine.assemble(question, wanted)
  const lines = [
    `terms: ${analysis.terms.map(({ term, weight }) => `${term} ×${weight}`).join(', ')}`,
    `ignored: ${analysis.ignored.join(', ') || 'nothing'}; phrases: ${analysis.phrases.join(', ') || 'none'}`,
    `\n${hits.length} sections match; the best:`,
    ...hits.slice(0, SHOWN).map((hit, at) => showHit(hit, at + 1)),
    `\nthe digest: ${tokensUsed} tokens, ${digest.sectionsSelected} sections, documents: ${documentsOf(digest).join(', ')}`,
  ]
  for (const one of gold) {
    const rank = hits.findIndex((hit) => isGold(one, hit))
    const place = one.lines === null ? one.path : `${one.path}:${one.lines.start}-${one.lines.end}`
    lines.push(`\ngold: ${place}`)
    const found = hits[rank]
    lines.push(found === undefined ? '  not among the sections that match' : showHit(found, rank + 1))
    const quoted = excerptsOf(digest, one.path).map((excerpt) => excerpt.lines)
    lines.push(
      `  quoted lines of that document: ${quoted.map(({ start, end }) => `${start}-${end}`).join(', ') || 'none'}`,
    )
    const dropped = digest.dropped.find(({ artifact }) => artifact === found?.artifact)
    if (dropped !== undefined) lines.push(`  left out of the digest: ${dropped.reason}`)
    if (row?.gold !== undefined && one.lines !== null)
      lines.push(
        `  share of its own lines in the digest: ${coverGold(quoted, row.gold)['own lines'].toFixed(3)}`,
      )
  }
  return lines
}

async function explainOwn(corpus: PreparedCorpus, id: string, mode: Mode): Promise<string[]> {
  const { questions } = await evaluateOwn(corpus, { mode, maxTokens: 2000, only: id })
  return questions.flatMap(({ passed, coverage, tokens, misses }) => [
    `\nat 2,000 tokens: ${passed ? 'passed' : 'failed'}, coverage ${coverage.toFixed(2)}, ${tokens} tokens`,
    ...misses.map(({ expected, reason, detail }) => `  ${expected}: ${reason}: ${detail}`),
  ])
}

export async function explainQuestion(
  id: string,
  options: { readonly set: string; readonly mode: Mode },
): Promise<string> {
  const { set, mode } = options
  const asked = readQuestion(set, id)
  const corpus = await prepareCorpus((set === 'twowiki' ? 'twowiki-linked' : set) as CorpusName)
  const lines = [`${set} ${id}, ${mode}: ${asked.question}`, ...(await explainShared(corpus, asked, mode))]
  if (set === 'own') lines.push(...(await explainOwn(corpus, id, mode)))
  corpus.engine.close()
  return lines.join('\n')
}
