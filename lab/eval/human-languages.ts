// Are questions in other languages answered as well as in English? Pages of the Kubernetes documentation that exist in
// both, the same questions: node lab/eval/human-languages.ts --snapshots DIR [--language de]
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { defaultSettings } from '../../src/model/config/settings.ts'
import { layOut } from './lay-out.ts'
import { estimate, ndcg, pairedChange } from './measures.ts'
import { cacheFolder, type PreparedCorpus, prepareFolder } from './prepare-corpus.ts'
import { readRows } from './read-sets.ts'
import { rankPages, readJudged } from './score-ranking.ts'

/** The commit of k8sdocs: the questions are subjects of later commits. */
const commit = '675531ac7be2'
const repository = 'kubernetes/website'
const languages = ['de', 'es', 'fr', 'pt-br', 'ru', 'ko', 'ja', 'zh-cn']

const { values } = parseArgs({
  options: {
    snapshots: { type: 'string' },
    language: { type: 'string', multiple: true, default: languages },
    questions: { type: 'boolean', default: false },
  },
})
const snapshots = values.snapshots ?? ''
if (snapshots === '') throw new Error('name the folder of the snapshots: --snapshots DIR')
const translated = readRows<Record<string, string>>(join(import.meta.dirname, 'human-languages.jsonl'))
const judged = new Map(readJudged('k8sdocs').map((question) => [question._id, question]))

function pagesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
}

/** The pages of one language that the other has too, indexed as a corpus of their own. */
async function prepare(language: string, other: string): Promise<PreparedCorpus> {
  const name = `k8s-${language}-of-${other}`
  const folder = join(cacheFolder(), name)
  for (const code of [language, other])
    layOut(snapshots, { repository, commit, root: `content/${code}/docs` }, join(folder, code))
  const [root, twin] = [language, other].map((code) => join(folder, code, 'content', code)) as [
    string,
    string,
  ]
  for (const page of pagesBelow(root))
    if (!page.endsWith('.md') || !existsSync(join(twin, page))) rmSync(join(root, page))
  const settings = { ...defaultSettings, 'embedding.provider': 'none', refresh: 'never' } as const
  return prepareFolder({ name, root, folder, settings }, { content: `${commit} ${other}` })
}

async function score(corpus: PreparedCorpus, language: string): Promise<Map<string, number>> {
  const scores = new Map<string, number>()
  for (const row of translated) {
    const question = judged.get(row['_id'] as string)
    const text = language === 'en' ? question?.text : row[language]
    if (question === undefined || text === undefined) continue
    const grades = new Map(
      [...question.grades].map(([path, grade]) => [path.replace('content/en/', ''), grade]),
    )
    const pages = await rankPages(corpus.engine, text, { mode: 'lexical' })
    scores.set(question._id, ndcg(pages, grades, 10))
  }
  corpus.engine.close()
  return scores
}

const show = (value: number): string => value.toFixed(3)
console.log('language  pages  questions  nDCG@10  English  difference (95 %)')
for (const language of values.language) {
  const own = await prepare(language, 'en')
  const pages = pagesBelow(own.root).length
  const theirs = await score(own, language)
  const all = await score(await prepare('en', language), 'en')
  const english = new Map([...all].filter(([id]) => theirs.has(id)))
  const { mean, low, high } = pairedChange(english, theirs)
  const means = [theirs, english].map((scores) => show(estimate([...scores.values()]).mean))
  console.log(
    [language.padEnd(8), pages, theirs.size, ...means, `${show(mean)} (${show(low)} to ${show(high)})`].join(
      '  ',
    ),
  )
  if (values.questions)
    for (const [id, value] of theirs) console.log(`  ${id} ${show(value)} ${show(english.get(id) ?? 0)}`)
}
