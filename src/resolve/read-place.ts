// Which lines of which file does this name? `path:12-40`, wherever somebody writes it: a command, an agent, a question.
import type { Lines } from '../model/artifact.ts'
import { patterns } from './patterns.ts'

/** `docs/guide.md:12-40` or `docs/guide.md:12`; null when the name is no such place. */
export function readPlace(named: string): { readonly path: string; readonly lines: Lines } | null {
  const [, path, first, last] = patterns.place.exec(named) ?? []
  if (path === undefined || first === undefined) return null
  const start = Math.max(1, Number(first))
  return { path, lines: { start, end: Math.max(1, Number(last ?? first)) } }
}
