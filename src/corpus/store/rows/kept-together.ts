// How much do all open files of a thread remember together? What was used longest ago is forgotten first.

/** What is kept only to be quicker, and is read again when it is needed. */
interface Forgettable {
  forget(): void
}

export class KeptTogether {
  readonly #most: number
  /** With their sizes, the least recently used first. */
  readonly #sizes = new Map<Forgettable, number>()
  #total = 0

  constructor(most: number) {
    this.#most = most
  }

  /** This one was just used and has this size now: the others are forgotten, oldest first, until all fit. */
  use(one: Forgettable, size: number): void {
    this.drop(one)
    this.#sizes.set(one, size)
    this.#total += size
    for (const oldest of this.#sizes.keys()) {
      if (this.#total <= this.#most || oldest === one) break
      this.drop(oldest)
      oldest.forget()
    }
  }

  /** It is closed. */
  drop(one: Forgettable): void {
    this.#total -= this.#sizes.get(one) ?? 0
    this.#sizes.delete(one)
  }
}
