import { setTimeout } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import type { Said, Told } from '../../../test/support/thread.ts'
import { type PoolOptions, QuestionPool } from './question-pool.ts'

let pool: QuestionPool<Told, Said>
let count: Int32Array

function open(options: Partial<PoolOptions> = {}): QuestionPool<Told, Said> {
  const shared = new SharedArrayBuffer(4)
  count = new Int32Array(shared)
  const worker = new URL('../../../test/support/thread.ts', import.meta.url)
  pool = new QuestionPool({ worker, workerData: shared, threads: 2, graceMilliseconds: 50, ...options })
  return pool
}
afterEach(() => pool.close())

const endless: Told = { work: 'endless' }

/** Resolves when a thread has begun to work without end. */
async function begun(): Promise<void> {
  while (Atomics.load(count, 0) === 0) await setTimeout(5)
}

/** Does no thread work any more? */
async function stands(): Promise<boolean> {
  const before = Atomics.load(count, 0)
  await setTimeout(100)
  return Atomics.load(count, 0) === before
}

/** Starts something endless that is cancelled by the given function. */
async function askEndless(told: Told = endless): Promise<{ cancel: () => Promise<unknown> }> {
  const stop = new AbortController()
  const asked = pool.ask(told, { signal: stop.signal }).catch((error: unknown) => error)
  await begun()
  return {
    cancel: () => {
      stop.abort(new Error('cancelled'))
      return asked
    },
  }
}

describe('answering', () => {
  it('gives each asker its own answer, and uses no more threads than it may', async () => {
    open()
    const words = Array.from({ length: 40 }, (_, at) => `word ${at}`)
    const answers = await Promise.all(words.map((say) => pool.ask({ say })))
    expect(answers.map(({ said }) => said)).toEqual(words)
    expect(new Set(answers.map(({ thread }) => thread)).size).toBeLessThanOrEqual(2)
  })

  it('answers others while one question works without end', async () => {
    open()
    const { cancel } = await askEndless()
    expect(await pool.ask({ say: 'still here' })).toMatchObject({ said: 'still here' })
    await cancel()
  })

  it('brings errors back with their code, and faults as faults', async () => {
    open()
    const typed = { code: 'BUDGET_TOO_SMALL', leastTokens: 120, hint: 'raise --max-tokens to 120 or more' }
    await expect(pool.ask({ fail: 'typed' })).rejects.toMatchObject(typed)
    await expect(pool.ask({ fail: 'fault' })).rejects.toThrow('TypeError: a fault')
  })
})

describe('a bounded queue', () => {
  it('refuses what is too much, with the time to wait, and takes questions again afterwards', async () => {
    open({ threads: 1, mostWaiting: 2 })
    expect(pool.capacity).toBe(3)
    const { cancel } = await askEndless()
    const waiting = [pool.ask({ say: 'first' }), pool.ask({ say: 'second' })]
    await expect(pool.ask({ say: 'third' })).rejects.toMatchObject({ code: 'OVERLOADED' })
    expect(pool.retryAfterSeconds).toBeGreaterThanOrEqual(1)
    await cancel()
    expect((await Promise.all(waiting)).map(({ said }) => said)).toEqual(['first', 'second'])
    expect(await pool.ask({ say: 'fourth' })).toMatchObject({ said: 'fourth' })
  })

  it('takes fewer when each takes long: who waits is answered in time', async () => {
    open({ threads: 1, mostWaiting: 100, milliseconds: 20_000 })
    expect(pool.capacity).toBe(101)
    for (let at = 0; at < 3; at++) await pool.ask({ say: 'slow', after: 400 })
    expect(pool.capacity).toBeLessThan(60)
  })
})

describe('giving up', () => {
  it('stops the work of a cancelled question, not only the waiting for it', async () => {
    open()
    const { cancel } = await askEndless()
    expect(await stands()).toBe(false)
    expect(await cancel()).toMatchObject({ message: 'cancelled' })
    await setTimeout(300)
    expect(await stands()).toBe(true)
  })

  it('never begins a question that was cancelled while it waited', async () => {
    open({ threads: 1 })
    const stop = new AbortController()
    const slow = pool.ask({ say: 'slow', after: 100 })
    const cancelled = pool.ask(endless, { signal: stop.signal })
    stop.abort()
    await expect(cancelled).rejects.toThrow('aborted')
    await slow
    expect(await pool.ask({ say: 'next' })).toMatchObject({ said: 'next' })
    expect(Atomics.load(count, 0)).toBe(0)
    await expect(pool.ask(endless, { signal: AbortSignal.abort() })).rejects.toThrow('aborted')
  })

  it('keeps the thread of a cancelled question that ends within the grace', async () => {
    open({ threads: 1, graceMilliseconds: 10_000 })
    const { thread } = await pool.ask({ say: 'before' })
    const stop = new AbortController()
    const cancelled = pool.ask({ say: 'nearly', after: 100 }, { signal: stop.signal })
    stop.abort()
    await expect(cancelled).rejects.toThrow('aborted')
    expect(await pool.ask({ say: 'after' })).toEqual({ said: 'after', thread })
  })

  it('gives up at the deadline, at work or waiting', async () => {
    open({ threads: 1, milliseconds: 400 })
    const asked = [pool.ask(endless), pool.ask(endless)]
    for (const one of asked) await expect(one).rejects.toMatchObject({ code: 'TIMED_OUT' })
    await setTimeout(300)
    expect(await stands()).toBe(true)
  })
})

describe('threads that go', () => {
  it.each(['crash', 'exit'] as const)(
    'says so of a thread that goes by %s, and replaces it',
    async (fail) => {
      open({ threads: 1 })
      const waiting = [pool.ask({ fail }), pool.ask({ say: 'next' })] as const
      await expect(waiting[0]).rejects.toMatchObject({ code: 'CRASHED' })
      expect(await waiting[1]).toMatchObject({ said: 'next' })
    },
  )

  it('says so of a module that does not load, and does not try for ever', async () => {
    open({ worker: new URL('./no-such-module.ts', import.meta.url), threads: 1 })
    for (const say of ['one', 'two'])
      await expect(pool.ask({ say })).rejects.toMatchObject({ code: 'CRASHED' })
  })
})

describe('closing', () => {
  it('lets what is at work end, refuses what waits, and takes nothing more', async () => {
    open({ threads: 1, graceMilliseconds: 5000 })
    await pool.ask({ say: 'warm' })
    const working = pool.ask({ say: 'done', after: 100 })
    const waiting = pool.ask({ say: 'never' })
    const closed = pool.close()
    await expect(waiting).rejects.toMatchObject({ code: 'OVERLOADED' })
    await expect(pool.ask({ say: 'late' })).rejects.toMatchObject({ code: 'OVERLOADED' })
    expect(await working).toMatchObject({ said: 'done' })
    await closed
  })

  it('ends what does not end by itself', async () => {
    open()
    const asked = pool.ask(endless).catch((error: unknown) => error)
    await begun()
    await pool.close()
    expect(await asked).toMatchObject({ code: 'OVERLOADED' })
    expect(await stands()).toBe(true)
  })
})
