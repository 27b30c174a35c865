// Where do rulebooks come from? The package ships one per language.

import { readFileSync } from 'node:fs'
import { YoreError } from '../errors.ts'
import type { Rulebook } from '../expansion.ts'
import { remember } from '../remember.ts'
import type { RuledLanguage } from '../source-file.ts'
import { deriveRulebook, type RawRulebook } from './derive-rulebook.ts'
import { packageFile } from './read-formats.ts'

/** The rulebook that the package ships for a language; read once per process. Throws BAD_INSTALL. */
export const readShippedRulebook = remember(
  (language: RuledLanguage): Rulebook => deriveRulebook(parseShipped(shippedRulebookPath(language))),
)

/** Where the package keeps the rulebook of a language. Throws BAD_INSTALL when it is not there. */
export const shippedRulebookPath = (language: RuledLanguage): string =>
  packageFile(`rulebooks/${language}.json`)

function parseShipped(file: string): RawRulebook {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new YoreError('BAD_INSTALL', `the shipped rulebook ${file} cannot be read`, { cause })
  }
}
