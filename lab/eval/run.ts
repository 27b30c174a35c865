// Is it good? Runs the suite, prints the table, and compares it with the committed one.
import { parseArgs } from 'node:util'
import { type Comparison, compareFigure, type Part, readBaseline, writeBaseline } from './baseline.ts'
import { type Ask, type Figure, type Half, keyOf, type Mode } from './figures.ts'
import { type CorpusName, type PreparedCorpus, prepareCorpus } from './prepare-corpus.ts'
import { evalFolder } from './read-sets.ts'
import { renderRows } from './render-table.ts'
import { scoreMessages } from './score-messages.ts'
import { findStaleQuestions } from './score-own.ts'
import { scoreReal } from './score-real.ts'
import { scoreResolution } from './score-resolution.ts'
import { setNames, tasks } from './suite.ts'

const usage = `npm run eval -- [--set NAME] [--half A|B|all] [--mode lexical|hybrid|vector] [--small] [--update]
sets: ${setNames.join(', ')}`

interface Options {
  readonly set: string | null
  readonly half: Half
  readonly modes: readonly Mode[]
  readonly small: boolean
  readonly update: boolean
}

function refuse(message: string): never {
  console.error(`error: ${message}\n${usage}`)
  process.exit(2)
}

function oneOf<T extends string>(value: string | undefined, values: readonly T[], name: string): T | null {
  if (value === undefined) return null
  return values.find((one) => one === value) ?? refuse(`--${name} takes ${values.join(', ')}, not ${value}`)
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      set: { type: 'string' },
      half: { type: 'string' },
      mode: { type: 'string' },
      small: { type: 'boolean', default: false },
      update: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(usage)
    process.exit(0)
  }
  const half = oneOf(values.half, ['A', 'B', 'all'], 'half')
  const mode = oneOf(values.mode, ['lexical', 'hybrid', 'vector'], 'mode')
  if (values.small && half !== null) refuse('the small run is a sample of half A; leave --half out')
  if (values.update && half !== null) refuse('the baseline holds half B; leave --half out')
  return {
    set: oneOf(values.set, setNames, 'set'),
    half: half ?? (values.small ? 'A' : 'B'),
    modes: mode === null ? ['lexical', 'hybrid'] : [mode],
    small: values.small,
    update: values.update,
  }
}

/** Corpora stay open while the next task uses the same one. */
class Corpora {
  #open: PreparedCorpus | null = null

  async get(name: CorpusName): Promise<PreparedCorpus> {
    if (this.#open?.name === name) return this.#open
    this.close()
    this.#open = await prepareCorpus(name)
    return this.#open
  }

  close(): void {
    this.#open?.engine.close()
    this.#open = null
  }
}

async function measure(options: Options, shared: boolean): Promise<{ figures: Figure[]; stale: string[] }> {
  const corpora = new Corpora()
  const figures: Figure[] = []
  let stale: string[] = []
  for (const task of tasks) {
    if (options.set !== null && options.set !== task.set) continue
    if ((options.small && task.small === null) || (task.corpus !== 'own' && !shared)) continue
    const corpus = await corpora.get(task.corpus)
    if (task.corpus === 'own') stale = await findStaleQuestions(corpus)
    for (const mode of options.modes) {
      if (mode !== 'lexical' && !corpus.hybrid) {
        console.error(`SKIPPED: ${task.set} ${task.what}, ${mode}: no model`)
        continue
      }
      const started = performance.now()
      const ask: Ask = { corpus, mode, half: options.half, sample: options.small ? task.small : null }
      figures.push(...(await task.run(ask, options.small)))
      console.error(
        `${task.set} ${task.what}, ${mode}: ${((performance.now() - started) / 1000).toFixed(1)} s`,
      )
    }
  }
  corpora.close()
  if (shared && (options.set ?? 'real') === 'real' && options.modes.includes('hybrid'))
    figures.push(...(await scoreReal(options)))
  if (shared && (options.set ?? 'messages') === 'messages' && options.modes.includes('hybrid'))
    figures.push(...(await scoreMessages(options)))
  if (shared && !options.small && (options.set ?? 'references') === 'references')
    figures.push(...scoreResolution())
  return { figures, stale }
}

function noteOf({ verdict, change }: Comparison): string {
  if (verdict === 'new') return '  new'
  if (verdict === 'same' || change === null) return ''
  const sign = change > 0 ? '+' : '−'
  return `  ${sign}${Math.abs(change).toFixed(4)}${verdict === 'dropped' ? ' DROPPED' : ''}`
}

/** The last line says whether all is well. */
function conclude(compared: readonly Comparison[], faults: readonly string[]): void {
  const dropped = compared.filter(({ verdict }) => verdict === 'dropped')
  const moved = compared.filter(({ verdict }) => verdict === 'moved').length
  const fresh = compared.filter(({ verdict }) => verdict === 'new').length
  for (const fault of faults) console.log(`fault: ${fault}`)
  for (const row of dropped) console.log(`dropped: ${keyOf(row)}`)
  const counts = `${compared.length} figures, ${moved} moved within their interval, ${fresh} new`
  if (compared.length === 0) faults = [...faults, 'nothing was measured']
  if (dropped.length === 0 && faults.length === 0) console.log(`pass: ${counts}, none dropped`)
  else {
    console.log(`fail: ${counts}, ${dropped.length} dropped below the baseline, ${faults.length} faults`)
    process.exitCode = 1
  }
}

const started = performance.now()
const options = readOptions()
const shared = evalFolder() !== null
const part: Part = options.small ? 'small' : 'full'
const { figures, stale } = await measure(options, shared)
const isWhole = options.set === null && options.modes.length > 1 && shared
if (options.update) writeBaseline(part, figures, isWhole)
const baseline =
  options.half === (options.small ? 'A' : 'B') ? readBaseline(part) : { rows: new Map(), values: new Map() }
const compared = figures.map((figure) => compareFigure(figure, baseline))
console.log(`${options.small ? 'small run, ' : ''}half ${options.half}`)
console.log(renderRows(compared, noteOf))
const missing = isWhole
  ? [...baseline.rows.keys()].filter((key) => !figures.some((one) => keyOf(one) === key))
  : []
for (const key of missing) console.error(`not measured: ${key}`)
console.error(`${((performance.now() - started) / 1000).toFixed(0)} s`)
conclude(compared, stale)
