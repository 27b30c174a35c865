// Are references found, and do they lead to the right place? Every reference of the truth files against what yore resolves.
import { join } from 'node:path'
import { makeCatalogue } from '../../src/corpus/resolve/catalogue.ts'
import type { IdFamily } from '../../src/corpus/resolve/decision-ids.ts'
import { resolveMention } from '../../src/corpus/resolve/resolve-mention.ts'
import type { Mention, Resolution } from '../../src/model/reference.ts'
import { parseDocument } from '../../src/read/parse/parse-document.ts'
import { type CorpusRow, evalFolder, pathOf, readRows, type TrueReference } from './read-sets.ts'

interface Resolved {
  readonly mention: Mention
  readonly resolution: Resolution
}

interface Set {
  readonly name: string
  readonly families: readonly IdFamily[]
}

interface Miss {
  readonly truth: TrueReference
  /** Why the truth file errs; null when yore does. */
  readonly fault: string | null
  readonly cause: string
}

const sets: readonly Set[] = [
  { name: 'cosmosadr', families: [] },
  { name: 'eips', families: [{ prefix: 'EIP', aliases: ['ERC'] }] },
  { name: 'k8sdocs', families: [] },
]
/** A wrong target from here on would be reported as certain. */
const certain = 0.9

function resolveCorpus(rows: readonly CorpusRow[], families: readonly IdFamily[]): Map<string, Resolved[]> {
  const idPrefixes = families.flatMap(({ prefix, aliases }) => [prefix, ...(aliases ?? [])])
  const parsed = rows.map((row) =>
    parseDocument({ path: pathOf(row._id), language: 'markdown', text: row.text }, { idPrefixes }),
  )
  const started = performance.now()
  const catalogue = makeCatalogue(
    parsed.map(({ path, facts, artifacts }) => ({
      path,
      title: facts.title,
      frontmatter: facts.frontmatter,
      sections: artifacts.slice(1).map(({ id, anchor, name }) => ({ id, anchor: anchor ?? '', name })),
    })),
    { families },
  )
  const built = performance.now()
  const resolved = new Map(
    parsed.map(({ path, mentions }) => [
      path,
      mentions.map((mention) => ({ mention, resolution: resolveMention(mention, catalogue) })),
    ]),
  )
  const count = parsed.reduce((sum, { mentions }) => sum + mentions.length, 0)
  console.log(
    `${rows.length} documents, ${count} mentions; catalogue ${(built - started).toFixed(0)} ms, resolving ${(performance.now() - built).toFixed(0)} ms`,
  )
  return resolved
}

/** The mentions of a line. */
function onLine(all: readonly Resolved[], line: number): Resolved[] {
  return all.filter(({ mention }) => mention.line === line)
}

const isForm = (truth: TrueReference, { form }: Mention): boolean =>
  truth.kind === 'id' ? form === 'id' : form === 'link'

function leadsTo(truth: TrueReference, { resolution }: Resolved): boolean {
  return resolution.outcome === 'resolved' && resolution.path === pathOf(truth.target)
}

const squeeze = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

function explain(truth: TrueReference, candidates: readonly Resolved[], text: string): string {
  const same = candidates.find(({ mention }) => squeeze(mention.text) === squeeze(truth.mention))
  if (same !== undefined) return describe(same)
  const line = (text.split('\n')[truth.line - 1] ?? '').trim()
  return `not found: ${line.slice(0, 120)}`
}

function describe({ mention, resolution }: Resolved): string {
  const result =
    resolution.outcome === 'resolved'
      ? `${resolution.path} (${resolution.method} ${resolution.confidence})`
      : `${resolution.outcome} ${resolution.candidates.slice(0, 3).join(', ')}`
  return `${mention.form} ${mention.target} on line ${mention.line} gave ${result}`
}

/** Why a reference of the truth file is none; null when it is one. Judged by marks alone, not by the parser under test. */
function faultOf(text: string, { line: number, mention }: TrueReference): string | null {
  const lines = text.split('\n')
  const before = lines.slice(0, number - 1)
  const line = lines[number - 1] ?? ''
  if (/^\s{0,3}\[[^\]]+\]:/.test(line)) return 'the label of a link definition'
  const comment = `${before.join('\n')}\n${line.slice(0, line.indexOf(mention))}`
  if (comment.lastIndexOf('<!--') > comment.lastIndexOf('-->')) return 'in an HTML comment'
  const fences = before.filter((one) => /^\s*(?:```|~~~)/.test(one)).length
  if (fences % 2 === 1 || /^\s*(?:```|~~~)/.test(line)) return 'in code'
  for (let at = line.indexOf(mention); at !== -1; at = line.indexOf(mention, at + 1))
    if (isEven(line.slice(0, at)) && isEven(line.slice(0, at + mention.length))) return null
  return 'in code'
}

