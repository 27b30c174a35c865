// Would the tests on the conformance page notice? Breaks ten behaviours in a copy of the sources, one at a time, and runs the
// test of each row. Fails if one stays green, or if a text to break is gone.
//
// node scripts/break-seeds.ts [NAME…]
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

interface Break {
  /** Document and number of the row in test/conformance.md. */
  readonly row: string
  readonly name: string
  readonly file: string
  /** Found once in the file, and replaced. */
  readonly from: string
  readonly to: string
  readonly test: string
  /** The test's name; the whole file where the name has placeholders. */
  readonly only?: string
}

const settings = 'src/model/config/settings.ts'
const seeds = 'test/seeds.test.ts'
const breaks: readonly Break[] = [
  {
    row: '1 #33',
    name: 'share of references',
    file: settings,
    from: "'references.share': number({\n    default: 0.3,",
    to: "'references.share': number({\n    default: 0.9,",
    test: seeds,
    only: 'take at most three tenths of the budget where search results fill the rest',
  },
  {
    row: '4 #52',
    name: 'twenty more sections',
    file: settings,
    from: "'references.budget': 20,",
    to: "'references.budget': 200,",
    test: seeds,
    only: 'add at most twenty sections',
  },
  {
    row: '4 #7',
    name: 'one hop',
    file: settings,
    from: 'depth: number({\n    default: 1,',
    to: 'depth: number({\n    default: 2,',
    test: seeds,
    only: 'are followed one hop, unless two are asked for',
  },
  {
    row: '3 #1',
    name: 'filter from 0.9',
    file: settings,
    from: "'references.filterFrom': 0.9,",
    to: "'references.filterFrom': 1,",
    test: 'test/cascade.test.ts',
    only: 'the hummel paper as a PDF',
  },
  {
    row: '4 #53',
    name: '0.7 and 0.3',
    file: 'src/model/digest.ts',
    from: 'RELEVANCE_WEIGHT = 0.7',
    to: 'RELEVANCE_WEIGHT = 0.2',
    test: seeds,
    only: 'two pages that say the same differ in score by three tenths of their authority',
  },
  {
    row: '2 #32',
    name: 'fragments merged',
    file: 'src/answer/assemble/show-section.ts',
    from: 'return [runOf(text, first, end)]',
    to: 'return section.matches.slice(0, 1).map((one) => runOf(text, one.pieceStart, one.pieceEnd))',
    test: seeds,
    only: 'a function of 2,000 characters, which is indexed in two fragments, is shown from its first line to its last',
  },
  {
    row: '4 #17',
    name: 'Primary Areas',
    file: 'src/answer/assemble/render-markdown.ts',
    from: "frame.field('Primary Areas'",
    to: "frame.field('Areas'",
    test: 'test/golden.test.ts',
    only: 'is the same in Markdown',
  },
  {
    row: '5 #14',
    name: 'parent and siblings',
    file: settings,
    from: "'references.family': 'on',",
    to: "'references.family': 'off',",
    test: 'test/family-expansion.test.ts',
    only: 'brings the parent and the siblings, the nearest first where tokens are short',
  },
  {
    row: '2 #12',
    name: 'external_scripts',
    file: 'rulebooks/html.json',
    from: '"html_document": {\n      "allow_expansion": true,\n      "expansions": [\n        {\n          "via": "external_scripts"',
    to: '"html_document": {\n      "allow_expansion": true,\n      "expansions": [\n        {\n          "via": "links"',
    test: 'test/rulebook-rules.test.ts',
  },
  {
    row: '2 #2',
    name: 'EXPANSION_BUDGET in .env',
    file: 'src/model/config/load-settings.ts',
    from: "EXPANSION_BUDGET: 'expansionBudget'",
    to: "BUDGET_OF_EXPANSION: 'expansionBudget'",
    test: 'src/model/config/load-settings.test.ts',
  },
]

const repository = path.join(import.meta.dirname, '..')
const chosen = process.argv.length > 2 ? breaks.filter(({ name }) => process.argv.includes(name)) : breaks
const copy = mkdtempSync(path.join(tmpdir(), 'yore-broken-'))
process.on('exit', () => rmSync(copy, { recursive: true, force: true }))
const unneeded = new Set(['node_modules', '.git', 'dist', 'lab', 'server', '.yore', 'reports', 'release'])
cpSync(repository, copy, {
  recursive: true,
  filter: (source) => !unneeded.has(path.relative(repository, source)),
})
symlinkSync(path.join(repository, 'node_modules'), path.join(copy, 'node_modules'))

/** Counts of the tests of a file, or of those with a name. */
function runTests(file: string, only?: string): { readonly passed: number; readonly failed: number } {
  const report = path.join(copy, 'report.json')
  rmSync(report, { force: true })
  const named = only === undefined ? [] : ['-t', only.replace(/[^\w\s]/g, '.')]
  const vitest = path.join(repository, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', file, ...named, '--reporter=json', `--outputFile=${report}`]
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8' })
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'))
    return { passed: numPassedTests, failed: numFailedTests }
  } catch {
    throw new Error(`no report of ${file}\n${stdout}${stderr}`)
  }
}

let green = 0
for (const { row, name, file, from, to, test, only } of chosen) {
  const place = path.join(copy, file)
  const source = readFileSync(place, 'utf8')
  if (source.split(from).length !== 2) {
    console.log(`GONE   ${row.padEnd(6)} ${name}: ${file} has no, or more than one, ${JSON.stringify(from)}`)
    green++
    continue
  }
  const whole = runTests(test, only)
  writeFileSync(
    place,
    source.replace(from, () => to),
  )
  const broken = runTests(test, only)
  writeFileSync(place, source)
  const isRed = whole.failed === 0 && whole.passed > 0 && broken.failed > 0
  if (!isRed) green++
  const counts = `${whole.passed} passed, broken ${broken.failed} failed`
  console.log(`${isRed ? 'red   ' : 'GREEN '} ${row.padEnd(6)} ${name}: ${counts} (${test})`)
}
console.log(`${chosen.length - green} passed, ${green} failed`)
process.exitCode = green === 0 ? 0 : 1
