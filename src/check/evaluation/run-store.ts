// Where are evaluation runs stored for comparison? The latest ones, each in a signed file next to the index.
import path from 'node:path'
import { SignedFiles } from '../../corpus/store/ownership/signed-files.ts'
import type { Surroundings } from '../../model/config/engine-options.ts'
import { parseBaseline } from './compare-evaluations.ts'
import type { Evaluation, EvaluationRun, EvaluationRuns } from './evaluation.ts'

/** More than anybody looks through; the oldest go. */
const KEPT = 200

export class RunStore implements EvaluationRuns {
  readonly #files: SignedFiles
  readonly #surroundings: Surroundings

  /** `indexDir` is absolute. */
  constructor(indexDir: string, surroundings: Surroundings) {
    const { env } = surroundings
    this.#files = new SignedFiles({ folder: path.join(indexDir, 'runs'), scope: 'runs/', env })
    this.#surroundings = surroundings
  }

  add(evaluation: Evaluation): string | null {
    const { clock, random } = this.#surroundings
    const at = clock()
    // Names sort by time; a random suffix keeps two runs of one millisecond apart.
    const time = new Date(at)
      .toISOString()
      .toLowerCase()
      .replaceAll(/[^0-9t]/g, '')
    const id = `${time}-${Math.floor(random() * 36 ** 4)
      .toString(36)
      .padStart(4, '0')}`
    if (!this.#files.append(id, JSON.stringify({ at, evaluation }))) return null
    for (const old of this.#ids().slice(0, -KEPT)) this.#files.remove(old)
    return id
  }

  list(): readonly EvaluationRun[] {
    return this.#ids().flatMap((id) => this.#files.read(id).flatMap((line) => readRun(id, line)))
  }

  #ids(): string[] {
    return this.#files.ids().sort()
  }
}

/** None for a run whose fields have other meanings now. */
function readRun(id: string, line: string): EvaluationRun[] {
  try {
    const { at, evaluation } = JSON.parse(line) as Omit<EvaluationRun, 'id'>
    parseBaseline(JSON.stringify(evaluation), id)
    return [{ id, at, evaluation }]
  } catch {
    return []
  }
}
