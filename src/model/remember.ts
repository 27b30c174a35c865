// Which answers need not be worked out again? Those that a function gave before.

/** A function that keeps its answers, in a map of its own or in a given one. */
export function remember<Key, Answer>(
  ask: (key: Key) => Answer,
  known: { get(key: Key): Answer | undefined; set(key: Key, answer: Answer): unknown } = new Map(),
): (key: Key) => Answer {
  return (key) => {
    let answer = known.get(key)
    if (answer === undefined) {
      answer = ask(key)
      known.set(key, answer)
    }
    return answer
  }
}
