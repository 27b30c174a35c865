// Which operations show and check rulebooks? Entries of the table of operations.
import { rulebookLanguages } from '../config/rulebook-names.ts'
import type { RulebookFileReport } from '../exploring/check-rulebooks.ts'
import type { RulebooksInForce } from '../exploring/load-rulebooks.ts'
import type { RuledLanguage } from '../model/source-file.ts'
import type { Operation } from './operation.ts'
import { type CorpusInput, corpusOptions, json } from './shared-options.ts'

interface RulebookInput extends CorpusInput {
  readonly json: boolean
}

interface RulebookShowInput extends RulebookInput {
  readonly language: RuledLanguage
}

interface RulebookCheckInput extends RulebookInput {
  readonly file?: string
}

export const rulebook: Operation<RulebookInput, RulebooksInForce> = {
  name: 'rulebook',
  summary: 'Show the rulebooks that hold here: what may bring what along, and at which cost.',
  details: [
    'A repository tightens the shipped rulebooks with yore.rulebook.json in its top folder; it cannot widen them.',
  ],
  arguments: {},
  options: { root: corpusOptions.root, json },
  examples: ['yore rulebook', 'yore rulebook --json'],
  readOnly: true,
  run: (engine) => engine.rulebooks(),
}

export const rulebookShow: Operation<RulebookShowInput, RulebooksInForce> = {
  name: 'rulebook show',
  summary: 'Show the rulebook that holds here for one language.',
  details: [],
  arguments: {
    language: { form: 'choice', required: true, choices: rulebookLanguages, help: 'Which language.' },
  },
  options: { root: corpusOptions.root, json },
  examples: ['yore rulebook show markdown', 'yore rulebook show markdown --json'],
  readOnly: true,
  // Other surfaces have the whole with `rulebook`.
  cliOnly: true,
  run: (engine) => engine.rulebooks(),
}

export const rulebookCheck: Operation<RulebookCheckInput, readonly RulebookFileReport[]> = {
  name: 'rulebook check',
  summary: 'Check a rulebook file, or every rulebook that holds here, and list what is wrong.',
  details: ['Exits with 1 when there is an error; warnings alone exit with 0.'],
  arguments: {
    file: {
      form: 'file',
      required: false,
      help: "A rulebook or a repository's overrides; the shipped rulebooks and yore.rulebook.json when none is named.",
    },
  },
  options: { root: corpusOptions.root, json },
  examples: ['yore rulebook check', 'yore rulebook check yore.rulebook.json'],
  readOnly: true,
  cliOnly: true,
  run: (engine, input) => engine.checkRulebooks(input.file),
}
