// Which query does a request to expand belong to? Each question opens a context with a budget of its own.
import { YoreError } from '../../model/errors.ts'
import type { ExpansionSession, PresentArtifact } from '../../model/expansion.ts'

export interface ContextOptions {
  /** Makes the id of the next context. */
  readonly newId: () => string
  /** True for a single conversation, in which a call without an id means the latest context. */
  readonly alone: boolean
  /** Maximum number; the oldest are dropped. */
  readonly most: number
}

export interface Context {
  readonly id: string
  readonly session: ExpansionSession
  /** How to name it in later calls; null in a single conversation, where that is not needed. */
  readonly told: string | null
}

interface KnownContext extends Context {
  readonly question: string
}

/** The contexts of one conversation, or of all that share a server. */
export class Contexts {
  readonly #options: ContextOptions
  /** The latest last. */
  readonly #known = new Map<string, KnownContext>()

  constructor(options: ContextOptions) {
    this.#options = options
  }

  /**
   * The context of a question. The same question in one conversation continues its context: asking twice does not
   * double the budget.
   */
  open(question: string, present: readonly PresentArtifact[], session: ExpansionSession): Context {
    const asked = question.trim().toLowerCase()
    const before = this.#options.alone ? this.#latest().find((one) => one.question === asked) : undefined
    before?.session.admit(present)
    const context = before ?? this.#make(asked, session)
    this.#known.delete(context.id)
    this.#known.set(context.id, context)
    for (const id of this.#known.keys()) {
      if (this.#known.size <= this.#options.most) break
      this.#known.delete(id)
    }
    return context
  }

  #make(question: string, session: ExpansionSession): KnownContext {
    const id = this.#options.newId()
    return { id, question, session, told: this.#options.alone ? null : `Context ${id}; name it in expand.` }
  }

  get(id: string): Context | undefined {
    return this.#known.get(id)
  }

  #latest(): KnownContext[] {
    return [...this.#known.values()].reverse()
  }

  /** The named context; without a name all candidates, the latest first. Throws BAD_INPUT when there is none. */
  find(id: string | undefined): readonly [Context, ...Context[]] {
    const known = id === undefined ? undefined : this.#known.get(id)
    if (known !== undefined) return [known]
    const [latest, ...older] = id === undefined && this.#options.alone ? this.#latest() : []
    if (latest !== undefined) return [latest, ...older]
    const message =
      id === undefined ? 'no context is named' : `there is no context ${JSON.stringify(id.slice(0, 40))}`
    throw new YoreError('BAD_INPUT', message, {
      hint: 'call assemble_context or search first, and name the context that it returns',
    })
  }
}
