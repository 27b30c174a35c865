// Do digests bring what real questions need? Twelve public packages, beside the floor of packed windows.
//
// node lab/eval/real.ts [--half A|B|all] [--package NAME] [--json]
// node lab/eval/real.ts --misses [--half A]     each missed need, and where the needed place stands
// node lab/eval/real.ts --words right           with what a caller adds: right, names, wrong, mixed or appended (none by default)
// node lab/eval/real.ts --set held --snapshots FOLDER   the questions of held/, or short/, over git directories, `owner+name/repo`; half A is to fit, B is held out
// node lab/eval/real.ts --ranked                rewrites lab/eval/real-ranked.txt, half A; with --package only its questions
// node lab/eval/real.ts --ranked --check        compares instead, and fails if a ranking changed
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Explained, explainNeeds, type NeedStanding, type NeedState } from './explain-need.ts'
import { formatTokens, type Half, sumUp } from './figures.ts'
import { areaUnderRoc } from './measures.ts'
import {
  type Place,
  type RealPackage,
  type RealQuestion,
  ROTATION,
  readReal,
  wordChoices,
} from './real-set.ts'
import {
  askPackage,
  figuresOf,
  openReal,
  type RealRow,
  realBudgets,
  smallPackage,
  touches,
} from './score-real.ts'

const { values: options } = parseArgs({
  options: {
    half: { type: 'string', default: 'all' },
    package: { type: 'string' },
    json: { type: 'boolean', default: false },
    misses: { type: 'boolean', default: false },
    ranked: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    words: { type: 'string', default: 'none' },
    set: { type: 'string', default: 'real' },
    snapshots: { type: 'string', default: process.env['YORE_SNAPSHOTS'] ?? '' },
  },
})

/** Passages of a question in the committed ranking. */
const SHOWN = 5
const rankedFile = join(import.meta.dirname, 'real-ranked.txt')
const tools = ['yore', 'floor'] as const
const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, one) => sum + one, 0) / values.length
const show = (value: number, digits = 3): string => (Number.isNaN(value) ? '–' : value.toFixed(digits))

function print(table: readonly (readonly string[])[]): void {
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((row) => (row[column] ?? '').length)),
  )
  for (const row of table)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
  console.log('')
}

const isAnswerable = ({ kind }: RealRow): boolean => kind !== 'unanswerable'

/** One line for each measure and tool; 95 % intervals beside each mean. */
function printMeasures(rows: readonly RealRow[]): void {
  const table = [['', '', ...realBudgets.flatMap((budget) => [formatTokens(budget), '95 % interval'])]]
  for (const tool of tools) {
    const byBudget = realBudgets.map((budget) => {
      const those = rows.filter((row) => row.tool === tool && row.budget === budget)
      const tokens = (wanted: boolean): number =>
        meanOf(those.filter((row) => isAnswerable(row) === wanted).map((row) => row.tokens))
      return { figures: figuresOf(those, { mode: tool, task: '' }).map(sumUp), tokens }
    })
    for (const { measure } of byBudget[0]?.figures ?? []) {
      const cells = byBudget.flatMap(({ figures }) => {
        const found = figures.find((figure) => figure.measure === measure)?.estimate
        return found === undefined
          ? ['–', '']
          : [show(found.mean), `[${show(found.low)}, ${show(found.high)}]`]
      })
      table.push([tool, measure, ...cells])
    }
    for (const wanted of [true, false])
      table.push([
        tool,
        wanted ? 'tokens' : 'tokens when unanswerable',
        ...byBudget.flatMap(({ tokens }) => [show(tokens(wanted), 0), '']),
      ])
  }
  print(table)
}

function printGroups(rows: readonly RealRow[], key: 'kind' | 'package'): void {
  const answerable = rows.filter(isAnswerable)
  const head = tools.flatMap((tool) => [
    ...realBudgets.map((budget) => `${tool} ${formatTokens(budget)}`),
    'first',
  ])
  const table = [[key, ...head, 'questions']]
  for (const value of new Set(answerable.map((row) => row[key]))) {
    const cells = tools.flatMap((tool) => {
      const those = answerable.filter((row) => row[key] === value && row.tool === tool)
      const at = (budget: number): RealRow[] => those.filter((row) => row.budget === budget)
      const needs = realBudgets.map((budget) =>
        show(meanOf(at(budget).flatMap(({ met }) => met.map(Number)))),
      )
      return [...needs, show(meanOf(at(realBudgets.at(-1) as number).map(({ onNeed }) => Number(onNeed))))]
    })
    const ids = new Set(answerable.filter((row) => row[key] === value).map(({ id }) => id))
    table.push([value, ...cells, String(ids.size)])
  }
  print(table)
}

