// What do affinity and failures change for a large service? A day of uploads and questions with measured unit costs, as a discrete simulation.
// Run: node lab/bench/simulate-service.ts [--corpora 100000] [--workers 1000] [--nodes 100] …; unit costs: lab/bench/service-units.json
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'

interface Units {
  /** Processor seconds of a worker per page. */
  readonly publishWarm: number
  readonly publishCold: number
  readonly parse: number
  /** GET requests per page. */
  readonly getsWarm: number
  readonly getsCold: number
  readonly puts: number
  /** Processor seconds of an API node. */
  readonly question: number
  readonly fetchVersion: number
  readonly copyMegabytes: number
  readonly versionMegabytes: number
  readonly usdPerCoreHour: number
  readonly usedShareOfCores: number
  readonly usdPerPut: number
  readonly usdPerGet: number
}

const { values } = parseArgs({
  options: {
    corpora: { type: 'string', default: '100000' },
    workers: { type: 'string', default: '1000' },
    nodes: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '86400' },
    uploads: { type: 'string', default: '10' },
    questions: { type: 'string', default: '20' },
    'worker-megabytes': { type: 'string', default: '20480' },
    'node-megabytes': { type: 'string', default: '20480' },
    failures: { type: 'string', default: '0.1' },
    units: { type: 'string', default: path.join(import.meta.dirname, 'service-units.json') },
  },
})
const units = JSON.parse(readFileSync(values.units, 'utf8')) as Units
const [corpora, workers, nodes] = [Number(values.corpora), Number(values.workers), Number(values.nodes)]
const day = Number(values.seconds)
/** Per corpus and day; a tenth of the corpora gets half of them. */
const [uploads, questions] = [Number(values.uploads), Number(values.questions)]
const [workerMegabytes, nodeMegabytes] = [
  Number(values['worker-megabytes']),
  Number(values['node-megabytes']),
]
/** A worker fails once in ten days and comes back empty; in a release all of them restart, one after another, and half lose their disks. */
const failuresPerDay = Number(values.failures)
const releaseAt = failuresPerDay > 0 ? day / 2 : Number.POSITIVE_INFINITY
const takeOverSeconds = 3
const publishersPerWorker = 2

/** Mulberry32: the same day for every run with a seed. */
function makeRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The most recently used, up to a number, each with the version that it has. */
class Cache {
  readonly #held = new Map<number, number>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  /** Holds this version from now on; returns the one held before. */
  use(corpus: number, version: number): number | undefined {
    const before = this.#held.get(corpus)
    this.#held.delete(corpus)
    this.#held.set(corpus, version)
    if (this.#held.size > this.#most) this.#held.delete(this.#held.keys().next().value as number)
    return before
  }

  clear(): void {
    this.#held.clear()
  }
}

const quantile = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

function simulate(hasAffinity: boolean): Readonly<Record<string, string | number>> {
  const random = makeRandom(Number(values.seed))
  const copies = Array.from({ length: workers }, () => new Cache(workerMegabytes / units.copyMegabytes))
  const versions = Array.from({ length: nodes }, () => new Cache(nodeMegabytes / units.versionMegabytes))
  /** When each publisher of a worker is free. */
  const free = Array.from({ length: workers }, () => new Float64Array(publishersPerWorker))
  /** Only a copy of the newest version is continued; a node that has an older one fetches what changed. */
  const newest = new Int32Array(corpora).fill(1)
  const draw = (): number =>
    random() < 0.5
      ? Math.floor(random() * corpora * 0.1)
      : Math.floor(corpora * 0.1 + random() * corpora * 0.9)
  const home = (corpus: number): number => Math.imul(corpus, 2_654_435_761) >>> 0
  const placeOf = (corpus: number, places: number): number =>
    hasAffinity ? home(corpus) % places : Math.floor(random() * places)
  // Every corpus was published once, and no question asked yet.
  for (let corpus = 0; corpus < corpora; corpus++) copies[placeOf(corpus, workers)]?.use(corpus, 1)
  const events = corpora * (uploads + questions)
  const waits = new Float64Array(Math.ceil(events))
  let [published, cold, cpu, gets, takenOver, restarted] = [0, 0, 0, 0, 0, 0]
  let [asked, hits, behind] = [0, 0, 0]
  for (let event = 0; event < events; event++) {
    const now = (event / events) * day
    if (random() < (workers * failuresPerDay) / events) copies[Math.floor(random() * workers)]?.clear()
    // A release takes an hour, worker after worker.
    while (restarted < workers && now > releaseAt + (restarted * 3600) / workers) {
      if (restarted % 2 === 0) copies[restarted]?.clear()
      free[restarted]?.fill(now + 20)
      restarted++
    }
    const corpus = draw()
    if (random() >= uploads / (uploads + questions)) {
      asked++
      const now = newest[corpus] as number
      const before = versions[placeOf(corpus, nodes)]?.use(corpus, now)
      if (before === now) hits++
      else {
        if (before !== undefined) behind++
        cpu += units.fetchVersion
        gets++
      }
      cpu += units.question
      continue
    }
    let worker = placeOf(corpus, workers)
    const soonest = (of: number): number => {
      const slots = free[of] as Float64Array
      return (slots[0] as number) <= (slots[1] as number) ? 0 : 1
    }
    let slot = soonest(worker)
    if (hasAffinity && (free[worker]?.[slot] ?? 0) > now + takeOverSeconds) {
      takenOver++
      worker = Math.floor(random() * workers)
      slot = soonest(worker)
    }
    const version = (newest[corpus] as number) + 1
    newest[corpus] = version
    const isWarm = copies[worker]?.use(corpus, version) === version - 1
    const seconds = isWarm ? units.publishWarm : units.publishCold
    const begins = Math.max(now, free[worker]?.[slot] ?? 0)
    ;(free[worker] as Float64Array)[slot] = begins + seconds
    waits[published++] = begins - now + seconds
    cpu += seconds + units.parse
    gets += isWarm ? units.getsWarm : units.getsCold
    if (!isWarm) cold++
  }
  const sorted = waits.subarray(0, published).sort()
  return {
    affinity: hasAffinity ? 'yes' : 'no',
    'questions on the node': `${((100 * hits) / asked).toFixed(1)} %`,
    'an older version': `${((100 * behind) / asked).toFixed(1)} %`,
    'cold publications': `${((100 * cold) / published).toFixed(1)} %`,
    'taken over': takenOver,
    'publish p50, p99, s': `${quantile(sorted, 0.5).toFixed(2)}, ${quantile(sorted, 0.99).toFixed(2)}`,
    'busy cores': (cpu / day).toFixed(1),
    'GET, million a day': (gets / 1e6).toFixed(1),
    'USD a day': (
      (cpu / 3600 / units.usedShareOfCores) * units.usdPerCoreHour +
      gets * units.usdPerGet +
      published * units.puts * units.usdPerPut
    ).toFixed(2),
  }
}

console.log(`${corpora} corpora, ${workers} workers, ${nodes} nodes, a day with failures and a release`)
console.table([simulate(false), simulate(true)])
