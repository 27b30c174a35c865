// What is an agent told about the pattern that it greps for? A resident process answers, and remembers the session's earlier patterns.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { CorpusEngine } from '../engine/engine.ts'
import { serveSocket } from './serve-socket.ts'

/** A search of an agent. */
export interface PatternCall {
  readonly pattern: string
  readonly session: string
}

/** Sessions that are remembered, the least recently used first, and words of each. */
const mostSessions = 50
const mostWords = 8

export class PatternHints {
  readonly #sessions = new Map<string, { words: readonly string[]; told: Set<string> }>()

  /** The hint; empty when there is nothing to add. */
  async answer(engine: CorpusEngine, { pattern, session }: PatternCall): Promise<string> {
    const { wordsOfPattern } = await import('../../explore/describe-pattern.ts')
    const { words: before, told } = this.#sessions.get(session) ?? { words: [], told: new Set<string>() }
    const lines = await engine.describePattern(pattern, { before, told })
    for (const line of lines.slice(1)) told.add(line)
    const words = [...new Set([...before, ...wordsOfPattern(pattern)])].slice(-mostWords)
    this.#sessions.delete(session)
    this.#sessions.set(session, { words, told })
    const [oldest] = this.#sessions.keys()
    if (this.#sessions.size > mostSessions && oldest !== undefined) this.#sessions.delete(oldest)
    return lines.join('\n')
  }
}

/** Asked once at the start: code that has not run yet takes ten times as long, which is beyond an agent's patience. */
const warmUpPatterns = ['configuration', 'request|handler', 'parse.*options', 'test_result', 'createServer']

/** Answers hooks until the signal aborts. Where another process answers for this folder, it takes over when that one ends. */
export async function serveHints(
  engine: CorpusEngine,
  { folder, indexDir }: { readonly folder: string | null; readonly indexDir: string },
  signal: AbortSignal,
): Promise<void> {
  const hints = new PatternHints()
  const answer = (call: unknown): Promise<string> => hints.answer(engine, call as PatternCall)
  const wait = (milliseconds: number): Promise<void> =>
    setTimeout(milliseconds, undefined, { signal, ref: false }).catch(() => {})
  const warmUp = async (): Promise<void> => {
    for (const pattern of warmUpPatterns) {
      await wait(300)
      if (!signal.aborted && existsSync(join(indexDir, 'index.db'))) await engine.describePattern(pattern)
    }
  }
  warmUp().catch(() => {})
  while (folder !== null && !signal.aborted) {
    // Without hints the server still answers its client.
    await serveSocket(folder, answer, signal).catch(() => {})
    await wait(30_000)
  }
}
