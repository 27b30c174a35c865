// Are the names in code resolved, and rightly? Shares per corpus, a sample to read, and for Python the interpreter's own verdict.
//
// npm run eval:code-relations -- [--corpus NAME] [--sample N]
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { CorpusReader } from '../../src/corpus/store/corpus-reader.ts'
import { openForReading } from '../../src/corpus/store/open-database.ts'
import type { ReferenceRow } from '../../src/corpus/store/rows/reference-reader.ts'
import { codeCorpusNames, openIndexed, prepareCode } from './code-corpora.ts'

const { values } = parseArgs({
  options: { corpus: { type: 'string' }, sample: { type: 'string', default: '0' } },
})

/** Enough for a figure with an error below half a percent. */
const askedOfPython = 4_000

/** The order of a sample that no run changes. */
function hashOf(row: ReferenceRow): string {
  return createHash('sha256').update(`${row.origin}\0${row.target}`).digest('hex')
}

function lineOf(root: string, file: string, line: number): string {
  return (readFileSync(path.join(root, file), 'utf8').split(/\r\n|\n|\r/)[line - 1] ?? '')
    .trim()
    .slice(0, 110)
}

/** Asks Python itself what each name means; what it cannot import is not counted. */
function askPython(
  root: string,
  edges: readonly object[],
): { right: number; wrong: string[]; unknown: number } {
  const script = path.join(import.meta.dirname, 'check-python-edges.py')
  const output = execFileSync('python3', [script, root], {
    input: edges.map((edge) => JSON.stringify(edge)).join('\n'),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const verdicts = output.trim().split('\n')
  const count = (word: string): number => verdicts.filter((line) => line.startsWith(word)).length
  return {
    right: count('right'),
    wrong: verdicts.filter((line) => line.startsWith('wrong')),
    unknown: count('unknown'),
  }
}

async function measure(name: string): Promise<void> {
  const { root } = prepareCode(name)
  if (root === null) {
    console.log(`${name}: not on this machine, skipped`)
    return
  }
  const started = performance.now()
  const engine = await openIndexed(root)
  console.log(`${name}: indexed in ${((performance.now() - started) / 1000).toFixed(1)} s`)
  const status = await engine.status()
  const reader = new CorpusReader(openForReading(path.join(engine.indexDir, 'index.db')))
  const rows = [...reader.references().inCode('all')]
  const uses = rows.filter(({ form }) => form === 'uses')
  const share = (outcome: string): string => {
    const count = uses.filter((row) => row.outcome === outcome).length
    return `${outcome} ${count} (${((100 * count) / uses.length).toFixed(1)} %)`
  }
  const blind = reader.files().filter(({ id }) => reader.artifactsOf(id)[0]?.kind === 'blind')
  console.log(
    `${name}: ${status.files} files, ${status.sections} chunks, ${blind.length} blind, ${status.skipped.length} skipped`,
  )
  console.log(
    `  uses ${uses.length}: ${['resolved', 'external', 'missing', 'ambiguous', 'self'].map(share).join(', ')}`,
  )
  const inside = uses.filter(
    ({ outcome }) => outcome === 'resolved' || outcome === 'missing' || outcome === 'ambiguous',
  )
  const resolved = uses.filter(({ outcome }) => outcome === 'resolved')
  console.log(
    `  of ${inside.length} that lead into the corpus ${((100 * resolved.length) / inside.length).toFixed(1)} % are resolved`,
  )
  if (name === 'python') {
    const asked = [...resolved].sort((a, b) => (hashOf(a) < hashOf(b) ? -1 : 1)).slice(0, askedOfPython)
    const edges = asked.map((row) => {
      const target = row.section === null ? null : reader.artifactById(row.section)
      const { origin, text, path: file, method, line } = row
      return {
        origin,
        name: text,
        target: row.target,
        file,
        method,
        line,
        id: row.section,
        kind: target?.kind ?? '',
        lines: target?.lines ?? null,
      }
    })
    const { right, wrong, unknown } = askPython(root, edges)
    console.log(
      `  Python says: ${right} right, ${wrong.length} wrong, ${unknown} it cannot say; precision ${(right / (right + wrong.length)).toFixed(4)}`,
    )
    for (const line of wrong.slice(0, Number(values.sample))) console.log(`    ${line}`)
  } else {
    const sampled = [...resolved]
      .sort((a, b) => (hashOf(a) < hashOf(b) ? -1 : 1))
      .slice(0, Number(values.sample))
    for (const row of sampled) {
      const target = row.section === null ? null : reader.artifactById(row.section)
      console.log(`  ${row.originPath}:${row.line}  ${lineOf(root, row.originPath, row.line)}`)
      console.log(
        `      ${row.text} -> ${row.section ?? row.path} [${row.method} ${row.confidence}] ${target === null ? '' : lineOf(root, row.path as string, target.lines.start)}`,
      )
    }
  }
  reader.close()
  engine.close()
}

for (const name of values.corpus === undefined ? codeCorpusNames : [values.corpus]) await measure(name)
