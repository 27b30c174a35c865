// How does yore answer an agent? Brief digests with the defaults of a user, and its search hits for any packer.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Place } from '../../eval/real-set.ts'
import { placesOf } from '../../eval/score-real.ts'
import { loadPackage } from '../corpora.ts'
import { askAll, budgets, cpuTimed, readCall } from './peer.ts'

const { root, work, questions } = readCall()
const { openEngine, defaultSettings } = await loadPackage()
const indexDir = join(work, 'index')
// The index of another package is not replaced.
rmSync(indexDir, { recursive: true, force: true })
const engine = openEngine({ root, indexDir, settings: defaultSettings, now: Date.now() })
const { value: report, cpuMs: indexCpuMs } = await cpuTimed(() => engine.index({ rebuild: true }))

const search = await askAll(questions, async (question) => {
  const { hits } = await engine.search(question, { limit: 100, refresh: 'never' })
  return hits.map(({ path, lines }) => ({ path, ...lines }))
})

const packed: Record<number, readonly (readonly Place[])[]> = {}
const tokens: Record<number, readonly number[]> = {}
let digests = search
for (const maxTokens of budgets) {
  const used = new Map<string, number>()
  digests = await askAll(questions, async (question): Promise<Place[]> => {
    const asked = { maxTokens, layout: 'brief', refresh: 'never' } as const
    const { digest, tokensUsed } = await engine.assemble(question, asked)
    used.set(question, tokensUsed)
    return placesOf(digest)
  })
  packed[maxTokens] = digests.answers
  tokens[maxTokens] = questions.map((question) => used.get(question) ?? 0)
}
engine.close()
const variants = {
  'brief digest, frame included': { ...digests, packed, tokens },
  'search hits packed, no frame': search,
}
console.log(JSON.stringify({ indexCpuMs, indexBytes: report.indexBytes, variants }))
