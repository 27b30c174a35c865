// Which regular expressions are in the source? All of them, found by the grammar of TypeScript, not by their looks.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Language, type Node, Parser, Query } from 'web-tree-sitter'
import { readGrammar } from '../src/model/config/read-grammar.ts'

export interface SourcePattern {
  /** `src/read/parse/slug.ts:12` */
  readonly place: string
  readonly pattern: RegExp
}

const root = path.join(import.meta.dirname, '..')

function listSources(): string[] {
  return readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((name) => `src/${name.replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith('.ts') && !/\.(?:test|fixture)\.ts$/.test(name))
    .sort()
}

/**
 * Every literal, and every `new RegExp`: where its words are in the source, what stands in `${…}` is taken for two names;
 * where they come from elsewhere, what the module makes of them while it is loaded.
 */
export async function findPatterns(): Promise<readonly SourcePattern[]> {
  await Parser.init({ wasmBinary: readGrammar('web-tree-sitter') })
  const language = await Language.load(readGrammar('tree-sitter-typescript'))
  const parser = new Parser()
  parser.setLanguage(language)
  const query = new Query(
    language,
    `(regex) @literal
     ((new_expression constructor: (identifier) @name) @made (#eq? @name "RegExp"))
     ((call_expression function: (identifier) @name) @made (#eq? @name "RegExp"))`,
  )
  const patterns: SourcePattern[] = []
  for (const file of listSources()) {
    const tree = parser.parse(readFileSync(path.join(root, file), 'utf8'))
    if (tree === null) throw new Error(`${file} is not parsed`)
    let computed = 0
    for (const { name, node } of query.captures(tree.rootNode)) {
      if (name === 'name') continue
      const pattern = name === 'literal' ? readLiteral(node) : readMade(node)
      if (pattern === null) computed++
      else patterns.push({ place: `${file}:${node.startPosition.row + 1}`, pattern })
    }
    tree.delete()
    if (computed > 0) patterns.push(...(await watchLoading(file)))
  }
  return patterns
}

/** The patterns that a module makes while it is loaded. */
async function watchLoading(file: string): Promise<SourcePattern[]> {
  const found: SourcePattern[] = []
  const plain = globalThis.RegExp
  globalThis.RegExp = new Proxy(plain, {
    construct(target, [source, flags]) {
      const pattern = new target(source, flags)
      found.push({ place: file, pattern })
      return pattern
    },
  })
  try {
    await import(path.join(root, file))
  } finally {
    globalThis.RegExp = plain
  }
  return found
}

function readLiteral(node: Node): RegExp {
  const flags = node.childForFieldName('flags')?.text ?? ''
  return new RegExp(node.childForFieldName('pattern')?.text ?? '', flags)
}

/** Null where the words are not in the source; of a copy of another pattern they are elsewhere in it. */
function readMade(node: Node): RegExp | null {
  const [source, flags] = (node.childForFieldName('arguments')?.namedChildren ?? []).filter(
    (one) => one !== null,
  )
  if (source?.type !== 'template_string' && source?.type !== 'string') return null
  const written = source.text
    .slice(1, -1)
    .replaceAll(/\$\{[^}]*\}/g, 'name|other')
    .replaceAll('\\\\', '\\')
  return new RegExp(written, flags?.text.slice(1, -1) ?? '')
}
