// Which operations show and check rulebooks? Entries of the table of operations.

import type { RulebookFileReport } from '../../check/rulebooks/check-rulebooks.ts'
import type { RulebooksInForce } from '../../check/rulebooks/load-rulebooks.ts'
import { rulebookLanguages } from '../../model/config/rulebook-names.ts'
import type { RuledLanguage } from '../../model/source-file.ts'
import type { Operation } from './operation.ts'
import { type CorpusInput, corpusOptions, json } from './shared-options.ts'

interface RulebookInput extends CorpusInput {
  readonly language?: RuledLanguage
  readonly json: boolean
}

interface RulebookCheckInput extends CorpusInput {
  readonly json: boolean
  readonly file?: string
}

export const rulebook: Operation<RulebookInput, RulebooksInForce> = {
  name: 'rulebook',
  summary: 'Show the rulebooks that hold here: what may bring what along, and at which cost.',
  details: [
    'A repository tightens the shipped rulebooks with yore.rulebook.json in its top folder; it cannot widen them.',
  ],
  arguments: {
    language: {
      form: 'choice',
      required: false,
      choices: rulebookLanguages,
      help: 'Which language; without one, all of them.',
    },
  },
  options: { root: corpusOptions.root, json },
  examples: ['yore rulebook', 'yore rulebook markdown', 'yore rulebook markdown --json'],
  readOnly: true,
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
