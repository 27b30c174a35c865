// In which files is the fix? acc@1/5/10 over the source files that search lists for the message of a later bug-fix commit.
//
// node lab/eval/localise.ts [--half A|B|all] [--repo NAME] [--misses]     (needs base commits laid out: YORE_LOCALISE_DIR)
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { defaultSettings } from '../../src/model/config/settings.ts'
import type { Half } from './figures.ts'
import { cacheFolder, modelFolder, type PreparedCorpus, prepareFolder } from './prepare-corpus.ts'
import { evalFolder, halfOf, readRows } from './read-sets.ts'

interface Repository {
  readonly repo: string
  readonly base: string
  readonly extensions: readonly string[]
}

interface Fix {
  readonly _id: string
  readonly repo: string
  readonly text: string
  readonly files: readonly string[]
}

/** Tests, documents and examples are no places of a fix: they are left out of every tool's list before counting. */
const outside =
  /(^|\/)(tests?|testing|spec|__tests__|fixtures?|examples?|benchmarks?|bench|docs?|deno_dist|runtime_tests?|testdata)(\/|_|$)|\.test\.|\.spec\.|_test\.|conftest|test_/i
/** Sections that are listed: enough for ten files. */
const LISTED = 300
export const CUTS: readonly number[] = [1, 5, 10]

/** Whether a fix may be in this file. */
export function isFixable(path: string, extensions: readonly string[]): boolean {
  return extensions.some((end) => path.endsWith(end)) && !outside.test(path)
}

interface OpenRepository extends Repository {
  readonly corpus: PreparedCorpus
  readonly fixes: readonly Fix[]
}

/** Each repository at its base commit with the fixes of the half, one open at a time. */
export async function* openFixes(half: Half, only = ''): AsyncGenerator<OpenRepository> {
  const shared = evalFolder()
  const checkouts = process.env['YORE_LOCALISE_DIR'] ?? ''
  if (shared === null || checkouts === '' || !existsSync(checkouts)) {
    console.error(
      'skipped: no base commits (lay them out with localise/checkout.sh, then set YORE_LOCALISE_DIR)',
    )
    return
  }
  const folder = join(shared, 'localise')
  const all = readRows<Fix>(join(folder, 'questions.jsonl')).filter(
    ({ _id }) => half === 'all' || halfOf(_id) === half,
  )
  const repositories = JSON.parse(readFileSync(join(folder, 'repositories.json'), 'utf8')) as Repository[]
  for (const repository of repositories) {
    const { repo, base } = repository
    const name = repo.replace('/', '+')
    const root = join(checkouts, name)
    if (!existsSync(root) || !repo.includes(only)) continue
    const settings = { ...defaultSettings, 'embedding.model': modelFolder(), refresh: 'never' } as const
    const corpus = await prepareFolder(
      { name, root, folder: join(cacheFolder(), 'localise', name), settings },
      { content: base },
    )
    yield { ...repository, corpus, fixes: all.filter((fix) => fix.repo === repo) }
    corpus.engine.close()
  }
}

async function measure(): Promise<void> {
  const { values: options } = parseArgs({
    options: {
      half: { type: 'string', default: 'all' },
      repo: { type: 'string' },
      misses: { type: 'boolean', default: false },
    },
  })
  /** Ranks of the first file of each fix, 0-based. */
  const ranks = new Map<string, number[]>()
  for await (const { repo, corpus, fixes, extensions } of openFixes(options.half as Half, options.repo)) {
    const own: number[] = []
    for (const { _id, text, files } of fixes) {
      const { hits } = await corpus.engine.search(text, { limit: LISTED })
      const paths = [...new Set(hits.map(({ path }) => path))].filter((path) => isFixable(path, extensions))
      const rank = paths.findIndex((path) => files.includes(path))
      own.push(rank < 0 ? Number.POSITIVE_INFINITY : rank)
      if (options.misses && rank !== 0)
        console.log(
          `${_id} ${rank} ${files.join(' ')} | ${paths.slice(0, 4).join(' ')} | ${text.slice(0, 150)}`,
        )
    }
    ranks.set(repo, own)
  }
  for (const [repo, list] of [['all', [...ranks.values()].flat()] as const, ...ranks]) {
    const share = (cut: number): string => (list.filter((rank) => rank < cut).length / list.length).toFixed(3)
    console.log(
      `${repo.padEnd(20)} ${CUTS.map((cut) => `@${cut} ${share(cut)}`).join('  ')}  of ${list.length}`,
    )
  }
}

if (import.meta.main) await measure()
