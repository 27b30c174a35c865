// Which options do many commands take? Where the corpus is, how fresh it must be, what time it is, and how results are printed.
import {
  type OptionSpec,
  oneOf,
  type ResolvedOption,
  resolveOption,
  toggle,
} from '../operations/operation.ts'

export const corpusOptions = {
  root: {
    type: 'folder',
    short: 'C',
    value: 'path',
    help: 'Folder of the corpus.',
    otherwise: 'the nearest parent with .yore or .git, else this folder',
  },
  index: { type: 'folder', value: 'path', help: 'Folder of the index.', otherwise: '.yore in the root' },
} as const satisfies Record<string, OptionSpec>

export const json = toggle('Print JSON for programs.')

export const exitCode = toggle('Exit with 3 when nothing was found, or nothing seems to answer.')

export const refresh = {
  type: 'text',
  setting: 'refresh',
  help: 'Re-index changed files first if that is quick, or never.',
} as const satisfies OptionSpec

export const now = {
  type: 'time',
  value: 'time',
  help: 'The time to assume: ISO 8601 (UTC unless it names a zone) or epoch seconds.',
  otherwise: 'SOURCE_DATE_EPOCH, else the clock',
} as const satisfies OptionSpec

/** Every command takes these. */
const terminalOptions: Readonly<Record<'quiet' | 'verbose' | 'color', OptionSpec>> = {
  quiet: { type: 'switch', short: 'q', help: 'Print nothing but data and errors.' },
  verbose: { type: 'switch', short: 'v', help: 'Print timings, and stack traces on errors.' },
  color: oneOf('auto', ['auto', 'always', 'never'], 'Colours on a terminal.'),
}

export const resolvedTerminalOptions: readonly ResolvedOption[] = Object.entries(terminalOptions).map(
  ([key, option]) => resolveOption(key, option),
)

/** The status for `--exit-code` when nothing was found. */
export const nothingFound = 3

export const exitStatuses =
  'Exit status: 0 for success, also when nothing was found; 1 for an error; 2 for wrong usage; 3 for nothing found with --exit-code; 130 when interrupted.'
