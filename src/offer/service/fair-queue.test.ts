// Do owners that wait get the same time, whatever each has queued? The queue by itself, with given times.
import { describe, expect, it } from 'vitest'
import { FairQueue } from './fair-queue.ts'

/** Takes everything, as one thread would; each item takes its own time. */
function drain(queue: FairQueue<string>, timeOf: (item: string) => number = () => 10): string[] {
  const order: string[] = []
  for (let next = queue.shift(10); next !== undefined; next = queue.shift(10)) {
    order.push(next.item)
    next.charge(timeOf(next.item))
  }
  return order
}

describe('the next question', () => {
  it('is the oldest one where nobody owns any', () => {
    const queue = new FairQueue<string>()
    for (const item of ['a', 'b', 'c']) queue.push(item)
    expect(drain(queue)).toEqual(['a', 'b', 'c'])
  })

  it('alternates between owners, also when one came late', () => {
    const queue = new FairQueue<string>()
    for (const item of ['a1', 'a2', 'a3', 'a4']) queue.push(item, ['a'])
    queue.shift(10)?.charge(10)
    for (const item of ['b1', 'b2']) queue.push(item, ['b'])
    expect(drain(queue)).toEqual(['b1', 'a2', 'b2', 'a3', 'a4'])
  })

  it('counts time, not questions', () => {
    const queue = new FairQueue<string>()
    for (let at = 0; at < 3; at++) queue.push('slow', ['slow'])
    for (let at = 0; at < 9; at++) queue.push('fast', ['fast'])
    const order = drain(queue, (item) => (item === 'slow' ? 40 : 10))
    expect(order.slice(0, 6)).toEqual(['slow', 'fast', 'fast', 'fast', 'fast', 'slow'])
  })

  it('shares the time of one organisation between its corpora', () => {
    const queue = new FairQueue<string>()
    for (let at = 0; at < 4; at++) queue.push('acme docs', ['acme', 'docs'])
    queue.push('acme wiki', ['acme', 'wiki'])
    for (let at = 0; at < 3; at++) queue.push('other', ['other', 'docs'])
    expect(drain(queue).slice(0, 4)).toEqual(['acme docs', 'other', 'acme wiki', 'other'])
  })

  it('of an owner that was away for long is not before all others', () => {
    const queue = new FairQueue<string>()
    queue.push('b0', ['b'])
    queue.shift(10)?.charge(10)
    for (let at = 0; at < 50; at++) queue.push('a', ['a'])
    for (let at = 0; at < 40; at++) queue.shift(10)?.charge(10)
    for (let at = 0; at < 10; at++) queue.push('b', ['b'])
    const order = drain(queue)
    expect(order.slice(0, 6).filter((item) => item === 'a').length).toBeGreaterThanOrEqual(2)
  })
})

it('charges what is at work, so that one owner does not take every thread', () => {
  const queue = new FairQueue<string>()
  for (let at = 0; at < 5; at++) queue.push('a', ['a'])
  queue.push('b', ['b'])
  expect([queue.shift(10)?.item, queue.shift(10)?.item]).toEqual(['a', 'b'])
})

it('forgets its owners whenever it is idle', () => {
  const queue = new FairQueue<string>()
  for (const item of ['a', 'b']) queue.push(item, ['acme', item])
  drain(queue, (item) => (item === 'a' ? 1000 : 10))
  for (const item of ['a', 'b']) queue.push(item, ['acme', item])
  expect(drain(queue)).toEqual(['a', 'b'])
})

it('removes what waits, and nothing else', () => {
  const queue = new FairQueue<string>()
  queue.push('a', ['x', 'y'])
  queue.push('b', ['x', 'z'])
  expect([queue.remove('b'), queue.remove('b'), queue.length]).toEqual([true, false, 1])
  expect(drain(queue)).toEqual(['a'])
})
