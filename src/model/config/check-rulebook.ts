// Is this a valid rulebook? Pure: every problem with its place in the document, what is allowed there, and the likely name.
import type { ChunkRule, ExpansionRule, Rulebook, RulebookOverride } from '../expansion.ts'
import type { RuledLanguage } from '../source-file.ts'
import { prototypeKeys, showValue } from './check-settings.ts'
import { nearestName } from './nearest-name.ts'
import {
  chunkTypesOf,
  directionNames,
  isTerminal,
  rulebookLanguages,
  targetTypes,
  viaNames,
} from './rulebook-names.ts'

export interface RulebookProblem {
  /** For example `chunk_rules.markdown_section.expansions[1].cost`; empty for the document as a whole. */
  readonly path: string
  /** What is wrong and what is allowed, without the path. */
  readonly message: string
}

/** A checked document: `value` is null when there is any problem. */
interface CheckedRulebook<T> {
  readonly value: T | null
  readonly problems: readonly RulebookProblem[]
}

/** What each language's override is, by language. */
export type RulebookOverrides = Partial<Readonly<Record<RuledLanguage, RulebookOverride>>>

/** Checks a whole rulebook, as JSON gives it. Never throws. */
export function checkRulebook(raw: unknown): CheckedRulebook<Rulebook> {
  const problems: RulebookProblem[] = []
  const at = place(problems, '')
  const fields = readObject(raw ?? null, at, { required: ['language', 'chunk_rules'], optional: [] })
  const language = readName(fields.get('language'), at.key('language'), rulebookLanguages)
  const chunk_rules = readChunks(fields.get('chunk_rules'), at.key('chunk_rules'), {
    language: language as RuledLanguage | null,
    whole: true,
  })
  const value = { language: language ?? '', chunk_rules: chunk_rules as Record<string, ChunkRule> }
  return { value: problems.length === 0 ? value : null, problems }
}

/** Checks a repository's overrides: an object with a language for each key. Never throws. */
export function checkRulebookOverrides(raw: unknown): CheckedRulebook<RulebookOverrides> {
  const problems: RulebookProblem[] = []
  const at = place(problems, '')
  const languages = readObject(raw ?? null, at, { required: [], optional: rulebookLanguages })
  const value = Object.fromEntries(
    [...languages].map(([language, override]) => [
      language,
      readOverride(override, at.key(language), language as RuledLanguage),
    ]),
  )
  return { value: problems.length === 0 ? value : null, problems }
}

/** A problem as one line: `chunk_rules.x must be …`. */
export function describeProblem({ path, message }: RulebookProblem): string {
  return path === '' ? `the document ${message}` : `${path} ${message}`
}

/** A place in the document, where problems are noted. */
interface Place {
  readonly note: (message: string) => void
  readonly key: (name: string) => Place
  readonly item: (index: number) => Place
}

function place(problems: RulebookProblem[], path: string): Place {
  return {
    note: (message) => problems.push({ path, message }),
    key: (name) => place(problems, path === '' ? showKey(name) : `${path}.${showKey(name)}`),
    item: (index) => place(problems, `${path}[${index}]`),
  }
}

interface ObjectShape {
  readonly required: readonly string[]
  readonly optional: readonly string[]
}

/** The known keys with their values. What is undefined has been noted as missing where it should have been. */
function readObject(raw: unknown, at: Place, shape: ObjectShape): ReadonlyMap<string, unknown> {
  const known = [...shape.required, ...shape.optional]
  const found = new Map<string, unknown>()
  if (!isObject(raw)) {
    if (raw !== undefined) at.note(`must be an object with ${known.join(', ')}, not ${showValue(raw)}`)
    return found
  }
  for (const [key, value] of Object.entries(raw)) {
    if (value === undefined || prototypeKeys.includes(key)) continue
    if (known.includes(key)) found.set(key, value)
    else at.key(key).note(`is not a known key; ${advise(key, known)}`)
  }
  for (const key of shape.required) if (!found.has(key)) at.key(key).note('is missing')
  return found
}

function readOverride(raw: unknown, at: Place, language: RuledLanguage): RulebookOverride {
  const fields = readObject(raw, at, { required: ['chunk_rules'], optional: ['language'] })
  const named = fields.get('language')
  if (named !== undefined && named !== language)
    at.key('language').note(`must be "${language}" here, not ${showValue(named)}`)
  return {
    chunk_rules: readChunks(fields.get('chunk_rules'), at.key('chunk_rules'), { language, whole: false }),
  }
}

