// How many uses does a type checker see that yore does not? Compares a folder's index with an index.scip of the same files.
//
// node lab/eval/scip-edges.ts --root FOLDER --scip FILE [--sample N]
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { CorpusReader } from '../../src/corpus/store/corpus-reader.ts'
import { openForReading } from '../../src/corpus/store/open-database.ts'
import type { ArtifactRow } from '../../src/model/section.ts'
import { openIndexed } from './code-corpora.ts'

const { values } = parseArgs({
  options: {
    root: { type: 'string', default: '.' },
    scip: { type: 'string', default: 'index.scip' },
    sample: { type: 'string', default: '0' },
  },
})

interface Occurrence {
  readonly path: string
  readonly line: number
  readonly from: number
  readonly to: number
  readonly symbol: string
  readonly isDefinition: boolean
}

/** The fields of one protobuf message: numbers for varints, bytes for the rest. */
function* fieldsOf(bytes: Buffer): Generator<readonly [number, number | Buffer]> {
  let at = 0
  const varint = (): number => {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++]!
      value += (byte & 127) * scale
      if (byte < 128) return value
    }
  }
  while (at < bytes.length) {
    const key = varint()
    if ((key & 7) === 0) yield [key >>> 3, varint()]
    else if ((key & 7) === 2) {
      const length = varint()
      yield [key >>> 3, bytes.subarray(at, at + length)]
      at += length
    } else throw new Error(`wire type ${key & 7}`)
  }
}

function packedOf(bytes: Buffer): number[] {
  const numbers: number[] = []
  let value = 0
  let scale = 1
  for (const byte of bytes) {
    value += (byte & 127) * scale
    scale *= 128
    if (byte >= 128) continue
    numbers.push(value)
    value = 0
    scale = 1
  }
  return numbers
}

/** Fields by SCIP's schema: documents 2; path 1, occurrences 2; range 1, symbol 2, roles 3. */
function readScip(file: string): Occurrence[] {
  const found: Occurrence[] = []
  for (const [field, document] of fieldsOf(readFileSync(file))) {
    if (field !== 2 || typeof document === 'number') continue
    const fields = [...fieldsOf(document)]
    const name = String(fields.find(([number]) => number === 1)?.[1])
    for (const [number, bytes] of fields) {
      if (number !== 2 || typeof bytes === 'number') continue
      const occurrence = new Map(fieldsOf(bytes))
      const [line = 0, from = 0, ...rest] = packedOf(occurrence.get(1) as Buffer)
      const symbol = String(occurrence.get(2) ?? '')
      const isDefinition = (Number(occurrence.get(3) ?? 0) & 1) === 1
      if (rest.length === 1)
        found.push({ path: name, line: line + 1, from, to: rest[0]!, symbol, isDefinition })
    }
  }
  return found
}

const root = path.resolve(values.root)
const engine = await openIndexed(root)
const reader = new CorpusReader(openForReading(path.join(engine.indexDir, 'index.db')))
const occurrences = readScip(values.scip)
const covered = new Set(occurrences.map((one) => one.path))
const rowsOf = new Map<string, readonly ArtifactRow[]>()
const linesOf = new Map<string, readonly string[]>()
for (const { id, path: file } of reader.files())
  if (covered.has(file)) {
    rowsOf.set(file, reader.artifactsOf(id))
    linesOf.set(file, readFileSync(path.join(root, file), 'utf8').split('\n'))
  }

/** The smallest section around a line. */
function sectionAt(file: string, line: number): ArtifactRow | null {
  let best: ArtifactRow | null = null
  for (const row of rowsOf.get(file) ?? [])
    if (row.lines.start <= line && line <= row.lines.end)
      if (best === null || row.lines.end - row.lines.start <= best.lines.end - best.lines.start) best = row
  return best
}

/** Symbols whose definition is a section of its own: functions, methods, classes and types. */
const defined = new Map<string, ArtifactRow>()
for (const one of occurrences) {
  if (!one.isDefinition || one.symbol.startsWith('local ')) continue
  const row = sectionAt(one.path, one.line)
  const written = linesOf.get(one.path)?.[one.line - 1]?.slice(one.from, one.to)
  if (row === null || row.name.split('.').at(-1) !== written) continue
  // `new X` uses the class for yore, and its constructor for a type checker.
  const owner =
    written === 'constructor' ? reader.artifactById(row.id.slice(0, -'.constructor'.length)) : null
  defined.set(one.symbol, owner ?? row)
}
const targets = new Set([...defined.values()].map(({ id }) => id))

const isOutside = (origin: string, target: string): boolean =>
  origin !== target && !origin.startsWith(`${target}.`) && !target.startsWith(`${origin}.`)
/** Edges between sections, each with the line of its first occurrence. */
const truth = new Map<string, string>()
for (const one of occurrences) {
  const target = defined.get(one.symbol)
  const origin = one.isDefinition || target === undefined ? null : sectionAt(one.path, one.line)
  if (origin === null || target === undefined || origin.kind.endsWith('_import')) continue
  const edge = `${origin.id}\t${target.id}`
  if (isOutside(origin.id, target.id) && !truth.has(edge)) truth.set(edge, `${one.path}:${one.line}`)
}
const seen = new Map<string, string>()
for (const row of reader.references().inCode('all')) {
  const { section } = row
  if (row.form !== 'uses' || row.outcome !== 'resolved' || section === null) continue
  const origin = sectionAt(row.originPath, row.line)
  if (origin === null || !targets.has(section) || !isOutside(origin.id, section)) continue
  if (!origin.kind.endsWith('_import')) seen.set(`${origin.id}\t${section}`, `${row.originPath}:${row.line}`)
}

const both = [...seen.keys()].filter((edge) => truth.has(edge)).length
const share = (part: number, whole: number): string => (part / whole).toFixed(3)
console.log(`${rowsOf.size} files, ${targets.size} definitions that both know`)
console.log(`edges by type checker ${truth.size}, by yore ${seen.size}, both ${both}`)
console.log(`precision ${share(both, seen.size)}, recall ${share(both, truth.size)}`)
const show = (title: string, from: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): void => {
  const only = [...from].filter(([edge]) => !other.has(edge))
  const step = Math.max(1, Math.floor(only.length / Math.max(1, Number(values.sample))))
  const kinds = new Map<string, number>()
  for (const [edge] of only) {
    const { kind } = reader.artifactById(edge.split('\t')[1]!)!
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  }
  console.log(`${title}: ${only.length} (${[...kinds].map((pair) => pair.join(' ')).join(', ')})`)
  for (let at = 0; at < only.length && Number(values.sample) > 0; at += step) {
    const [edge, place] = only[at]!
    const [file = '', line = '1'] = place.split(':')
    console.log(`  ${place} -> ${edge.split('\t')[1]}: ${linesOf.get(file)?.[Number(line) - 1]?.trim()}`)
  }
}
show('only yore', seen, truth)
show('only the type checker', truth, seen)
reader.close()
engine.close()
