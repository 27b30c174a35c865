// How far does grep come? Files by how many of the question's content words they hold, and the lines around the matches.
import { spawnSync } from 'node:child_process'
import type { Place } from '../../eval/real-set.ts'
import { askAll, keywordsOf, readCall } from './peer.ts'

/** Lines read before and after a match. */
const AROUND = 20
const MOST_PLACES = 200

interface Match {
  readonly line: number
  readonly word: string
}

const { root, questions } = readCall()

/** Every whole-word match, by file; case does not matter. */
function grep(words: readonly string[]): Map<string, Match[]> {
  const patterns = words.flatMap((word) => ['-e', word])
  const args = ['-n', '-o', '-i', '-w', '-F', '--no-heading', '--no-messages', '--null', '--sort', 'path']
  const run = spawnSync('rg', [...args, ...patterns, '.'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  })
  // 1 says that nothing matched.
  if (run.status !== 0 && run.status !== 1) throw new Error(run.stderr || String(run.error))
  const files = new Map<string, Match[]>()
  for (const row of run.stdout.split('\n')) {
    const [path, rest] = row.split('\0')
    if (path === undefined || rest === undefined) continue
    const name = path.replace(/^\.\//, '')
    const at = rest.indexOf(':')
    const found = { line: Number(rest.slice(0, at)), word: rest.slice(at + 1).toLowerCase() }
    const known = files.get(name)
    if (known === undefined) files.set(name, [found])
    else known.push(found)
  }
  return files
}

const distinct = (matches: readonly Match[]): number => new Set(matches.map(({ word }) => word)).size

/** The lines around each matched one, in order, and how many of the words stand in them. */
function windowsOf(path: string, matches: readonly Match[]): { place: Place; words: number }[] {
  const inside = new Map<string, number>()
  let from = 0
  let to = 0
  return [...new Set(matches.map(({ line }) => line))].map((line) => {
    const place = { path, start: Math.max(1, line - AROUND), end: line + AROUND }
    for (let next = matches[to]; next !== undefined && next.line <= place.end; next = matches[++to])
      inside.set(next.word, (inside.get(next.word) ?? 0) + 1)
    for (
      let first = matches[from];
      first !== undefined && first.line < place.start;
      first = matches[++from]
    ) {
      const left = (inside.get(first.word) as number) - 1
      if (left === 0) inside.delete(first.word)
      else inside.set(first.word, left)
    }
    return { place, words: inside.size }
  })
}

/** Files with more of the words first; then more matches, then the path. */
function filesInOrder(question: string): [string, Match[]][] {
  const words = new Set(
    keywordsOf(question)
      .toLowerCase()
      .match(/[\p{L}\p{N}_]+/gu) ?? [],
  )
  const files = [...grep([...words])]
  return files.sort(
    ([a, one], [b, two]) => distinct(two) - distinct(one) || two.length - one.length || (a < b ? -1 : 1),
  )
}

const found = new Map<string, [string, Match[]][]>()
function remembered(question: string): [string, Match[]][] {
  const known = found.get(question) ?? filesInOrder(question).slice(0, MOST_PLACES)
  found.set(question, known)
  return known
}

const variants = {
  'file by file, every match': await askAll(questions, (question) => {
    const places: Place[] = []
    for (const [path, matches] of remembered(question)) {
      if (places.length >= MOST_PLACES) break
      places.push(...windowsOf(path, matches).map(({ place }) => place))
    }
    return places.slice(0, MOST_PLACES)
  }),
  'the best window of each file': await askAll(questions, (question) =>
    remembered(question).flatMap(([path, matches]) => {
      const best = windowsOf(path, matches).reduce((most, one) => (one.words > most.words ? one : most))
      return [best.place]
    }),
  ),
}
console.log(JSON.stringify({ indexCpuMs: 0, indexBytes: 0, variants }))
