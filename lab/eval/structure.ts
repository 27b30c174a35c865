// Does a question for callers, a name, a constant or a chain begin with its answer? Questions drawn by machine, asked of sixteen repositories.
//
// node lab/eval/structure.ts FOLDER [--half build|held] [--package NAME] [--misses]
//     FOLDER has a checkout of every repository of `structureRepositories` at its commit
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { defaultSettings } from '../../src/model/config/settings.ts'
import { cacheFolder, modelFolder, prepareFolder } from './prepare-corpus.ts'
import { readRows } from './read-sets.ts'
import { judgePlaces, placesOf, touches } from './score-real.ts'
import { type StructureQuestion, structureFile, structureRepositories } from './structure-set.ts'

const budgets = [1000, 2000] as const
const {
  values: { half, package: only, misses },
  positionals: [folder = '.'],
} = parseArgs({
  allowPositionals: true,
  options: {
    half: { type: 'string' },
    package: { type: 'string' },
    misses: { type: 'boolean', default: false },
  },
})

interface Asked {
  readonly half: string
  readonly kind: string
  /** The first passage shows a part of a need, at the larger budget. */
  readonly first: boolean
  /** Needs met at each budget. */
  readonly met: readonly (readonly boolean[])[]
}

const asked: Asked[] = []
const questions = readRows<StructureQuestion>(structureFile)
for (const repository of structureRepositories) {
  if ((half ?? repository.half) !== repository.half || (only ?? repository.name) !== repository.name) continue
  const { engine } = await prepareFolder(
    {
      name: repository.name,
      root: resolve(folder, repository.name),
      folder: join(cacheFolder(), 'structure', repository.name),
      settings: { ...defaultSettings, 'embedding.model': modelFolder(), refresh: 'never' },
    },
    { content: repository.commit },
  )
  for (const question of questions.filter((one) => one.package === repository.name)) {
    const met: (readonly boolean[])[] = []
    let first = false
    for (const maxTokens of budgets) {
      const { digest } = await engine.assemble(question.text, { maxTokens, layout: 'brief' })
      met.push(judgePlaces(question, placesOf(digest)).met)
      const [passage] = digest.primary
      first =
        passage?.excerpts.some(({ lines }) =>
          question.needs.flat().some((need) => touches(need, { path: passage.path, ...lines })),
        ) ?? false
    }
    asked.push({ half: repository.half, kind: question.kind, first, met })
    if (misses && (!first || met.at(-1)?.includes(false)))
      console.log(
        question._id,
        first ? '' : 'NOT FIRST',
        question.text,
        JSON.stringify(met.at(-1)),
        JSON.stringify(question.needs),
      )
  }
  engine.close()
}
const mean = (flags: readonly boolean[]): string =>
  (flags.filter(Boolean).length / Math.max(1, flags.length)).toFixed(3)
for (const [group, those] of Map.groupBy(asked, (one) => `${one.half} ${one.kind}`))
  console.log(
    group.padEnd(18),
    `questions ${those.length}`,
    `first ${mean(those.map(({ first }) => first))}`,
    ...budgets.map((budget, at) => `needs ${budget} ${mean(those.flatMap(({ met }) => met[at] ?? []))}`),
  )