/** Can a reader tell from the digest alone that nothing answers? */
function printUnanswerable(rows: readonly RealRow[]): void {
  const asked = rows.filter((row) => row.tool === 'yore' && row.budget === realBudgets.at(-1))
  const own = asked.filter((row) => !row.foreign)
  const groups = {
    answerable: own.filter(isAnswerable),
    'unanswerable, its own package': own.filter((row) => !isAnswerable(row)),
    'asked of another package': asked.filter((row) => row.foreign),
  }
  const table = [['yore at 8k', 'questions', 'tokens', 'nothing found', 'AUC against answerable', 'labels']]
  const scores = (some: readonly RealRow[]): number[] =>
    some.flatMap(({ confidence }) => (confidence === null ? [] : [confidence.score]))
  for (const [name, some] of Object.entries(groups)) {
    const labels = Map.groupBy(some, ({ confidence }) => confidence?.label ?? '')
    const told = [...labels]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([label, { length }]) => `${label} ${length}`)
    const area = areaUnderRoc(scores(groups.answerable), scores(some))
    table.push([
      name,
      String(some.length),
      show(meanOf(some.map(({ tokens }) => tokens)), 0),
      show(meanOf(some.map(({ empty }) => Number(empty)))),
      some === groups.answerable || some.length === 0 ? '' : show(area),
      told.join(', '),
    ])
  }
  print(table)
}

async function measureAll(packages: readonly RealPackage[]): Promise<RealRow[]> {
  const rows: RealRow[] = []
  for (const one of packages) {
    const started = performance.now()
    rows.push(...(await askPackage(one, { budgets: realBudgets, floor: true, foreign: true })))
    console.error(`${one.name}: ${((performance.now() - started) / 1000).toFixed(1)} s`)
  }
  return rows
}

/** Every answerable question with where its needs stand; one package is open at a time. */
async function explainAll(packages: readonly RealPackage[]): Promise<Explained[]> {
  const explained: Explained[] = []
  for (const one of packages) {
    const corpus = await openReal(one)
    for (const question of one.questions) explained.push(await explainNeeds(corpus, question, realBudgets))
    corpus.engine.close()
  }
  return explained
}

const formatPlace = ({ path, start, end }: Place): string => `${path}:${start}-${end}`
const formatRank = ({ rank, hit }: NeedStanding): string =>
  hit === null ? 'no rank' : `rank ${rank} (${hit.artifact}, ${hit.score.toFixed(2)})`

/** On one line; some questions quote whole messages. */
const headOf = ({ _id, kind, text }: RealQuestion): string =>
  `${_id} ${kind}: ${text.replace(/\s+/g, ' ').slice(0, 200)}`

function printMisses(all: readonly Explained[]): void {
  const causes = new Map<NeedState, number[]>()
  for (const { question, standings } of all) {
    for (const { states } of standings)
      for (const [at, { state }] of states.entries()) {
        const counts = causes.get(state) ?? realBudgets.map(() => 0)
        counts[at] = (counts[at] as number) + 1
        causes.set(state, counts)
      }
    const missed = standings.filter(({ states }) => states.some(({ state }) => state !== 'met'))
    if (missed.length === 0) continue
    console.log(headOf(question))
    for (const standing of missed) {
      const told = standing.states.map(({ state, detail }, at) => {
        const size = formatTokens(realBudgets[at] as number)
        return `${size} ${state}${detail === '' ? '' : ` (${detail})`}`
      })
      console.log(
        `  need ${standing.need} ${formatPlace(standing.place)}: ${formatRank(standing)}; ${told.join(', ')}`,
      )
    }
  }
  const rows = [...causes].sort(([a], [b]) => (a < b ? -1 : 1))
  console.log('')
  print([
    ['needs', ...realBudgets.map(formatTokens)],
    ...rows.map(([state, counts]) => [state, ...counts.map(String)]),
  ])
}

