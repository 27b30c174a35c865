// How does yore answer? Ranked sections by `search`, and digests at each budget by `assemble`.
import type { Place } from '../../eval/real-set.ts'
import { openYore } from './open-yore.ts'
import { askAll, budgets, type Variant } from './peer.ts'

const { engine, questions, search, indexed } = await openYore()

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
console.log(JSON.stringify({ ...indexed, variants }))
