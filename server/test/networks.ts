// How does a test give nodes machines of their own? Network namespaces with a cable each, which can be pulled.
import { execFileSync } from 'node:child_process'

const run = (...args: readonly string[]): void => {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] })
}

/** Namespaces on one bridge; the test and what it starts outside of them are at `gateway`. */
export class Networks {
  readonly gateway: string
  readonly #mark: string
  readonly #names: string[] = []

  /** Throws where namespaces are not permitted. */
  constructor() {
    const number = process.pid % 250
    this.#mark = `yore${number}`
    this.gateway = `10.99.${number}.1`
    run('link', 'add', this.#mark, 'type', 'bridge')
    run('addr', 'add', `${this.gateway}/24`, 'dev', this.#mark)
    run('link', 'set', this.#mark, 'up')
  }

  add(): { readonly name: string; readonly address: string; cut(): void; join(): void } {
    const number = this.#names.length + 1
    const name = `${this.#mark}-${number}`
    const cable = `${this.#mark}v${number}`
    const address = this.gateway.replace(/1$/, String(10 + number))
    this.#names.push(name)
    run('netns', 'add', name)
    run('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
    run('link', 'set', cable, 'master', this.#mark, 'up')
    run('-n', name, 'addr', 'add', `${address}/24`, 'dev', 'eth0')
    for (const link of ['eth0', 'lo']) run('-n', name, 'link', 'set', link, 'up')
    return {
      name,
      address,
      cut: () => run('link', 'set', cable, 'down'),
      join: () => run('link', 'set', cable, 'up'),
    }
  }

  remove(): void {
    for (const name of this.#names) run('netns', 'del', name)
    run('link', 'del', this.#mark)
  }
}
