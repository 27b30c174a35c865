// What does the configured reranker say of the candidates? Their scores, soon or not at all: the built-in order answers as well.
import { hash } from 'node:crypto'
import type { Reranker } from '../../corpus/embed/reranker.ts'
import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import type { Surroundings } from '../../model/config/engine-options.ts'
import type { Settings } from '../../model/config/settings.ts'
import { YoreError } from '../../model/errors.ts'
import type { RankedSection } from '../../model/section.ts'
import { product } from '../../model/version.ts'
import type { Reranked } from '../retrieve/apply-reranking.ts'
import { type CascadeContext, readQuestion, searchByCascade } from './search-by-cascade.ts'

/** The scores, or why there are none. */
interface AskedReranking {
  readonly reranked: Reranked | null
  readonly notices: readonly string[]
}

/** Back-off after a failure, in ms: otherwise every question would wait for the timeout. */
const downMilliseconds = 60_000
/** Size of the cache of scores. */
const keptScores = 20_000
/** How many of the best sections a reranker is given. */
const rerankSections = 50
/** How long a reranker may take for one question, in ms. */
const rerankMilliseconds = 3_000
/** Characters of a section that a reranker is given. */
const readChars = 4_000
/** A longer section is given from the part that matched best: small models read no more than this, about 256 tokens. */
const wholeChars = 1_000

/** Asks the reranker of an engine, remembers its scores, and for a while that it is down. */
export class QuestionReranking {
  readonly #settings: Settings
  readonly #surroundings: Surroundings
  #reranker: Reranker | null = null
  #down: { readonly until: number; readonly notices: readonly string[] } | null = null
  /** By a hash of model, question and text. */
  readonly #kept = new Map<string, number>()

  constructor(settings: Settings, surroundings: Surroundings) {
    this.#settings = settings
    this.#surroundings = surroundings
  }

  /** Scores of the best sections that the search finds. Throws BAD_CONFIG for settings that can never work. */
  async of(question: string, context: CascadeContext): Promise<AskedReranking> {
    const { clock } = this.#surroundings
    if (this.#down !== null && clock() < this.#down.until)
      return { reranked: null, notices: this.#down.notices }
    try {
      this.#reranker ??= await openReranker(this.#settings, this.#surroundings)
      const candidates = listTexts(question, context, rerankSections)
      const scores = await this.#score(this.#reranker, question, candidates)
      this.#down = null
      return { reranked: { scores, weight: this.#settings['rerank.weight'] }, notices: [] }
    } catch (cause) {
      const reason = describe(cause)
      if (reason === null) throw cause
      const notices = [`Ordered without the reranker: ${reason}.`]
      this.#down = { until: clock() + downMilliseconds, notices }
      return { reranked: null, notices }
    }
  }

  async #score(
    reranker: Reranker,
    question: string,
    candidates: ReadonlyMap<string, string>,
  ): Promise<ReadonlyMap<string, number>> {
    const keyOf = (text: string): string => hash('sha256', JSON.stringify([reranker.id, question, text]))
    const unknown = [...new Set(candidates.values())].filter((text) => !this.#kept.has(keyOf(text)))
    // Sorted, so that batches and cache hits do not depend on the ranking.
    unknown.sort()
    if (unknown.length > 0) {
      const signal = AbortSignal.timeout(rerankMilliseconds)
      const scores = await reranker.rerank(question, unknown, signal)
      unknown.forEach((text, at) => {
        this.#kept.set(keyOf(text), scores[at]!)
      })
    }
    const found = new Map([...candidates].map(([id, text]) => [id, this.#kept.get(keyOf(text))!] as const))
    for (const key of this.#kept.keys()) {
      if (this.#kept.size <= keptScores) break
      this.#kept.delete(key)
    }
    return found
  }

  close(): void {
    this.#reranker?.close()
    this.#reranker = null
  }
}

/** The failure in words; null for an error that is not the reranker's. */
function describe(cause: unknown): string | null {
  if (cause instanceof YoreError) return cause.message
  const isTimeout = cause instanceof DOMException && cause.name === 'TimeoutError'
  return isTimeout ? `it gave no scores within ${rerankMilliseconds} ms` : null
}

async function openReranker(settings: Settings, { env, random, clock }: Surroundings): Promise<Reranker> {
  const { createHttpReranker } = await import('../../corpus/embed/http-reranker.ts')
  const apiKey = env[`${product.environment}RERANK_KEY`]
  const { 'rerank.url': baseUrl, 'rerank.model': model } = settings
  return createHttpReranker(
    { baseUrl, model, ...(apiKey === undefined ? {} : { apiKey }) },
    { random, now: clock, timeoutMs: rerankMilliseconds },
  )
}

/** The texts of the best sections by their ids, each under its title and headings. */
function listTexts(question: string, context: CascadeContext, limit: number): Map<string, string> {
  const { reader } = context
  return reader.snapshot(() => {
    const { sections } = searchByCascade(question, readQuestion(question, context).analysis, context)
    return new Map(sections.slice(0, limit).map((section) => [section.artifact.id, textOf(reader, section)]))
  })
}

function textOf(reader: CorpusReader, { artifact, file, matches }: RankedSection): string {
  const { text, pieces } = reader.text(artifact.rowId)
  const from = text.length <= wholeChars ? 0 : (pieces[matches[0]?.pieceStart ?? 0]?.start ?? 0)
  const names = [...new Set([file.title, ...artifact.headings])].filter((name) => name !== '')
  return `${names.join(' > ')}\n${text.slice(from, from + readChars)}`.trim()
}
