// Where do tests find model weights? Outside the repository; without them they skip, and say so.
import { existsSync } from 'node:fs'
import path from 'node:path'

/** The folder of a model for tests; null, with a message, when it is absent. */
export function findTestModel(name: string): string | null {
  const folder = path.resolve(process.env['YORE_MODELS_DIR'] ?? '../shared/models', name)
  if (existsSync(folder)) return folder
  process.stderr.write(`SKIPPED: no model at ${folder} (set YORE_MODELS_DIR)\n`)
  return null
}
