// Where do formats come from? The package ships one per language of code; they are checked when they are read.

import { existsSync, readFileSync } from 'node:fs'
import type { Format } from '../code.ts'
import { type CodeLanguage, codeTypesOf, shapesByLanguage } from '../code-languages.ts'
import { YoreError } from '../errors.ts'
import { packagePath } from '../package-path.ts'

const read = new Map<CodeLanguage, Format>()

/** The format of a language; read once per thread. Throws BAD_INSTALL. */
export function readFormat(language: CodeLanguage): Format {
  const known = read.get(language)
  if (known !== undefined) return known
  const raw = deriveFormat(readJson(`formats/${language}.json`), language)
  const problem = findProblem(raw, language)
  if (problem !== null) throw new YoreError('BAD_INSTALL', `formats/${language}.json ${problem}`)
  read.set(language, raw as Format)
  return raw as Format
}

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(packageFile(name), 'utf8'))
}

/** A format without chunk types has those of formats/code.json, one for each of its shapes; lines of built-in names are split. */
function deriveFormat(raw: unknown, language: CodeLanguage): unknown {
  if (!isRecord(raw)) return raw
  const format = raw as Partial<Format>
  const builtins = (format.builtins ?? []).flatMap((line) => line.split(' '))
  if (format.chunk_types !== undefined) return { ...format, builtins }
  const shared = (readJson('formats/code.json') as Pick<Format, 'chunk_types'>).chunk_types
  const chunks = shapesByLanguage[language].map((shape) => [
    `${language}_${shape}`,
    shared[`{language}_${shape}`],
  ])
  return { ...format, builtins, chunk_types: { ...Object.fromEntries(chunks), blind: shared['blind'] } }
}

/** A file that the package ships; an error if the installation lacks it. */
export function packageFile(name: string): string {
  const file = packagePath(name)
  if (!existsSync(file)) throw new YoreError('BAD_INSTALL', `${name} is missing from this installation`)
  return file
}

/** What is wrong with a format, as words that follow its name; null when nothing is. */
function findProblem(raw: unknown, language: CodeLanguage): string | null {
  if (!isRecord(raw)) return 'is not an object'
  const format = raw as Partial<Format>
  if (format.language !== language) return `is for ${String(format.language)}`
  const wanted = ['grammars', 'chunk_types', 'self', 'builtins', 'modules'] as const
  const lacking = wanted.find((key) => typeof format[key] !== 'object' || format[key] === null)
  if (lacking !== undefined) return `has no ${lacking}`
  const types = new Set(['blind', ...codeTypesOf(language)])
  for (const [type, chunk] of Object.entries(format.chunk_types ?? {})) {
    if (!types.has(type)) return `has an unknown chunk type ${type}`
    const fields = isRecord(chunk) ? Object.values((chunk as { fields?: object }).fields ?? {}) : [null]
    if (fields.some((field) => field !== 'string' && field !== 'list')) return `has a bad field in ${type}`
  }
  return null
}

function isRecord(raw: unknown): raw is object {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw)
}
