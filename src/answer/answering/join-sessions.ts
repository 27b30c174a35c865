// How do expansions over several corpora share one budget? Each corpus judges its own; spending counts for all.

import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import type {
  ExpansionLeft,
  ExpansionOutcome,
  ExpansionSession,
  OfferFilter,
  OpenRequest,
  PlacedOffer,
  PresentArtifact,
} from '../../model/expansion.ts'
import type { ExpansionLimits } from '../expand/expansion-state.ts'
import { mostSpecific } from '../expand/judge-expansion.ts'
import { placeIn } from './corpus-prefix.ts'
import { maxOffers } from './expand-context.ts'

export type StartSession = (
  present: readonly PresentArtifact[],
  limits?: Partial<ExpansionLimits>,
  /** Read within its snapshot; by default the index as it is at each read. */
  held?: CorpusReader,
) => ExpansionSession

interface SessionMember {
  /** Prefix of every id and path of the corpus. */
  readonly prefix: string
  readonly start: StartSession
}

interface Member extends SessionMember {
  session: ExpansionSession
}

export class JoinedSession implements ExpansionSession {
  readonly #members: readonly Member[]

  constructor(
    members: readonly SessionMember[],
    present: readonly PresentArtifact[],
    limits: Partial<ExpansionLimits> = {},
  ) {
    this.#members = members.map((member) => ({
      ...member,
      session: member.start(presentIn(member, present), limits),
    }))
  }

  get left(): ExpansionLeft {
    return (this.#members[0] as Member).session.left
  }

  get present(): readonly string[] {
    return this.held.map(({ id }) => id)
  }

  get held(): readonly PresentArtifact[] {
    return this.#members.flatMap(({ prefix, session }) => placeIn(prefix, session.held))
  }

  admit(present: readonly PresentArtifact[]): void {
    for (const member of this.#members) member.session.admit(presentIn(member, present))
  }

  offers(from?: string, only: OfferFilter = {}): readonly PlacedOffer[] {
    return this.#membersOf(from)
      .flatMap((member) => {
        const filter = { ...only, target: within(member, only.target) }
        return placeIn(member.prefix, member.session.offers(within(member, from), filter))
      })
      .toSorted((a, b) => Number(a.via === 'defines') - Number(b.via === 'defines') || a.cost - b.cost)
      .slice(0, maxOffers)
  }

  expand({ from, via, target }: OpenRequest, limits: { readonly maxTokens: number }): ExpansionOutcome {
    const denials: Extract<ExpansionOutcome, { allowed: false }>[] = []
    for (const member of this.#membersOf(from)) {
      const asked = { from: within(member, from), via, target: within(member, target) as string }
      // The source of a followed reference starts with the name of its corpus.
      const maxTokens = Math.max(1, limits.maxTokens - member.prefix.length)
      const outcome = placeIn(member.prefix, member.session.expand(asked, { maxTokens }))
      if (outcome.allowed) {
        this.#spendElsewhere(member)
        return outcome
      }
      denials.push(outcome)
    }
    const told = mostSpecific(denials as [(typeof denials)[number]])
    const offers = denials.flatMap(({ wouldBeAllowed }) => wouldBeAllowed)
    return { ...told, wouldBeAllowed: offers.slice(0, maxOffers) }
  }

  /** The corpus whose name is the prefix; all without one. */
  #membersOf(named: string | undefined): readonly Member[] {
    const one = this.#members.find(({ prefix }) => named?.startsWith(prefix))
    return one === undefined ? this.#members : [one]
  }

  #spendElsewhere(spender: Member): void {
    const { budgetLeft: budget, maxDepth } = spender.session.left
    for (const member of this.#members)
      if (member !== spender && member.session.left.budgetLeft !== budget)
        member.session = member.start(member.session.held, { budget, maxDepth })
  }
}

/** A name inside its corpus. */
function within({ prefix }: SessionMember, named: string | undefined): string | undefined {
  return named?.startsWith(prefix) ? named.slice(prefix.length) : named
}

function presentIn(
  { prefix }: SessionMember,
  present: readonly PresentArtifact[],
): readonly PresentArtifact[] {
  return present
    .filter(({ id }) => id.startsWith(prefix))
    .map(({ id, depth }) => ({ id: id.slice(prefix.length), depth }))
}
