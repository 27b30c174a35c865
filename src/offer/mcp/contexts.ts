// Which query does a request to expand belong to? Each question of a conversation opens a context with a budget of its own.
import { YoreError } from '../../model/errors.ts'
import type { ExpansionSession, PresentArtifact } from '../../model/expansion.ts'
import type { CorpusEngine } from '../engine/engine.ts'

export type Contexts = ReturnType<typeof openContexts>

/** The contexts of one conversation. */
export function openContexts(engine: Pick<CorpusEngine, 'expand' | 'startExpansion'>, most = 100) {
  /** By question, the latest last; the oldest are dropped. */
  const known = new Map<string, ExpansionSession>()

  /** The same question continues its context: asking twice does not double the budget. */
  async function open(
    question: string,
    present: readonly PresentArtifact[],
    signal: AbortSignal,
  ): Promise<void> {
    const asked = question.trim().toLowerCase()
    const session = known.get(asked) ?? (await engine.startExpansion(present))
    signal.throwIfAborted()
    session.admit(present)
    known.delete(asked)
    known.set(asked, session)
    const [oldest = ''] = known.keys()
    if (known.size > most) known.delete(oldest)
  }

  /** The latest first. Throws BAD_INPUT when there is none. */
  function latest(): readonly [ExpansionSession, ...ExpansionSession[]] {
    const [latest, ...older] = [...known.values()].reverse()
    if (latest !== undefined) return [latest, ...older]
    throw new YoreError('BAD_INPUT', 'no question was asked yet', {
      hint: 'call assemble_context or search first',
    })
  }

  return { engine, open, latest }
}
