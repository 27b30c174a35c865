// Are the headings that yore sees those of a format's own tool? Precision and recall against lists that the tool wrote.
//
// find docs -name '*.rst' | python3 eval/heading-truth.py >truth.jsonl
// node eval/headings.ts truth.jsonl [--faults]
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { findLines } from '../src/parse/find-lines.ts'
import { findCandidates, headLines } from '../src/parse/find-text-heads.ts'
import { formatOf } from '../src/parse/text-format.ts'

const { values: options, positionals } = parseArgs({
  options: { faults: { type: 'boolean', default: false } },
  allowPositionals: true,
})

/** Line (from 1), level and title, as the format's own tool gives them. */
type Section = readonly [line: number, level: number, title: string]
interface Truth {
  readonly path: string
  readonly sections: readonly Section[]
}

const totals = { files: 0, whole: 0, chars: 0, seconds: 0, truth: 0, seen: 0, both: 0, levels: 0 }
const formats = new Map<string, number>()
for (const file of positionals)
  for (const row of readFileSync(file, 'utf8').split('\n')) {
    if (row === '') continue
    const { path, sections } = JSON.parse(row) as Truth
    const lines = findLines(readFileSync(path, 'utf8'))
    const started = process.cpuUsage()
    const format = formatOf(path, lines)
    const heads = findCandidates(headLines(lines), format).filter(({ level }) => level !== null)
    const used = process.cpuUsage(started)
    totals.seconds += (used.user + used.system) / 1e6
    totals.chars += lines.text.length
    formats.set(format, (formats.get(format) ?? 0) + 1)
    const open = [...sections]
    const faults: string[] = []
    let both = 0
    for (const head of heads) {
      const at = open.findIndex(([line]) => line > head.line && line <= head.bodyLine)
      if (at === -1) {
        faults.push(`  + ${head.line + 1} ${head.name}`)
        continue
      }
      const [[line, level, title]] = open.splice(at, 1) as [Section]
      both++
      if (Math.min(5, level) === head.level) totals.levels++
      else faults.push(`  level ${line} ${head.level} for ${level}: ${title}`)
    }
    for (const [line, , title] of open) faults.push(`  - ${line} ${title}`)
    totals.files++
    totals.truth += sections.length
    totals.seen += heads.length
    totals.both += both
    if (both === sections.length && both === heads.length) totals.whole++
    if (options.faults && faults.length > 0) console.log(`${path} (${format})\n${faults.join('\n')}`)
  }
const ratio = (part: number, whole: number): string => (part / whole).toFixed(4)
console.log(
  [
    `${totals.files} files (${[...formats].map(([name, count]) => `${name} ${count}`).join(', ')}), ${totals.truth} headings: ` +
      `precision ${ratio(totals.both, totals.seen)}, recall ${ratio(totals.both, totals.truth)}`,
    `levels right ${ratio(totals.levels, totals.both)}, files without a fault ${totals.whole}`,
    `${(totals.chars / 1e6 / totals.seconds).toFixed(0)} million characters per second of one core`,
  ].join('\n'),
)
