// Does a slow start of a grammar change what is read? A real grammar, with a clock that the test moves.
import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { packagePath } from '../../../model/package-path.ts'
import { openGrammar } from './open-grammar.ts'

const readGrammar = (name: string): Uint8Array =>
  brotliDecompressSync(readFileSync(packagePath(`assets/grammars/${name}.wasm.br`)))

it('reads a file again that was late once, and only once', async () => {
  let isSlow = true
  let time = 0
  const read = await openGrammar({
    name: 'tree-sitter-go',
    runtime: () => readGrammar('web-tree-sitter'),
    wasm: readGrammar('tree-sitter-go'),
    query: readFileSync(packagePath('languages/go.scm'), 'utf8'),
    clock: () => {
      if (isSlow) time += 1_000
      if (time > 3_000) isSlow = false
      return time
    },
  })
  const text = `package a\n${'func f() { g() }\n'.repeat(2_000)}`
  expect(read(text)).not.toBe(null)
  ;[isSlow, time] = [true, 0]
  expect(read(text)).toBe(null)
})
