// How does an agent look for what it needs? Four fixed ways, each a list of calls that goes on until somebody says enough.
import type { AgentTools, Call, Hit } from './agent-tools.ts'
import type { CallerGuess } from './real-set.ts'

export type Policy = (question: string, tools: AgentTools, caller?: CallerGuess) => AsyncGenerator<Call>

/** Words that no agent would grep for. */
const common = new Set(
  `a about after all also an and any are as at be been before being between both but by can cannot change could did do does
  doing don for from get gets had has have how i if in into is it its just like make makes many may me more most must my new
  no nor not of off on one only or other our out over own same set should so some such than that the their them then there
  these they this those through to too two under until up use used uses using very was we were what when where which while
  who whom why will with without would you your fix add allow bug error support`.split(/\s+/),
)

/** Names of code first, then long words: what a careful agent tries. At most five. */
export function wordsToGrep(question: string): string[] {
  const words = question.match(/[\p{L}_$][\p{L}\p{N}_$.-]*[\p{L}\p{N}_$]/gu) ?? []
  const kept = [...new Set(words)].filter((word) => word.length > 2 && !common.has(word.toLowerCase()))
  const isName = (word: string): boolean => /[a-z][A-Z]|_|\.|-/.test(word)
  const order = new Map(kept.map((word, at) => [word, at]))
  kept.sort(
    (a, b) =>
      Number(isName(b)) - Number(isName(a)) ||
      b.length - a.length ||
      (order.get(a) ?? 0) - (order.get(b) ?? 0),
  )
  return kept.slice(0, 5)
}

const windowLines = 80

/** The first line of the window that holds most different words; of equal ones the first. */
function densestWindow(lines: readonly string[], words: readonly string[]): number {
  const at = lines.map((line) => {
    const lower = line.toLowerCase()
    return words.filter((word) => lower.includes(word.toLowerCase()))
  })
  let [best, most] = [0, -1]
  for (let from = 0; from === 0 || from < lines.length; from += windowLines / 4) {
    const inside = at.slice(from, from + windowLines)
    const score = new Set(inside.flat()).size * 1000 + Math.min(999, inside.flat().length)
    if (score > most) [best, most] = [from, score]
  }
  return best + 1
}

/** Files that hold most of the words; of those with as many, the ones where the rarer words are. */
function rankFiles(lists: readonly (readonly string[])[]): string[] {
  const scores = new Map<string, number>()
  for (const files of lists)
    for (const file of files) scores.set(file, (scores.get(file) ?? 0) + 1 + 1 / (1 + files.length))
  return [...scores].sort(([a, one], [b, two]) => two - one || (a < b ? -1 : 1)).map(([file]) => file)
}

/** Greps each word, then reads in the files with most of the words: the part around the densest matches, or all of it. */
function grepAndRead(part: 'window' | 'file'): Policy {
  return async function* (question, tools) {
    const words = wordsToGrep(question)
    const lists: (readonly string[])[] = []
    for (const word of words) {
      const { call, files } = tools.grepFiles(word)
      lists.push(files)
      yield call
    }
    for (const file of rankFiles(lists)) {
      if (part === 'file') {
        yield tools.read(file, 1, Number.POSITIVE_INFINITY)
        continue
      }
      const start = densestWindow(tools.linesOf(file), words)
      yield tools.read(file, start, start + windowLines - 1)
    }
  }
}

/** The same with the hook: the places that it named are read first, those named most often before others, then the latest. */
const grepWithHook: Policy = async function* (question, tools) {
  const words = wordsToGrep(question)
  const lists: (readonly string[])[] = []
  const named = new Map<string, { readonly place: Hit; readonly times: number; readonly at: number }>()
  const session = tools.startSession()
  for (const [step, word] of words.entries()) {
    const { call, files } = tools.grepFiles(word)
    lists.push(files)
    const hinted = await tools.hinted(call, session)
    for (const [at, place] of hinted.places.entries()) {
      const key = `${place.path}:${place.start}`
      named.set(key, { place, times: (named.get(key)?.times ?? 0) + 1, at: at - step * 10 })
    }
    yield hinted.call
  }
  for (const { place } of [...named.values()].sort((a, b) => b.times - a.times || a.at - b.at))
    yield tools.read(place.path, place.start, Math.min(place.end, place.start + windowLines - 1))
  for (const file of rankFiles(lists)) {
    const start = densestWindow(tools.linesOf(file), words)
    yield tools.read(file, start, start + windowLines - 1)
  }
}

/** Searches once, then reads the sections of the list, best first; then a longer list. */
const searchAndRead: Policy = async function* (question, tools) {
  const read = new Set<string>()
  for (const limit of [10, 30]) {
    const { call, hits } = await tools.search(question, limit)
    yield call
    for (const { path, start, end } of hits) {
      const key = `${path}:${start}`
      if (read.has(key)) continue
      read.add(key)
      yield tools.read(path, start, end)
    }
  }
}

/** One digest; when it was not enough, search and read. */
const assembleThenSearch: Policy = async function* (question, tools) {
  yield await tools.assemble(question, 4000)
  yield* searchAndRead(question, tools)
}

/** One small digest, then a large one; when that was not enough, what the agent would have done without yore. */
const assembleThenGrep: Policy = async function* (question, tools) {
  yield await tools.assemble(question, 2000)
  yield await tools.assemble(question, 8000)
  yield* grepAndRead('window')(question, tools)
}

/** The same with the words and names that the agent expects in the answer; tasks without any are asked as they are. */
const assembleWithWords: Policy = async function* (question, tools, caller = {}) {
  yield await tools.assemble(question, 2000, caller)
  yield await tools.assemble(question, 8000, caller)
  yield* grepAndRead('window')(question, tools)
}

export const policies: Readonly<Record<string, Policy>> = {
  'grep, read 80 lines': grepAndRead('window'),
  'grep with hook, read 80 lines': grepWithHook,
  'grep, read files': grepAndRead('file'),
  'search, read sections': searchAndRead,
  'assemble 4k, then search': assembleThenSearch,
  'assemble 2k, 8k, then grep': assembleThenGrep,
  'assemble 2k, 8k with words, then grep': assembleWithWords,
}
