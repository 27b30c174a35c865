// Where do the bytes of a grammar come from? Files that the package ships, compressed to a twentieth; unpacked in some milliseconds.
import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import type { Format } from '../code.ts'
import { packageFile } from './read-formats.ts'

/** The grammar for files of an extension; a script without one is read by the first of its language. */
export const grammarOf = ({ grammars }: Format, extension: string): string =>
  (grammars[extension] ?? Object.values(grammars)[0]) as string

/** A module of WebAssembly by its name: `tree-sitter-c`, or `web-tree-sitter` for the runtime. Throws BAD_INSTALL. */
export const readGrammar = (name: string): Uint8Array =>
  brotliDecompressSync(readFileSync(packageFile(`assets/grammars/${name}.wasm.br`)))

/** What a grammar is asked about files of a language. */
export const readQuery = (language: string): string =>
  readFileSync(packageFile(`languages/${language}.scm`), 'utf8')
