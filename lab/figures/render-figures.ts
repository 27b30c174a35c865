// How does a figure read on a page? One text per marker name: a number, a table or a chart.
import { type Bar, drawBars } from './draw-bars.ts'
import type { Figure, Figures } from './read-records.ts'

const whole = (value: number): string => Math.round(value).toLocaleString('en-US')
const percent = (value: number): string => `${Math.round(100 * value)} %`
const share = (value: number): string => value.toFixed(2)

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = head.map((_, at) => (at === 0 ? '---' : '--:'))
  return [head, rule, ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

/** What a chart or table needs of the figures. */
class Reader {
  readonly #all: Figures
  constructor(all: Figures) {
    this.#all = all
  }
  figure(name: string): Figure {
    const found = this.#all.figures[name]
    if (found === undefined) throw new Error(`lab/figures.json has no figure ${name}`)
    return found
  }
  value(name: string): number {
    return this.figure(name).value
  }
  /** `70 % [61, 80]`. */
  interval(name: string): string {
    const { value, low, high } = this.figure(name)
    if (low === undefined || high === undefined) return percent(value)
    return `${percent(value)} [${Math.round(100 * low)}, ${Math.round(100 * high)}]`
  }
  get runs(): Figures['runs'] {
    return this.#all.runs
  }
}

const tableOf: Readonly<Record<string, (reader: Reader) => string>> = {
  'table-needs': (of) =>
    table(
      ['share of the needed passages [95 % interval]', '2,000 tokens', '4,000', '8,000'],
      [
        ['yore, digest, with words that the caller expects', 'words'],
        ['SQLite FTS5, windows of 40 lines, with the same words', 'words-floor'],
        ['yore, digest', 'needs'],
        ['SQLite FTS5, windows of 40 lines', 'floor'],
        ['ripgrep, best window of each file', 'ripgrep'],
        ['qmd 2.8.3, BM25 mode', 'qmd'],
        ['repomix 1.18.1, files in its order', 'repomix'],
      ].map(([tool = '', name]) => [
        tool,
        ...['2k', '4k', '8k'].map((size) => of.interval(`${name}-${size}`)),
      ]),
    ),
  'table-scripts': (of) => {
    const rows = [
      ['grep', 'grep, then read 80 lines around matches'],
      ['grep-files', 'grep, then read files'],
      ['search', '`yore search`, then read the listed sections'],
      ['digest', '`yore assemble` with 4,000 tokens, then search'],
      ['small-digest', '`yore assemble` with 2,000, then 8,000 tokens, then grep'],
    ] as const
    const cell = (set: string, name: string): string[] => [
      percent(of.value(`${set}-${name}-found`)),
      whole(of.value(`${set}-${name}-median`)),
      whole(of.value(`${set}-${name}-mean`)),
    ]
    return table(
      ['script', 'questions: found', 'median tokens', 'mean', 'bug fixes: found', 'median tokens', 'mean'],
      rows.map(([name, text]) => [text, ...cell('real', name), ...cell('localise', name)]),
    )
  },
  'table-pages': (of) => {
    const sets = {
      scifact: 'scientific claims',
      raydocs: 'Ray documentation',
      k8sdocs: 'Kubernetes documentation',
      eips: 'Ethereum proposals',
      twowiki: 'Wikipedia, two steps',
    }
    return table(
      ['page nDCG@10', 'words', 'words and embeddings'],
      Object.entries(sets).map(([set, text]) => [
        text,
        share(of.value(`pages-${set}-words`)),
        share(of.value(`pages-${set}-hybrid`)),
      ]),
    )
  },
  'table-codesearch': (of) =>
    table(
      ['459 held-out questions to 23 repositories', 'nDCG@10', 'right file first'],
      [
        ['`yore search`', 'yore', 'yore-first'],
        ['CodeRankEmbed hybrid, 137M parameters, as published', 'coderank'],
        ['semble, as published', 'semble'],
        ['BM25, as published', 'bm25'],
        ['ripgrep, files by matching words', 'ripgrep', 'ripgrep-first'],
        ['SQLite FTS5, windows of 40 lines', 'windows', 'windows-first'],
      ].map(([tool = '', ...names]) => [
        tool,
        ...names.map((name) => share(of.value(`codesearch-${name}`))),
        ...(names.length === 1 ? ['–'] : []),
      ]),
    ),
  'table-speed': (of) => {
    const ms = (name: string): string => `${whole(of.value(name))} ms`
    const mb = (name: string): string => `${whole(of.value(name))} MB`
    return table(
      ['1,495 pages of Kubernetes', 'yore', 'bare FTS5'],
      [
        ['full index, with embeddings', ms('index-ms'), ms('index-bare-ms')],
        ['memory at the peak of indexing', mb('index-peak-mb'), mb('index-bare-peak-mb')],
        ['index on disk', mb('index-mb'), mb('index-bare-mb')],
        ['digest, running process, median', ms('digest-p50-ms'), ms('bare-p50-ms')],
        ['digest, running process, 95th percentile', ms('digest-p95-ms'), ms('bare-p95-ms')],
        ['first digest of a new process', ms('cold-ms'), ms('cold-bare-ms')],
        ['one changed file, running process', ms('change-ms'), '–'],
      ],
    )
  },
  'table-runs': (of) =>
    table(
      ['run', 'commit', 'date', 'repeat it', 'raw result'],
      Object.entries(of.runs).map(([name, { commit, date, command, record }]) => [
        name,
        `\`${commit}\``,
        date,
        name === 'readings' ? command : `\`${command}\``,
        `[${record.split('/').at(-1)}](../../${record})`,
      ]),
    ),
}

const chartOf: Readonly<Record<string, (reader: Reader) => string>> = {
  'evidence-needs': (of) => {
    const bar = (label: string, name: string, kind: Bar['kind']): Bar => {
      const { value, low, high } = of.figure(name)
      return {
        label,
        value,
        text: percent(value),
        kind,
        ...(low === undefined ? {} : { low, high: high ?? value }),
      }
    }
    return drawBars({
      title: 'Share of the needed passages inside the token budget',
      subtitle: `${of.figure('needs-2k').questions} held-out questions to twelve packages, 95 % intervals`,
      most: 1,
      groups: ['2k', '4k', '8k'].map((size) => ({
        label: `${size.replace('k', ',000')} tokens`,
        bars: [
          bar('yore with words', `words-${size}`, 'strong'),
          bar('FTS5, same words', `words-floor-${size}`, 'weak'),
          bar('yore', `needs-${size}`, 'strong'),
          bar('SQLite FTS5', `floor-${size}`, 'weak'),
          bar('ripgrep', `ripgrep-${size}`, 'weak'),
        ],
      })),
    })
  },
  'evidence-agents': (of) => {
    const bar = (label: string, name: string, kind: Bar['kind']): Bar => ({
      label,
      value: of.value(`${name}-mean`),
      text: whole(of.value(`${name}-mean`)),
      kind,
    })
    return drawBars({
      title: 'Tokens that a coding agent reads for a question',
      subtitle: 'unknown repositories, means of two runs; the answers are equally complete',
      most: 3500,
      groups: [
        [`${of.figure('agents-yore-mean').questions} questions`, 'agents'],
        [`${of.figure('agents-documents-yore-mean').questions} about documents`, 'agents-documents'],
      ].map(([label = '', name]) => ({
        label,
        bars: [
          bar('ripgrep and yore', `${name}-yore`, 'strong'),
          bar('ripgrep alone', `${name}-ripgrep`, 'weak'),
        ],
      })),
    })
  },
  'evidence-references': (of) => {
    const bar = (label: string, name: string, kind: Bar['kind']): Bar => {
      const { value, low = value, high = value } = of.figure(name)
      return { label, value, text: percent(value), kind, low, high }
    }
    return drawBars({
      title: 'Required documents inside a digest of 8,000 tokens',
      subtitle: `${of.figure('required-depth-1').questions} Ethereum proposals; their authors declare what each requires`,
      most: 1,
      groups: [
        {
          label: '',
          bars: [
            bar('references followed', 'required-depth-1', 'strong'),
            bar('search results alone', 'required-depth-0', 'weak'),
          ],
        },
      ],
    })
  },
}

/** Every chart as SVG, by the name of its file. */
export function renderCharts(all: Figures): Record<string, string> {
  const reader = new Reader(all)
  return Object.fromEntries(Object.entries(chartOf).map(([name, draw]) => [name, draw(reader)]))
}

/** The text of one marker: a table by its name, else the figure in its own unit. */
export function renderFigure(name: string, all: Figures): string {
  const reader = new Reader(all)
  const block = tableOf[name]
  if (block !== undefined) return `\n\n${block(reader)}\n\n`
  const { value } = reader.figure(name)
  if (name.endsWith('-ms')) return value >= 1000 ? `${(value / 1000).toFixed(1)} s` : `${whole(value)} ms`
  if (name.endsWith('-mb')) return `${whole(value)} MB`
  if (/-(?:median|mean)$/.test(name)) return whole(value)
  if (name.endsWith('-more')) return `${whole(value)} of ${reader.figure(name).questions}`
  if (/^(?:model|pages)-|-auc$/.test(name)) return share(value)
  return percent(value)
}
