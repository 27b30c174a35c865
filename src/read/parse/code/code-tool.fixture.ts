// How do tests get a real grammar? From the files of the package, opened once per process.

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { ParsedDocument } from '../../../model/artifact.ts'
import { isCodeLanguage } from '../../../model/config/code-languages.ts'
import { readFormat } from '../../../model/config/read-formats.ts'
import { grammarOf, readGrammar, readQuery } from '../../../model/config/read-grammar.ts'
import { extensionOf } from '../../../model/paths.ts'
import type { Language } from '../../../model/source-file.ts'
import { languageOf, languageOfText } from '../../source/language-of.ts'
import { parseDocument } from '../parse-document.ts'
import { openGrammar } from './open-grammar.ts'
import type { CodeTool } from './parse-code.ts'

const tools = new Map<string, Promise<CodeTool>>()

export function openTool(file: string, language: Language | null = languageOf(file)): Promise<CodeTool> {
  if (language === null || !isCodeLanguage(language)) throw new Error(`${file} is no code`)
  const format = readFormat(language)
  const name = grammarOf(format, extensionOf(file))
  let tool = tools.get(name)
  if (tool === undefined) {
    tool = openGrammar({
      name,
      runtime: () => readGrammar('web-tree-sitter'),
      wasm: readGrammar(name),
      query: readQuery(language),
      clock: () => performance.now(),
    }).then((read) => ({ read, format }))
    tools.set(name, tool)
  }
  return tool
}

export async function parseAs(file: string, text: string): Promise<ParsedDocument> {
  const language = languageOfText(file, text)
  const tool = await openTool(file, language)
  if (language === null) throw new Error(`${file} is not read`)
  return parseDocument({ path: file, language, text }, {}, () => tool)
}

const fixtures = path.join(import.meta.dirname, '..', '..', '..', '..', 'test', 'fixtures', 'code')

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
