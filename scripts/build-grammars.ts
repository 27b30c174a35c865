// Where do assets/grammars come from? From the development dependencies tree-sitter-*, and the runtime beside them.
//
// Run: node scripts/build-grammars.ts. Compresses only what is not there yet or differs.

import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { codeLanguages } from '../src/model/code-languages.ts'
import { readFormat } from '../src/model/config/read-formats.ts'

const folder = fileURLToPath(new URL('../assets/grammars/', import.meta.url))
const packages = fileURLToPath(new URL('../node_modules/', import.meta.url))

/** Where packages keep modules; a later folder goes before an earlier one. */
const folders = ['@unit-mesh/*/wasm', '{web-,}tree-sitter*', '@tree-sitter-grammars/*']

/** Each file of assets/grammars with the module that it is made of, in whichever package that is. */
export function grammarSources(): Map<string, string> {
  const shipped = new Map(
    folders.flatMap((folder) =>
      globSync(`${folder}/*.wasm`, { cwd: packages }).map((file) => [
        path.basename(file, '.wasm'),
        path.join(packages, file),
      ]),
    ),
  )
  const grammars = codeLanguages.flatMap((language) => Object.values(readFormat(language).grammars))
  return new Map(
    ['web-tree-sitter', ...grammars].map((name) => {
      const file = shipped.get(name)
      if (file === undefined) throw new Error(`no package ships ${name}.wasm: run npm ci`)
      return [`${name}.wasm.br`, file]
    }),
  )
}

function isSame(source: Buffer, target: string): boolean {
  try {
    return existsSync(target) && brotliDecompressSync(readFileSync(target)).equals(source)
  } catch {
    return false
  }
}

/** Makes sure that assets/grammars is up to date; returns the names that had to be written. */
export function buildGrammars(): readonly string[] {
  mkdirSync(folder, { recursive: true })
  const sources = grammarSources()
  const written: string[] = []
  for (const [name, file] of sources) {
    const target = path.join(folder, name)
    const source = readFileSync(file)
    if (isSame(source, target)) continue
    const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: source.length }
    // Renamed into place, so that a build that runs beside tests never shows them half a file.
    const draft = `${target}.${process.pid}`
    writeFileSync(draft, brotliCompressSync(source, { params }))
    renameSync(draft, target)
    written.push(name)
  }
  for (const name of readdirSync(folder))
    if (!sources.has(name) && /\.wasm(?:\.br)?$/.test(name)) rmSync(path.join(folder, name))
  return written
}

if (import.meta.main) {
  const written = buildGrammars()
  process.stdout.write(
    written.length === 0 ? 'assets/grammars is up to date\n' : `written: ${written.join(', ')}\n`,
  )
}
