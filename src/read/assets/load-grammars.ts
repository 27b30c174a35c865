// Where do grammars come from? From the package; each is opened once per thread, when a file needs it.

import { isCodeLanguage } from '../../model/code-languages.ts'
import { readFormat } from '../../model/config/read-formats.ts'
import { extensionOf } from '../../model/paths.ts'
import type { CodeReader } from '../parse/code/code-scan.ts'
import type { CodeTool, FindTool } from '../parse/code/parse-code.ts'
import type { ParsableFile } from '../parse/parsable-file.ts'

const opened = new Map<string, CodeTool>()
/** Grammars that V8 may optimize in a thread: each takes up to 100 MB, and a thread that reads more languages reads little of each. */
const MOST_OPTIMIZED = 5
let optimized = 0

/** One language may have a grammar per dialect. */
const keyOf = ({ path, language }: Pick<ParsableFile, 'path' | 'language'>): string =>
  `${language} ${extensionOf(path)}`

/** CPU time of this thread, in milliseconds. */
function threadTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/**
 * Opens a grammar whose lexer is one huge function: V8 never optimizes code that it first compiles while these
 * flags are off, which costs a sixth of the speed and saves 500 MB. Later code is optimized as usual.
 */
async function openUnoptimized(open: () => Promise<CodeReader>, text: string): Promise<CodeReader> {
  const { setFlagsFromString } = await import('node:v8')
  const flags = ['wasm-dynamic-tiering', 'wasm-tier-up']
  for (const flag of flags) setFlagsFromString(`--no-${flag}`)
  try {
    const read = await open()
    read(text)
    return read
  } finally {
    for (const flag of flags) setFlagsFromString(`--${flag}`)
  }
}

/** Opens the grammars that these files need; documents need none. */
export async function openTools(files: Iterable<Pick<ParsableFile, 'path' | 'language'>>): Promise<FindTool> {
  for (const file of files) {
    if (!isCodeLanguage(file.language) || opened.has(keyOf(file))) continue
    const format = readFormat(file.language)
    const { grammarOf, readGrammar, readQuery } = await import('../../model/config/read-grammar.ts')
    const name = grammarOf(format, extensionOf(file.path))
    const key = `${file.language}\0${name}`
    let tool = opened.get(key)
    if (tool === undefined) {
      const { openGrammar } = await import('../parse/code/open-grammar.ts')
      const { language } = file
      const open = (): Promise<CodeReader> =>
        openGrammar({
          name,
          runtime: () => readGrammar('web-tree-sitter'),
          wasm: readGrammar(name),
          query: readQuery(language),
          misread: format.misread,
          clock: threadTime,
        })
      const { warm_up } = format
      const isOptimized = warm_up === undefined && optimized < MOST_OPTIMIZED
      if (isOptimized) optimized++
      const read = isOptimized ? await open() : await openUnoptimized(open, warm_up ?? '\n')
      tool = { read, format }
      opened.set(key, tool)
    }
    opened.set(keyOf(file), tool)
  }
  return (file) => opened.get(keyOf(file)) ?? null
}