interface ChunkReading {
  /** Null when the language itself is wrong: then any chunk type may be right. */
  readonly language: RuledLanguage | null
  /** Every field must be there; an override may leave some out. */
  readonly whole: boolean
}

function readChunks(raw: unknown, at: Place, reading: ChunkReading): Record<string, Partial<ChunkRule>> {
  const types = reading.language === null ? targetTypes : chunkTypesOf(reading.language)
  const chunks = readObject(raw, at, { required: [], optional: types })
  return Object.fromEntries(
    [...chunks].map(([type, chunk]) => {
      const rule = readChunk(chunk, at.key(type), reading.whole)
      if (rule.allow_expansion === true && isTerminal(type))
        at.key(type).key('allow_expansion').note('must be false: chunks of this type are terminal')
      return [type, rule]
    }),
  )
}

function readChunk(raw: unknown, at: Place, whole: boolean): Partial<ChunkRule> {
  const keys = ['allow_expansion', 'expansions']
  const fields = readObject(
    raw,
    at,
    whole ? { required: keys, optional: [] } : { required: [], optional: keys },
  )
  const allow = fields.get('allow_expansion')
  if (allow !== undefined && typeof allow !== 'boolean')
    at.key('allow_expansion').note(`must be true or false, not ${showValue(allow)}`)
  const listed = fields.get('expansions')
  const expansions = listed === undefined ? undefined : readRules(listed, at.key('expansions'))
  return {
    ...(typeof allow === 'boolean' ? { allow_expansion: allow } : {}),
    ...(expansions === undefined ? {} : { expansions }),
  }
}

function readRules(raw: unknown, at: Place): readonly ExpansionRule[] {
  if (!Array.isArray(raw)) {
    at.note(`must be a list, not ${showValue(raw)}`)
    return []
  }
  const seen = new Map<string, number>()
  return raw.map((entry: unknown, index) => {
    const rule = readRule(entry ?? null, at.item(index))
    // Two prices for one thing: which of them was meant?
    for (const type of new Set(rule.allowed_target_types)) {
      const key = JSON.stringify([rule.via, rule.direction, type])
      const first = seen.get(key)
      if (first === undefined) seen.set(key, index)
      else
        at.item(index).note(
          `allows ${rule.via} ${rule.direction} to ${type} again, as expansions[${first}] does`,
        )
    }
    return rule
  })
}

function readRule(raw: unknown, at: Place): ExpansionRule {
  const fields = readObject(raw, at, {
    required: ['via', 'allowed_target_types', 'cost'],
    optional: ['direction'],
  })
  const direction = fields.has('direction')
    ? readName(fields.get('direction'), at.key('direction'), directionNames)
    : 'out'
  return {
    via: readName(fields.get('via'), at.key('via'), viaNames) ?? '',
    direction: (direction ?? 'out') as ExpansionRule['direction'],
    allowed_target_types: readTypes(fields.get('allowed_target_types'), at.key('allowed_target_types')),
    cost: readCost(fields.get('cost'), at.key('cost')),
  }
}

function readTypes(raw: unknown, at: Place): readonly string[] {
  if (raw === undefined) return []
  if (!Array.isArray(raw)) {
    at.note(`must be a list of chunk types, not ${showValue(raw)}`)
    return []
  }
  return raw.flatMap((entry: unknown, index) => readName(entry ?? null, at.item(index), targetTypes) ?? [])
}

function readCost(raw: unknown, at: Place): number {
  if (typeof raw === 'number' && Number.isSafeInteger(raw) && raw >= 0) return raw
  if (raw !== undefined) at.note(`must be a whole number of at least 0, not ${showValue(raw)}`)
  return 0
}

/** One of the valid names; null, with a note, for anything else. Undefined has been noted as missing. */
function readName(raw: unknown, at: Place, valid: readonly string[]): string | null {
  if (typeof raw === 'string' && valid.includes(raw)) return raw
  if (typeof raw === 'string') at.note(`must be a known name, not ${showValue(raw)}; ${advise(raw, valid)}`)
  else if (raw !== undefined) at.note(`must be one of ${valid.join(', ')}, not ${showValue(raw)}`)
  return null
}

function advise(given: string, valid: readonly string[]): string {
  const near = nearestName(given, valid)
  return near === null ? `allowed: ${valid.join(', ')}` : `did you mean "${near}"?`
}

function isObject(raw: unknown): raw is object {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw)
}

/** A key that is not a plain word is quoted, so that a path stays readable. */
function showKey(key: string): string {
  return /^[\w-]{1,60}$/.test(key) ? key : showValue(key)
}
