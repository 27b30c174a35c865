// What is lost, and why? Every line of a gold section that an 8,000-token digest does not quote, by its cause.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Artifact, Lines } from '../../src/model/artifact.ts'
import type { Digest } from '../../src/model/digest.ts'
import type { SearchHit } from '../../src/model/report.ts'
import { parseDocument } from '../../src/read/parse/parse-document.ts'
import { excerptsOf, type Half, type Mode, pickQuestions } from './figures.ts'
import { type PreparedCorpus, prepareCorpus } from './prepare-corpus.ts'
import { coverageSections, coverGold, type GoldQuestion, readGoldQuestions } from './score-coverage.ts'

const MAX_TOKENS = 8000
/** A section of a lower rank counts as not retrieved. */
const RETRIEVED = 100
const EXAMPLES = 3

/** No loss to a reader, so no miss: the gold lines run to the next heading, a digest's stop at the last word. */
const blankEnd = 'blank lines at the end of a quoted section'

type Cause =
  | 'heading only: the gold section has no text of its own'
  | 'not retrieved: not among the best 100 sections'
  | 'below the cut: retrieved, but better ranked sections filled the budget'
  | 'below the threshold of relevance'
  | 'duplicate: the same text is quoted from another place'
  | 'cut inside: the section is quoted in part'
  | 'split: the gold section is several sections here, and this one is missing'
  | typeof blankEnd

interface Missed {
  readonly question: GoldQuestion
  readonly share: number
  /** Share of the gold section's own lines lost to each cause; they add up to what is missing. */
  readonly lost: ReadonlyMap<Cause, number>
  /** Whether the digest quotes another section of the gold page. */
  readonly pageQuoted: boolean
  readonly story: string
}

const textOf = (corpus: PreparedCorpus, path: string): string => readFileSync(join(corpus.root, path), 'utf8')

function sectionsOf(corpus: PreparedCorpus, path: string): readonly Artifact[] {
  return parseDocument({ path, language: 'markdown', text: textOf(corpus, path) }, {}).artifacts
}

const holds = ({ start, end }: Lines, line: number): boolean => start <= line && line <= end

interface Looked {
  readonly artifact: Artifact
  /** From 1; null when it does not match at all. */
  readonly rank: number | null
  readonly hit: SearchHit | null
  readonly dropped: string | null
  readonly quoted: boolean
}

function look(artifact: Artifact, hits: readonly SearchHit[], digest: Digest): Looked {
  const at = hits.findIndex((hit) => hit.artifact === artifact.id)
  const own = artifact.ownLines as Lines
  return {
    artifact,
    rank: at === -1 ? null : at + 1,
    hit: hits[at] ?? null,
    dropped: digest.dropped.find((one) => one.artifact === artifact.id)?.reason ?? null,
    quoted: excerptsOf(digest, artifact.path).some(
      ({ lines }) => lines.start <= own.end && lines.end >= own.start,
    ),
  }
}

function causeOf({ rank, dropped, quoted }: Looked, isSplit: boolean): Cause {
  if (quoted) return 'cut inside: the section is quoted in part'
  if (dropped === 'duplicate') return 'duplicate: the same text is quoted from another place'
  if (isSplit) return 'split: the gold section is several sections here, and this one is missing'
  if (rank === null || rank > RETRIEVED) return 'not retrieved: not among the best 100 sections'
  if (dropped === 'below threshold') return 'below the threshold of relevance'
  return 'below the cut: retrieved, but better ranked sections filled the budget'
}

interface Attempt {
  readonly question: GoldQuestion
  readonly hits: readonly SearchHit[]
  readonly digest: Digest
}

function explain({ question, hits, digest }: Attempt, corpus: PreparedCorpus): Missed | null {
  const { gold } = question
  const source = textOf(corpus, gold.path).split('\n')
  const quoted = excerptsOf(digest, gold.path).map(({ lines }) => lines)
  const share = coverGold(quoted, gold)['own lines']
  if (share === 1) return null
  const looked = sectionsOf(corpus, gold.path)
    .filter(
      ({ ownLines }) =>
        ownLines !== null && ownLines.start <= gold.own_end && ownLines.end >= gold.line_start,
    )
    .map((artifact) => look(artifact, hits, digest))
  const size = gold.own_end - gold.line_start + 1
  const isBare = source.slice(gold.line_start, gold.own_end).every((line) => line.trim() === '')
  const someQuoted = looked.some((one) => one.quoted)
  const lost = new Map<Cause, number>()
  for (let line = gold.line_start; line <= gold.own_end; line++) {
    if (quoted.some((lines) => holds(lines, line))) continue
    const here = looked.find(({ artifact }) => holds(artifact.ownLines as Lines, line)) ?? looked.at(-1)
    if (here === undefined) throw new Error(`${question._id}: ${gold.path} has no line ${line}`)
    const rest = source.slice(line - 1, (here.artifact.ownLines as Lines).end)
    const blank = here.quoted && rest.every((one) => one.trim() === '')
    const cause: Cause = isBare
      ? 'heading only: the gold section has no text of its own'
      : blank
        ? blankEnd
        : causeOf(here, looked.length > 1 && someQuoted)
    lost.set(cause, (lost.get(cause) ?? 0) + 1 / size)
  }
  return { question, share, lost, pageQuoted: quoted.length > 0, story: tell(looked, hits, digest) }
}

