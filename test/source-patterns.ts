// Which regular expressions are in the source? All of them, found by the grammar of TypeScript, not by their looks.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Language, type Node, Parser, Query } from 'web-tree-sitter'
import { readGrammar } from '../src/config/read-grammar.ts'

export interface SourcePattern {
  /** `src/parse/slug.ts:12` */
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

/** Every literal, and every `new RegExp` whose words are in the source; what stands in `${…}` is taken for two names. */
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
  return listSources().flatMap((file) => {
    const tree = parser.parse(readFileSync(path.join(root, file), 'utf8'))
    if (tree === null) throw new Error(`${file} is not parsed`)
    const found = query.captures(tree.rootNode).flatMap(({ name, node }): SourcePattern[] => {
      if (name === 'name') return []
      const pattern = name === 'literal' ? readLiteral(node) : readMade(node)
      return pattern === null ? [] : [{ place: `${file}:${node.startPosition.row + 1}`, pattern }]
    })
    tree.delete()
    return found
  })
}

function readLiteral(node: Node): RegExp {
  const flags = node.childForFieldName('flags')?.text ?? ''
  return new RegExp(node.childForFieldName('pattern')?.text ?? '', flags)
}

/** Null for a copy of another pattern. */
function readMade(node: Node): RegExp | null {
  const [source, flags] = (node.childForFieldName('arguments')?.namedChildren ?? []).filter(
    (one) => one !== null,
  )
  if (source?.type === 'identifier') return null
  if (source?.type !== 'template_string' && source?.type !== 'string')
    throw new Error(`a pattern that is made from ${source?.type} cannot be timed: ${node.text}`)
  const written = source.text
    .slice(1, -1)
    .replaceAll(/\$\{[^}]*\}/g, 'name|other')
    .replaceAll('\\\\', '\\')
  return new RegExp(written, flags?.text.slice(1, -1) ?? '')
}
