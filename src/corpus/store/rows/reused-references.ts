// What does a document that is read again reuse? Its authority and its resolved references, unless they may have changed.
import type { DatabaseSync } from 'node:sqlite'
import { labelsKey } from '../../../read/parse/text/marked-text.ts'
import { findPlace, listOwnAnchors } from '../../resolve/find-section.ts'
import { artifacts, fileSum, files, mentionSum, mentions, outgoingLinks } from '../schema.ts'
import { textSum } from './checksum.ts'
import type { StoredArtifact, StoredDocument, StoredMention } from './document-batch.ts'
import { type OutgoingLinks, verifyOutgoing } from './outgoing-links.ts'
import { listSections } from './section-rows.ts'
import {
  cacheStatements,
  combine,
  computed,
  type Prepare,
  type RowQuery,
  type Selected,
  select,
} from './table.ts'
import { readTexts, unpackTexts } from './text-blocks.ts'

/** The resolution of a mention, as stored. */
export type StoredResolution = Omit<
  Selected<typeof mentionColumns>,
  keyof StoredMention | 'id' | 'origin' | 'sum'
>

export const unresolved: StoredResolution = {
  outcome: 'pending',
  path: null,
  section: null,
  anchor: null,
  confidence: null,
  method: null,
  candidates: null,
}

/** What the graph says of a document. */
export interface Authority {
  readonly inbound: number
  readonly rank: number
  readonly successor: string | null
}

/** What a document that was read again, with the same names, reuses. */
export interface Reused {
  readonly authority: Authority
  /** The resolution of each of its references; undefined for those to resolve. */
  readonly resolutions: readonly (StoredResolution | undefined)[]
  /** Null when some of its references, or references to places in it, must be resolved. */
  readonly outgoing: OutgoingLinks | null
  /** True if headings or anchors changed. */
  readonly changesPlaces: boolean
  /** True if every reference to it still has the same target. */
  readonly keepsTargets: boolean
}

export const nothingReused: Reused = {
  authority: { inbound: 0, rank: 0, successor: null },
  resolutions: [],
  outgoing: null,
  changesPlaces: true,
  keepsTargets: false,
}

function ownAnchorsOf(
  artifacts: readonly Pick<StoredArtifact, 'id' | 'level'>[],
  texts: readonly string[],
): ReadonlyMap<string, string | null> {
  return listOwnAnchors(
    artifacts.map(({ id, level }, at) => ({ id: level === 0 ? null : id, text: texts[at] as string })),
  )
}

function isSame(a: Uint8Array | null, b: Uint8Array | null): boolean {
  return a === null || b === null ? a === b : Buffer.compare(a, b) === 0
}

type Named = Pick<StoredMention, 'form' | 'target'>

/** A label may be the label of a heading in the same document. */
function namesPlace({ form, target }: Named): boolean {
  return /^(?:label|role):/.test(target) || (form === 'code' && target.startsWith(':'))
}

/** References of one document with the same key have the same target. */
function keyOf({ form, target }: Named): string {
  return `${form}\0${target}`
}

const fileColumns = combine(fileSum.columns(), files.pick(['frontmatter', 'outline', 'sectionsSum']))
const mentionColumns = combine(
  combine(mentionSum.columns('m'), computed<{ origin: string }>({ origin: 'a.canonical_id' })),
  mentions.pick(['id'], 'm'),
)
const outgoingColumns = outgoingLinks.pick(['file', 'targets', 'sum'])
const sectionColumns = artifacts.pick(['id', 'canonicalId', 'level'])
const placeColumns = mentions.pick(['section', 'anchor'])

/** Compares documents with their rows in the index. */
export class ReusedReferences {
  readonly #fileByPath: RowQuery<Selected<typeof fileColumns>>
  readonly #mentionsOf: RowQuery<Selected<typeof mentionColumns>>
  readonly #prepare: Prepare
  readonly #sectionsOf: RowQuery<Selected<typeof sectionColumns>>
  readonly #placesIn: RowQuery<Selected<typeof placeColumns>>
  readonly #outgoingOf: RowQuery<Selected<typeof outgoingColumns>>

