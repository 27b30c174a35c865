// What does growth look like? The newest growth run under lab/bench/runs as SVG pictures under docs/images.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Chart, drawChart, type Series } from './draw-chart.ts'
import type { GrowthRun, IndexCost, SizeFigures } from './growth-run.ts'

const runs = join(import.meta.dirname, 'runs')
const images = join(import.meta.dirname, '../../docs/images')

function newestRun(): { name: string; run: GrowthRun } {
  const name = readdirSync(runs)
    .filter((file) => file.endsWith('-growth.json'))
    .sort()
    .at(-1)
  if (name === undefined) throw new Error('no growth run under lab/bench/runs: npm run bench:growth first')
  return { name, run: JSON.parse(readFileSync(join(runs, name), 'utf8')) as GrowthRun }
}

function chartsOf({ sizes, machine, lastExponents }: GrowthRun): Record<string, Chart> {
  const series = (
    name: string,
    color: string,
    pick: (size: SizeFigures) => number,
    dashed = false,
  ): Series => ({ name, color, dashed, points: sizes.map((size) => ({ x: size.sections, y: pick(size) })) })
  const grows = (key: string): string => ` (last step n^${(lastExponents[key] ?? Number.NaN).toFixed(2)})`
  const both = (pick: (cost: IndexCost) => number): Series[] => [
    series('yore', '#0b5fa5', (size) => pick(size.yore)),
    series('bare FTS5', '#b2182b', (size) => pick(size.bare), true),
  ]
  const where = `${machine['cores']} cores, Node ${machine['node']}, same run`
  return {
    'growth-latency': {
      title: 'Warm question, 95th percentile',
      subtitle: `yore looks at every file first; bare FTS5 gives 10 rows; ${where}`,
      xLabel: 'sections in the corpus',
      yLabel: 'milliseconds',
      series: [
        series(`assemble${grows('assemble p95')}`, '#0b5fa5', (size) => size.queries.assemble.p95),
        series(`search${grows('search p95')}`, '#1a9850', (size) => size.queries.search.p95),
        series(`bare FTS5${grows('bare p95')}`, '#b2182b', (size) => size.queries.bare.p95, true),
      ],
    },
    'growth-index': {
      title: 'Full index from nothing: processor time',
      subtitle: `yore: exact token counts, references, embeddings; ${where}`,
      xLabel: 'sections in the corpus',
      yLabel: 'seconds',
      series: both(({ cpuMs }) => cpuMs / 1000),
    },
    'growth-size': {
      title: 'Index on disk',
      subtitle: `with embeddings and a copy of the text; ${where}`,
      xLabel: 'sections in the corpus',
      yLabel: 'megabytes',
      series: [
        ...both(({ indexMb }) => indexMb),
        series('the text itself', '#777777', (size) => size.sourceMb, true),
      ],
    },
    'growth-memory': {
      title: 'Memory at the peak of indexing',
      subtitle: where,
      xLabel: 'sections in the corpus',
      yLabel: 'megabytes',
      series: both(({ peakMb }) => peakMb),
    },
  }
}

const { name, run } = newestRun()
mkdirSync(images, { recursive: true })
for (const [file, chart] of Object.entries(chartsOf(run))) {
  writeFileSync(join(images, `${file}.svg`), drawChart(chart))
  console.log(`docs/images/${file}.svg from lab/bench/runs/${name}`)
}
