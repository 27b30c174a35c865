// Which checks of a tried package hold? A line for each, and the counts that the last line says.
import path from 'node:path'

/** Checks that a script makes one after the other. */
export class Checks {
  #passed = 0
  #failed = 0

  check(what: string, holds: boolean, detail = ''): void {
    if (holds) this.#passed++
    else this.#failed++
    process.stdout.write(
      `${holds ? 'ok  ' : 'FAIL'} ${what}${holds || detail === '' ? '' : `\n     ${detail.trim()}`}\n`,
    )
  }

  /** The last line, and the status of the process. */
  finish(): void {
    process.stdout.write(`${this.#passed} passed, ${this.#failed} failed\n`)
    process.exitCode = this.#failed === 0 ? 0 : 1
  }
}

/** The environment in which what npm starts finds the Node of this process first. */
export function withOwnNode(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH ?? ''}`,
  }
}
