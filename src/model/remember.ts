// Which answers need not be worked out again? Those that a function gave before.

interface Known<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): unknown
}

/** The value of a key, which is made and kept when there is none. */
export function getOrAdd<Key, Value>(known: Known<Key, Value>, key: Key, make: (key: Key) => Value): Value {
  let value = known.get(key)
  if (value === undefined) {
    value = make(key)
    known.set(key, value)
  }
  return value
}

/** A function that keeps its answers, in a map of its own or in a given one. */
export function remember<Key, Answer>(
  ask: (key: Key) => Answer,
  known: Known<Key, Answer> = new Map(),
): (key: Key) => Answer {
  // Written out, because it is called for every word of a question.
  return (key) => {
    let answer = known.get(key)
    if (answer === undefined) {
      answer = ask(key)
      known.set(key, answer)
    }
    return answer
  }
}
