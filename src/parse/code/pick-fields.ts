// Which fields does a chunk carry? Those that the format of its language names for its type, and no empty ones.
import type { CodeMetadata, Format } from '../../model/code.ts'

/** The metadata that the format allows. */
export function pickFields(metadata: CodeMetadata, kind: string, format: Format): CodeMetadata {
  const fields = format.chunk_types[kind]?.fields ?? {}
  const kept = Object.entries(metadata).filter(
    ([name, value]) => Object.hasOwn(fields, name) && (typeof value === 'string' || value.length > 0),
  )
  return Object.fromEntries(kept)
}

/** What is wrong with a chunk's metadata; nothing for one that fits its format. */
export function checkFields(metadata: CodeMetadata, kind: string, format: Format): string[] {
  const type = format.chunk_types[kind]
  if (type === undefined) return [`${kind} is no chunk type of ${format.language}`]
  return Object.entries(metadata).flatMap(([name, value]) => {
    const wanted = Object.hasOwn(type.fields, name) ? type.fields[name] : undefined
    if (wanted === undefined) return [`${kind} has no field ${name}`]
    const fits = wanted === 'string' ? typeof value === 'string' : isList(value)
    return fits ? [] : [`${name} of ${kind} must be a ${wanted}`]
  })
}

function isList(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
