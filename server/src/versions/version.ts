// What is a version of a corpus? A base and the page deltas after it; together they are one SQLite file.
import { hash } from 'node:crypto'
import { schemaVersion } from '../yore.ts'
import type { ObjectStore } from './store.ts'

/** One object of a version. A base is a whole file, a delta the pages that changed (page-set.ts). */
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
  /** SHA-256 of the database after it, hex. */
  readonly checksum: string
  /** Of the index in the database: `schemaVersion` of the publisher. Versions from before it was recorded have none. */
  readonly format?: number
  /** For a base that replaced other parts: their mark. A file built from them equals this one. */
  readonly of?: string
}

/** The base first, then its deltas in order. */
export type Manifest = readonly VersionPart[]

/** The format of a version's index; null if it is not recorded. */
export const formatOf = (manifest: Manifest): number | null => manifest.at(-1)?.format ?? null

/** Whether a node of this release cannot read it. */
export const isForeign = (manifest: Manifest): boolean =>
  !isReadable(manifest) || (manifest.length > 0 && (formatOf(manifest) ?? schemaVersion) !== schemaVersion)

/** The last version in another format: nodes of that release answer from it while nothing has changed since. */
export interface FormerVersion {
  readonly format: number
  readonly version: number
  /** The change to the documents that it includes. */
  readonly change: number
  readonly manifest: Manifest
}

export interface PublishRequest {
  /** Number of the corpus, which starts its keys. */
  readonly corpus: number
  /** The worker's SQLite file, checkpointed and closed. */
  readonly workingFile: string
  /** The published version; empty for the first. */
  readonly manifest: Manifest
  readonly store: ObjectStore
  /**
   * The publisher's folder for this corpus: it holds the published file and the one before;
   * older ones are removed. The folder of the working file by default.
   */
  readonly directory?: string
  /** Number of the new version if it is more than one above the last transaction, because the corpus was empty in between. */
  readonly version?: number
}

export interface MaterialiseRequest {
  readonly manifest: Manifest
  readonly store: ObjectStore
  /** Folder of the finished files; one file per manifest. */
  readonly directory: string
}

/** Number of deltas after which a new base is due, to limit what a reader must fetch and apply. */
export const maxDeltas = 32
/** Total size of deltas, as a share of their base, after which a new base is cheaper for the next reader. */
export const maxDeltaShare = 0.5
/**
 * A due base is built in the background. If that has not happened by this multiple
 * of the limits, a publisher writes one itself.
 */
const basePatience = 2

/**
 * The manifest after this part is published: a base starts a new one.
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

/** May a delta of this size follow, or is a base needed? */
export const allowsDelta = (manifest: Manifest, size: number): boolean =>
  isWithin(manifest, basePatience, [size])

/** Should one object replace a base and its deltas? */
export const isBaseDue = (manifest: Manifest): boolean => manifest.length > 1 && !isWithin(manifest, 1, [])

/**
 * Identifies the content of a version by the hashes of its parts, in order; a base that replaces other parts keeps
 * their mark, so that nodes do not fetch again what they have.
 */
export function markOf(manifest: Manifest): string {
  let mark = ''
  for (const { sha256, of } of manifest) mark = of ?? hash('sha256', mark + sha256)
  return mark
}

const formatTxid = (txid: number): string => txid.toString(16).padStart(16, '0')

/** Names the content: concurrent publishers of one transaction write different objects, and PostgreSQL chooses one. */
export const partKey = (corpus: number, part: Pick<VersionPart, 'minTxid' | 'maxTxid' | 'sha256'>): string =>
  `corpora/${corpus}/${formatTxid(part.minTxid)}-${formatTxid(part.maxTxid)}/${part.sha256}.pages`

const keyPattern = /^corpora\/\d+\/([0-9a-f]{16})-([0-9a-f]{16})\/[0-9a-f]{64}\.(?:pages|ltx)$/

/** yore-server 0.2.0 published versions in another format: a publisher replaces them, and they are only deleted. */
export const isReadable = (manifest: Manifest): boolean => manifest.every(({ key }) => !key.endsWith('.ltx'))

/** The transactions of an object; null for an unknown key. */
export function readPartKey(key: string): Pick<VersionPart, 'minTxid' | 'maxTxid'> | null {
  const [, first, last] = keyPattern.exec(key) ?? []
  if (first === undefined || last === undefined) return null
  return { minTxid: Number.parseInt(first, 16), maxTxid: Number.parseInt(last, 16) }
}
