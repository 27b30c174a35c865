// Which operations move a corpus between a folder and a service? Entries of the table of operations.
import type { PullOptions, PullReport } from '../exchange/pull-corpus.ts'
import type { PushOptions, PushReport } from '../exchange/push-corpus.ts'
import type { Operation, OptionSpec } from './operation.ts'
import { type CorpusInput, corpusOptions, json } from './shared-options.ts'

interface ExchangeInput extends CorpusInput {
  readonly corpus: string
  readonly server: string
  readonly json: boolean
}

const server: OptionSpec = {
  type: 'text',
  setting: 'serverUrl',
  value: 'url',
  help: 'Where the service is; its key comes from YORE_SERVER_KEY.',
  otherwise: 'the setting serverUrl',
  cliOnly: true,
}
const dryRun: OptionSpec = {
  type: 'switch',
  short: 'n',
  help: 'Say what would be done, and do nothing.',
  cliOnly: true,
}
const corpus = { form: 'words', required: true, help: 'Name of the corpus on the service.' } as const

export const push: Operation<ExchangeInput & PushOptions, PushReport> = {
  name: 'push',
  summary: 'Send the documents of this folder to a corpus of a service; later runs send only what changed.',
  details: [
    'What is sent is what `yore index` reads here: nothing that ignore rules leave out, no file that is likely to hold secrets. The service reads the documents anew and builds its own index; yours stays here.',
    'Files in which a secret was masked stay here, too, unless --masked sends them as they are. Documents that only the corpus holds stay there, unless --prune takes them out.',
  ],
  arguments: { corpus },
  options: {
    server,
    create: {
      type: 'switch',
      help: 'Make the corpus when the service has none of this name.',
      cliOnly: true,
    },
    prune: { type: 'switch', help: 'Take out of the corpus what this folder does not hold.', cliOnly: true },
    masked: {
      type: 'switch',
      help: 'Send files in which a secret was masked, secret included.',
      cliOnly: true,
    },
    dryRun,
    ...corpusOptions,
    json,
  },
  examples: [
    'yore push handbook --server https://yore.example.com',
    'yore push handbook --create',
    'yore push handbook --prune --dry-run',
  ],
  readOnly: false,
  cliOnly: true,
  run: (engine, { corpus, create, prune, masked, dryRun }, { onStep }) =>
    engine.push(corpus, { create, prune, masked, dryRun, ...(onStep === undefined ? {} : { onStep }) }),
}

export const pull: Operation<ExchangeInput & PullOptions, PullReport> = {
  name: 'pull',
  summary: 'Bring the documents of a corpus of a service into this folder, and index them here.',
  details: [
    'Each document is checked by its hash. No index is fetched: yours is built from the documents, and answers alike.',
    'A file that differs here stays as it is, unless --overwrite replaces it. Files that the corpus does not hold are left alone. Exits with 1 when something was kept or refused.',
  ],
  arguments: { corpus },
  options: {
    server,
    overwrite: { type: 'switch', help: 'Replace files that differ from the corpus.', cliOnly: true },
    dryRun,
    ...corpusOptions,
    json,
  },
  examples: ['yore pull handbook --root handbook', 'yore pull handbook --overwrite --dry-run'],
  readOnly: false,
  cliOnly: true,
  run: (engine, { corpus, overwrite, dryRun }, { onStep }) =>
    engine.pull(corpus, { overwrite, dryRun, ...(onStep === undefined ? {} : { onStep }) }),
}
