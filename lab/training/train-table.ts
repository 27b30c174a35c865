// In which order does the table learn? First what the teachers say about texts, then that with pairs, at last as it is rounded.
import { type BagTable, createBagTable, type Embedded } from './bag-table.ts'
import type { Contrast } from './contrast.ts'
import { makePairs, maskOf, type PairOptions, type PairPool, pairDefaults } from './make-pairs.ts'
import { roundRow } from './quantize-table.ts'
import { createRandom, pickBelow, type Random } from './random.ts'

export interface TrainOptions {
  /** Steps on the teachers' vectors alone. */
  readonly distillSteps: number
  readonly distillBatch: number
  readonly distillRate: number
  /** Steps on pairs, with the teachers beside them. */
  readonly pairSteps: number
  readonly pairBatch: number
  readonly pairRate: number
  /** How much the teachers count beside the pairs. */
  readonly teacherWeight: number
  /** Share of the last pair steps in which texts are embedded with rounded rows. */
  readonly roundedShare: number
  readonly pairs: PairOptions
  readonly seed: number
}

export const trainDefaults: TrainOptions = {
  distillSteps: 300,
  distillBatch: 1024,
  distillRate: 2e-3,
  pairSteps: 300,
  pairBatch: 768,
  pairRate: 3e-4,
  teacherWeight: 2,
  roundedShare: 0.2,
  pairs: pairDefaults,
  seed: 23,
}

/** Texts with the vectors that they should have. */
export interface TaughtTexts {
  readonly lists: readonly Int32Array[]
  readonly targets: Float32Array
}

export interface Training {
  readonly rows: Float32Array
  readonly dimensions: number
  readonly taught: TaughtTexts
  readonly pool: PairPool
  readonly contrast: Contrast
  readonly report: (line: string) => void
  /** Where a run that was stopped goes on. */
  readonly checkpoint?: Checkpoint
}

/** Keeps the state of a table between runs. */
export interface Checkpoint {
  /** Fills the table and gives the number of pair steps that are done; null when there is nothing to go on from. */
  readonly load: (table: BagTable) => number | null
  readonly save: (table: BagTable, stepsDone: number) => void
}

const stepsPerCheckpoint = 250

/** The rows after training. */
export async function trainTable(training: Training, options: TrainOptions): Promise<Float32Array> {
  const table = createBagTable(training.rows, training.dimensions)
  const done = training.checkpoint?.load(table) ?? null
  if (done === null) {
    distill(table, training, options)
    training.checkpoint?.save(table, 0)
  } else training.report(`pairs: going on after step ${done}`)
  await learnPairs(table, { ...training, done: done ?? 0 }, options)
  return table.rows
}

/** Chance of one step: it depends on nothing that came before, so a run can go on anywhere. */
function randomAt(seed: number, stage: number, step: number): Random {
  return createRandom(Math.imul(seed + stage * 0x10000, 0x9e3779b1) + Math.imul(step + 1, 0x85ebca6b))
}

function distill(table: BagTable, { taught, report }: Training, options: TrainOptions): void {
  let sum = 0
  for (let step = 0; step < options.distillSteps; step++) {
    const random = randomAt(options.seed, 1, step)
    sum += learnTexts(table, taught, { count: options.distillBatch, weight: 1, random })
    table.step(options.distillRate * (1 - step / options.distillSteps))
    if ((step + 1) % 100 !== 0) continue
    report(`teachers: step ${step + 1} of ${options.distillSteps}, cosine ${(1 - sum / 100).toFixed(4)}`)
    sum = 0
  }
  // The next lesson begins with a rested mind.
  table.state.floats.fill(0, table.rows.length)
  table.state.steps = 0
}

interface TextBatch {
  readonly count: number
  readonly weight: number
  readonly random: Random
}

/** One batch of 1 − cosine; gives its mean. */
function learnTexts(
  table: BagTable,
  { lists, targets }: TaughtTexts,
  { count, weight, random }: TextBatch,
): number {
  const { dimensions } = table
  const chosen = Array.from({ length: count }, () => pickBelow(lists.length, random))
  const tokens = chosen.map((at) => lists[at]!)
  const embedded = embedAs(table, tokens)
  const slopes = new Float32Array(count * dimensions)
  let cosines = 0
  for (const [row, text] of chosen.entries()) {
    for (let d = 0; d < dimensions; d++) {
      const target = targets[text * dimensions + d]!
      cosines += target * embedded.vectors[row * dimensions + d]!
      slopes[row * dimensions + d] = (-weight * target) / count
    }
  }
  table.learn(embedded, slopes)
  return 1 - cosines / count
}

/** A quick rise, then down along a cosine. */
function rateAt(step: number, steps: number, rate: number): number {
  const rise = Math.min(1, (step + 1) / 50)
  return rate * rise * 0.5 * (1 + Math.cos((Math.PI * step) / steps))
}

async function learnPairs(
  table: BagTable,
  training: Training & { readonly done: number },
  options: TrainOptions,
): Promise<void> {
  const { taught, pool, contrast, report, done } = training
  const { pairSteps, pairBatch, teacherWeight } = options
  const rounding = Math.round(pairSteps * (1 - options.roundedShare))
  const started = performance.now()
  let [loss, distance] = [0, 0]
  for (let step = done; step < pairSteps; step++) {
    const random = randomAt(options.seed, 2, step)
    table.reads = step < rounding ? 'rows' : 'copy'
    const pairs = makePairs(pool, pairBatch, options.pairs, random)
    const questions = pairs.map(({ question }) => question)
    const passages = pairs.map(({ passage }) => passage)
    loss += await learnBatch(table, contrast, { questions, passages, mask: maskOf(pairs) })
    if (teacherWeight > 0)
      distance += learnTexts(table, taught, { count: pairBatch >> 1, weight: teacherWeight, random })
    table.step(rateAt(step, pairSteps, options.pairRate))
    if ((step + 1) % stepsPerCheckpoint === 0) training.checkpoint?.save(table, step + 1)
    if ((step + 1) % 50 !== 0) continue
    const seconds = (performance.now() - started) / 1000
    const left = (seconds / (step + 1 - done)) * (pairSteps - step - 1)
    report(
      `pairs: step ${step + 1} of ${pairSteps}, loss ${(loss / 50).toFixed(4)}, cosine ${(1 - distance / 50).toFixed(4)}, ${left.toFixed(0)} s left`,
    )
    loss = 0
    distance = 0
  }
}

interface PairLists {
  readonly questions: readonly Int32Array[]
  readonly passages: readonly Int32Array[]
  readonly mask: Float32Array
}

async function learnBatch(
  table: BagTable,
  contrast: Contrast,
  { questions, passages, mask }: PairLists,
): Promise<number> {
  const [asked, found]: readonly Embedded[] = [embedAs(table, questions), embedAs(table, passages)]
  const slopes = await contrast({
    size: questions.length,
    dimensions: table.dimensions,
    questions: asked!.vectors,
    passages: found!.vectors,
    mask,
  })
  table.learn(asked!, slopes.questions)
  table.learn(found!, slopes.passages)
  return slopes.loss
}

/** While the table reads its copy, the rows that these texts use are rounded into it first. */
function embedAs(table: BagTable, lists: readonly Int32Array[]): Embedded {
  const { rows, copy, dimensions } = table
  if (table.reads === 'copy') {
    const ids = new Set<number>()
    for (const list of lists) for (const id of list) ids.add(id)
    for (const id of ids) {
      const [start, end] = [id * dimensions, (id + 1) * dimensions]
      roundRow(rows.subarray(start, end), copy.subarray(start, end))
    }
  }
  return table.embed(lists)
}
