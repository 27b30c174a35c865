// What may an LLM or an agent add to its context, and what has it added? One session per query, one judge for all.

import { ArtifactFinder, type FoundArtifact, type FoundDocument } from '../../corpus/lookup/find-artifact.ts'
import { definitionsCalled } from '../../corpus/lookup/find-definition.ts'
import { listReachable, partsNamed } from '../../corpus/lookup/list-reachable.ts'
import { readPlace } from '../../corpus/resolve/read-target.ts'
import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import type { Digest } from '../../model/digest.ts'
import type {
  Approval,
  Denial,
  ExpansionLeft,
  ExpansionOffer,
  ExpansionOutcome,
  ExpansionSession,
  ExpansionState,
  OfferFilter,
  OpenRequest,
  PlacedOffer,
  PlacedText,
  PresentArtifact,
  Rulebook,
  Situation,
  Verdict,
} from '../../model/expansion.ts'
import { remember } from '../../model/remember.ts'
import type { TokenCounter } from '../../read/tokens/token-counter.ts'
import { allowanceFrom, type ExpansionLimits, spend, startExpansion } from '../expand/expansion-state.ts'
import { judgeExpansion, mostSpecific } from '../expand/judge-expansion.ts'
import { nameOf, readLines } from './read-lines.ts'

/** At most this many offers at once. */
export const maxOffers = 10

interface SessionOptions {
  /** Reads one state of the index. */
  readonly read: <T>(use: (reader: CorpusReader) => T) => T
  readonly rulebookFor: (kind: string) => Rulebook
  readonly limits: ExpansionLimits
  readonly countTokens: TokenCounter
}

/** Everything in a digest: search results at depth 0, and followed references. */
export function presentIn({ primary, expanded }: Pick<Digest, 'primary' | 'expanded'>): PresentArtifact[] {
  const found = primary.flatMap(({ artifacts }) => artifacts.map((id) => ({ id, depth: 0 })))
  const came = expanded
    .flatMap(({ passages }) => passages)
    .flatMap(({ artifacts, origin }) =>
      artifacts.map((id) => ({ id, depth: origin.kind === 'expansion' ? origin.depth : 1 })),
    )
  return [...found, ...came]
}

/** The expansions of one query over its context. */
export function openSession(first: readonly PresentArtifact[], options: SessionOptions): ExpansionSession {
  let state = startExpansion([], options.limits)
  admit(first)

  function admit(present: readonly PresentArtifact[]): void {
    const depthOf = new Map(state.depthOf)
    // An artifact that is there twice has the depth of its shortest path.
    for (const { id, depth } of present) depthOf.set(id, Math.min(depth, depthOf.get(id) ?? depth))
    state = { ...state, depthOf }
  }

  function left(): ExpansionLeft {
    const { budgetLeft, maxDepth } = state
    return { budgetLeft, maxDepth }
  }

  function offers(from?: string, only: OfferFilter = {}): readonly PlacedOffer[] {
    return options.read((reader) => {
      const looking = lookAt(reader, state, options)
      return looking.offers(looking.originsOf(from), only)
    })
  }

  function expand(request: OpenRequest, limits: { readonly maxTokens: number }): ExpansionOutcome {
    return options.read((reader) => {
      const looking = lookAt(reader, state, options)
      const verdict = looking.judge(request)
      if (!verdict.allowed) {
        const { reason, message } = verdict
        return { allowed: false, reason, message, wouldBeAllowed: looking.instead(request), left: left() }
      }
      // Read first, so that a failed read costs nothing.
      const brought = looking.read(verdict, limits.maxTokens)
      state = addBelow(spend(state, verdict), looking.below(brought), verdict.depth)
      return { allowed: true, approval: verdict, brought, left: left() }
    })
  }

  return {
    ...{ admit, offers, expand },
    get left() {
      return left()
    },
    get present() {
      return [...state.depthOf.keys()]
    },
  }
}

/** Sections that are part of another one are in the context, too. */
function addBelow(state: ExpansionState, ids: readonly string[], depth: number): ExpansionState {
  const fresh = ids.filter((id) => !state.depthOf.has(id)).map((id) => [id, depth] as const)
  return { ...state, depthOf: new Map([...state.depthOf, ...fresh]) }
}

