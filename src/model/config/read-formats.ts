// Where do formats come from? The package ships one per language of code.

import { existsSync, readFileSync } from 'node:fs'
import type { Format } from '../code.ts'
import { type CodeLanguage, shapesByLanguage } from '../code-languages.ts'
import { YoreError } from '../errors.ts'
import { packagePath } from '../package-path.ts'
import { remember } from '../remember.ts'

/** The format of a language; read once per thread. Throws BAD_INSTALL. */
export const readFormat = remember(
  (language: CodeLanguage): Format => deriveFormat(readJson(`formats/${language}.json`) as Format, language),
)

const readJson = (name: string): unknown => JSON.parse(readFileSync(packageFile(name), 'utf8'))

/** A format without chunk types has those of formats/code.json, one for each of its shapes; lines of built-in names are split. */
function deriveFormat(format: Format, language: CodeLanguage): Format {
  const builtins = format.builtins.flatMap((line) => line.split(' '))
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
