// Do references in documents lead where they should? The counts that lab/eval/resolution.ts prints, as figures.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Figure } from './figures.ts'

/** `link: 99.52 % (700 of 703)` below `== cosmosadr`. */
const counted = /^(\w+): [\d.]+ % \((\d+) of (\d+)\)$/

export function readCounts(output: string): Figure[] {
  const figures: Figure[] = []
  let set = ''
  for (const line of output.split('\n')) {
    if (line.startsWith('== ')) set = line.slice(3).trim()
    const [, kind, found, of] = counted.exec(line) ?? []
    if (kind === undefined) continue
    const values = new Map<string, number>()
    for (let at = 0; at < Number(of); at++) values.set(`${kind}${at}`, at < Number(found) ? 1 : 0)
    figures.push({ set, mode: '-', task: 'references, all', measure: `${kind} resolved`, values })
  }
  return figures
}

/** Runs it as its own process: it is a program that prints every miss, of which only the totals are wanted here. */
export function scoreResolution(): Figure[] {
  const output = execFileSync(process.execPath, [join(import.meta.dirname, 'resolution.ts')], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  const figures = readCounts(output)
  if (figures.length === 0)
    console.error('skipped: lab/eval/resolution.ts printed no totals that are understood')
  return figures
}
