// What does a packed repository hold? The files in repomix's own order, up to the budget, whatever the question.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadTokenizer } from '../../../src/read/assets/load-tokenizer.ts'
import type { Place } from '../../eval/real-set.ts'
import { readLines } from '../../eval/window-floor.ts'
import { runNode } from '../measure.ts'
import { budgets, readCall } from './peer.ts'

const { root, work, questions } = readCall()
const output = join(work, 'packed.xml')
const cli = join(work, 'node_modules/repomix/bin/repomix.cjs')
// Its summary and its tree of files would take the budget before any file.
const bare = ['--quiet', '--no-file-summary', '--no-directory-structure', '--no-security-check']
const { cpuMilliseconds } = runNode([cli, ...bare, '--output', output, root], { use: true })
const text = readFileSync(output, 'utf8')
const paths = [...text.matchAll(/^<file path="([^"]+)">$/gm)].map(([, path]) => path as string)

/** Whole files, and of the last one the lines that fit. */
function fill(budget: number): { places: Place[]; tokens: number } {
  const countTokens = loadTokenizer()
  const places: Place[] = []
  let tokens = 0
  for (const path of paths) {
    let end = 0
    for (const line of readLines(root, path)) {
      const cost = countTokens(`${line}\n`)
      if (tokens + cost > budget) break
      tokens += cost
      end++
    }
    if (end > 0) places.push({ path, start: 1, end })
    if (end < readLines(root, path).length) break
  }
  return { places, tokens }
}

const packed: Record<number, readonly (readonly Place[])[]> = {}
const tokens: Record<number, readonly number[]> = {}
for (const budget of budgets) {
  const filled = fill(budget)
  packed[budget] = questions.map(() => filled.places)
  tokens[budget] = questions.map(() => filled.tokens)
}
const answers = packed[budgets.at(-1) as number]
const variants = {
  'files in its order': { cpuMs: questions.map(() => 0), answers, failures: 0, packed, tokens },
}
console.log(JSON.stringify({ indexCpuMs: cpuMilliseconds, indexBytes: text.length, variants }))
