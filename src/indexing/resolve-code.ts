// Where do names in code lead after this run? Only what is new is looked up, unless what files define or import has changed.
import { hash } from 'node:crypto'
import { readFormat } from '../config/read-formats.ts'
import type { CodeLanguage } from '../model/source-file.ts'
import { type CodeCatalogue, type LanguageRules, makeCodeCatalogue } from '../resolve/code/code-catalogue.ts'
import { resolveCodeName } from '../resolve/code/resolve-code-name.ts'
import { resolveUse } from '../resolve/code/resolve-use.ts'
import { mentionOf } from '../store/reference-reader.ts'
import { readModuleSettings } from './read-module-settings.ts'
import { isSame, type ResolveScope, type Store } from './resolve-references.ts'

function rulesByLanguage(): (language: string) => LanguageRules {
  const known = new Map<string, LanguageRules>()
  return (language) => {
    let rules = known.get(language)
    if (rules === undefined) {
      const { modules, self, bare_members } = readFormat(language as CodeLanguage)
      rules = { modules, self: new Set(self), bareMembers: bare_members === true }
      known.set(language, rules)
    }
    return rules
  }
}

/** Says how many names were looked up. When the last code has gone, the names that led to it lead nowhere. */
export function resolveCode({ reader, writer }: Store, scope: ResolveScope): number {
  const references = reader.references()
  const entries = references.outlines()
  const settings = readModuleSettings(
    scope.readText,
    entries.map(({ path }) => path),
  )
  const outlines = hash(
    'sha256',
    JSON.stringify([settings, entries.map(({ path, language, outline }) => [path, language, outline])]),
  )
  const everything = scope.everything || outlines !== reader.meta('outlines')
  const catalogue: CodeCatalogue = makeCodeCatalogue({
    entries,
    settings,
    rulesOf: rulesByLanguage(),
    definitionsNamed: (name) => references.definitionsNamed(name),
  })
  const rows = references.inCode(everything ? 'all' : 'pending')
  for (const row of rows) {
    const found =
      row.form === 'code' ? resolveCodeName(row.target, catalogue) : resolveUse(mentionOf(row), catalogue)
    if (!isSame(row, found)) writer.resolveMention(row.id, found)
  }
  writer.setMeta('outlines', outlines)
  return rows.length
}