/** One read of the index for one state of the query. */
function lookAt(reader: CorpusReader, state: ExpansionState, { rulebookFor, countTokens }: SessionOptions) {
  const finder = new ArtifactFinder(reader)

  /** The artifacts of the context that a name means: one, those of a document or of some lines, or all without a name. */
  function originsOf(named: string | undefined): readonly string[] {
    const present = [...state.depthOf.keys()]
    if (named === undefined) return present
    const isDocument = finder.document(named) !== null
    if (state.depthOf.has(named) && !isDocument) return [named]
    const anchored = finder.byAnchor(named)
    if (anchored !== null && state.depthOf.has(anchored.row.id)) return [anchored.row.id]
    const called = isDocument ? [] : definitionsCalled(reader, named).map(({ id }) => id)
    const known = called.filter((id) => state.depthOf.has(id))
    if (known.length > 0) return known
    const place = readPlace(named)
    return present.filter((id) => {
      const found = finder.byId(id)
      if (found === null) return false
      if (found.file.path === named) return true
      const { lines, ownLines } = found.row
      const { start, end } = ownLines ?? lines
      return place?.path === found.file.path && start <= place.lines.end && end >= place.lines.start
    })
  }

  /** The cheapest approval of any origin; otherwise the denial of the origin that got furthest. */
  function judge(request: OpenRequest): Verdict {
    const { via, target } = request
    const origins = originsOf(request.from)
    const verdicts = (origins.length > 0 ? origins : [request.from ?? '']).map((from) =>
      judgeExpansion({ from, via, target }, situation(from, target)),
    )
    const approvals = verdicts.filter((verdict): verdict is Approval => verdict.allowed)
    if (approvals.length > 0) return approvals.toSorted((a, b) => a.cost - b.cost || a.depth - b.depth)[0]!
    const denials = verdicts.filter((verdict): verdict is Denial => !verdict.allowed)
    return mostSpecific(denials as [Denial, ...Denial[]])
  }

  function situation(from: string, target = ''): Situation {
    const known = situationOf(from)
    const parts = partsNamed(finder, known.reachable, target)
    return parts.length === 0 ? known : { ...known, reachable: [...known.reachable, ...parts] }
  }

  const situationOf = remember((from: string): Situation => {
    const allowance = allowanceFrom(state, from)
    const found = allowance === null ? null : finder.byId(from)
    if (allowance === null || found === null) {
      const { budgetLeft, maxDepth } = state
      const nothing = { budgetLeft, maxDepth, depthOfFrom: 0, visited: new Set<string>() }
      return { rulebook: noRules, fromKind: null, reachable: [], allowance: nothing }
    }
    const fromKind = found.row.kind
    const rulebook = rulebookFor(fromKind)
    return { rulebook, fromKind, reachable: listReachable(finder, found, rulebook), allowance }
  })

  /** Alternatives: from the same origin, otherwise from anywhere in the context. */
  function instead(request: OpenRequest): readonly PlacedOffer[] {
    const near = offers(originsOf(request.from), {}, request.via)
    return near.length > 0 ? near : offers(originsOf(undefined), {}, request.via)
  }

  /** The requested relation first, then cheaper before more expensive, siblings last. */
  function offers(origins: readonly string[], only: OfferFilter, asked = ''): readonly PlacedOffer[] {
    const offers = new Map<string, PlacedOffer>()
    for (const from of origins)
      for (const via of new Set(situation(from).reachable.map((artifact) => artifact.via ?? ''))) {
        if (only.via !== undefined && only.via !== via) continue
        for (const offer of offersAlong(from, via, only.target)) {
          const key = JSON.stringify([offer.via, offer.target])
          if (!offers.has(key)) offers.set(key, { from, ...offer, name: nameOfId(offer.target) })
        }
      }

    const place = ({ via }: PlacedOffer): number => (via === asked ? 0 : via === 'defines' ? 2 : 1)
    return [...offers.values()].toSorted((a, b) => place(a) - place(b) || a.cost - b.cost).slice(0, maxOffers)
  }

  /** The empty name is always denied, with the allowed alternatives. */
  function offersAlong(from: string, via: string, target = ''): readonly ExpansionOffer[] {
    const verdict = judgeExpansion({ from, via, target }, situation(from, target))
    if (verdict.allowed) return [{ via, target: verdict.target, cost: verdict.cost }]
    return target === '' ? verdict.wouldBeAllowed.filter((offer) => offer.via === via) : []
  }

  function nameOfId(id: string): string {
    const found = finder.byId(id)
    return found === null ? id : nameOf(found.row, found.file)
  }

  /** A section includes what is below it; one that explains a part of itself only its own lines. */
  function read({ from, via, target }: Approval, maxTokens: number): PlacedText {
    const found = finder.byId(target) as FoundArtifact
    const origin = finder.byId(from) as FoundArtifact
    const document = finder.document(found.file.path) as FoundDocument
    const explains = via === 'class_header' || (via === 'defines' && holds(found, origin))
    const lines = explains ? found.row.ownLines : null
    return readLines(reader, document, { ...found, lines }, { maxTokens, countTokens })
  }

  /** The sections below it that are included whole. */
  function below({ id, path, lines, truncated }: PlacedText): readonly string[] {
    const rows = finder.document(path)?.rows ?? []
    return rows
      .filter(({ ownLines }) => ownLines !== null && ownLines.start >= lines.start)
      .filter(({ ownLines }) => ownLines!.end <= lines.end || (!truncated && ownLines!.start <= lines.end))
      .map((row) => row.id)
      .filter((below) => below !== id)
  }

  return { originsOf, judge, instead, offers, read, below }
}

function holds(outer: FoundArtifact, inner: FoundArtifact): boolean {
  const [around, within] = [outer.row.lines, inner.row.lines]
  return outer.file.id === inner.file.id && around.start <= within.start && around.end >= within.end
}

const noRules: Rulebook = { language: '', chunk_rules: {} }
