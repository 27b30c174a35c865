// What does every command do around its run? It opens and closes the engine, and tells the user what to know beside the data.
import type { Engine } from '../../engine/engine.ts'
import type { Freshness } from '../../model/report.ts'
import type { Call } from './open-call.ts'
import { freshnessNote } from './print-freshness.ts'
import { printable } from './printable.ts'
import { isQuiet } from './terminal.ts'

/** Opens the engine, uses it, and closes it whatever happens. */
export async function withEngine<I, R>(call: Call<I>, use: (engine: Engine) => Promise<R>): Promise<R> {
  const engine = await call.openEngine()
  try {
    return await use(engine)
  } finally {
    engine.close()
  }
}

/** A note on standard error. */
export function note(text: string): void {
  if (isQuiet()) return
  process.stderr.write(`note: ${text}\n`)
}

/** Can somebody be asked? */
export function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY
}

/** Asks on the terminal; no is the answer of everybody who cannot be asked. */
export async function confirmed(question: string): Promise<boolean> {
  if (!canAsk()) return false
  const { createInterface } = await import('node:readline/promises')
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(?:es)?$/i.test((await lines.question(`${question} [y/N] `)).trim())
  } finally {
    lines.close()
  }
}

/** A note when the index did not match the files. */
export function noteFreshness(freshness: Freshness, now: number): void {
  const text = freshnessNote(freshness, now)
  if (text !== null) note(text)
}

/** What is wrong with the configuration, but not enough to stop. */
export function warn(call: Call<unknown>): void {
  if (isQuiet()) return
  for (const warning of call.loaded.warnings) process.stderr.write(`warning: ${printable(warning)}\n`)
}

/** Calls `stop` with the exit status when the user or the system wants an end; gives what takes that back. */
export function onInterrupt(stop: (status: number) => void): () => void {
  const interrupted = (): void => stop(130)
  const terminated = (): void => stop(143)
  process.on('SIGINT', interrupted)
  process.on('SIGTERM', terminated)
  return () => {
    process.off('SIGINT', interrupted)
    process.off('SIGTERM', terminated)
  }
}

/** The same, listening from the start, and told when not to. */
export function handleInterrupt(stop: (status: number) => void): { listen(wanted: boolean): void } {
  let forget: (() => void) | null = onInterrupt(stop)
  return {
    listen: (wanted) => {
      if (wanted) forget ??= onInterrupt(stop)
      else {
        forget?.()
        forget = null
      }
    },
  }
}
