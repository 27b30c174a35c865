// How does yore answer? Ranked sections by `search`, and digests at each budget by `assemble`.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Place } from '../../eval/real-set.ts'
import { loadPackage } from '../corpora.ts'
import { askAll, budgets, cpuTimed, readCall, type Variant } from './peer.ts'

const { root, work, questions } = readCall()
const { openEngine, defaultSettings } = await loadPackage()
const indexDir = join(work, 'index')
// The index of another set is not replaced.
rmSync(indexDir, { recursive: true, force: true })
const engine = openEngine({ root, indexDir, settings: defaultSettings, now: Date.now() })
const { value: report, cpuMs: indexCpuMs } = await cpuTimed(() => engine.index({ rebuild: true }))

const search = await askAll(questions, async (question) => {
  const { hits } = await engine.search(question, { limit: 100, refresh: 'never' })
  return hits.map(({ path, lines }) => ({ path, ...lines }))
})

async function assembleAll(maxTokens: number, layout: 'full' | 'brief'): Promise<Variant> {
  return askAll(questions, async (question): Promise<Place[]> => {
    const asked = { maxTokens, layout, sections: 100, refresh: 'never' } as const
    const { digest } = await engine.assemble(question, asked)
    return digest.primary.flatMap(({ path, excerpts }) => excerpts.map(({ lines }) => ({ path, ...lines })))
  })
}

async function packedBy(layout: 'full' | 'brief'): Promise<Variant> {
  const packed: Record<number, readonly (readonly Place[])[]> = {}
  let failures = 0
  let cpuMs: readonly number[] = []
  for (const maxTokens of budgets) {
    const digests = await assembleAll(maxTokens, layout)
    packed[maxTokens] = digests.answers
    failures += digests.failures
    cpuMs = digests.cpuMs
  }
  return { cpuMs, answers: search.answers, failures, packed }
}

const variants = {
  'assemble, frame included': await packedBy('full'),
  'assemble, brief layout, frame included': await packedBy('brief'),
  'search hits packed, no frame': search,
}
engine.close()
console.log(JSON.stringify({ indexCpuMs, indexBytes: report.indexBytes, variants }))
