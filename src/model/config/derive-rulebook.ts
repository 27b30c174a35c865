// What does a shipped rulebook say in full? `extends` takes the rules of rulebooks/code.json, patterns expand to chunk types.
import { readFileSync } from 'node:fs'
import { codeLanguages, codeTypesOf } from '../code-languages.ts'
import type { ExpansionRule, Rulebook } from '../expansion.ts'
import type { RuledLanguage } from '../source-file.ts'
import { packageFile } from './read-formats.ts'
import { isTerminal } from './rulebook-names.ts'

/** As a file of rulebooks/ gives it; a test checks what each becomes. */
type RawRule = Omit<ExpansionRule, 'direction'> & Partial<Pick<ExpansionRule, 'direction'>>
interface RawChunk {
  readonly allow_expansion: boolean
  readonly expansions: readonly RawRule[]
}
export interface RawRulebook {
  readonly language: RuledLanguage
  readonly extends?: 'code'
  /** Languages whose definitions are used as if they were its own: TypeScript for JavaScript. */
  readonly kin?: readonly string[]
  readonly chunk_rules?: Readonly<Record<string, RawChunk>>
}

const typesByLanguage: ReadonlyMap<string, readonly string[]> = new Map(
  codeLanguages.map((language) => [language, codeTypesOf(language)]),
)

/**
 * In one that extends `code`, `{language}` is its language and `{kin}` that language with its kin; in every one
 * `*_function` is the functions of all languages of code.
 */
export function deriveRulebook(raw: RawRulebook): Rulebook {
  const { language, kin = [], chunk_rules: own = {} } = raw
  if (raw.extends === undefined) return mapRules(language, own, (type) => expand(type, codeLanguages))
  const shared = JSON.parse(readFileSync(packageFile('rulebooks/code.json'), 'utf8')).chunk_rules
  const usual: RawChunk = shared['{language}_*']
  const chunks = (typesByLanguage.get(language) ?? [])
    .filter((type) => !isTerminal(type))
    .map((type): [string, RawChunk] => {
      const special = shared[type.replace(`${language}_`, '{language}_')]?.expansions ?? []
      return [type, { ...usual, expansions: [...special, ...usual.expansions] }]
    })
  return mapRules(language, { ...Object.fromEntries(chunks), ...own }, (type) =>
    type.startsWith('{kin}_')
      ? expand(type.replace('{kin}', '*'), [language, ...kin])
      : expand(type.replace('{language}', '*'), type.startsWith('{') ? [language] : codeLanguages),
  )
}

/** `*_class` as the types of these languages; any other type is itself. */
function expand(type: string, languages: readonly string[]): readonly string[] {
  if (!type.startsWith('*_')) return [type]
  return languages
    .map((language) => `${language}${type.slice(1)}`)
    .filter((one) => typesByLanguage.get(one.slice(0, one.indexOf('_')))?.includes(one))
}

function mapRules(
  language: RuledLanguage,
  chunks: Readonly<Record<string, RawChunk>>,
  typesOf: (type: string) => readonly string[],
): Rulebook {
  const mapped = Object.entries(chunks).map(([type, { allow_expansion, expansions }]) => {
    const rules = expansions.map(
      (rule): ExpansionRule => ({
        direction: 'out',
        ...rule,
        allowed_target_types: rule.allowed_target_types.flatMap(typesOf),
      }),
    )
    return [type, { allow_expansion, expansions: rules }]
  })
  return { language, chunk_rules: Object.fromEntries(mapped) }
}
