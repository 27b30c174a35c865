// How long does an answer take in a process that has the index open? All ways of asking, in turn.
import { BareIndex } from './bare-engine.ts'
import { loadPackage } from './corpora.ts'
import { type Latency, latency, timed } from './measure.ts'
import type { Places } from './measure-index.ts'

export interface QueryFigures {
  readonly questions: number
  readonly rounds: number
  /** A digest of 8,000 tokens, with the look at every file that the default makes first. */
  readonly assemble: Latency
  /** The same with `--refresh never`. */
  readonly assembleNoRefresh: Latency
  readonly search: Latency
  readonly searchNoRefresh: Latency
  /** The ten best rows of the FTS5 table with their text. */
  readonly bare: Latency
  /** The first question after opening. */
  readonly firstAssembleMs: number
}

export interface QueryOptions {
  readonly rounds: number
  /** Questions that are asked once before anything counts. */
  readonly warmUp: number
  readonly maxTokens: number
}

export const queryDefaults: QueryOptions = { rounds: 2, warmUp: 50, maxTokens: 8000 }

/** Steps between the questions of two ways: an engine remembers what the last question found. */
const APART = 17

/** Asks every question in each way, all ways in turn, so that a busy moment hits them alike. */
export async function measureQueries(
  places: Places,
  questions: readonly string[],
  options: Partial<QueryOptions> = {},
): Promise<QueryFigures> {
  const { rounds, warmUp, maxTokens } = { ...queryDefaults, ...options }
  const { openEngine, defaultSettings } = await loadPackage()
  const { root, indexDir, bareDb } = places
  const engine = openEngine({ root, indexDir, settings: defaultSettings, now: Date.now() })
  const bare = new BareIndex(bareDb)
  const ways = {
    assemble: (question: string) => engine.assemble(question, { maxTokens }),
    assembleNoRefresh: (question: string) => engine.assemble(question, { maxTokens, refresh: 'never' }),
    search: (question: string) => engine.search(question, { limit: 10 }),
    searchNoRefresh: (question: string) => engine.search(question, { limit: 10, refresh: 'never' }),
    bare: (question: string) => bare.query(question, 10),
  }
  const names = Object.keys(ways) as (keyof typeof ways)[]
  const samples = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<
    keyof typeof ways,
    number[]
  >
  const firstAssembleMs = await timed(() => ways.assemble(questions[0] as string))
  for (const question of questions.slice(0, warmUp)) for (const name of names) await ways[name](question)
  for (let round = 0; round < rounds; round++)
    for (let at = 0; at < questions.length; at++)
      for (const [way, name] of names.entries()) {
        const question = questions[(at + way * APART) % questions.length] as string
        samples[name].push(await timed(() => ways[name](question)))
      }
  engine.close()
  bare.close()
  return {
    questions: questions.length,
    rounds,
    assemble: latency(samples.assemble),
    assembleNoRefresh: latency(samples.assembleNoRefresh),
    search: latency(samples.search),
    searchNoRefresh: latency(samples.searchNoRefresh),
    bare: latency(samples.bare),
    firstAssembleMs,
  }
}