const isEven = (text: string): boolean => text.split('`').length % 2 === 1

/**
 * The references of the truth file that are not met, each mention meeting one at most. A link whose words are an id is
 * as good as the id: what counts is where it leads. Of those in one place, the faulty ones are the last to be met.
 */
function findMisses(
  truths: readonly TrueReference[],
  resolved: ReadonlyMap<string, Resolved[]>,
  texts: ReadonlyMap<string, string>,
): Miss[] {
  const places = Map.groupBy(truths, ({ source, line, target }) => JSON.stringify([source, line, target]))
  return [...places.values()].flatMap((group) => {
    const { source, line } = group[0]!
    const candidates = onLine(resolved.get(pathOf(source)) ?? [], line)
    const met = candidates.filter((one) => leadsTo(group[0]!, one)).length
    const text = texts.get(source) ?? ''
    return group
      .map((truth) => ({ truth, fault: faultOf(text, truth), cause: explain(truth, candidates, text) }))
      .sort((a, b) => Number(a.fault !== null) - Number(b.fault !== null))
      .slice(met)
  })
}

/** Mentions with the words of a reference on its very line that lead elsewhere, and are sure of it. */
function findWrong(truths: readonly TrueReference[], resolved: ReadonlyMap<string, Resolved[]>): string[] {
  const byPlace = Map.groupBy(
    truths,
    ({ source, line, mention }) => `${pathOf(source)}:${line}:${squeeze(mention)}`,
  )
  const wrong: string[] = []
  for (const [path, all] of resolved) {
    for (const one of all) {
      const { resolution, mention } = one
      if (resolution.outcome !== 'resolved' || resolution.confidence < certain) continue
      const place = `${path}:${mention.line}:${squeeze(mention.text)}`
      const truth = byPlace.get(place)?.filter((item) => isForm(item, mention)) ?? []
      if (truth.length > 0 && !truth.some((item) => pathOf(item.target) === resolution.path))
        wrong.push(`${path}:${mention.line} ${describe(one)}, truth ${truth[0]!.target}`)
    }
  }
  return wrong
}

function countOutcomes(resolved: ReadonlyMap<string, Resolved[]>): string {
  const counts = new Map<string, number>()
  for (const { mention, resolution } of [...resolved.values()].flat()) {
    const how =
      resolution.outcome === 'resolved' ? `${resolution.method} ${resolution.confidence}` : resolution.outcome
    const key = `${mention.form}: ${how}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, count]) => `  ${key} × ${count}`)
    .join('\n')
}

/** How many references with an anchor find their section too. */
function countAnchors(truths: readonly TrueReference[], resolved: ReadonlyMap<string, Resolved[]>): string {
  const anchored = truths.filter(({ anchor }) => anchor !== null && anchor !== '')
  const found = anchored.filter((truth) =>
    onLine(resolved.get(pathOf(truth.source)) ?? [], truth.line).some(
      (one) =>
        leadsTo(truth, one) && one.resolution.outcome === 'resolved' && one.resolution.section !== null,
    ),
  )
  return `anchors to a section: ${share(found.length, anchored.length)}`
}

const share = (part: number, whole: number): string =>
  whole === 0 ? 'none' : `${((100 * part) / whole).toFixed(2)} % (${part} of ${whole})`

function report(folder: string, { name, families }: Set): void {
  console.log(`\n== ${name}`)
  const rows = readRows<CorpusRow>(join(folder, name, 'corpus.jsonl'))
  const texts = new Map(rows.map((row) => [row._id, row.text]))
  const truths = readRows<TrueReference>(join(folder, name, 'refs.jsonl'))
  const resolved = resolveCorpus(rows, families)
  for (const [kind, group] of Map.groupBy(truths, (truth) => truth.kind)) {
    const misses = findMisses(group, resolved, texts)
    const faults = misses.filter(({ fault }) => fault !== null)
    console.log(`${kind}: ${share(group.length - misses.length, group.length)}`)
    for (const [fault, those] of Map.groupBy(faults, (miss) => miss.fault))
      console.log(`  ${those.length} of the truth file are no references: ${fault}`)
    if (faults.length > 0)
      console.log(`  without these: ${share(group.length - misses.length, group.length - faults.length)}`)
    for (const { truth, fault, cause } of misses)
      console.log(
        `  miss ${truth.source}:${truth.line} "${truth.mention}" → ${truth.target}: ${fault ?? cause}`,
      )
  }
  const wrong = findWrong(truths, resolved)
  console.log(`wrong with confidence ≥ ${certain}: ${wrong.length}`)
  for (const line of wrong) console.log(`  ${line}`)
  console.log(countAnchors(truths, resolved))
  console.log(countOutcomes(resolved))
}

const folder = evalFolder()
if (folder !== null) for (const set of sets) report(folder, set)
