// How does yore answer? Ranked sections by `search`, and digests at each budget by `assemble`.
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { loadPackage } from '../corpora.ts'
import { answerAll, type Place, readCall } from './peer.ts'

const budgets = [2000, 4000, 8000]
const { root, work, questions } = readCall()
const { openEngine, defaultSettings } = await loadPackage()
const engine = openEngine({ root, indexDir: join(work, 'index'), settings: defaultSettings, now: Date.now() })
const started = performance.now()
const { indexBytes } = await engine.index({ rebuild: true })
const indexMs = performance.now() - started
const answer = async (question: string): Promise<Place[]> => {
  const { hits } = await engine.search(question, { limit: 100 })
  return hits.map(({ path, lines }) => ({ path, ...lines }))
}
const result = await answerAll({ indexMs, indexBytes, answer }, questions)

const digests: Record<number, Place[][]> = {}
const digestMs: number[] = []
for (const maxTokens of budgets) {
  digests[maxTokens] = []
  for (const question of questions) {
    const before = performance.now()
    const { digest } = await engine.assemble(question, { maxTokens, sections: 100, refresh: 'never' })
    if (maxTokens === 8000) digestMs.push(performance.now() - before)
    const places = digest.primary.flatMap(({ path, excerpts }) =>
      excerpts.map(({ lines }) => ({ path, ...lines })),
    )
    digests[maxTokens].push(places)
  }
}
engine.close()
console.log(JSON.stringify({ ...result, digests, digestMs }))
