// Where does a needed place stand? In the digest, in the ranking, or not in the index at all.
import type { Digest } from '../../src/model/digest.ts'
import type { SearchHit } from '../../src/model/report.ts'
import type { PreparedCorpus } from './prepare-corpus.ts'
import type { Place, RealQuestion } from './real-set.ts'
import { isEnough, placesOf, shareShown, touches } from './score-real.ts'

/** A section of a lower rank counts as not retrieved. */
const RETRIEVED = 1000

export type NeedState = 'met' | 'cut away' | 'below the cut' | 'not retrieved' | 'not indexed'

export interface NeedStanding {
  readonly need: number
  /** The alternative that stands best. */
  readonly place: Place
  /** The best ranked section that touches it, and its rank in search from 1. */
  readonly hit: SearchHit | null
  readonly rank: number | null
  /** By budget, in the order asked. */
  readonly states: readonly { readonly state: NeedState; readonly detail: string }[]
}

export interface Explained {
  readonly question: RealQuestion
  readonly digests: readonly Digest[]
  readonly standings: readonly NeedStanding[]
}

const placeOf = ({ path, lines }: SearchHit): Place => ({ path, ...lines })

/** Asks one question at each budget, and once by search, and looks up every need. */
export async function explainNeeds(
  { engine }: PreparedCorpus,
  question: RealQuestion,
  budgets: readonly number[],
): Promise<Explained> {
  const { hits } = await engine.search(question.text, {
    limit: RETRIEVED,
    allSections: true,
    ...question.caller,
  })
  const digests: Digest[] = []
  for (const maxTokens of budgets)
    digests.push(
      (await engine.assemble(question.text, { maxTokens, layout: 'brief', ...question.caller })).digest,
    )
  const rankOf = (place: Place): number => {
    const at = hits.findIndex((hit) => touches(placeOf(hit), place))
    return at === -1 ? Number.POSITIVE_INFINITY : at
  }
  const standings: NeedStanding[] = []
  for (const [need, alternatives] of question.needs.entries()) {
    const indexed: Place[] = []
    let why = ''
    for (const place of alternatives) {
      const standing = await engine.standingOf(place.path)
      if (standing.state === 'indexed') indexed.push(place)
      else why ||= standing.state === 'skipped' ? standing.reason : standing.state
    }
    const byRank = [...(indexed.length > 0 ? indexed : alternatives)].sort((a, b) => rankOf(a) - rankOf(b))
    const place = byRank[0] as Place
    const rank = rankOf(place)
    const hit = hits[rank] ?? null
    const states = digests.map((digest): NeedStanding['states'][number] => {
      const shown = placesOf(digest)
      const share = Math.max(...alternatives.map((one) => shareShown(one, shown)))
      if (isEnough(share)) return { state: 'met', detail: '' }
      if (indexed.length === 0) return { state: 'not indexed', detail: why }
      if (share > 0) return { state: 'cut away', detail: `${share.toFixed(2)} of its lines shown` }
      if (hit === null) return { state: 'not retrieved', detail: '' }
      if (digest.primary.some(({ artifacts }) => artifacts.includes(hit.artifact)))
        return { state: 'cut away', detail: 'other lines of its section shown' }
      const dropped = digest.dropped.find(({ artifact }) => artifact === hit.artifact)
      return { state: 'below the cut', detail: dropped?.reason ?? '' }
    })
    standings.push({ need: need + 1, place, hit, rank: hit === null ? null : rank + 1, states })
  }
  return { question, digests, standings }
}
