// Where do grammars come from? Files that the package ships; each is opened once per thread, when a file needs it.
import { isCodeLanguage } from '../config/code-languages.ts'
import { readFormat } from '../config/read-formats.ts'
import type { CodeTool } from '../parse/code/parse-code.ts'
import type { ParsableFile } from '../parse/parsable-file.ts'
import type { FindTool } from '../parse/parse-document.ts'
import { extensionOf } from '../source/language-of.ts'

const opened = new Map<string, CodeTool>()

/** One language may have a grammar for each of its dialects. */
function keyOf({ path, language }: Pick<ParsableFile, 'path' | 'language'>): string {
  return `${language} ${extensionOf(path)}`
}

/** Opens what these files need. Documents need nothing, and nothing is loaded for them. */
export async function openTools(files: Iterable<Pick<ParsableFile, 'path' | 'language'>>): Promise<FindTool> {
  for (const file of files) {
    if (!isCodeLanguage(file.language) || opened.has(keyOf(file))) continue
    const format = readFormat(file.language)
    const { grammarOf, readGrammar, readQuery } = await import('../config/read-grammar.ts')
    const name = grammarOf(format, extensionOf(file.path))
    const key = `${file.language}\0${name}`
    let tool = opened.get(key)
    if (tool === undefined) {
      const { openGrammar } = await import('../parse/code/open-grammar.ts')
      const read = await openGrammar({
        name,
        runtime: () => readGrammar('web-tree-sitter'),
        wasm: readGrammar(name),
        query: readQuery(file.language),
        clock: () => performance.now(),
      })
      tool = { read, format }
      opened.set(key, tool)
    }
    opened.set(keyOf(file), tool)
  }
  return (file) => opened.get(keyOf(file)) ?? null
}
