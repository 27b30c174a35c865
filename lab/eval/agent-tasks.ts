// What is an agent asked to find, and when has it? Real questions with their lines, questions with cited lines, and bug-fix commits with their files.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultSettings } from '../../src/model/config/settings.ts'
import { AgentTools } from './agent-tools.ts'
import { type FieldQuestion, type FieldSet, fieldSets, isOn } from './field-sets.ts'
import type { Half } from './figures.ts'
import { dateOf, layOut } from './lay-out.ts'
import { cacheFolder, modelFolder, prepareFolder } from './prepare-corpus.ts'
import { evalFolder, halfOf, readRows } from './read-sets.ts'
import { type CallerGuess, type Place, readReal } from './real-set.ts'
import { isEnough, openReal, shareShown } from './score-real.ts'

export interface AgentTask {
  readonly id: string
  readonly set: 'real' | 'sweqa' | 'localise'
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
  /** Git directories, `owner+name/repo`, as `field.ts` takes them; empty without. */
  readonly snapshots: string
}

/** Real questions: every need has half of the lines of one of its places shown, as in `npm run eval`. */
async function* realRooms({ half, only }: TaskChoice): AsyncGenerator<TaskRoom> {
  for (const one of readReal({ half, only: null, words: 'names' })) {
    if (only !== null && one.name !== only) continue
    const { engine } = await openReal(one)
    const tasks = one.questions
      .filter(({ needs }) => needs.length > 0)
      .map(
        ({ _id: id, text, needs, caller }): AgentTask => ({
          id,
          set: 'real',
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

/** SWE-QA: every cited file was read, in one of its cited lines where there are some. */
async function* sweqaRooms({ half, only, snapshots }: TaskChoice): AsyncGenerator<TaskRoom> {
  const shared = evalFolder()
  if (shared === null || snapshots === '' || !existsSync(join(shared, 'sweqa'))) {
    console.error('SKIPPED: no questions of sweqa, or no --snapshots FOLDER of git directories')
    return
  }
  const questions = (fieldSets['sweqa'] as FieldSet)
    .read(join(shared, 'sweqa'))
    .filter((one) => (half === 'all' || one.half === half) && (only === null || one.repository === only))
  for (const [repository, own] of Map.groupBy(questions, (one) => one.repository)) {
    const [first] = own as [FieldQuestion]
    if (dateOf(snapshots, first) === null) {
      console.error(`ABSENT, ${own.length} questions not asked: ${repository} at ${first.commit}`)
      continue
    }
    const folder = join(cacheFolder(), 'agents', repository.replace('/', '+'))
    const root = join(folder, 'tree')
    const settings = { ...defaultSettings, 'embedding.model': modelFolder(), refresh: 'never' } as const
    const { engine } = await prepareFolder(
      { name: repository, root, folder, settings },
      { content: first.commit, write: () => void layOut(snapshots, first, root) },
    )
    const tasks = own.map(
      ({ _id: id, text, gold }): AgentTask => ({
        id,
        set: 'sweqa',
        repository,
        question: text,
        isFound: (shown) => isCitedShown(gold, shown),
      }),
    )
    yield { name: repository, tools: new AgentTools(root, engine), tasks, close: () => engine.close() }
  }
}

/** Of each file that is cited, one of the cited lines was shown; of a file as a whole, any. */
export function isCitedShown(gold: readonly Place[], shown: readonly Place[]): boolean {
  return [...Map.groupBy(gold, ({ path }) => path).values()].every((places) => {
    const cited = places.filter(({ end }) => Number.isFinite(end))
    return (cited.length > 0 ? cited : places).some((place) => shown.some((one) => isOn(one, place)))
  })
}

interface Fix {
  readonly _id: string
  readonly repo: string
  readonly text: string
  readonly files: readonly string[]
}

/** Fixes: lines of one of the files that the fix changed were read. A path in a list is not enough. */
async function* localiseRooms({ half, only }: TaskChoice): AsyncGenerator<TaskRoom> {
  const shared = evalFolder()
  const checkouts = process.env['YORE_LOCALISE_DIR'] ?? ''
  if (shared === null || checkouts === '' || !existsSync(checkouts)) {
    console.error('SKIPPED: no base commits (localise/checkout.sh lays them out; set YORE_LOCALISE_DIR)')
    return
  }
  const folder = join(shared, 'localise')
  const repositories = JSON.parse(readFileSync(join(folder, 'repositories.json'), 'utf8')) as {
    readonly repo: string
    readonly base: string
  }[]
  const fixes = readRows<Fix>(join(folder, 'questions.jsonl'))
  for (const { repo, base } of repositories) {
    const name = repo.replace('/', '+')
    const root = join(checkouts, name)
    if (!existsSync(root) || (only !== null && only !== repo)) continue
    const settings = { ...defaultSettings, 'embedding.model': modelFolder(), refresh: 'never' } as const
    const { engine } = await prepareFolder(
      { name, root, folder: join(cacheFolder(), 'localise', name), settings },
      { content: base },
    )
    const tasks = fixes
      .filter((fix) => fix.repo === repo && (half === 'all' || halfOf(fix._id) === half))
      .map(
        ({ _id: id, text, files }): AgentTask => ({
          id,
          set: 'localise',
          repository: repo,
          question: text,
          isFound: (shown) => shown.some(({ path, start, end }) => end - start >= 4 && files.includes(path)),
        }),
      )
    yield { name: repo, tools: new AgentTools(root, engine), tasks, close: () => engine.close() }
  }
}

/** The repositories with their tasks, one opened at a time. */
export async function* openRooms(set: string, choice: TaskChoice): AsyncGenerator<TaskRoom> {
  const rooms = { real: realRooms, sweqa: sweqaRooms, localise: localiseRooms }
  for (const [name, open] of Object.entries(rooms)) if (set === 'all' || set === name) yield* open(choice)
}
