// What does every peer do? It indexes a folder and answers questions with places, best first; the rest is measured alike.
import { readFileSync } from 'node:fs'
import { stopWords } from '../../../src/answer/retrieve/stop-words.ts'
import type { Place } from '../../eval/real-set.ts'

/** Tokens that an answer may have. */
export const budgets = [2000, 4000, 8000] as const

/** One way to ask or to read the same peer. */
export interface Variant {
  /** Processor time of each question: peers run one after the other, and a busy machine stretches wall time unevenly. */
  readonly cpuMs: readonly number[]
  /** Best first, up to 100 places per question. */
  readonly answers: readonly (readonly Place[])[]
  /** Questions that ended in an error instead of an answer. */
  readonly failures: number
  /** What fits a budget, where the peer itself decides; otherwise places are packed in order. */
  readonly packed?: Readonly<Record<number, readonly (readonly Place[])[]>>
  /** What those cost, frame included; where absent, the text alone is counted. */
  readonly tokens?: Readonly<Record<number, readonly number[]>>
}

export interface PeerResult {
  readonly indexCpuMs: number
  readonly indexBytes: number
  readonly variants: Readonly<Record<string, Variant>>
}

export interface PeerCall {
  readonly root: string
  /** A folder of the peer's own. */
  readonly work: string
  readonly questions: readonly string[]
  /** Every text file counts, not Markdown alone. */
  readonly everyFile: boolean
}

/** What the script was called with: one JSON file. */
export function readCall(): PeerCall {
  return JSON.parse(readFileSync(process.argv[2] as string, 'utf8')) as PeerCall
}

/** Processor time of the work in milliseconds, all threads of this process. */
export async function cpuTimed<T>(work: () => Promise<T> | T): Promise<{ value: T; cpuMs: number }> {
  const before = process.cpuUsage()
  const value = await work()
  const used = process.cpuUsage(before)
  return { value, cpuMs: (used.user + used.system) / 1000 }
}

const WARM_UP = 30

/** Asks all questions, after some for warming up. A question that fails counts as one without an answer. */
export async function askAll(
  questions: readonly string[],
  ask: (question: string) => Promise<readonly Place[]> | readonly Place[],
): Promise<Variant> {
  const cpuMs: number[] = []
  const answers: (readonly Place[])[] = []
  let failures = 0
  const tryAsking = async (question: string): Promise<readonly Place[]> => {
    try {
      return await ask(question)
    } catch {
      failures++
      return []
    }
  }
  for (const question of questions.slice(0, WARM_UP)) await tryAsking(question)
  failures = 0
  for (const question of questions) {
    const one = await cpuTimed(() => tryAsking(question))
    cpuMs.push(one.cpuMs)
    answers.push(one.value)
  }
  return { cpuMs, answers, failures }
}

/** The question without the words that yore and the bare engine leave out too. */
export function keywordsOf(question: string): string {
  const words = question.split(/\s+/)
  const kept = words.filter((word) => !stopWords.has(word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')))
  return (kept.length > 0 ? kept : words).join(' ')
}