/** The first passages of a question's largest digest, needed ones marked: a change in ranking is a diff. */
function renderRanked({ question, digests, standings }: Explained): string {
  const needed = question.needs.flat()
  const lines = [headOf(question)]
  for (const { need, states, rank, place } of standings) {
    const met = states.findIndex(({ state }) => state === 'met')
    const when =
      met === -1 ? (states.at(-1)?.state ?? '') : `met at ${formatTokens(realBudgets[met] as number)}`
    lines.push(`  needs ${need}: ${formatPlace(place)} (${when}, rank ${rank ?? 'none'})`)
  }
  for (const [at, { path, excerpts }] of (digests.at(-1)?.primary ?? []).slice(0, SHOWN).entries()) {
    const places = excerpts.map(({ lines: { start, end } }) => ({ path, start, end }))
    const mark = places.some((shown) => needed.some((place) => touches(place, shown))) ? '*' : ' '
    lines.push(`  ${at + 1} ${mark} ${path}:${places.map(({ start, end }) => `${start}-${end}`).join(',')}`)
  }
  return lines.join('\n')
}

const idOf = (block: string): string => block.slice(0, block.indexOf(' '))

/** Writes or checks the committed blocks of these questions; those of packages that were not asked stay. */
function keepRanked(all: readonly Explained[]): void {
  const committed = readFileSync(rankedFile, 'utf8').trimEnd().split('\n\n').slice(1)
  const blocks = new Map(committed.map((block) => [idOf(block), block]))
  const fresh = all.map(renderRanked)
  const changed = fresh.filter((block) => blocks.get(idOf(block)) !== block)
  for (const block of changed) console.log(`${blocks.get(idOf(block)) ?? '(new)'}\n=>\n${block}\n`)
  console.log(`${fresh.length} rankings, ${changed.length} changed`)
  if (options.check) {
    if (changed.length === 0) return
    console.error('hint: if the change is wanted, run it without --check and commit the diff')
    process.exitCode = 1
    return
  }
  for (const block of changed) blocks.set(idOf(block), block)
  const head = `# Written by \`node lab/eval/real.ts --ranked\`; .ci/run checks the questions of ${smallPackage}. Half A, the first ${SHOWN} passages of each digest of 8,000 tokens; * is on a needed place.`
  writeFileSync(rankedFile, `${[head, ...blocks.values()].join('\n\n')}\n`)
}

function report(rows: readonly RealRow[]): void {
  if (options.json) {
    console.log(JSON.stringify(rows))
    return
  }
  for (const half of ['A', 'B'] as const) {
    const those = rows.filter((row) => row.half === half)
    const own = those.filter(({ foreign }) => !foreign)
    if (own.length === 0) continue
    const counts = Map.groupBy(new Map(own.map((row) => [row.id, row])).values(), isAnswerable)
    console.log(
      `== half ${half}: ${counts.get(true)?.length ?? 0} questions + ${counts.get(false)?.length ?? 0} unanswerable\n`,
    )
    printMeasures(own)
    printGroups(own, 'kind')
    printGroups(own, 'package')
    console.log(`Questions of the package ${ROTATION} places earlier in the list are asked of each one, too.`)
    printUnanswerable(those)
  }
}

const half = options.ranked ? 'A' : (options.half as Half)
const words = wordChoices.find((one) => one === options.words)
if (words === undefined) throw new Error(`--words must be ${wordChoices.join(', ')}`)
const isHeld = ['held', 'short'].includes(options.set)
if (!isHeld && options.set !== 'real') throw new Error('--set must be real, held or short')
if (isHeld && (options.ranked || options.snapshots === ''))
  throw new Error('--set held and short need --snapshots FOLDER of git directories, and have no --ranked')
const snapshots = isHeld ? options.snapshots : null
const packages = readReal({ half, only: options.package ?? null, words, snapshots, set: options.set })
if (packages.length === 0) console.error('nothing was measured')
else if (options.misses) printMisses(await explainAll(packages))
else if (options.ranked) keepRanked(await explainAll(packages))
else report(await measureAll(packages))
