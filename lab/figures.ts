// Are the published figures those of the recorded runs?
//
// node lab/figures.ts             fills the markers of README.md and docs/, and draws the charts, from lab/figures.json
// node lab/figures.ts --update    reads the recorded runs into lab/figures.json first
// node lab/figures.ts --check     fails when a page or chart is stale, and reports runs that are older than the code
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { figureFiles } from './figures/fill-pages.ts'
import { collectFigures, commitsSince, figuresFile, readFigures, repository } from './figures/read-records.ts'

if (process.argv.includes('--update'))
  writeFileSync(figuresFile, `${JSON.stringify(collectFigures(), null, 2)}\n`)
const figures = readFigures()

function readOrEmpty(file: string): string {
  try {
    return readFileSync(path.join(repository, file), 'utf8')
  } catch {
    return ''
  }
}

const stale = [...figureFiles(figures)].filter(([file, text]) => readOrEmpty(file) !== text)
if (process.argv.includes('--check')) {
  for (const [file] of stale) console.error(`error: ${file} does not show lab/figures.json`)
  if (stale.length > 0) console.error('hint: run `npm run docs`')
  for (const [name, run] of Object.entries(figures.runs)) {
    const commits = commitsSince(run)
    if (commits === 0) continue
    const age =
      commits === null ? 'unknown to this checkout' : `${commits} commits changed the measured code since`
    console.log(
      `note: the figures "${name}" are of ${run.commit} (${run.date}): ${age}. Renew: ${run.command}`,
    )
  }
  process.exitCode = stale.length > 0 ? 1 : 0
} else {
  for (const [file, text] of stale) writeFileSync(path.join(repository, file), text)
  console.log(`${Object.keys(figures.figures).length} figures; ${stale.length} files written`)
}
