// Where do grammars come from? Files that the package ships; each is opened once per thread, when a file needs it.
import { readFileSync } from 'node:fs'
import { isCodeLanguage } from '../config/code-languages.ts'
import { packageFile, readFormat } from '../config/read-formats.ts'
import type { CodeTool } from '../parse/code/parse-code.ts'
import type { FindTool } from '../parse/parse-document.ts'
import { extensionOf, languageOf } from '../source/language-of.ts'

const opened = new Map<string, CodeTool>()

/** By language and extension: one language may have a grammar for each of its dialects. */
function keyOf(path: string): string {
  return extensionOf(path)
}

/** Opens what these files need. Documents need nothing, and nothing is loaded for them. */
export async function openTools(paths: Iterable<string>): Promise<FindTool> {
  for (const path of paths) {
    const language = languageOf(path)
    if (language === null || !isCodeLanguage(language) || opened.has(keyOf(path))) continue
    const format = readFormat(language)
    const grammar = format.grammars[extensionOf(path)]
    if (grammar === undefined) continue
    const { openGrammar } = await import('../parse/code/open-grammar.ts')
    const read = await openGrammar({
      name: grammar,
      runtime: readFileSync(packageFile('assets/grammars/web-tree-sitter.wasm')),
      wasm: readFileSync(packageFile(`assets/grammars/${grammar}.wasm`)),
      query: readFileSync(packageFile(`languages/${language}.scm`), 'utf8'),
      clock: () => performance.now(),
    })
    for (const [extension, name] of Object.entries(format.grammars))
      if (name === grammar) opened.set(extension, { read, format })
  }
  return ({ path }) => opened.get(keyOf(path)) ?? null
}
