// How do tests get a real grammar? From the files of the package, opened once per process.

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { ParsedDocument } from '../../src/model/artifact.ts'
import type { Language } from '../../src/model/source-file.ts'
import { openTools } from '../../src/read/assets/load-grammars.ts'
import type { CodeTool } from '../../src/read/parse/code/parse-code.ts'
import { parseDocument } from '../../src/read/parse/parse-document.ts'
import { languageOf, languageOfText } from '../../src/read/source/language-of.ts'

export async function openTool(
  file: string,
  language: Language | null = languageOf(file),
): Promise<CodeTool> {
  const tool = language === null ? null : { path: file, language }
  const found = tool === null ? null : (await openTools([tool]))({ ...tool, text: '' })
  if (found === null) throw new Error(`${file} is no code`)
  return found
}

export async function parseAs(file: string, text: string): Promise<ParsedDocument> {
  const language = languageOfText(file, text)
  const tool = await openTool(file, language)
  if (language === null) throw new Error(`${file} is not read`)
  return parseDocument({ path: file, language, text }, {}, () => tool)
}

const fixtures = path.join(import.meta.dirname, '..', 'fixtures', 'code')

/** Every file of a language's fixture folder, by its path in it. */
export function readFixture(language: string): ReadonlyMap<string, string> {
  const folder = path.join(fixtures, language)
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
    name.replaceAll('\\', '/'),
  )
  const files = names.filter((name) => languageOf(name) !== null).sort()
  return new Map(files.map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]))
}

export async function parseFixture(language: string): Promise<ReadonlyMap<string, ParsedDocument>> {
  const parsed = new Map<string, ParsedDocument>()
  for (const [name, text] of readFixture(language)) parsed.set(name, await parseAs(name, text))
  return parsed
}
