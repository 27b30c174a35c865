// What does the field measure? Its public sets in one form: questions with right places at a commit, and how answers count.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Commit } from './lay-out.ts'
import { halfOf, readRows } from './read-sets.ts'
import type { Place } from './real-set.ts'

export interface FieldQuestion extends Commit {
  readonly _id: string
  readonly half: 'A' | 'B'
  readonly text: string
  /** By which results are shown apart: a language, or a repository. */
  readonly group: string
  /** Right places; a file as a whole ends at infinity. */
  readonly gold: readonly Place[]
  /** Endings of the files that count; empty for all. */
  readonly extensions: readonly string[]
}

/** A place with the text by which it is shown in a list. */
export interface Listed extends Place {
  readonly shown: string
  /** The part that matched. */
  readonly matched: Place
}

/** What every tool of a comparison can do. */
export interface FieldTool {
  list(text: string): Promise<readonly Listed[]>
  /** Places within a budget of tokens, and the tokens. */
  digest(
    text: string,
    budget: number,
  ): Promise<{ readonly places: readonly Place[]; readonly tokens: number }>
  close(): void
}

/** Counts the tokens of a text, or of the lines of a place. */
export interface Counting {
  readonly ofText: (text: string) => number
  readonly ofPlace: (place: Place) => number
}

export type Measures = Readonly<Record<string, number>>

export interface FieldSet {
  readonly read: (folder: string) => FieldQuestion[]
  readonly score: (tool: FieldTool, question: FieldQuestion, counting: Counting) => Promise<Measures>
}

const whole = (path: string): Place => ({ path, start: 1, end: Number.POSITIVE_INFINITY })
const samePath = (a: string, b: string): boolean => a === b || a.endsWith(`/${b}`) || b.endsWith(`/${a}`)
export const isOn = (place: Place, gold: Place): boolean =>
  samePath(place.path, gold.path) && place.start <= gold.end && gold.start <= place.end

/** Hits that are scored; what a miss costs in tokens, and the budget of the recall, as semble counts. */
const LISTED = 10
const MISS_TOKENS = 32_000
const READ_TOKENS = 2_000

/** nDCG@10 as `score.mjs` of the set counts it: a gold place counts at the rank of its first hit. */
function discountedGain(hits: readonly Place[], gold: readonly Place[]): number {
  const ranks = gold.map((one) => hits.findIndex((hit) => isOn(hit, one)) + 1)
  const gain = (some: readonly number[]): number =>
    some.reduce((sum, rank) => sum + 1 / Math.log2(rank + 1), 0)
  const found = [...new Set(ranks)].filter((rank) => rank > 0 && rank <= LISTED)
  return gain(found) / gain(Array.from({ length: Math.min(LISTED, gold.length) }, (_, at) => at + 1))
}

/** Tokens until the first right hit, and the share of right places within the budget. */
function spend(
  hits: readonly Listed[],
  gold: readonly Place[],
  costOf: (hit: Listed) => number,
): [number, number] {
  const found = new Set<Place>()
  let [tokens, untilFirst, recall] = [0, MISS_TOKENS, 0]
  for (const hit of hits) {
    tokens += costOf(hit)
    for (const one of gold) if (isOn(hit, one)) found.add(one)
    if (found.size > 0) untilFirst = Math.min(untilFirst, tokens)
    if (tokens <= READ_TOKENS) recall = found.size / gold.length
  }
  return [untilFirst, recall]
}

async function scoreSearch(
  tool: FieldTool,
  { text, gold }: FieldQuestion,
  counting: Counting,
): Promise<Measures> {
  const hits = await tool.list(text)
  const ten = hits.slice(0, LISTED)
  const [matched, recall] = spend(hits, gold, (hit) => counting.ofPlace(hit.matched))
  const [shown, shownRecall] = spend(hits, gold, (hit) => counting.ofText(`${hit.path}\n${hit.shown}`))
  return {
    'nDCG@10 as listed': discountedGain(ten, gold),
    'each file once': discountedGain([...new Set(ten.map(({ path }) => path))].map(whole), gold),
    first: Number(gold.some((one) => ten[0] !== undefined && isOn(ten[0], one))),
    'tokens to first, matched': matched,
    'recall at 2,000, matched': recall,
    'tokens to first, printed': shown,
    'recall at 2,000, printed': shownRecall,
  }
}

/** Tests, documents and examples are not places of a fix: they are left out of every tool's list before counting. */
const outside =
  /(^|\/)(tests?|testing|spec|__tests__|fixtures?|examples?|benchmarks?|bench|docs?|deno_dist|runtime_tests?|testdata)(\/|_|$)|\.test\.|\.spec\.|_test\.|conftest|test_/i

/** The share of questions with a right file among the first 1, 5 and 10 files. */
async function scoreFiles(tool: FieldTool, { text, gold, extensions }: FieldQuestion): Promise<Measures> {
  const paths = [...new Set((await tool.list(text)).map(({ path }) => path))].filter(
    (path) => extensions.some((end) => path.endsWith(end)) && !outside.test(path),
  )
  const right = new Set(gold.map(({ path }) => path))
  const rank = paths.findIndex((path) => right.has(path)) + 1
  const within = (cut: number): number => Number(rank > 0 && rank <= cut)
  return { 'acc@1': within(1), 'acc@5': within(5), 'acc@10': within(10) }
}

function linesOf(places: readonly Place[]): Set<string> {
  const lines = new Set<string>()
  for (const { path, start, end } of places)
    for (let line = start; line <= end; line++) lines.add(`${path}:${line}`)
  return lines
}

