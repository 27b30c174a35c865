// Which offers does a digest take? By gain, each within what is left; shares divide tokens only while offers compete.

/** What an offer would show: the head of a section or all that is left of it, found by search or by what found ones lead to. */
export type OfferKind = 'section' | 'reference' | 'family'

export interface Offer {
  /** Of the section; its rest has the same. */
  readonly id: string
  readonly kind: OfferKind
  /** A rest requires its head. */
  readonly part: 'head' | 'rest'
  /** With the frame that it needs. */
  readonly tokens: number
  /** The least that is worth taking where the whole does not fit; `tokens` if it cannot be divided. */
  readonly least: number
  /** How likely a reader needs it. */
  readonly gain: number
  /** Heads that must be taken before: the section that refers to it, and earlier parts of the same decision. */
  readonly requires: readonly string[]
  /** The document whose tokens are shared out; references only. */
  readonly document?: string
}

/** Tokens of a kind, and of each document of that kind, while other offers want them. */
export interface Share {
  readonly tokens: number
  readonly perDocument: number
}

export interface TakeLimits {
  readonly tokens: number
  /** Maximum heads of the kind `section`. */
  readonly sections: number
  readonly shares: Readonly<Partial<Record<OfferKind, Share>>>
}

export interface Taken {
  /** Tokens by id, head and rest together. */
  readonly rooms: ReadonlyMap<string, number>
  /** What each id was taken as. */
  readonly kinds: ReadonlyMap<string, OfferKind>
  /** Heads in the order in which they were taken. */
  readonly order: readonly Offer[]
  /** Offers that were not taken, or not whole. */
  readonly refused: readonly Offer[]
  readonly left: number
}

/**
 * Two rounds over the same offers: the first keeps to the shares, the second gives out what is left without them. The
 * order of equal gains is the order of the offers.
 */
export function takeOffers(offers: readonly Offer[], limits: TakeLimits): Taken {
  const byGain = offers.toSorted((a, b) => b.gain - a.gain)
  const rooms = new Map<string, number>()
  const kinds = new Map<string, OfferKind>()
  const order: Offer[] = []
  /** Tokens that an offer has: one that was taken in part may get the rest of it. */
  const had = new Map<Offer, number>()
  const used = new Map<string, number>()
  let left = limits.tokens
  const spend = (key: string, tokens: number): void => void used.set(key, (used.get(key) ?? 0) + tokens)
  const shareLeft = ({ kind, document = '' }: Offer): number => {
    const share = limits.shares[kind]
    if (share === undefined) return left
    const ofKind = share.tokens - (used.get(kind) ?? 0)
    return Math.min(ofKind, share.perDocument - (used.get(`${kind} ${document}`) ?? 0))
  }
  const take = (offer: Offer, room: number): boolean => {
    const isHead = offer.part === 'head'
    const before = had.get(offer) ?? 0
    // Found by search and led to by another: it is shown once.
    if ((kinds.get(offer.id) ?? offer.kind) !== offer.kind) return false
    if (isHead ? !offer.requires.every((id) => rooms.has(id)) : !rooms.has(offer.id)) return false
    const isNew = isHead && before === 0
    const isFull = (): boolean => order.filter(({ kind }) => kind === 'section').length >= limits.sections
    if (isNew && offer.kind === 'section' && isFull()) return false
    const wanted = offer.tokens - before
    const tokens = Math.min(wanted, room)
    if (tokens < Math.min(wanted, before === 0 ? offer.least : 1)) return false
    left -= tokens
    had.set(offer, before + tokens)
    rooms.set(offer.id, (rooms.get(offer.id) ?? 0) + tokens)
    spend(offer.kind, tokens)
    spend(`${offer.kind} ${offer.document ?? ''}`, tokens)
    kinds.set(offer.id, offer.kind)
    if (isNew) order.push(offer)
    return tokens === wanted
  }
  const shared = takeInTurn(byGain, (offer) => take(offer, Math.min(left, shareLeft(offer))))
  const refused = takeInTurn(shared, (offer) => take(offer, left))
  return { rooms, kinds, order, refused, left }
}

/** Offers that were not taken whole. An offer whose requirement is taken later is tried again at once. */
function takeInTurn(offers: readonly Offer[], take: (offer: Offer) => boolean): Offer[] {
  let waiting = [...offers]
  for (;;) {
    const before = waiting.length
    waiting = waiting.filter((offer) => !take(offer))
    if (waiting.length === before || waiting.length === 0) return waiting
  }
}
