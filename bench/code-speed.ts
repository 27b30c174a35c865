// Is reading code fast? Bytes per second beside the bare grammar, in one run over the same files, and the peak of memory.
//
// npm run bench:code -- [--corpus NAME]
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { codeCorpusNames, prepareCode } from '../eval/code-corpora.ts'
import { openTools } from '../src/assets/load-grammars.ts'
import { readFormat } from '../src/config/read-formats.ts'
import { grammarOf, readGrammar } from '../src/config/read-grammar.ts'
import type { CodeLanguage } from '../src/model/source-file.ts'
import { parseDocument } from '../src/parse/parse-document.ts'
import { extensionOf, languageOf } from '../src/source/language-of.ts'

const { values } = parseArgs({ options: { corpus: { type: 'string' } } })

function listFiles(root: string, below = ''): string[] {
  return readdirSync(path.join(root, below)).flatMap((name) => {
    const file = below === '' ? name : `${below}/${name}`
    if (name === '.yore') return []
    return statSync(path.join(root, file)).isDirectory() ? listFiles(root, file) : [file]
  })
}

interface Source {
  readonly path: string
  readonly language: CodeLanguage
  readonly text: string
}

function readSources(root: string): Source[] {
  return listFiles(root).flatMap((file) => {
    const language = languageOf(file)
    if (language === null || language === 'markdown' || language === 'text') return []
    return [{ path: file, language, text: readFileSync(path.join(root, file), 'utf8') }]
  })
}

async function openBare(sources: readonly Source[]): Promise<(source: Source) => boolean> {
  const { Language, Parser } = await import('web-tree-sitter')
  await Parser.init({ wasmBinary: readGrammar('web-tree-sitter') })
  const parsers = new Map<string, InstanceType<typeof Parser>>()
  for (const { path: file, language } of sources) {
    const grammar = grammarOf(readFormat(language), extensionOf(file))
    if (parsers.has(grammar)) continue
    const parser = new Parser()
    parser.setLanguage(await Language.load(readGrammar(grammar)))
    parsers.set(grammar, parser)
  }
  return ({ path: file, language, text }) => {
    const grammar = grammarOf(readFormat(language), extensionOf(file))
    const tree = parsers.get(grammar)?.parse(text) ?? null
    const isGood = tree?.rootNode.hasError === false
    tree?.delete()
    return isGood
  }
}

async function measure(name: string): Promise<void> {
  const { root } = prepareCode(name)
  if (root === null) {
    console.log(`${name}: not on this machine, skipped`)
    return
  }
  const sources = readSources(root)
  const toolFor = await openTools(sources)
  const bare = await openBare(sources)
  const megabytes = sources.reduce((sum, { text }) => sum + text.length, 0) / 1e6
  let [bareTime, ownTime, good, blind] = [0, 0, 0, 0]
  // Alternately, so that both see the same machine.
  for (const source of sources) {
    let started = performance.now()
    if (bare(source)) good++
    bareTime += performance.now() - started
    started = performance.now()
    const { artifacts } = parseDocument(source, {}, toolFor)
    ownTime += performance.now() - started
    if (artifacts[0]?.kind === 'blind') blind++
  }
  const peak = process.resourceUsage().maxRSS / 1024
  console.log(
    `${name}: ${sources.length} files, ${megabytes.toFixed(1)} MB, ${good} without a syntax error, ${blind} blind`,
  )
  console.log(
    `  bare grammar ${(megabytes / (bareTime / 1000)).toFixed(2)} MB/s, yore ${(megabytes / (ownTime / 1000)).toFixed(2)} MB/s, ${(ownTime / bareTime).toFixed(2)} times its time, peak ${peak.toFixed(0)} MB`,
  )
}

for (const name of values.corpus === undefined ? codeCorpusNames : [values.corpus]) await measure(name)
