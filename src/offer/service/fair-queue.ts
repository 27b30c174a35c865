// Whose question is answered next? Of the groups that wait, the one that has used the least processor time.

interface Group<T> {
  /** Milliseconds charged so far; a group that was away starts at the parent's clock, not at its old value. */
  used: number
  /** `used` of the child that was taken last. */
  clock: number
  waiting: number
  running: number
  readonly items: T[]
  readonly children: Map<string, Group<T>>
}

const emptyGroup = <T>(used: number): Group<T> => ({
  used,
  clock: used,
  waiting: 0,
  running: 0,
  items: [],
  children: new Map(),
})

/**
 * A queue that shares time evenly at each level of `owner`, for example between organisations and then between the
 * corpora of one; first in, first out within an owner.
 *
 * @example
 * queue.push(question, ['acme', 'docs'])
 * const taken = queue.shift(expectedMilliseconds)
 * taken?.charge(tookMilliseconds)
 */
export class FairQueue<T> {
  readonly #root: Group<T> = emptyGroup(0)

  get length(): number {
    return this.#root.waiting
  }

  push(item: T, owner: readonly string[] = []): void {
    let group = this.#root
    group.waiting++
    for (const name of owner) {
      let child = group.children.get(name)
      if (child === undefined) {
        child = emptyGroup(group.clock)
        group.children.set(name, child)
      } else if (child.waiting + child.running === 0) child.used = Math.max(child.used, group.clock)
      child.waiting++
      group = child
    }
    group.items.push(item)
  }

  /** Charges `expected` milliseconds at once, so that one owner does not take every thread; `charge` corrects it. */
  shift(expected: number): { readonly item: T; readonly charge: (milliseconds: number) => void } | undefined {
    if (this.#root.waiting === 0) return undefined
    const path: Group<T>[] = []
    let group = this.#root
    group.waiting--
    group.running++
    while (group.items.length === 0) {
      const parent: Group<T> = group
      let name = ''
      let least = Number.POSITIVE_INFINITY
      for (const [each, { waiting, running, used }] of parent.children) {
        if (waiting + running === 0 && used <= parent.clock) parent.children.delete(each)
        if (waiting === 0 || used >= least) continue
        name = each
        least = used
      }
      group = parent.children.get(name) as Group<T>
      parent.clock = least
      group.used += expected
      group.waiting--
      group.running++
      path.push(group)
    }
    const charge = (milliseconds: number): void => {
      for (const each of [this.#root, ...path]) {
        each.used += milliseconds - expected
        each.running--
        // Within an idle group no owner competes: their past use no longer matters.
        if (each.waiting + each.running === 0) each.children.clear()
      }
    }
    return { item: group.items.shift() as T, charge }
  }

  /** Returns false for an item that does not wait. */
  remove(item: T, group: Group<T> = this.#root): boolean {
    const at = group.items.indexOf(item)
    if (at >= 0) group.items.splice(at, 1)
    else if (![...group.children.values()].some((child) => child.waiting > 0 && this.remove(item, child)))
      return false
    group.waiting--
    return true
  }
}
