// Which rulebooks are effective? The shipped ones, tightened by the repository's overrides.

import { tightenRulebook } from '../../answer/expand/tighten-rulebook.ts'
import type { RulebookOverrides } from '../../model/config/check-rulebook.ts'
import {
  overridesFile,
  readRulebookOverrides,
  readShippedRulebook,
} from '../../model/config/read-rulebooks.ts'
import { rulebookLanguages } from '../../model/config/rulebook-names.ts'
import type { Rulebook } from '../../model/expansion.ts'
import type { RuledLanguage } from '../../model/source-file.ts'
import { languageOfKind } from '../../read/parse/artifact-kinds.ts'

export interface RulebookInForce {
  readonly rulebook: Rulebook
  /** The file that tightened it; null for the shipped one. */
  readonly tightenedBy: string | null
}

export interface RulebooksInForce {
  readonly rulebooks: Readonly<Record<RuledLanguage, RulebookInForce>>
  /** One sentence for each attempt of a repository to widen a rule. */
  readonly warnings: readonly string[]
}

/** Reads and tightens the rulebook of one language. Throws BAD_CONFIG. */
function loadRulebook(root: string | null, language: RuledLanguage): Rulebook {
  const shipped = readShippedRulebook(language)
  const override = root === null ? undefined : readRulebookOverrides(root)[language]
  return override === undefined ? shipped : tightenRulebook(shipped, override).rulebook
}

/** Reads and tightens every rulebook; the shipped ones without a repository. Throws BAD_CONFIG for invalid overrides. */
export function loadRulebooks(root: string | null): RulebooksInForce {
  return applyOverrides(root === null ? {} : readRulebookOverrides(root), overridesFile)
}

/** The shipped rulebooks under these overrides; `file` is the name in warnings. */
export function applyOverrides(overrides: RulebookOverrides, file: string): RulebooksInForce {
  const warnings: string[] = []
  const entries = rulebookLanguages.map((language): [RuledLanguage, RulebookInForce] => {
    const shipped = readShippedRulebook(language)
    const override = overrides[language]
    if (override === undefined) return [language, { rulebook: shipped, tightenedBy: null }]
    const tightened = tightenRulebook(shipped, override)
    warnings.push(...tightened.warnings.map((warning) => `${file}: ${warning}`))
    return [language, { rulebook: tightened.rulebook, tightenedBy: file }]
  })
  return { rulebooks: Object.fromEntries(entries) as Record<RuledLanguage, RulebookInForce>, warnings }
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
