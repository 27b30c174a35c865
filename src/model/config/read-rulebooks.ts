// Where do rulebooks come from? The package ships one per language; a repository may hold overrides that tighten them.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { locateDocs, YoreError } from '../errors.ts'
import type { Rulebook } from '../expansion.ts'
import type { RuledLanguage } from '../source-file.ts'
import {
  checkRulebook,
  checkRulebookOverrides,
  describeProblem,
  type RulebookOverrides,
  type RulebookProblem,
} from './check-rulebook.ts'
import { deriveRulebook } from './derive-rulebook.ts'
import { readJsonFile } from './read-config-file.ts'
import { packageFile } from './read-formats.ts'

/** A repository's own file, in its top folder. */
export const overridesFile = 'yore.rulebook.json'

const shipped = new Map<RuledLanguage, Rulebook>()

/** The rulebook that the package ships for a language; read once per process. Throws BAD_INSTALL. */
export function readShippedRulebook(language: RuledLanguage): Rulebook {
  const known = shipped.get(language)
  if (known !== undefined) return known
  const file = shippedRulebookPath(language)
  const { value, problems } = checkRulebook(deriveRulebook(parseShipped(file)))
  if (value === null || value.language !== language) {
    const found = value === null ? describeAll(problems) : `it is for ${value.language}`
    throw new YoreError('BAD_INSTALL', `the shipped rulebook ${file} is not valid: ${found}`)
  }
  shipped.set(language, value)
  return value
}

/** Where the package keeps the rulebook of a language. Throws BAD_INSTALL when it is not there. */
export function shippedRulebookPath(language: RuledLanguage): string {
  return packageFile(`rulebooks/${language}.json`)
}

/** The overrides of a repository, none when it has no such file. Throws BAD_CONFIG with the first problems. */
export function readRulebookOverrides(root: string): RulebookOverrides {
  const raw = readJsonFile(path.join(root, overridesFile), { name: overridesFile, confinedTo: root })
  if (raw === undefined) return {}
  const { value, problems } = checkRulebookOverrides(raw)
  if (value !== null) return value
  throw new YoreError('BAD_CONFIG', `${overridesFile}: ${describeAll(problems)}`, {
    hint: locateDocs('correct it; {docs}/explanation/rulebooks.md describes its form'),
  })
}

function parseShipped(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new YoreError('BAD_INSTALL', `the shipped rulebook ${file} cannot be read`, { cause })
  }
}

/** The first problem and how many more there are: an error is one line. */
function describeAll(problems: readonly RulebookProblem[]): string {
  const [first, ...others] = problems
  const rest = others.length === 0 ? '' : ` (and ${others.length} more)`
  return first === undefined ? 'unknown problem' : `${describeProblem(first)}${rest}`
}
