// Which source files decide what a module does? All that it imports and starts as workers, directly or not.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Imports of values, awaited imports, and worker files; `import type` loads nothing. */
const loads =
  /^(?:import|export)\s(?!type\s)[^'"`;]*?['"](\.[^'"\n]+\.ts)['"]|\bimport\(\s*['"](\.[^'"\n]+\.ts)['"]|new URL\(`(\.\/[\w-]+)\$\{extname/gm

/** Paths of the entry and of everything that it loads, sorted. */
export function importClosure(entry: string): string[] {
  const found = new Set([entry])
  // A set goes on through what is added on the way.
  for (const file of found)
    for (const [, value, awaited, worker] of readFileSync(file, 'utf8').matchAll(loads))
      found.add(join(dirname(file), value ?? awaited ?? `${worker}.ts`))
  return [...found].sort()
}
