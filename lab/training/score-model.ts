// How good is a model in the product's own search? Page nDCG@10 of each set with the default fusion, with intervals.
//
// Run: node lab/training/score-model.ts [--half A|B] [--sets a,b] [--mode hybrid,vector] [--json FILE] NAME=FOLDER ...
// NAME is printed; FOLDER holds a static model; `words` is no model.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Settings } from '../../src/model/config/settings.ts'
import { openEngine } from '../../src/offer/engine/open-engine.ts'
import { type Half, type Mode, pickQuestions } from '../eval/figures.ts'
import { type Estimate, estimate, ndcg, pairedChange } from '../eval/measures.ts'
import { type CorpusName, prepareCorpus } from '../eval/prepare-corpus.ts'
import { rankPages, readJudged, searchLimits } from '../eval/score-ranking.ts'

const rankedSets = ['scifact', 'raydocs', 'k8sdocs', 'eips', 'twowiki'] as const

interface Contender {
  readonly name: string
  /** Null for words alone. */
  readonly folder: string | null
}

interface Scored {
  readonly set: string
  readonly contender: string
  readonly mode: Mode
  readonly values: ReadonlyMap<string, number>
}

function modelSettings({ folder }: Contender): Partial<Settings> {
  if (folder === null) return {}
  return { 'embedding.provider': 'builtin', 'embedding.model': folder }
}

/** Every model gets an index of its own: one that was copied is refused as foreign. */
async function openFor(contender: Contender, set: CorpusName): Promise<ReturnType<typeof openEngine>> {
  const { engine, opened } = await prepareCorpus(set)
  if (contender.folder === null) return engine
  engine.close()
  const indexDir = join(dirname(opened.indexDir), `index-${contender.name}`)
  const own = openEngine({
    ...opened,
    indexDir,
    settings: { ...opened.settings, ...modelSettings(contender) },
  })
  await own.index()
  return own
}

async function scoreSet(
  contender: Contender,
  set: CorpusName,
  options: { readonly half: Half; readonly modes: readonly Mode[]; readonly keep: boolean },
): Promise<Scored[]> {
  const engine = await openFor(contender, set)
  const scored: Scored[] = []
  for (const mode of contender.folder === null ? (['lexical'] as const) : options.modes) {
    const values = new Map<string, number>()
    for (const { _id, text, grades } of pickQuestions(readJudged(set), {
      half: options.half,
      sample: null,
    })) {
      const pages = await rankPages(engine, text, { mode, limit: searchLimits.few })
      values.set(_id, ndcg(pages, grades, 10))
    }
    scored.push({ set, contender: contender.name, mode, values })
  }
  const { indexPath } = await engine.status()
  engine.close()
  if (contender.folder !== null && !options.keep) rmSync(dirname(indexPath), { recursive: true })
  return scored
}

function show({ mean, low, high }: Estimate): string {
  return `${mean.toFixed(4)} [${low.toFixed(3)}, ${high.toFixed(3)}]`
}

/** One line per model: every set, and the mean of the sets. */
function render(scored: readonly Scored[], sets: readonly string[]): string {
  const rows = Map.groupBy(scored, ({ contender, mode }) => `${contender} ${mode}`)
  const first = [...rows.values()][0] ?? []
  const lines = [...rows].map(([name, those]) => {
    const cells = sets.map((set) => {
      const one = those.find((each) => each.set === set)
      const before = first.find((each) => each.set === set)
      if (one === undefined) return '-'
      const own = show(estimate([...one.values.values()]))
      if (before === undefined || before === one) return own
      const { mean, low, high } = pairedChange(before.values, one.values)
      return `${own} ${mean < 0 ? '−' : '+'}${Math.abs(mean).toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`
    })
    const means = sets.flatMap((set) => {
      const one = those.find((each) => each.set === set)
      return one === undefined ? [] : [estimate([...one.values.values()]).mean]
    })
    const mean = means.reduce((sum, value) => sum + value, 0) / means.length
    return `| ${name} | ${cells.join(' | ')} | ${mean.toFixed(4)} |`
  })
  return [`| | ${sets.join(' | ')} | mean |`, `|${'---|'.repeat(sets.length + 2)}`, ...lines].join('\n')
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    half: { type: 'string', default: 'A' },
    sets: { type: 'string', default: rankedSets.join(',') },
    mode: { type: 'string', default: 'hybrid' },
    keep: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
})
const contenders = positionals.map((text): Contender => {
  const [name = '', folder] = text.split('=')
  return { name, folder: folder === undefined ? null : resolve(folder) }
})
const sets = values.sets.split(',') as CorpusName[]
const scored: Scored[] = []
for (const set of sets) {
  for (const contender of contenders) {
    const started = performance.now()
    const modes = values.mode.split(',') as Mode[]
    scored.push(...(await scoreSet(contender, set, { half: values.half as Half, modes, keep: values.keep })))
    console.error(`${set} ${contender.name}: ${((performance.now() - started) / 1000).toFixed(1)} s`)
  }
}
console.log(`half ${values.half}, page nDCG@10; changes against the first line\n\n${render(scored, sets)}`)
if (values.json !== undefined) {
  mkdirSync(dirname(resolve(values.json)), { recursive: true })
  writeFileSync(values.json, JSON.stringify(scored.map((one) => ({ ...one, values: [...one.values] }))))
}
