// What does a shipped rulebook say in full? `extends` takes the rules of rulebooks/code.json, patterns expand to chunk types.
import { readFileSync } from 'node:fs'
import { codeLanguages, codeTypesOf } from '../code-languages.ts'
import { packageFile } from './read-formats.ts'
import { isTerminal } from './rulebook-names.ts'

/** As JSON gives it: checked only when it is whole. */
interface RawRule {
  readonly allowed_target_types?: unknown
}
interface RawChunk {
  readonly expansions?: readonly RawRule[]
}
interface RawRulebook {
  readonly language?: unknown
  readonly extends?: unknown
  /** Languages whose definitions are used as if they were its own: TypeScript for JavaScript. */
  readonly kin?: readonly string[]
  readonly chunk_rules?: Readonly<Record<string, RawChunk>>
}

const typesByLanguage: ReadonlyMap<string, readonly string[]> = new Map(
  codeLanguages.map((language) => [language, codeTypesOf(language)]),
)

/**
 * A rulebook as `checkRulebook` reads it. In one that extends `code`, `{language}` is its language and `{kin}` that
 * language with its kin; in every one `*_function` is the functions of all languages of code.
 */
export function deriveRulebook(raw: unknown): unknown {
  if (typeof raw !== 'object' || raw === null) return raw
  const { language, extends: from, kin = [], chunk_rules: own = {}, ...rest } = raw as RawRulebook
  const types = typesByLanguage.get(String(language))
  if (from !== 'code' || types === undefined || !Array.isArray(kin))
    return from === undefined ? mapRules(raw as RawRulebook, (type) => expand(type, codeLanguages)) : raw
  const shared = JSON.parse(readFileSync(packageFile('rulebooks/code.json'), 'utf8')).chunk_rules
  const usual = shared['{language}_*'] as RawChunk
  const chunks = types
    .filter((type) => !isTerminal(type))
    .map((type): [string, RawChunk] => {
      const special = shared[type.replace(`${language}_`, '{language}_')]?.expansions ?? []
      return [type, { ...usual, expansions: [...special, ...(usual.expansions ?? [])] }]
    })
  const whole = { ...rest, language, chunk_rules: { ...Object.fromEntries(chunks), ...own } }
  return mapRules(whole, (type) =>
    type.startsWith('{kin}_')
      ? expand(type.replace('{kin}', '*'), [String(language), ...kin])
      : expand(type.replace('{language}', '*'), type.startsWith('{') ? [String(language)] : codeLanguages),
  )
}

/** `*_class` as the types of these languages; any other type is itself. */
function expand(type: string, languages: readonly string[]): readonly string[] {
  if (!type.startsWith('*_')) return [type]
  return languages
    .map((language) => `${language}${type.slice(1)}`)
    .filter((one) => typesByLanguage.get(one.slice(0, one.indexOf('_')))?.includes(one))
}

function mapRules(raw: RawRulebook, typesOf: (type: string) => readonly string[]): unknown {
  const { chunk_rules } = raw
  if (typeof chunk_rules !== 'object' || chunk_rules === null) return raw
  const mapRule = (rule: RawRule): unknown =>
    Array.isArray(rule?.allowed_target_types)
      ? {
          ...rule,
          allowed_target_types: rule.allowed_target_types.flatMap((type) =>
            typeof type === 'string' ? typesOf(type) : [type],
          ),
        }
      : rule
  const chunks = Object.entries(chunk_rules).map(([type, chunk]) => [
    type,
    Array.isArray(chunk?.expansions) ? { ...chunk, expansions: chunk.expansions.map(mapRule) } : chunk,
  ])
  return { ...raw, chunk_rules: Object.fromEntries(chunks) }
}
