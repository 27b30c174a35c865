// Does search list the file that a question is about? The code-search questions that the field shares, over public repositories.
//
// node lab/eval/semble.ts --folder FOLDER [--snapshots FOLDER] [--half A|B|all] [--repo NAME] [--ablate] [--record FILE]
// FOLDER holds the repositories as codesearch/checkout.mjs of the evaluation data lays them out; --snapshots lays them out first.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { featureTable } from '../../src/answer/retrieve/feature-table.ts'
import { defaultSettings } from '../../src/model/config/settings.ts'
import type { SearchHit } from '../../src/model/report.ts'
import type { Engine } from '../../src/offer/engine/engine.ts'
import { loadTokenizer } from '../../src/read/assets/load-tokenizer.ts'
import { cacheFolder, modelFolder, prepareFolder } from './prepare-corpus.ts'
import { evalFolder, readRows } from './read-sets.ts'

interface Repository {
  readonly name: string
  readonly repo: string
  readonly commit: string
  readonly language: string
  readonly half: 'A' | 'B'
}

interface Gold {
  readonly path: string
  readonly start_line?: number
  readonly end_line?: number
}

interface Question {
  readonly _id: string
  readonly repository: string
  readonly text: string
  readonly relevant: readonly Gold[]
}

/** One question as the shared scorer counts it. */
interface Scored {
  readonly _id: string
  readonly language: string
  readonly category: string
  readonly listed: number
  readonly files: number
  readonly first: boolean
}

/** Tokens until the first right hit, and the share of the right files within the budget. */
interface Spent {
  readonly untilFirst: number
  readonly recall: number
}

interface Asked {
  readonly _id: string
  readonly hits: readonly { readonly path: string; readonly start: number; readonly end: number }[]
  /** By what an agent reads: the excerpt that search prints, or the whole fragment that matched. */
  readonly printed: Spent
  readonly matched: Spent
}

/** Results that are scored, and those that an agent would read on. */
const LISTED = 10
const READ = 50
/** As the original counts: what a miss costs, and the budget of the recall. */
const MISS_TOKENS = 32_000
const BUDGET = 2_000

const countTokens = loadTokenizer('o200k')

function isRight({ path, lines }: SearchHit, gold: Gold): boolean {
  if (path !== gold.path && !path.endsWith(`/${gold.path}`) && !gold.path.endsWith(`/${path}`)) return false
  return gold.start_line === undefined || !(lines.end < gold.start_line || lines.start > (gold.end_line ?? 0))
}

function spend(
  hits: readonly SearchHit[],
  { relevant }: Question,
  textOf: (hit: SearchHit) => string,
): Spent {
  const found = new Set<Gold>()
  let [tokens, untilFirst, recall] = [0, MISS_TOKENS, 0]
  for (const hit of hits) {
    tokens += countTokens(textOf(hit))
    for (const gold of relevant) if (isRight(hit, gold)) found.add(gold)
    if (found.size > 0) untilFirst = Math.min(untilFirst, tokens)
    if (tokens <= BUDGET) recall = found.size / relevant.length
  }
  return { untilFirst, recall }
}

async function ask(engine: Engine, root: string, question: Question): Promise<Asked> {
  const { hits } = await engine.search(question.text, { limit: READ })
  const fragmentOf = ({ path, lines, matchedLines }: SearchHit): string => {
    const { start, end } = matchedLines[0] ?? lines
    return readFileSync(join(root, path), 'utf8')
      .split('\n')
      .slice(start - 1, end)
      .join('\n')
  }
  return {
    _id: question._id,
    hits: hits.slice(0, LISTED).map(({ path, lines }) => ({ path, ...lines })),
    printed: spend(hits, question, ({ path, excerpt }) => `${path}\n${excerpt.text}`),
    matched: spend(hits, question, fragmentOf),
  }
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, one) => sum + one, 0) / Math.max(1, values.length)
const round = (value: number): string => value.toFixed(3)

