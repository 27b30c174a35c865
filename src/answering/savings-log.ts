// What did answers take, beside the whole files that they quote? One line for each in the user's own state folder, without a word of question or text.
import { hash } from 'node:crypto'
import { appendFileSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { type Environment, stateFolder } from '../config/state-folder.ts'

/** What one answer took. */
export interface Receipt {
  /** `2026-03-31`, in UTC. */
  readonly day: string
  readonly operation: 'assemble' | 'search'
  /** A hash of the corpus's folder. */
  readonly corpus: string
  /** Tokens of the answer. */
  readonly served: number
  /** Files that it quotes. */
  readonly files: number
  /** Tokens of these files as a whole. */
  readonly touched: number
}

/** Sums over receipts; a file counts with every question that touched it. */
export interface SavingsSum {
  readonly questions: number
  readonly served: number
  readonly touched: number
  /** Tokens of the files touched for each token served; null when nothing was served. */
  readonly ratio: number | null
}

export interface Savings extends SavingsSum {
  /** The newest first. */
  readonly days: readonly (SavingsSum & { readonly day: string })[]
  /** The one with the most questions first. */
  readonly corpora: readonly (SavingsSum & { readonly corpus: string })[]
}

/** The file is set aside when it has grown to this, and what was set aside before is deleted. */
const mostBytes = 1024 * 1024

/** The older lines first; empty when the user has no place of their own. */
function placesOf(env: Environment): readonly string[] {
  const folder = stateFolder(env)
  return folder === null ? [] : ['savings.1.jsonl', 'savings.jsonl'].map((name) => path.join(folder, name))
}

/** What a corpus is called in receipts: its folder cannot be read from it. */
export function corpusKey(root: string): string {
  return hash('sha256', realpathSync(root)).slice(0, 12)
}

/** Adds a line. Throws what the file system says. */
export function addReceipt(receipt: Receipt, env: Environment): void {
  const [older, file] = placesOf(env)
  if (older === undefined || file === undefined) return
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) >= mostBytes) renameSync(file, older)
  appendFileSync(file, `${JSON.stringify(receipt)}\n`, { mode: 0o600 })
}

/** Those that are kept, the oldest first. What is no receipt is passed over. */
export function readReceipts(env: Environment): Receipt[] {
  return placesOf(env).flatMap((file) => {
    if (statSync(file, { throwIfNoEntry: false }) === undefined) return []
    return readFileSync(file, 'utf8').split('\n').flatMap(readLine)
  })
}

function readLine(line: string): Receipt[] {
  try {
    const one = JSON.parse(line) as Receipt | null
    const isWhole = [one?.served, one?.files, one?.touched].every((count) => Number.isSafeInteger(count))
    const isNamed = [one?.day, one?.operation, one?.corpus].every((name) => typeof name === 'string')
    return one !== null && isWhole && isNamed ? [one] : []
  } catch {
    return [] // Cut off when a disk was full or a process was killed.
  }
}

export function clearReceipts(env: Environment): void {
  for (const file of placesOf(env)) rmSync(file, { force: true })
}

/** The sums by day and by corpus. */
export function sumReceipts(receipts: readonly Receipt[]): Savings {
  const days = Object.entries(Object.groupBy(receipts, ({ day }) => day))
  const corpora = Object.entries(Object.groupBy(receipts, ({ corpus }) => corpus))
  return {
    ...sum(receipts),
    days: days.map(([day, held = []]) => ({ day, ...sum(held) })).sort((a, b) => (a.day < b.day ? 1 : -1)),
    corpora: corpora
      .map(([corpus, held = []]) => ({ corpus, ...sum(held) }))
      .sort((a, b) => b.questions - a.questions || (a.corpus < b.corpus ? -1 : 1)),
  }
}

function sum(receipts: readonly Receipt[]): SavingsSum {
  const served = receipts.reduce((total, one) => total + one.served, 0)
  const touched = receipts.reduce((total, one) => total + one.touched, 0)
  return { questions: receipts.length, served, touched, ratio: served === 0 ? null : touched / served }
}
