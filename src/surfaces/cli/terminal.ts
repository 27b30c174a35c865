// How much may be said beside the data, and in which colours? What -q, -v and --color of this command line say.

/** As given; the operations know nothing of it. */
export interface TerminalWishes {
  readonly quiet?: boolean
  readonly verbose?: boolean
  readonly color?: 'auto' | 'always' | 'never'
}

let wishes: TerminalWishes = {}

/** For the rest of this process. Colours are told to whoever asks the environment for them. */
export function setTerminal(given: TerminalWishes, env: NodeJS.ProcessEnv = process.env): void {
  wishes = given
  if (given.verbose === true) env.YORE_DEBUG = '1'
  if (given.color === 'never') env.NO_COLOR = '1'
  if (given.color !== 'always') return
  delete env.NO_COLOR
  env.FORCE_COLOR = '1'
}

/** Only data and errors. */
export function isQuiet(): boolean {
  return wishes.quiet === true
}

export function isVerbose(): boolean {
  return wishes.verbose === true
}
