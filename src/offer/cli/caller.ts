// For whom does a command run? For the user of this process, or, in a resident process, for whoever asked it.
import type { EngineOptions } from '../../model/config/engine-options.ts'
import type { Engine } from '../engine/engine.ts'

interface OutputStream {
  write(text: string): unknown
  readonly isTTY?: boolean
  readonly columns?: number
}

/** As given; the operations know nothing of it. */
export interface TerminalWishes {
  readonly quiet?: boolean
  readonly verbose?: boolean
  readonly color?: 'auto' | 'always' | 'never'
}

export interface Caller {
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  /** The current folder. */
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  wishes: TerminalWishes
  /** Of the command that runs, for engines that were opened by an earlier one. */
  now: number
  /** Who keeps engines open between commands. */
  readonly engines?: {
    take(options: EngineOptions): Promise<Engine>
    giveBack(engine: Engine): void
  }
}

const thisProcess: Caller = {
  get stdout() {
    return process.stdout
  },
  get stderr() {
    return process.stderr
  },
  get cwd() {
    return process.cwd()
  },
  get env() {
    return process.env
  },
  wishes: {},
  now: 0,
}

let find: () => Caller | undefined = () => undefined

/** Tells how the caller of what runs now is found. */
export function findCallersBy(how: () => Caller | undefined): void {
  find = how
}

export function caller(): Caller {
  return find() ?? thisProcess
}
