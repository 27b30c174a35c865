// Who runs a command? The user of this process or, in the daemon, the process that sent the command line.
import type { EngineOptions } from '../../model/config/engine-options.ts'
import type { Workspace } from '../../model/config/workspace.ts'
import type { QuestionEngine } from '../engine/engine.ts'

export interface OutputStream {
  write(text: string): unknown
  readonly isTTY?: boolean
  readonly columns?: number
}

/** The options of every command, as given. */
export interface TerminalOptions {
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
  wishes: TerminalOptions
  /** The time of the running command, for engines that an earlier one opened. */
  now: number
  /** Engines that stay open between commands. */
  readonly engines?: {
    take(options: EngineOptions & { readonly workspace: Workspace | null }): Promise<QuestionEngine>
    giveBack(engine: QuestionEngine): void
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

/** Sets how the caller of the running command is found. */
export function findCallersBy(how: () => Caller | undefined): void {
  find = how
}

export function caller(): Caller {
  return find() ?? thisProcess
}
