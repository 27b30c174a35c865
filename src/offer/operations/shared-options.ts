// Which options do many operations take? Where the corpus is, how fresh it must be, what time it is.
import type { Scope } from '../../answer/answering/choose-scope.ts'
import { fileKinds } from '../../model/file-kind.ts'
import type { OptionSpec } from './operation.ts'

/** What the command line gives every operation that opens a corpus. */
export interface CorpusInput {
  readonly root?: string
  readonly index?: string
}

export const corpusOptions: Readonly<Record<'index' | 'root', OptionSpec>> = {
  index: {
    type: 'folder',
    value: 'path',
    help: 'Folder of the index.',
    otherwise: '.yore in the root',
    cliOnly: true,
  },
  root: {
    type: 'folder',
    short: 'C',
    value: 'path',
    help: 'Folder of the corpus.',
    otherwise: 'the nearest folder upwards with .yore or .git, else this one',
    cliOnly: true,
  },
}

/** What search and assemble may be confined to. */
export const scopeOptions: Readonly<Record<'path' | 'kind' | 'lang' | 'since', OptionSpec>> = {
  path: { type: 'text', value: 'paths', help: 'Only these files, folders or globs.' },
  kind: { type: 'text', choices: fileKinds, help: 'Only files of this kind.' },
  lang: { type: 'text', value: 'language', help: 'Only this language.' },
  since: { type: 'text', value: 'ref', help: 'Only what changed since this commit.' },
}

/** The scope in an input, for the engine. */
export function scopeIn({ path, kind, lang, since, near }: Scope): Scope {
  return { path, kind, lang, since, near }
}

export const json: OptionSpec = { type: 'switch', help: 'Print JSON for programs.', cliOnly: true }
export const exitCode: OptionSpec = {
  type: 'switch',
  help: 'Exit with 3 when nothing was found, or only weak matches.',
  cliOnly: true,
}
export const copy: OptionSpec = {
  type: 'switch',
  help: 'Put it onto the clipboard, too.',
  cliOnly: true,
}
export const refresh: OptionSpec = {
  type: 'text',
  setting: 'refresh',
  help: 'Re-index changed files first when that is quick, or never.',
}
export const mode: OptionSpec = {
  type: 'text',
  default: 'hybrid',
  choices: ['lexical', 'hybrid', 'vector'],
  help: 'Search by words, by words and meaning, or by meaning alone.',
}
export const now: OptionSpec = {
  type: 'time',
  value: 'time',
  help: 'The time to assume: ISO 8601 (UTC unless it names a zone) or epoch seconds.',
  otherwise: 'SOURCE_DATE_EPOCH, else the clock',
  cliOnly: true,
}
