// Which rulebooks are effective? The shipped ones, tightened by the repository's overrides.

import { tightenRulebook } from '../../answer/expand/tighten-rulebook.ts'
import {
  overridesFile,
  readRulebookOverrides,
  readShippedRulebook,
} from '../../model/config/read-rulebooks.ts'
import { rulebookLanguages } from '../../model/config/rulebook-names.ts'
import type { Rulebook } from '../../model/expansion.ts'
import type { RuledLanguage } from '../../model/source-file.ts'
import { languageOfKind } from '../../read/parse/artifact-kinds.ts'

/** Reads and tightens the rulebook of one language. Throws BAD_CONFIG. */
function loadRulebook(root: string | null, language: RuledLanguage): Rulebook {
  const shipped = readShippedRulebook(language)
  const override = root === null ? undefined : readRulebookOverrides(root)[language]
  return override === undefined ? shipped : tightenRulebook(shipped, override).rulebook
}

/** One sentence for each attempt of a repository to widen a rule. Throws BAD_CONFIG for invalid overrides. */
export function findWidened(root: string): readonly string[] {
  const overrides = readRulebookOverrides(root)
  return rulebookLanguages.flatMap((language) => {
    const override = overrides[language]
    if (override === undefined) return []
    const { warnings } = tightenRulebook(readShippedRulebook(language), override)
    return warnings.map((warning) => `${overridesFile}: ${warning}`)
  })
}

/** The rulebook of a kind's language, which is its first word: `markdown_section` → markdown. Read on demand. */
export function rulebooksByKind(root: string | null): (kind: string) => Rulebook {
  const loaded = new Map<string, Rulebook>()
  return (kind) => {
    const language = languageOfKind(kind)
    let rulebook = loaded.get(language)
    if (rulebook === undefined) {
      const isKnown = rulebookLanguages.includes(language as RuledLanguage)
      rulebook = isKnown ? loadRulebook(root, language as RuledLanguage) : { language, chunk_rules: {} }
      loaded.set(language, rulebook)
    }
    return rulebook
  }
}
