// What did the agents of each arm cite, call and read? A table of all logs, by repository and by kind of repository.
// usage: score.ts LOG… [--repositories DIR] [--each]   a log is named ARM.REPETITION.SET.jsonl
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Place } from '../real-set.ts'
import type { Step } from './tool.ts'

export interface AgentQuestion {
  readonly _id: string
  /** The name of its repository in `repositories.json`. */
  readonly package: string
  readonly kind: string
  readonly text: string
  /** Every entry is needed; the places inside an entry are alternatives. */
  readonly needs: readonly (readonly Place[])[]
}

export interface AgentRepository {
  readonly name: string
  readonly repository: string
  readonly commit: string
  readonly documents: boolean
  readonly known: boolean
  /** Large repositories are not indexed before the questions. */
  readonly large: boolean
  /** Its questions are dealt to these sets in turns. */
  readonly sets: readonly number[]
}

/** More lines than this are not a citation. */
export const mostCited = 100

export const readLog = <T>(file: string): readonly T[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T)

export interface Citation extends Place {
  /** The words that stand there, as the agent says. */
  readonly words: string
}

/** `path:10-20 | words that stand there` */
export function parseCitation(text: string): Citation | null {
  const [, path = '', start = '', end = start, words = ''] =
    text.match(/^\s*(?:\.\/)?([^|]+?):(\d+)(?:[-–](\d+))?\s*(?:\|(.*))?$/s) ?? []
  return path === '' ? null : { path, start: Number(start), end: Number(end), words }
}

const touches = (one: Place, two: Place): boolean =>
  one.path === two.path && one.start <= two.end && two.start <= one.end
const plain = (text: string): string =>
  text
    .replace(/[\s"'`\\…]+/g, ' ')
    .trim()
    .toLowerCase()

/** Whether the cited lines exist, and hold a needed place or the words that the agent gives. */
export function isRight(citation: Citation, needed: readonly Place[], lines: readonly string[]): boolean {
  const { start, end, words } = citation
  if (start < 1 || end < start || end > lines.length || end - start >= mostCited) return false
  if (needed.some((place) => touches(place, citation))) return true
  return plain(words) !== '' && plain(lines.slice(start - 1, end).join(' ')).includes(plain(words))
}

export interface Score {
  readonly qid: string
  readonly arm: string
  readonly repository: string
  readonly met: number
  readonly needed: number
  readonly firstRight: number
  readonly answerable: number
  readonly noneSaid: number
  readonly cited: number
  readonly wrong: number
  readonly calls: number
  readonly tokens: number
  readonly yoreFirst: number
}

/** Scores one question by the steps of one agent. */
export function scoreQuestion(
  question: AgentQuestion,
  arm: string,
  steps: readonly Step[],
  linesOf: (path: string) => readonly string[],
): Score {
  const given = steps.filter(({ cmd }) => cmd === 'answer').at(-1)?.args ?? []
  const none = /^none\b/i.test(given[0] ?? '')
  const cited = given.flatMap((text) => parseCitation(text) ?? [])
  const counted = cited.filter(({ start, end }) => end - start < mostCited)
  const needed = question.needs.flat()
  const answerable = question.needs.length > 0
  const used = steps.filter(({ cmd }) => cmd !== 'answer')
  return {
    qid: question._id,
    arm,
    repository: question.package,
    met: question.needs.filter((places) => places.some((p) => counted.some((one) => touches(one, p)))).length,
    needed: question.needs.length,
    firstRight: Number(counted[0] !== undefined && needed.some((p) => touches(p, counted[0] as Place))),
    answerable: Number(answerable),
    noneSaid: Number(none),
    cited: cited.length,
    wrong: cited.filter((one) => !isRight(one, needed, linesOf(one.path))).length,
    calls: used.length,
    tokens: used.reduce((sum, { tokens = 0 }) => sum + tokens, 0),
    yoreFirst: Number(used[0]?.cmd === 'mcp' || used[0]?.cmd === 'yore'),
  }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

function row(label: string, scores: readonly Score[]): readonly string[] {
  const sum = (of: (score: Score) => number): number => scores.reduce((total, one) => total + of(one), 0)
  const [answerable, empty] = [sum((one) => one.answerable), scores.filter((one) => one.answerable === 0)]
  const recognised = empty.filter(({ noneSaid }) => noneSaid === 1).length
  return [
    label,
    `${scores.length}`,
    `${sum((one) => one.met)} / ${sum((one) => one.needed)}`,
    `${sum((one) => one.firstRight)} / ${answerable}`,
    `${sum((one) => one.wrong)} / ${sum((one) => one.cited)}`,
    `${recognised} / ${empty.length}`,
    `${sum((one) => one.calls)} (${median(scores.map(({ calls }) => calls))})`,
    `${sum((one) => one.tokens)} (${median(scores.map(({ tokens }) => tokens))})`,
    `${sum((one) => one.yoreFirst)}`,
  ]
}

const head = ['arm', 'questions', 'needs cited', 'first right', 'wrong citations', 'unanswerable']
const columns = [...head, 'calls (median)', 'tokens (median)', 'yore first']

if (import.meta.main) {
  const { values, positionals: files } = parseArgs({
    options: { repositories: { type: 'string', default: '' }, each: { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  const own = (name: string): string => join(import.meta.dirname, name)
  const asked = new Map(readLog<AgentQuestion>(own('questions.jsonl')).map((one) => [one._id, one]))
  const repositories = JSON.parse(
    readFileSync(own('repositories.json'), 'utf8'),
  ) as readonly AgentRepository[]
  const read = new Map<string, readonly string[]>()
  const linesOf = (path: string): readonly string[] => {
    const file = join(values.repositories, path)
    if (!read.has(file)) read.set(file, existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [])
    return read.get(file) ?? []
  }
  const scores = files.flatMap((file) => {
    const [arm = '', repetition = ''] = basename(file).split('.')
    const byQuestion = Map.groupBy(readLog<Step>(file), ({ qid }) => qid)
    return [...byQuestion].flatMap(([id, steps]) => {
      const question = asked.get(id)
      if (question === undefined) return []
      return [
        scoreQuestion(question, `${arm} ${repetition}`, steps, (path) =>
          linesOf(join(question.package, path)),
        ),
      ]
    })
  })
  const tables: [string, (one: AgentRepository) => boolean][] = [
    ['unknown repositories', ({ known }) => !known],
    ['documents-heavy', ({ documents }) => documents],
    ['code, unknown', ({ documents, known }) => !(documents || known)],
    ['famous', ({ known }) => known],
    ...repositories.map((one): [string, (other: AgentRepository) => boolean] => [
      `${one.repository}${one.large ? ', not indexed before' : ''}`,
      ({ name }) => name === one.name,
    ]),
  ]
  for (const [title, isMeant] of tables) {
    const names = repositories.filter(isMeant).map(({ name }) => name)
    const meant = Map.groupBy(
      scores.filter(({ repository }) => names.includes(repository)),
      ({ arm }) => arm,
    )
    if (meant.size === 0) continue
    const rows = [...meant].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([arm, list]) => row(arm, list))
    const lines = [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
    console.log(`\n## ${title}\n\n${lines.join('\n')}`)
  }
  if (values.each)
    for (const one of scores.toSorted((a, b) => (a.qid + a.arm < b.qid + b.arm ? -1 : 1)))
      console.log(
        `${one.qid}  ${one.arm}  needs ${one.met}/${one.needed}  wrong ${one.wrong}/${one.cited}  calls ${one.calls}  tokens ${one.tokens}`,
      )
}