function tell(looked: readonly Looked[], hits: readonly SearchHit[], digest: Digest): string {
  const best = hits[0]
  const cut = digest.primary.reduce((least, { score }) => Math.min(least, score), 1)
  const lines = looked.map(({ artifact, rank, hit, dropped, quoted }) => {
    const own = artifact.ownLines as Lines
    const place = `lines ${own.start}-${own.end} “${artifact.name}”`
    const score =
      hit === null
        ? 'does not match'
        : `rank ${rank}, score ${hit.score.toFixed(2)} (relevance ${hit.signals.relevance.toFixed(2)}, words ${hit.signals.lexical.toFixed(2)}, document ${hit.signals.document.toFixed(2)}, meaning ${hit.signals.vector?.toFixed(2) ?? '-'})`
    return `    ${place}: ${score}; ${quoted ? 'quoted in part' : (dropped ?? 'not ranked')}`
  })
  lines.push(
    `    first instead: ${best === undefined ? 'nothing' : `${best.artifact}, score ${best.score.toFixed(2)}`}; the last that is quoted has score ${cut.toFixed(2)}`,
  )
  return lines.join('\n')
}

function mainCause({ lost }: Missed): Cause {
  return [...lost].reduce((most, one) => (one[1] > most[1] ? one : most))[0]
}

interface CauseRow {
  questions: number
  pages: number
  lost: number
}

function printTable(all: readonly Missed[], questions: number): void {
  const rows = new Map<Cause, CauseRow>()
  for (const one of all) {
    for (const [cause, share] of one.lost) {
      const row = rows.get(cause) ?? { questions: 0, pages: 0, lost: 0 }
      row.lost += share
      if (mainCause(one) === cause && cause !== blankEnd) {
        row.questions++
        if (one.pageQuoted) row.pages++
      }
      rows.set(cause, row)
    }
  }
  const sum = (of: (row: CauseRow) => number): number =>
    [...rows.values()].reduce((total, row) => total + of(row), 0)
  console.log(
    '| cause | questions, by main cause | of these, page quoted elsewhere | share of gold lines lost |\n|---|---|---|---|',
  )
  const show = (cause: string, { questions: count, pages, lost }: CauseRow): void =>
    console.log(`| ${cause} | ${count} | ${pages} | ${(lost / questions).toFixed(3)} |`)
  for (const [cause, row] of [...rows].sort((a, b) => b[1].lost - a[1].lost)) show(cause, row)
  show(`all, of ${questions} questions`, {
    questions: sum((row) => row.questions),
    pages: sum((row) => row.pages),
    lost: sum((row) => row.lost),
  })
}

/** One example of each of the largest causes: the question that lost most to it, the first by id. */
function printExamples(missed: readonly Missed[]): void {
  const byCause = Map.groupBy(
    missed.filter((one) => mainCause(one) !== blankEnd),
    mainCause,
  )
  const largest = [...byCause].sort((a, b) => b[1].length - a[1].length).slice(0, EXAMPLES)
  for (const [cause, those] of largest) {
    const { question, share, story } = those.reduce((least, one) => (one.share < least.share ? one : least))
    const { path, line_start, own_end } = question.gold
    console.log(
      `\n${cause}\n  ${question._id}: ${question.text}\n  gold: ${path}:${line_start}-${own_end}, share quoted ${share.toFixed(2)}\n${story}`,
    )
  }
}

const { values } = parseArgs({
  options: {
    half: { type: 'string', default: 'A' },
    mode: { type: 'string', default: 'hybrid' },
    list: { type: 'boolean', default: false },
  },
})
const corpus = await prepareCorpus('raydocs')
const mode = values.mode as Mode
const questions = pickQuestions(readGoldQuestions(), { half: values.half as Half, sample: null })
const missed: Missed[] = []
for (const question of questions) {
  const { hits } = await corpus.engine.search(question.text, { limit: 1000, allSections: true, mode })
  const asked = { maxTokens: MAX_TOKENS, sections: coverageSections, mode, layout: 'full' } as const
  const { digest } = await corpus.engine.assemble(question.text, asked)
  const one = explain({ question, hits, digest }, corpus)
  if (one !== null) missed.push(one)
}
corpus.engine.close()
console.log(`raydocs, half ${values.half}, ${mode}, ${MAX_TOKENS} tokens\n`)
printTable(missed, questions.length)
printExamples(missed)
if (values.list)
  for (const one of missed.filter((each) => mainCause(each) !== blankEnd))
    console.log(
      `\n${one.question._id} ${one.share.toFixed(2)} ${mainCause(one)}: ${one.question.text}\n${one.story}`,
    )
