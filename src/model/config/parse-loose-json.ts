// What does a JSON file with comments say? As tsconfig.json is written: comments and trailing commas are skipped, nothing is run.
import { type ParseError, parse } from 'jsonc-parser'

/** The value, or null for anything that is not JSON even so. */
export function parseLooseJson(text: string): unknown {
  const errors: ParseError[] = []
  try {
    const value: unknown = parse(text.replace(/^\uFEFF/, ''), errors, { allowTrailingComma: true })
    return errors.length === 0 ? value : null
  } catch {
    return null // Nested too deep.
  }
}
