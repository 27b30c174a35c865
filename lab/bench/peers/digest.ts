// How does yore answer an agent? Brief digests with the defaults of a user, and its search hits for any packer.
import type { Place } from '../../eval/real-set.ts'
import { placesOf } from '../../eval/score-real.ts'
import { openYore } from './open-yore.ts'
import { askAll, budgets } from './peer.ts'

const { engine, questions, search, indexed } = await openYore()

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
console.log(JSON.stringify({ ...indexed, variants }))
