// What does every peer do? It indexes a folder and answers questions with places, best first; the rest is measured alike.
import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'

/** Lines of a file, 1-based, both included. */
export interface Place {
  readonly path: string
  readonly start: number
  readonly end: number
}

export interface PeerIndex {
  readonly indexMs: number
  readonly indexBytes: number
  /** Best first, as many as the peer gives up to 100. */
  answer(question: string): Promise<readonly Place[]> | readonly Place[]
}

export interface PeerResult {
  readonly indexMs: number
  readonly indexBytes: number
  readonly milliseconds: readonly number[]
  readonly answers: readonly (readonly Place[])[]
}

const WARM_UP = 30

/** Asks all questions in this process and prints the result; the caller of the script reads it. */
export async function answerAll(index: PeerIndex, questions: readonly string[]): Promise<PeerResult> {
  for (const question of questions.slice(0, WARM_UP)) await index.answer(question)
  const milliseconds: number[] = []
  const answers: (readonly Place[])[] = []
  for (const question of questions) {
    const started = performance.now()
    const places = await index.answer(question)
    milliseconds.push(performance.now() - started)
    answers.push(places)
  }
  return { indexMs: index.indexMs, indexBytes: index.indexBytes, milliseconds, answers }
}

export interface PeerCall {
  readonly root: string
  /** A folder of the peer's own. */
  readonly work: string
  readonly questions: readonly string[]
}

/** What the script was called with: one JSON file. */
export function readCall(): PeerCall {
  return JSON.parse(readFileSync(process.argv[2] as string, 'utf8')) as PeerCall
}
