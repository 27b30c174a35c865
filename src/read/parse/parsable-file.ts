// What does parsing need from a file, and what is the name of a file without a title?
import { lastSegment } from '../../model/paths.ts'
import type { SourceFile } from '../../model/source-file.ts'

/** The part of a source file that its parse depends on. */
export type ParsableFile = Pick<SourceFile, 'path' | 'language' | 'text'>

/** The last segment of a path without its extension: `docs/guide.md` gives `guide`. */
export function fileName(path: string): string {
  const name = lastSegment(path)
  const dot = name.lastIndexOf('.')
  return dot > 0 ? name.slice(0, dot) : name
}
