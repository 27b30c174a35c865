// Is this a valid rulebook? Every problem with its place in the document, what is allowed there, and the likely name.
import { prototypeKeys, showValue } from '../../src/model/config/check-settings.ts'
import { nearestName } from '../../src/model/config/nearest-name.ts'
import { isTerminal, rulebookLanguages, viaNames } from '../../src/model/config/rulebook-names.ts'
import type { ChunkRule, ExpansionDirection, ExpansionRule, Rulebook } from '../../src/model/expansion.ts'
import type { RuledLanguage } from '../../src/model/source-file.ts'
import { chunkTypesOf, targetTypes } from './rulebook-types.ts'

const directionNames: readonly ExpansionDirection[] = ['out', 'in', 'family']

export interface RulebookProblem {
  /** For example `chunk_rules.markdown_section.expansions[1].cost`; empty for the document as a whole. */
  readonly path: string
  /** What is wrong and what is allowed, without the path. */
  readonly message: string
}

/** A checked document: `value` is null when there is any problem. */
interface CheckedRulebook {
  readonly value: Rulebook | null
  readonly problems: readonly RulebookProblem[]
}

/** Checks a whole rulebook, as JSON gives it. Never throws. */
export function checkRulebook(raw: unknown): CheckedRulebook {
  const problems: RulebookProblem[] = []
  const at = place(problems, '')
  const fields = readObject(raw ?? null, at, { required: ['language', 'chunk_rules'], optional: [] })
  const language = readName(fields.get('language'), at.key('language'), rulebookLanguages)
  const chunk_rules = readChunks(
    fields.get('chunk_rules'),
    at.key('chunk_rules'),
    language as RuledLanguage | null,
  )
  const value = { language: language ?? '', chunk_rules }
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

/** `language` is null when it is wrong itself: then any chunk type may be right. */
function readChunks(raw: unknown, at: Place, language: RuledLanguage | null): Record<string, ChunkRule> {
  const types = language === null ? targetTypes : chunkTypesOf(language)
  const chunks = readObject(raw, at, { required: [], optional: types })
  return Object.fromEntries(
    [...chunks].map(([type, chunk]) => {
      const rule = readChunk(chunk, at.key(type))
      if (rule.allow_expansion === true && isTerminal(type))
        at.key(type).key('allow_expansion').note('must be false: chunks of this type are terminal')
      return [type, rule]
    }),
  )
}

function readChunk(raw: unknown, at: Place): ChunkRule {
  const fields = readObject(raw, at, { required: ['allow_expansion', 'expansions'], optional: [] })
  const allow = fields.get('allow_expansion')
  if (allow !== undefined && typeof allow !== 'boolean')
    at.key('allow_expansion').note(`must be true or false, not ${showValue(allow)}`)
  const listed = fields.get('expansions')
  return {
    allow_expansion: allow === true,
    expansions: listed === undefined ? [] : readRules(listed, at.key('expansions')),
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
