// Which query does a request to expand belong to? Each question of a conversation opens a context with a budget of its own.
import { YoreError } from '../../model/errors.ts'
import type { ExpansionSession, PresentArtifact } from '../../model/expansion.ts'
import type { CorpusEngine } from '../engine/engine.ts'

/** The contexts of one conversation. */
export class Contexts {
  readonly engine: Pick<CorpusEngine, 'expand' | 'startExpansion'>
  readonly #most: number
  /** By question, the latest last; the oldest are dropped. */
  readonly #known = new Map<string, ExpansionSession>()

  constructor(engine: Contexts['engine'], most = 100) {
    this.engine = engine
    this.#most = most
  }

  /** The same question continues its context: asking twice does not double the budget. */
  async open(question: string, present: readonly PresentArtifact[], signal: AbortSignal): Promise<void> {
    const asked = question.trim().toLowerCase()
    const session = this.#known.get(asked) ?? (await this.engine.startExpansion(present))
    signal.throwIfAborted()
    session.admit(present)
    this.#known.delete(asked)
    this.#known.set(asked, session)
    const [oldest = ''] = this.#known.keys()
    if (this.#known.size > this.#most) this.#known.delete(oldest)
  }

  /** The latest first. Throws BAD_INPUT when there is none. */
  latest(): readonly [ExpansionSession, ...ExpansionSession[]] {
    const [latest, ...older] = [...this.#known.values()].reverse()
    if (latest !== undefined) return [latest, ...older]
    throw new YoreError('BAD_INPUT', 'no question was asked yet', {
      hint: 'call assemble_context or search first',
    })
  }
}
