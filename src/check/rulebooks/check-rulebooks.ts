// Are these rulebooks valid? One named file, or all effective ones, with each problem and each attempt to widen.
import path from 'node:path'
import { checkRulebook, checkRulebookOverrides, describeProblem } from '../../model/config/check-rulebook.ts'
import { deriveRulebook } from '../../model/config/derive-rulebook.ts'
import { readJsonFile } from '../../model/config/read-config-file.ts'
import { overridesFile, shippedRulebookPath } from '../../model/config/read-rulebooks.ts'
import { rulebookLanguages } from '../../model/config/rulebook-names.ts'
import { YoreError } from '../../model/errors.ts'
import { applyOverrides } from './load-rulebooks.ts'

export interface RulebookFileReport {
  /** The name in messages. */
  readonly file: string
  /** A rulebook of one language, or a repository's overrides of several. */
  readonly form: 'rulebook' | 'overrides'
  /** Problems with their paths in the document; empty for a valid file. */
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
}

/** Checks one file, or the shipped rulebooks and the repository's overrides. Throws BAD_INPUT for a missing file. */
export function checkRulebooks(root: string, file: string | null): readonly RulebookFileReport[] {
  if (file !== null) {
    const report = checkFile(path.resolve(root, file), file, null)
    if (report !== null) return [report]
    throw new YoreError('BAD_INPUT', `no such file: ${file}`, { hint: 'name a rulebook, a JSON file' })
  }
  const shipped = rulebookLanguages.map((language) =>
    checkFile(shippedRulebookPath(language), `rulebooks/${language}.json`, null),
  )
  return [...shipped, checkFile(path.join(root, overridesFile), overridesFile, root)].filter(
    (report) => report !== null,
  )
}

function checkFile(file: string, name: string, confinedTo: string | null): RulebookFileReport | null {
  let raw: unknown
  try {
    raw = readJsonFile(file, { name, confinedTo })
  } catch (error) {
    if (!(error instanceof YoreError)) throw error
    // The list has the name already.
    const message = error.message.startsWith(`${name}: `)
      ? error.message.slice(name.length + 2)
      : error.message
    return { file: name, form: 'rulebook', errors: [message], warnings: [] }
  }
  if (raw === undefined) return null
  return isOverrides(raw, file) ? checkOverrides(raw, name) : checkOne(raw, name)
}

/** Overrides are recognised by their file's name, or by a language among their keys. */
function isOverrides(raw: unknown, file: string): boolean {
  if (path.basename(file) === overridesFile) return true
  if (typeof raw !== 'object' || raw === null || Object.hasOwn(raw, 'chunk_rules')) return false
  return rulebookLanguages.some((language) => Object.hasOwn(raw, language))
}

function checkOne(raw: unknown, file: string): RulebookFileReport {
  const { problems } = checkRulebook(deriveRulebook(raw))
  return { file, form: 'rulebook', errors: problems.map(describeProblem), warnings: [] }
}

function checkOverrides(raw: unknown, file: string): RulebookFileReport {
  const { value, problems } = checkRulebookOverrides(raw)
  const warnings = value === null ? [] : applyOverrides(value, file).warnings
  return {
    file,
    form: 'overrides',
    errors: problems.map(describeProblem),
    warnings: warnings.map((warning) => warning.slice(file.length + 2)),
  }
}
