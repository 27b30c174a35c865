// What is a version of a corpus? A base and the page deltas after it; together they are one SQLite file.
import { hash } from 'node:crypto'
import type { ObjectStore } from './store.ts'

/** One object of a version. A base is a whole file, a delta the pages that changed; both are LTX. */
export interface VersionPart {
  readonly kind: 'base' | 'delta'
  readonly key: string
  /** Hex, of the object. */
  readonly sha256: string
  /** Bytes of the object. */
  readonly size: number
  /** Transaction ids that it covers. */
  readonly minTxid: number
  readonly maxTxid: number
  /** Rolling checksum of the database after it, hex. */
  readonly checksum: string
  /** Of a base that took the place of other parts: their mark. A file that was put together from them is this one's. */
  readonly of?: string
}

/** The base first, then its deltas in order. */
export type Manifest = readonly VersionPart[]

export interface PublishRequest {
  /** Number of the corpus; keys begin with it. */
  readonly corpus: number
  /** The worker's SQLite file, checkpointed and closed. */
  readonly workingFile: string
  /** What is published already; empty for the first version. */
  readonly manifest: Manifest
  readonly store: ObjectStore
  /**
   * The publisher's own for this corpus: the published file stays there for the next time, and so does the one before;
   * older ones go. The folder of the working file by default.
   */
  readonly directory?: string
  /** Number of the new version, when it is more than one above the last transaction: a corpus was empty in between. */
  readonly version?: number
  /** Milliseconds since 1970, written into the object. The same pages at the same time give the same bytes. */
  readonly now?: number
}

export interface MaterialiseRequest {
  readonly manifest: Manifest
  readonly store: ObjectStore
  /** Where the file is put together; one file per manifest. */
  readonly directory: string
}

/**
 * Writes what the manifest lacks: a delta, or a base when deltas have grown far too many or too big. When no page
 * changed, the last part of the manifest.
 */
export type PublishVersion = (request: PublishRequest) => Promise<VersionPart>

/** Fetches, applies and verifies; the path of a file that equals the worker's byte for byte. */
export type Materialise = (request: MaterialiseRequest) => Promise<string>

/** Deltas after which a new base is due: what a reader must fetch and apply stays bounded. */
export const maxDeltas = 32
/** Bytes of all deltas, as a share of their base, after which a new base is cheaper for the next reader. */
export const maxDeltaShare = 0.5
/**
 * A base that is due is made beside the publications, which do not wait for it. Where that was not done by so many times
 * these bounds, a publisher writes one itself.
 */
const basePatience = 2

/**
 * What is published once this part is: a base begins anew.
 *
 * @example const manifest = extendManifest(seen, await publishVersion({ manifest: seen, … }))
 */
export function extendManifest(manifest: Manifest, part: VersionPart): Manifest {
  if (part.kind === 'base') return [part]
  return manifest.at(-1)?.key === part.key ? manifest : [...manifest, part]
}

function isWithin(manifest: Manifest, patience: number, next: readonly number[]): boolean {
  const [base, ...deltas] = manifest
  if (base === undefined) return false
  const sizes = [...deltas.map(({ size }) => size), ...next]
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  return sizes.length <= maxDeltas * patience && bytes <= base.size * maxDeltaShare * patience
}

/** Whether a delta of so many bytes may follow, or a base must. */
export function allowsDelta(manifest: Manifest, size: number): boolean {
  return isWithin(manifest, basePatience, [size])
}

/** Whether one object should take the place of a base and its deltas. */
export function isBaseDue(manifest: Manifest): boolean {
  return manifest.length > 1 && !isWithin(manifest, 1, [])
}

/**
 * Names the content of a version by the hashes of its parts, in their order; a base in the place of other parts keeps
 * their mark, so that nobody fetches again what they have.
 */
export function markOf(manifest: Manifest): string {
  let mark = ''
  for (const { sha256, of } of manifest) mark = of ?? hash('sha256', mark + sha256)
  return mark
}

const formatTxid = (txid: number): string => txid.toString(16).padStart(16, '0')

/** Names the content: racing publishers of one transaction write different objects, and PostgreSQL chooses one. */
export function partKey(corpus: number, part: Pick<VersionPart, 'minTxid' | 'maxTxid' | 'sha256'>): string {
  return `corpora/${corpus}/${formatTxid(part.minTxid)}-${formatTxid(part.maxTxid)}/${part.sha256}.ltx`
}

const keyPattern = /^corpora\/\d+\/([0-9a-f]{16})-([0-9a-f]{16})\/[0-9a-f]{64}\.ltx$/

/** The transactions of an object, or null for a key that is none of ours. */
export function readPartKey(key: string): Pick<VersionPart, 'minTxid' | 'maxTxid'> | null {
  const [, first, last] = keyPattern.exec(key) ?? []
  if (first === undefined || last === undefined) return null
  return { minTxid: Number.parseInt(first, 16), maxTxid: Number.parseInt(last, 16) }
}
