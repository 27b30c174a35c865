// Where do rulebooks come from? The package ships one per language.
import { readFileSync } from 'node:fs'
import { YoreError } from '../errors.ts'
import type { Rulebook } from '../expansion.ts'
import type { RuledLanguage } from '../source-file.ts'
import { deriveRulebook, type RawRulebook } from './derive-rulebook.ts'
import { packageFile } from './read-formats.ts'

const shipped = new Map<RuledLanguage, Rulebook>()

/** The rulebook that the package ships for a language; read once per process. Throws BAD_INSTALL. */
export function readShippedRulebook(language: RuledLanguage): Rulebook {
  const known = shipped.get(language)
  if (known !== undefined) return known
  const rulebook = deriveRulebook(parseShipped(shippedRulebookPath(language)))
  shipped.set(language, rulebook)
  return rulebook
}

/** Where the package keeps the rulebook of a language. Throws BAD_INSTALL when it is not there. */
export function shippedRulebookPath(language: RuledLanguage): string {
  return packageFile(`rulebooks/${language}.json`)
}

function parseShipped(file: string): RawRulebook {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new YoreError('BAD_INSTALL', `the shipped rulebook ${file} cannot be read`, { cause })
  }
}
