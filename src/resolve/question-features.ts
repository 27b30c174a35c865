// What speaks for a document when words are meant to name it? One number per reason, each between 0 and about 1.
import { type DocumentNames, fieldCount, nameFields } from './document-names.ts'
import { type Wanted, wantTerms } from './question-atoms.ts'

export const featureNames = [
  'title',
  'titleCover',
  'titleExact',
  'stem',
  'stemCover',
  'stemExact',
  'heading',
  'headingCover',
  'headingExact',
  'link',
  'linkCover',
  'linkExact',
  'linkShare',
  'folderCover',
  'cover',
  'headings',
  'links',
  'inbound',
  'size',
  'depth',
  'own',
  'phrase',
  'headingShare',
  'linkVotes',
  'titleVotes',
  'joint',
  'jointCover',
  'titleStart',
  'titleEnd',
] as const

export interface Evidence {
  readonly document: number
  readonly features: Float64Array
  /** Number of the best heading's section; -1 when no heading matched. */
  readonly section: number
}

/** Everything that shares a word with the mention. */
export function gatherEvidence(mention: string, names: DocumentNames): { wanted: Wanted; found: Evidence[] } {
  const wanted = wantTerms(mention, names)
  const matched = matchNames(wanted, names)
  return { wanted, found: weighMatches(matched, wanted, names) }
}

interface Matched {
  readonly name: number
  atoms: number
  /** Sum of the rarities of the matched terms of the name. */
  weight: number
}

function matchNames({ terms }: Wanted, { postings, rarities }: DocumentNames): Matched[] {
  const matched = new Map<number, Matched>()
  for (const { term, atoms } of terms) {
    const rarity = rarities[term]!
    for (const name of postings[term]!) {
      const known = matched.get(name)
      if (known === undefined) matched.set(name, { name, atoms, weight: rarity })
      else {
        known.atoms |= atoms
        known.weight += rarity
      }
    }
  }
  return [...matched.values()]
}

class Tally {
  readonly best = new Float64Array(fieldCount)
  readonly cover = new Float64Array(fieldCount)
  readonly exact = new Float64Array(fieldCount)
  atoms = 0
  exactLinks = 0
  headings = 0
  links = 0
  section = -1
  own = 0
  phrase = 0
  headingVotes = 0
  linkVotes = 0
  titleVotes = 0
  joint = 0
  jointCover = 0
  titleStart = 0
  titleEnd = 0
}

function weighMatches(matched: readonly Matched[], wanted: Wanted, names: DocumentNames): Evidence[] {
  const tallies = new Map<number, Tally>()
  const covers = coverCache(wanted)
  let exactLinks = 0
  const votes = new Float64Array(fieldCount)
  for (const { name, atoms, weight } of matched) {
    const { document, field, count, section } = names.names[name]!
    let tally = tallies.get(document)
    if (tally === undefined) {
      tally = new Tally()
      tallies.set(document, tally)
    }
    const cover = covers(atoms)
    const share = Math.min(1, weight / names.weights[name]!)
    const similarity = cover * share
    const exact = cover > 0.999 && share > 0.999
    tally.atoms |= atoms
    if (similarity > tally.best[field]!) {
      tally.best[field] = similarity
      if (field === nameFields.heading) tally.section = section
    }
    if (cover > tally.cover[field]!) tally.cover[field] = cover
    if (exact) tally.exact[field] = 1
    const vote = similarity ** 3 * count
    if (field === nameFields.title || field === nameFields.stem) { tally.own |= atoms; tally.titleVotes += vote; votes[nameFields.title]! += vote }
    if (field === nameFields.heading) { tally.headingVotes += vote; votes[field]! += vote }
    if (field === nameFields.link) { tally.linkVotes += vote; votes[field]! += vote }
    if (similarity > 0.2 && field !== nameFields.folder) { const ph = phraseOf(wanted, names.names[name]!.terms); if (ph > tally.phrase) tally.phrase = ph }
    if (field === nameFields.link) {
      tally.links += similarity * count
      if (exact) {
        tally.exactLinks += count
        exactLinks += count
      }
    } else if (field === nameFields.heading) tally.headings += similarity
  }
  const has = new Set(wanted.terms.map(({ term }) => term))
  for (const { name, atoms, weight } of matched) {
    const { document, field, terms } = names.names[name]!
    const tally = tallies.get(document)!
    if (field === nameFields.title) {
      if (has.has(terms[0]!)) tally.titleStart = Math.max(tally.titleStart, covers(atoms))
      if (has.has(terms.at(-1)!)) tally.titleEnd = Math.max(tally.titleEnd, covers(atoms))
    }
    if (field !== nameFields.heading && field !== nameFields.link) continue
    const share = Math.min(1, weight / names.weights[name]!)
    const cover = covers(atoms | tally.own)
    tally.joint = Math.max(tally.joint, cover * share)
    tally.jointCover = Math.max(tally.jointCover, cover)
  }
  return Array.from(tallies, ([document, tally]) => ({
    document,
    section: tally.section,
    features: featuresOf(tally, {
      cover: covers(tally.atoms),
      exactLinks,
      inbound: names.inbound[document]!,size:Math.log1p(names.documents[document]!.sections.length),depth:names.documents[document]!.path.split('/').length/10,own:covers(tally.own),votes }),
  }))
}

interface Surroundings {
  readonly cover: number
  readonly exactLinks: number
  readonly inbound: number
  size:number
 depth:number
 own:number
 votes:Float64Array
}

function featuresOf(tally: Tally, { cover, exactLinks, inbound, size, depth, own, votes }: Surroundings): Float64Array {
  const { best, cover: covers, exact } = tally
  const { title, stem, heading, link, folder } = nameFields
  return Float64Array.of(
    best[title]!,
    covers[title]!,
    exact[title]!,
    best[stem]!,
    covers[stem]!,
    exact[stem]!,
    best[heading]!,
    covers[heading]!,
    exact[heading]!,
    best[link]!,
    covers[link]!,
    exact[link]!,
    exactLinks === 0 ? 0 : tally.exactLinks / exactLinks,
    covers[folder]!,
    cover,
    Math.log1p(tally.headings),
    Math.log1p(tally.links),
    Math.log1p(inbound),
    size,
    depth,
    own,
    tally.phrase,
    tally.headingVotes / (1e-9 + votes[nameFields.heading]!),
    tally.linkVotes / (1e-9 + votes[nameFields.link]!),
    tally.titleVotes / (1e-9 + votes[nameFields.title]!),
    tally.joint,
    tally.jointCover,
    tally.titleStart,
    tally.titleEnd,
  )
}

/** The share of the mention's weight that a set of atoms has. */
function coverCache({ weights, total }: Wanted): (atoms: number) => number {
  const known = new Map<number, number>()
  return (atoms) => {
    let cover = known.get(atoms)
    if (cover === undefined) {
      cover = 0
      for (const [index, weight] of weights.entries()) if ((atoms & (1 << index)) !== 0) cover += weight
      cover = total === 0 ? 0 : cover / total
      known.set(atoms, cover)
    }
    return cover
  }
}

function phraseOf({ terms, weights }: Wanted, name: readonly number[]): number {
  if (weights.length < 2) return 0
  let pairs = 0
  let before = 0
  for (const term of name) {
    const bits = terms.find((one) => one.term === term)?.atoms ?? 0
    if ((before << 1 & bits) !== 0) pairs++
    if ((bits & (bits >> 1)) !== 0) pairs++
    before = bits
  }
  return Math.min(1, pairs / (weights.length - 1))
}
