// What is an agent asked to find, and when has it? Real questions with the lines that answer them.
import { AgentTools } from './agent-tools.ts'
import type { Half } from './figures.ts'
import { type CallerGuess, type Place, readReal } from './real-set.ts'
import { isEnough, openReal, shareShown } from './score-real.ts'

export interface AgentTask {
  readonly id: string
  readonly repository: string
  readonly question: string
  /** What an agent would add to it. */
  readonly caller?: CallerGuess
  /** Has the agent seen what it needs, when these lines were shown to it? */
  readonly isFound: (shown: readonly Place[]) => boolean
}

export interface TaskRoom {
  readonly name: string
  readonly tools: AgentTools
  readonly tasks: readonly AgentTask[]
  readonly close: () => void
}

export interface TaskChoice {
  readonly half: Half
  readonly only: string | null
}

/** The repositories with their tasks, one opened at a time: every need has half of the lines of one of its places shown. */
export async function* openRooms({ half, only }: TaskChoice): AsyncGenerator<TaskRoom> {
  for (const one of readReal({ half, only: null, words: 'names' })) {
    if (only !== null && one.name !== only) continue
    const { engine } = await openReal(one)
    const tasks = one.questions
      .filter(({ needs }) => needs.length > 0)
      .map(
        ({ _id: id, text, needs, caller }): AgentTask => ({
          id,
          repository: one.name,
          question: text,
          caller,
          isFound: (shown) =>
            needs.every((places) => places.some((place) => isEnough(shareShown(place, shown)))),
        }),
      )
    yield { name: one.name, tools: new AgentTools(one.root, engine), tasks, close: () => engine.close() }
  }
}
