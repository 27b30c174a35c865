// How is something measured here? Children with their wall time and peak memory, medians, percentiles, power fits.
import { spawnSync } from 'node:child_process'
import { performance } from 'node:perf_hooks'

/** Written by the main thread of a child when it ends, to file descriptor 3. */
const reportUse = `data:text/javascript,${encodeURIComponent(
  `import { writeSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
if (isMainThread) process.on('exit', () => writeSync(3, JSON.stringify(process.resourceUsage())))`,
)}`

export interface ChildRun {
  readonly milliseconds: number
  /** Peak resident memory of the process with all its threads. */
  readonly peakBytes: number
  /** Processor time of all its threads, which a busy machine stretches less than wall time. */
  readonly cpuMilliseconds: number
  readonly stdout: string
}

export interface RunOptions {
  readonly use?: boolean
  readonly env?: NodeJS.ProcessEnv
}

/** Runs `node …args` to its end. The report of its use costs a few milliseconds: leave it out where those count. */
export function runNode(args: readonly string[], options: RunOptions = {}): ChildRun {
  const started = performance.now()
  const child = spawnSync(process.execPath, options.use ? ['--import', reportUse, ...args] : [...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...options.env },
    maxBuffer: 1 << 30,
    encoding: 'utf8',
  })
  const milliseconds = performance.now() - started
  if (child.status !== 0) throw new Error(`node ${args.join(' ')} failed: ${child.stderr}`)
  const use = JSON.parse(child.output[3] || '{}') as Partial<NodeJS.ResourceUsage>
  const cpuMilliseconds = ((use.userCPUTime ?? 0) + (use.systemCPUTime ?? 0)) / 1000
  return { milliseconds, peakBytes: (use.maxRSS ?? 0) * 1024, cpuMilliseconds, stdout: child.stdout }
}

/** The value below which a share of the values lies (nearest rank). */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

export interface Latency {
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly samples: number
}

export function latency(values: readonly number[]): Latency {
  return {
    p50: percentile(values, 0.5),
    p95: percentile(values, 0.95),
    p99: percentile(values, 0.99),
    samples: values.length,
  }
}

/** Milliseconds that the work takes. */
export async function timed(work: () => unknown): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** The exponent e of `y = c · x^e`, by least squares on the logarithms. */
export function fitExponent(points: readonly { readonly x: number; readonly y: number }[]): number {
  const logs = points.map(({ x, y }) => ({ x: Math.log(x), y: Math.log(y) }))
  const meanX = logs.reduce((sum, { x }) => sum + x, 0) / logs.length
  const meanY = logs.reduce((sum, { y }) => sum + y, 0) / logs.length
  const above = logs.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0)
  const below = logs.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0)
  return above / below
}

/** Where the run happened: figures of two machines are not compared. */
export function describeMachine(): Record<string, string | number> {
  const os = process.getBuiltinModule('node:os')
  return {
    node: process.version,
    cpu: os.cpus()[0]?.model ?? 'unknown',
    cores: os.availableParallelism(),
    memoryGb: Math.round(os.totalmem() / 2 ** 30),
    loadAtStart: Math.round((os.loadavg()[0] ?? 0) * 100) / 100,
  }
}
