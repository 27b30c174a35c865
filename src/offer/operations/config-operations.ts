// Which operations show and change settings? Entries of the table of operations; no engine is needed.
import { settingNames } from '../../model/config/check-settings.ts'
import type { OperationSpec } from './operation.ts'
import { corpusOptions, json } from './shared-options.ts'

export interface ConfigListInput {
  readonly root?: string
  readonly json: boolean
}

export interface ConfigGetInput extends ConfigListInput {
  readonly name: string
}

export interface ConfigSetInput {
  readonly root?: string
  readonly name: string
  readonly value: string
  readonly scope: 'project' | 'user'
}

const name = { form: 'choice', required: true, choices: settingNames, help: 'Which setting.' } as const

export const config: OperationSpec = {
  name: 'config',
  summary: 'List every setting with its value and where it comes from.',
  details: ['What each setting means: {docs}/reference/configuration.md.'],
  arguments: {},
  options: { root: corpusOptions.root, json },
  examples: ['yore config', 'yore config get maxTokens', 'yore config set maxTokens 4000'],
  readOnly: true,
  cliOnly: true,
}

export const configGet: OperationSpec = {
  ...config,
  name: 'config get',
  summary: 'Print the value of a setting.',
  arguments: { name },
  examples: ['yore config get maxTokens'],
}

export const configSet: OperationSpec = {
  ...config,
  name: 'config set',
  summary: 'Write a setting into yore.json, or into your own config; all else in the file stays as it is.',
  details: [
    'A list is written with commas. What a repository may not say (where text is sent, limits above the defaults) needs --scope user.',
  ],
  arguments: { name, value: { form: 'words', required: true, help: 'Its value.' } },
  options: {
    scope: {
      type: 'text',
      default: 'project',
      choices: ['project', 'user'],
      help: 'For this project, or for all projects of this user.',
    },
    root: corpusOptions.root,
  },
  examples: ['yore config set maxTokens 4000', 'yore config set embedding.provider none --scope user'],
  readOnly: false,
}
