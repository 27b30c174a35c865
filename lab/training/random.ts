// Where does chance come from? From a seed: the same numbers on every run and every machine.

export type Random = () => number

/** Mulberry32: 32 bits of state, numbers from 0 to below 1. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** A whole number from 0 to below `end`. */
export function pickBelow(end: number, random: Random): number {
  return Math.floor(random() * end)
}

/** A copy in another order. */
export function shuffle<T>(items: readonly T[], random: Random): T[] {
  const mixed = [...items]
  for (let at = mixed.length - 1; at > 0; at--) {
    const other = pickBelow(at + 1, random)
    const item = mixed[at] as T
    mixed[at] = mixed[other] as T
    mixed[other] = item
  }
  return mixed
}
