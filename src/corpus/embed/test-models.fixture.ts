// Where do tests find model weights? Outside the repository; without them they skip, and say so.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

/** The folder of a model for tests; null, with a message, when it is absent. */
export function findTestModel(name: string): string | null {
  const folder = path.resolve(process.env['YORE_MODELS_DIR'] ?? '../shared/models', name)
  if (existsSync(folder)) return folder
  process.stderr.write(`SKIPPED: no model at ${folder} (set YORE_MODELS_DIR)\n`)
  return null
}

/** Whether models can be run here; says so when they cannot. */
export function isOnnxRuntimeThere(tests: string): boolean {
  try {
    createRequire(import.meta.url).resolve('onnxruntime-node')
    return true
  } catch {
    process.stderr.write(
      `SKIPPED: tests of ${tests}, since onnxruntime-node is not installed (NODE_PATH counts)\n`,
    )
    return false
  }
}
