// Which regions would an agent read for an issue? yore's hits as ranked regions under a limit of lines, as SWE-Explore asks for them.
//
// node lab/eval/explore.ts BENCH.jsonl --repos FOLDER [--lines 500] [--regions 5] > REGIONS.jsonl
// Rows of BENCH have `instance_id`, `repo_dir` and `problem_statement`. A row of REGIONS is what `ExploreEvaluator` of
// SWE-Explore takes as the prediction for an instance: { "instance_id", "regions": [{ "path", "start", "end" }] }.
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { defaultSettings } from '../../src/model/config/settings.ts'
import type { SearchHit } from '../../src/model/report.ts'
import { openEngine } from '../../src/offer/engine/open-engine.ts'
import { readRows } from './read-sets.ts'
import type { Place } from './real-set.ts'

interface Limits {
  readonly lines: number
  readonly regions: number
}

/** What `yore search --json` says of a hit that decides its region. */
type RankedHit = Pick<SearchHit, 'path' | 'lines' | 'matchedLines'>

const lengthOf = ({ start, end }: { readonly start: number; readonly end: number }): number => end - start + 1

/** The whole section, or as many of its lines around the best match as are allowed. */
function regionOf({ path, lines, matchedLines }: RankedHit, allowed: number): Place {
  if (lengthOf(lines) <= allowed) return { path, ...lines }
  const match = matchedLines[0] ?? lines
  const before = Math.max(0, Math.floor((allowed - lengthOf(match)) / 2))
  const start = Math.max(lines.start, Math.min(match.start - before, lines.end - allowed + 1))
  return { path, start, end: start + allowed - 1 }
}

/**
 * Regions, best first, that do not overlap. Each may take an equal share of the lines that are left; a section that
 * continues a region makes it longer and takes no region of its own.
 */
export function rankRegions(hits: readonly RankedHit[], limits: Limits): Place[] {
  const regions: Place[] = []
  let left = limits.lines
  for (const hit of hits) {
    const open = limits.regions - regions.length
    const allowed = Math.floor(left / Math.max(1, open))
    if (allowed < 1) break
    const region = regionOf(hit, allowed)
    const at = regions.findIndex(
      ({ path, start, end }) => path === hit.path && start <= region.end + 1 && region.start <= end + 1,
    )
    const known = regions[at]
    if (known === undefined) {
      if (open > 0) regions.push(region)
    } else {
      const [start, end] = [Math.min(known.start, region.start), Math.max(known.end, region.end)]
      regions[at] = { path: known.path, start, end }
    }
    left = limits.lines - regions.reduce((sum, one) => sum + lengthOf(one), 0)
  }
  return regions
}

interface Instance {
  readonly instance_id: string
  readonly repo_dir: string
  readonly problem_statement: string
}

/** Sections that are asked for: several may continue one region. */
const HITS = 40

async function explore(
  { instance_id, repo_dir, problem_statement }: Instance,
  repos: string,
  limits: Limits,
) {
  const root = resolve(repos, repo_dir)
  const indexDir = join(tmpdir(), 'yore-explore', instance_id)
  const engine = openEngine({ root, indexDir, settings: defaultSettings, now: Date.now() })
  await engine.index()
  const { hits } = await engine.search(problem_statement, { limit: HITS, allSections: true })
  engine.close()
  return { instance_id, regions: rankRegions(hits, limits) }
}

if (import.meta.main) {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      repos: { type: 'string', default: '.' },
      lines: { type: 'string', default: '500' },
      regions: { type: 'string', default: '5' },
    },
  })
  const limits = { lines: Number(values.lines), regions: Number(values.regions) }
  for (const instance of readRows<Instance>(resolve(positionals[0] ?? '')))
    console.log(JSON.stringify(await explore(instance, values.repos, limits)))
}
