// How long does a full index take, and how much memory and disk? yore and the bare engine in turns, in one run.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { IndexReport } from '../../src/model/report.ts'
import { type BareReport, indexBare } from './bare-engine.ts'
import { benchFolder, loadPackage, packageFolder } from './corpora.ts'
import { median, runNode, timed } from './measure.ts'

export interface IndexFigures {
  /** A process of its own, from its start to its end. */
  readonly processMs: number
  /** The same with every module loaded and the code warm, inside a process that did it before. */
  readonly warmMs: number
  readonly cpuMs: number
  readonly peakMb: number
  readonly indexMb: number
  readonly files: number
  readonly sections: number
  readonly filesPerSecond: number
  readonly mbPerSecond: number
}

export interface IndexComparison {
  readonly rounds: number
  readonly yore: IndexFigures
  readonly bare: IndexFigures
  /** yore divided by bare: the median of the rounds' own ratios. */
  readonly processRatio: number
  readonly warmRatio: number
  readonly cpuRatio: number
}

interface Round {
  processMs: number
  warmMs: number
  cpuMs: number
  peakMb: number
}

const MB = 1_000_000

function summarize(
  rounds: readonly Round[],
  report: { files: number; sections: number; bytes: number; indexBytes: number },
): IndexFigures {
  const of = (pick: (round: Round) => number): number => median(rounds.map(pick))
  const processMs = of((round) => round.processMs)
  return {
    processMs,
    warmMs: of((round) => round.warmMs),
    cpuMs: of((round) => round.cpuMs),
    peakMb: of((round) => round.peakMb),
    indexMb: report.indexBytes / MB,
    files: report.files,
    sections: report.sections,
    filesPerSecond: report.files / (processMs / 1000),
    mbPerSecond: report.bytes / MB / (processMs / 1000),
  }
}

export interface Places {
  readonly root: string
  readonly indexDir: string
  readonly bareDb: string
}

export function placesOf(root: string, name: string): Places {
  const folder = join(benchFolder(), 'indexes')
  return { root, indexDir: join(folder, name), bareDb: join(benchFolder(), `bare-${name}.db`) }
}

/** Full indexes of one folder, `rounds` times each in turns. Leaves both indexes behind. */
export async function measureIndex(places: Places, rounds: number): Promise<IndexComparison> {
  const { root, indexDir, bareDb } = places
  const cli = join(packageFolder(), 'bin/yore.js')
  const { openEngine, defaultSettings } = await loadPackage()
  const bareScript = join(import.meta.dirname, 'bare-engine.ts')
  const engine = openEngine({ root, indexDir, settings: defaultSettings, now: Date.now() })
  const yore: Round[] = []
  const bare: Round[] = []
  let yoreReport: IndexReport | null = null
  let bareReport: BareReport | null = null
  await engine.index({ rebuild: true })
  indexBare(root, bareDb)
  for (let round = 0; round < rounds; round++) {
    const bareRun = runNode([bareScript, 'index', root, bareDb], { use: true })
    rmSync(indexDir, { recursive: true, force: true })
    const args = [cli, 'index', '--root', root, '--index', indexDir, '--json']
    const yoreRun = runNode(args, { use: true })
    const bareWarm = await timed(() => indexBare(root, bareDb))
    const yoreWarm = await timed(() => engine.index({ rebuild: true }))
    for (const [into, run, warmMs] of [
      [yore, yoreRun, yoreWarm],
      [bare, bareRun, bareWarm],
    ] as const)
      into.push({
        processMs: run.milliseconds,
        warmMs,
        cpuMs: run.cpuMilliseconds,
        peakMb: run.peakBytes / MB,
      })
    yoreReport = JSON.parse(yoreRun.stdout) as IndexReport
    bareReport = JSON.parse(bareRun.stdout) as BareReport
  }
  engine.close()
  if (yoreReport === null || bareReport === null) throw new Error('at least one round is needed')
  const ratio = (pick: (round: Round) => number): number =>
    median(yore.map((round, index) => pick(round) / pick(bare[index] as Round)))
  return {
    rounds,
    yore: summarize(yore, { ...yoreReport, bytes: yoreReport.sourceBytes }),
    bare: summarize(bare, bareReport),
    processRatio: ratio((round) => round.processMs),
    warmRatio: ratio((round) => round.warmMs),
    cpuRatio: ratio((round) => round.cpuMs),
  }
}
