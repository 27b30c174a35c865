// Where do assets/grammars come from? From the development dependencies tree-sitter-*, and the runtime beside them.
//
// Run: node scripts/build-grammars.ts. Copies only what is not there yet or differs.

import { copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { codeLanguages } from '../src/config/code-languages.ts'
import { readFormat } from '../src/config/read-formats.ts'

const folder = fileURLToPath(new URL('../assets/grammars/', import.meta.url))
const packages = fileURLToPath(new URL('../node_modules/', import.meta.url))

/** Each grammar with the file of its package; the names of dialects live in the package of their language. */
function sourcesOf(): Map<string, string> {
  const sources = new Map([
    ['web-tree-sitter.wasm', path.join(packages, 'web-tree-sitter', 'web-tree-sitter.wasm')],
  ])
  for (const language of codeLanguages)
    for (const grammar of Object.values(readFormat(language).grammars))
      sources.set(`${grammar}.wasm`, path.join(packages, `tree-sitter-${language}`, `${grammar}.wasm`))
  return sources
}

function isSame(one: string, other: string): boolean {
  try {
    return readFileSync(one).equals(readFileSync(other))
  } catch {
    return false
  }
}

/** Makes sure that assets/grammars is up to date; returns the names that had to be written. */
export function buildGrammars(): readonly string[] {
  mkdirSync(folder, { recursive: true })
  const sources = sourcesOf()
  const written: string[] = []
  for (const [name, source] of sources) {
    const target = path.join(folder, name)
    if (isSame(source, target)) continue
    // Renamed into place, so that a build that runs beside tests never shows them half a file.
    const draft = `${target}.${process.pid}`
    copyFileSync(source, draft)
    renameSync(draft, target)
    written.push(name)
  }
  for (const name of readdirSync(folder))
    if (!sources.has(name) && name.endsWith('.wasm')) rmSync(path.join(folder, name))
  return written
}

if (import.meta.main) {
  const written = buildGrammars()
  process.stdout.write(
    written.length === 0 ? 'assets/grammars is up to date\n' : `written: ${written.join(', ')}\n`,
  )
}
