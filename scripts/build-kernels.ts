// Where do the WebAssembly kernels come from? From the .wat beside each; a test fails when one is stale.
//
// Run: node scripts/build-kernels.ts, after a change of a .wat file. The results are committed.

import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import openWabt from 'wabt'

/** Without the ending: `.wat` is the source, `.ts` the result. */
const kernels: readonly string[] = [
  'src/answer/retrieve/scan-kernel',
  'src/corpus/embed/sum-kernel',
  'lab/training/bag-kernel',
]

export interface BuiltKernel {
  readonly path: string
  readonly text: string
}

/** The text of every generated file, not yet written. */
export async function buildKernels(): Promise<BuiltKernel[]> {
  const wabt = await openWabt()
  return kernels.map((kernel) => {
    const source = readFileSync(new URL(`../${kernel}.wat`, import.meta.url), 'utf8')
    const module = wabt.parseWat(`${kernel}.wat`, source, { simd: true })
    const path = fileURLToPath(new URL(`../${kernel}.ts`, import.meta.url))
    return { path, text: renderKernel(kernel, module.toBinary({}).buffer) }
  })
}

function renderKernel(kernel: string, bytes: Uint8Array): string {
  const file = kernel.slice(kernel.lastIndexOf('/') + 1)
  const name = file.replace(/-./g, (pair) => pair.slice(1).toUpperCase())
  return [
    `// Which bytes are ${file}.wat as WebAssembly? Written by scripts/build-kernels.ts; do not edit.`,
    `export const ${name}: string =`,
    `  '${Buffer.from(bytes).toString('base64')}'`,
    '',
  ].join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { path, text } of await buildKernels()) {
    writeFileSync(path, text)
    process.stderr.write(`${path}: written\n`)
  }
}
