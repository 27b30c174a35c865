// Does every repository of a folder become an index that answers? One process for each, with the defaults; exit 1 on any failure.
//
// node lab/eval/smoke.ts FOLDER: indexes each subfolder, asks one question, and prints a table. Nothing is written into FOLDER.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { SkippedFile } from '../../src/model/source-file.ts'
import { openEngine } from '../../src/offer/engine/open-engine.ts'

/** What one process reports. */
interface Outcome {
  readonly files: number
  readonly sourceBytes: number
  readonly indexBytes: number
  readonly cpuSeconds: number
  readonly skipped: Readonly<Record<string, number>>
  /** Files that the index refused: a defect, whatever they hold. */
  readonly refused: readonly SkippedFile[]
  readonly tokens: number
}

const longestMilliseconds = 1_800_000
const question = 'How is it installed and configured, and where does it start?'
const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1)

async function tryOne(root: string): Promise<Outcome> {
  const indexDir = mkdtempSync(path.join(tmpdir(), 'yore-smoke-'))
  try {
    using engine = openEngine(root, { indexDir })
    const { files, sourceBytes, indexBytes, skipped } = await engine.index()
    const { tokensUsed } = await engine.assemble(question, { refresh: 'never' })
    const { user, system } = process.cpuUsage()
    const counts = [...Map.groupBy(skipped, ({ reason }) => reason)].map(([reason, all]) => [
      reason,
      all.length,
    ])
    return {
      ...{ files, sourceBytes, indexBytes, tokens: tokensUsed },
      cpuSeconds: (user + system) / 1e6,
      skipped: Object.fromEntries(counts.sort()),
      refused: skipped.filter(({ reason }) => reason === 'not-stored'),
    }
  } finally {
    rmSync(indexDir, { recursive: true, force: true })
  }
}

/** The outcome, or the last line of what the process said. */
function runOne(root: string): Outcome | string {
  const { status, signal, stdout, stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', import.meta.filename, '--one', root],
    { encoding: 'utf8', timeout: longestMilliseconds, maxBuffer: 1 << 26 },
  )
  if (status === 0) return JSON.parse(stdout) as Outcome
  const said = /^.*Error.*$/m.exec(stderr)?.[0] ?? stderr.trim().split('\n').at(-1) ?? ''
  return `${signal ?? `exit ${status}`}: ${said}`
}

function describeFailure(outcome: Outcome): string {
  if (outcome.refused.length > 0)
    return outcome.refused.map((file) => `${file.path}: ${file.detail}`).join('; ')
  if (outcome.files === 0) return 'no file was indexed'
  return outcome.tokens === 0 ? 'no answer' : ''
}

function printRow(name: string, outcome: Outcome | string): boolean {
  const failure = typeof outcome === 'string' ? outcome : describeFailure(outcome)
  const cells =
    typeof outcome === 'string'
      ? ['', '', '', '', '']
      : [
          String(outcome.files),
          megabytes(outcome.sourceBytes),
          megabytes(outcome.indexBytes),
          outcome.cpuSeconds.toFixed(1),
          Object.entries(outcome.skipped)
            .map(([reason, count]) => `${reason} ${count}`)
            .join(', '),
        ]
  console.log(`| ${[name, ...cells, failure.replaceAll('|', '\\|')].join(' | ')} |`)
  return failure === ''
}

function tryAll(folder: string): number {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort()
  console.log('| repository | files | text MB | index MB | CPU s | skipped | failure |')
  console.log('|---|---|---|---|---|---|---|')
  const failed = names.filter((name) => !printRow(name, runOne(path.join(folder, name))))
  console.log(`\n${names.length} repositories, ${failed.length} failures`)
  return failed.length === 0 && names.length > 0 ? 0 : 1
}

const [first, second] = process.argv.slice(2)
if (first === '--one' && second !== undefined) console.log(JSON.stringify(await tryOne(second)))
else if (first === undefined) {
  console.error('usage: node lab/eval/smoke.ts FOLDER')
  process.exitCode = 2
} else process.exitCode = tryAll(path.resolve(first))