function score(shared: string, asked: readonly Asked[]): Scored[] {
  const folder = mkdtempSync(join(tmpdir(), 'yore-semble-'))
  try {
    const file = join(folder, 'results.jsonl')
    writeFileSync(file, asked.map(({ _id, hits }) => JSON.stringify({ _id, hits })).join('\n'))
    const scorer = [join(shared, 'score.mjs'), file, '--json']
    return JSON.parse(
      execFileSync(process.execPath, scorer, { encoding: 'utf8', maxBuffer: 1 << 26 }),
    ) as Scored[]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function tableOf(scored: readonly Scored[]): string[] {
  const row = (name: string, some: readonly Scored[]): string =>
    `| ${name} | ${some.length} | ${round(mean(some.map(({ listed }) => listed)))} | ${round(mean(some.map(({ files }) => files)))} | ${round(mean(some.map(({ first }) => Number(first))))} |`
  const by = (key: 'category' | 'language'): string[] =>
    [...Map.groupBy(scored, (one) => one[key])]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, some]) => row(name, some))
  return [
    '| | questions | nDCG@10 as listed | each file once | first |',
    '|---|---|---|---|---|',
    row('all', scored),
    ...by('category'),
    ...by('language'),
  ]
}

/** Runs the questions of some repositories; with each feature of topics in turn without weight, if asked to. */
async function run(): Promise<void> {
  const { values: options } = parseArgs({
    options: {
      folder: { type: 'string', default: process.env['YORE_CODESEARCH_DIR'] ?? '' },
      snapshots: { type: 'string' },
      half: { type: 'string', default: 'A' },
      repo: { type: 'string' },
      ablate: { type: 'boolean', default: false },
      record: { type: 'string' },
    },
  })
  const shared = join(evalFolder() ?? '', 'codesearch')
  if (!existsSync(shared) || options.folder === '') {
    console.error('skipped: no codesearch questions, or no --folder of repositories')
    return
  }
  if (options.snapshots !== undefined)
    spawnSync(process.execPath, [join(shared, 'checkout.mjs'), options.snapshots, options.folder], {
      stdio: 'inherit',
    })
  const questions = readRows<Question>(join(shared, 'questions.jsonl'))
  const repositories = (
    JSON.parse(readFileSync(join(shared, 'repositories.json'), 'utf8')) as Repository[]
  ).filter(
    ({ name, half }) => (options.half === 'all' || half === options.half) && (options.repo ?? name) === name,
  )
  const asked: Asked[] = []
  const without = new Map<string, Asked[]>()
  const absent: string[] = []
  const topics = Object.entries(featureTable).filter(([, { when }]) => when === 'topic')
  for (const { name, repo, commit } of repositories) {
    const root = join(options.folder, name)
    if (!existsSync(root)) {
      absent.push(`${name} (${repo} at ${commit.slice(0, 12)})`)
      continue
    }
    const settings = { ...defaultSettings, 'embedding.model': modelFolder(), refresh: 'never' } as const
    const { engine } = await prepareFolder(
      { name, root, folder: join(cacheFolder(), 'codesearch', name), settings },
      { content: commit },
    )
    for (const question of questions.filter(({ repository }) => repository === name)) {
      asked.push(await ask(engine, root, question))
      if (!options.ablate) continue
      for (const [feature, entry] of topics) {
        const { weight } = entry
        Object.assign(entry, { weight: 0 })
        without.set(feature, [...(without.get(feature) ?? []), await ask(engine, root, question)])
        Object.assign(entry, { weight })
      }
    }
    engine.close()
  }
  for (const one of absent) console.error(`ABSENT, not asked: ${one}`)
  const scored = score(shared, asked)
  const tokens = (['printed', 'matched'] as const).map(
    (kind) =>
      `- ${kind === 'printed' ? 'Excerpts as search prints them' : 'The fragments that matched'}: ${mean(asked.map((one) => one[kind].untilFirst)).toFixed(0)} tokens until the first right hit (${MISS_TOKENS} for a miss among ${READ}), recall at ${BUDGET} tokens ${round(mean(asked.map((one) => one[kind].recall)))}.`,
  )
  const ablation = [...without].map(([feature, some]) => {
    const left = score(shared, some)
    return `| \`${feature}\` | ${round(mean(left.map(({ listed }) => listed)))} | ${round(mean(left.map(({ first }) => Number(first))))} |`
  })
  const text = [
    `# Code search, half ${options.half}`,
    '',
    `\`node lab/eval/semble.ts --half ${options.half}\`: ${asked.length} questions over ${repositories.length - absent.length} repositories, indexed with the defaults and asked through \`search\`. Absent: ${absent.length === 0 ? 'none' : absent.join(', ')}.`,
    '',
    ...tableOf(scored),
    '',
    ...tokens,
    ...(ablation.length === 0 ? [] : ['', '| without | as listed | first |', '|---|---|---|', ...ablation]),
    '',
  ].join('\n')
  console.log(text)
  if (options.record !== undefined) writeFileSync(options.record, text)
}

if (import.meta.main) await run()
