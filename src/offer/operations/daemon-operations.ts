// Which operations start, watch and stop the process that answers commands sooner? No engine is needed.
import type { OperationSpec } from './operation.ts'
import { json } from './shared-options.ts'

export interface DaemonInput {
  readonly json: boolean
}

export const daemon: OperationSpec = {
  name: 'daemon',
  summary: 'Start the process that answers later commands sooner.',
  details: [
    'Commands use it, and start it by themselves, once your own config allows it: `yore config set daemon on --scope user`. A repository cannot. Answers are the same bytes with it and without.',
    'More about it: {docs}/guides/daemon.md.',
  ],
  arguments: {},
  options: { json },
  examples: ['yore daemon'],
  readOnly: true,
  cliOnly: true,
}

export const daemonStatus: OperationSpec = {
  ...daemon,
  name: 'daemon status',
  summary: 'Say whether it runs, for how long, and what it holds.',
  details: ['Exits with 1 when none runs.'],
  examples: ['yore daemon status', 'yore daemon status --json'],
}

export const daemonStop: OperationSpec = {
  ...daemon,
  name: 'daemon stop',
  summary: 'End it; `yore config set daemon off --scope user` keeps it from being started again.',
  details: [],
  examples: ['yore daemon stop'],
}
