// How is yore asked beside others? The built package with the defaults of a user: indexed afresh, and its search hits.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Engine } from '../../../src/offer/engine/engine.ts'
import { loadPackage } from '../corpora.ts'
import { askAll, cpuTimed, readCall, type Variant } from './peer.ts'

export interface OpenYore {
  readonly engine: Engine
  readonly questions: readonly string[]
  readonly search: Variant
  readonly indexed: { readonly indexCpuMs: number; readonly indexBytes: number }
}

export async function openYore(): Promise<OpenYore> {
  const { root, work, questions } = readCall()
  const { openEngine, defaultSettings } = await loadPackage()
  const indexDir = join(work, 'index')
  // The index of another corpus is not replaced.
  rmSync(indexDir, { recursive: true, force: true })
  const engine = openEngine({ root, indexDir, settings: defaultSettings, now: Date.now() })
  const { value: report, cpuMs: indexCpuMs } = await cpuTimed(() => engine.index({ rebuild: true }))
  const search = await askAll(questions, async (question) => {
    const { hits } = await engine.search(question, { limit: 100, refresh: 'never' })
    return hits.map(({ path, lines }) => ({ path, ...lines }))
  })
  return { engine, questions, search, indexed: { indexCpuMs, indexBytes: report.indexBytes } }
}
