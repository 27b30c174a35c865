// What is left of a rulebook when a repository tightens it? The intersection: an override takes away and never adds.
import type { ChunkRule, ExpansionRule, Rulebook, RulebookOverride } from '../../model/expansion.ts'

interface TightenedRulebook {
  readonly rulebook: Rulebook
  /** One sentence for each part of the override that was ignored because it would widen the rulebook. */
  readonly warnings: readonly string[]
}

/**
 * The base without what the override takes away. Chunk types and fields that the override does not
 * name stay unchanged; a list of expansions keeps only what is in both, at the higher cost.
 */
export function tightenRulebook(base: Rulebook, override: RulebookOverride): TightenedRulebook {
  const warnings: string[] = []
  const warn = (path: string, message: string): void => {
    warnings.push(`${base.language}.chunk_rules.${path} ${message}`)
  }
  for (const type of Object.keys(override.chunk_rules)) {
    if (!Object.hasOwn(base.chunk_rules, type)) warn(type, 'has no rule to tighten; it stays terminal')
  }
  const chunk_rules = Object.fromEntries(
    Object.entries(base.chunk_rules).map(([type, rule]) => {
      const change = Object.hasOwn(override.chunk_rules, type) ? override.chunk_rules[type] : undefined
      const tightened =
        change === undefined
          ? rule
          : tightenChunk(rule, change, (path, message) => warn(`${type}.${path}`, message))
      return [type, tightened]
    }),
  )
  return { rulebook: { language: base.language, chunk_rules }, warnings }
}

type Warn = (path: string, message: string) => void

function tightenChunk(base: ChunkRule, change: Partial<ChunkRule>, warn: Warn): ChunkRule {
  if (change.allow_expansion === true && !base.allow_expansion)
    warn('allow_expansion', 'stays false: a repository may only tighten')
  return {
    allow_expansion: base.allow_expansion && change.allow_expansion !== false,
    expansions:
      change.expansions === undefined
        ? base.expansions
        : change.expansions.flatMap((rule, index) =>
            tightenRule(base.expansions, rule, (path, message) =>
              warn(`expansions[${index}]${path}`, message),
            ),
          ),
  }
}

/** What a rule of the override leaves of each base rule for the same way. */
function tightenRule(
  base: readonly ExpansionRule[],
  change: ExpansionRule,
  warn: Warn,
): readonly ExpansionRule[] {
  const way = `${change.via} ${change.direction}`
  const same = base.filter((rule) => rule.via === change.via && rule.direction === change.direction)
  if (same.length === 0) {
    warn('', `is ignored: ${way} is not allowed here, and a repository may only tighten`)
    return []
  }
  for (const type of change.allowed_target_types) {
    const allowing = same.filter((rule) => rule.allowed_target_types.includes(type))
    if (allowing.length === 0) warn('.allowed_target_types', `leaves ${type} out: ${way} does not lead there`)
    const lowest = Math.min(...allowing.map((rule) => rule.cost))
    if (allowing.length > 0 && change.cost < lowest)
      warn('.cost', `stays ${lowest} for ${type}: a repository may only raise it`)
  }
  return same.flatMap((rule) => {
    const types = rule.allowed_target_types.filter((type) => change.allowed_target_types.includes(type))
    if (types.length === 0) return []
    return [{ ...rule, allowed_target_types: types, cost: Math.max(rule.cost, change.cost) }]
  })
}