/** Line precision, recall and F1, and the share of right files. Macro-averaged, as published figures are. */
function compareLines(places: readonly Place[], gold: readonly Place[], name: string): Measures {
  const [shown, wanted] = [linesOf(places), linesOf(gold)]
  const right = [...wanted].filter((line) => shown.has(line)).length
  const files = new Set(gold.map(({ path }) => path))
  const found = [...files].filter((path) => places.some((place) => place.path === path)).length
  return {
    [`${name} line F1`]: (2 * right) / Math.max(1, shown.size + wanted.size),
    [`${name} line recall`]: right / wanted.size,
    [`${name} line precision`]: right / Math.max(1, shown.size),
    [`${name} file recall`]: found / files.size,
    [`${name} lines`]: shown.size,
  }
}

async function scoreLines(tool: FieldTool, { text, gold }: FieldQuestion): Promise<Measures> {
  const listed = compareLines(
    (await tool.list(text)).slice(0, LISTED).map(({ matched }) => matched),
    gold,
    'search',
  )
  const small = await tool.digest(text, 4_000)
  const large = await tool.digest(text, 8_000)
  return {
    ...listed,
    ...compareLines(small.places, gold, '4k'),
    '4k tokens': small.tokens,
    '8k line F1': compareLines(large.places, gold, '8k')['8k line F1'] as number,
  }
}

/** The share of cited files and lines in a digest. A citation names the end of a path. */
async function scoreCited(tool: FieldTool, { text, gold }: FieldQuestion): Promise<Measures> {
  const { places, tokens } = await tool.digest(text, 4_000)
  const files = [...new Set(gold.map(({ path }) => path))]
  const cited = gold.filter(({ end }) => Number.isFinite(end))
  let [lines, shown] = [0, 0]
  for (const { path, start, end } of cited)
    for (let line = start; line <= end; line++) {
      lines++
      if (places.some((one) => samePath(one.path, path) && one.start <= line && line <= one.end)) shown++
    }
  const found = files.filter((path) => places.some((one) => samePath(one.path, path))).length
  return {
    'cited files': found / files.length,
    ...(lines > 0 ? { 'cited lines': shown / lines } : {}),
    tokens,
  }
}

interface Row extends Commit {
  readonly _id: string
  readonly text: string
  readonly files: readonly string[]
  readonly lines: readonly Place[]
  readonly gold: readonly Place[]
  readonly language: string
}

/** Sets whose rows name their commit. */
const readCommits =
  (about: (row: Row) => Pick<FieldQuestion, 'group' | 'gold' | 'extensions'>): FieldSet['read'] =>
  (folder) =>
    readRows<Row>(join(folder, 'questions.jsonl')).map((row) => {
      const { _id, text, repository, commit } = row
      return { _id, text, repository, commit, root: '', half: halfOf(_id), ...about(row) }
    })

function readRepositories<T>(folder: string): T[] {
  return JSON.parse(readFileSync(join(folder, 'repositories.json'), 'utf8')) as T[]
}

function readCodesearch(folder: string): FieldQuestion[] {
  interface Repository extends Pick<FieldQuestion, 'commit' | 'root' | 'half'> {
    readonly name: string
    readonly repo: string
    readonly language: string
  }
  interface Question extends Pick<FieldQuestion, '_id' | 'repository' | 'text'> {
    readonly relevant: readonly { path: string; start_line?: number; end_line?: number }[]
  }
  const known = new Map(readRepositories<Repository>(folder).map((one) => [one.name, one]))
  return readRows<Question>(join(folder, 'questions.jsonl')).map(({ _id, text, relevant, repository }) => {
    const { repo, commit, root, half, language } = known.get(repository) as Repository
    const gold = relevant.map(({ path, start_line: start, end_line: end }) =>
      start === undefined ? whole(path) : { path, start, end: end ?? start },
    )
    return {
      _id,
      text,
      half,
      group: language,
      repository: repo,
      commit,
      root: root ?? '',
      gold,
      extensions: [],
    }
  })
}

function readLocalise(folder: string): FieldQuestion[] {
  interface Repository {
    readonly repo: string
    readonly base: string
    readonly extensions: readonly string[]
  }
  interface Fix extends Pick<FieldQuestion, '_id' | 'text'> {
    readonly repo: string
    readonly files: readonly string[]
  }
  const known = new Map(readRepositories<Repository>(folder).map((one) => [one.repo, one]))
  return readRows<Fix>(join(folder, 'questions.jsonl')).map(({ _id, text, repo, files }) => {
    const { base: commit, extensions } = known.get(repo) as Repository
    const about = { half: halfOf(_id), group: repo, repository: repo, commit, root: '' }
    return { _id, text, ...about, gold: files.map(whole), extensions }
  })
}

export const fieldSets: Readonly<Record<string, FieldSet>> = {
  codesearch: { read: readCodesearch, score: scoreSearch },
  localise: { read: readLocalise, score: scoreFiles },
  swebench: {
    read: readCommits(({ repository, files }) => ({
      group: repository,
      gold: files.map(whole),
      extensions: ['.py'],
    })),
    score: scoreFiles,
  },
  contextbench: {
    read: readCommits(({ language, gold }) => ({ group: language, gold, extensions: [] })),
    score: scoreLines,
  },
  sweqa: {
    read: (folder) =>
      readCommits(({ repository, files, lines }) => ({
        group: repository,
        gold: [...files.map(whole), ...lines],
        extensions: [],
      }))(folder).filter(({ gold }) => gold.length > 0),
    score: scoreCited,
  },
}