  constructor(db: DatabaseSync) {
    this.#fileByPath = select(db, fileColumns, 'FROM files WHERE path = ?')
    this.#mentionsOf = select(
      db,
      mentionColumns,
      'FROM artifacts a JOIN mentions m ON m.artifact = a.id WHERE a.file = ? ORDER BY m.id',
    )
    this.#prepare = cacheStatements(db)
    this.#sectionsOf = select(db, sectionColumns, 'FROM artifacts WHERE file = ? ORDER BY id')
    this.#placesIn = select(
      db,
      placeColumns,
      `FROM mentions WHERE path = ? AND (section IS NOT NULL OR anchor IS NOT NULL
        OR instr(target, '#') > 0 OR target LIKE 'label:%' OR target LIKE 'role:%')`,
    )
    this.#outgoingOf = select(db, outgoingColumns, 'FROM leads WHERE file = ?')
  }

  /**
   * Null unless the document has the same names as before. A reference depends on the names of all documents and on the
   * headings and anchors of its target; a label also on those of its own document (resolve/resolve-mention.ts,
   * resolve/code/resolve-use.ts).
   */
  of(document: StoredDocument): Reused | null {
    const before = this.#fileByPath.get(document.path)
    if (before === undefined) return null
    const { facts, language, outline } = document
    const isNamedAlike =
      fileSum.isRight(before) &&
      facts.title === before.title &&
      language === before.language &&
      isSame(outline, before.outline) &&
      JSON.stringify(facts.frontmatter) === before.frontmatter
    if (!isNamedAlike) return null
    const { inbound, rank, successor } = before
    const authority = { inbound, rank, successor }
    const old = this.#mentionsOf.all(before.id)
    const isRight = old.every((row) => row.outcome !== 'pending' && mentionSum.isRight(row))
    const stored = this.#outgoingOf.get(before.id)
    if (!isRight || stored === undefined) return { ...nothingReused, authority }
    const changesPlaces = this.#changesPlaces(document, before)
    const keepsTargets = !changesPlaces || (outline === null && this.#keepsTargets(document))
    const places = { changesPlaces, keepsTargets }
    if (isSameText(document, old) && keepsTargets && !(changesPlaces && old.some(namesPlace)))
      return { authority, resolutions: old, outgoing: verifyOutgoing(stored), ...places }
    if (outline !== null) return { ...nothingReused, authority }
    const known = new Map(old.map((row) => [keyOf(row), row]))
    const resolutions = document.mentions.map((mention) =>
      namesPlace(mention) ? undefined : known.get(keyOf(mention)),
    )
    return { authority, resolutions, outgoing: null, ...places }
  }

  #changesPlaces({ artifacts: now, texts }: StoredDocument, before: Selected<typeof fileColumns>): boolean {
    if (textSum(listSections(now)) !== before.sectionsSum) return true
    const old = this.#sectionsOf.all(before.id)
    const anchors = ownAnchorsOf(
      old.map(({ canonicalId, level }) => ({ id: canonicalId, level })),
      old.map(({ id }) => id).map(readTexts(this.#prepare)),
    )
    return JSON.stringify([...anchors]) !== JSON.stringify([...ownAnchorsOf(now, unpackTexts(texts))])
  }

  /** Does every reference to a place in the document still mean the same place? */
  #keepsTargets({ path, facts, artifacts: now, texts }: StoredDocument): boolean {
    const labels = facts.frontmatter[labelsKey]
    const document = {
      path,
      title: facts.title,
      frontmatter: facts.frontmatter,
      labels: new Map(Array.isArray(labels) ? (labels as [string, number][]) : []),
      ownAnchors: ownAnchorsOf(now, unpackTexts(texts)),
      sections: now
        .filter(({ level }) => level > 0)
        .map(({ id, name, anchor }) => ({ id, name, anchor: anchor ?? '' })),
    }
    return this.#placesIn.all(path).every(({ section, anchor }) => {
      // The reference means the start of the document, by an anchor that is not stored.
      if (anchor === null) return false
      const place = findPlace(document, anchor)
      return section === (place?.section ?? null) && (place === null || place.section !== null)
    })
  }
}

/** Are the mentions of the document the stored ones? In code, each must also be in the same artifact. */
function isSameText(
  { outline, artifacts: parts, mentions: now }: StoredDocument,
  old: readonly Selected<typeof mentionColumns>[],
): boolean {
  return (
    old.length === now.length &&
    now.every(({ artifact, form, text, target }, at) => {
      const row = old[at]
      return (
        (outline === null || row?.origin === parts[artifact]?.id) &&
        row?.form === form &&
        row.text === text &&
        row.target === target
      )
    })
  )
}
