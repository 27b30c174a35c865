// What does a document that is read again reuse? Everything that was resolved, if it has the same names, places and references; otherwise its authority.

import type { DatabaseSync } from 'node:sqlite'
import type { FileRow } from '../../../model/section.ts'
import { listOwnAnchors } from '../../resolve/find-section.ts'
import { fileSum, files, mentionSum, references, referencesSql, sections, sectionsSql } from '../schema.ts'
import { textSum } from './checksum.ts'
import type { StoredArtifact, StoredDocument, StoredMention } from './document-batch.ts'
import { listSections } from './section-rows.ts'
import { cacheStatements, combine, computed, type Selected, select } from './table.ts'
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
export type Authority = Pick<FileRow, 'inbound' | 'rank' | 'successor'>

/** What a document that was read again, with the same names, reuses. */
export interface Reused {
  readonly authority: Authority
  /** The resolution of each of its references; none if they must be resolved. */
  readonly resolutions: readonly StoredResolution[]
  /** False if its references and those to it must be resolved. */
  readonly isWhole: boolean
}

export const nothingReused: Reused = {
  authority: { inbound: 0, rank: 0, successor: null },
  resolutions: [],
  isWhole: false,
}

function ownAnchorsOf(artifacts: readonly Pick<StoredArtifact, 'id' | 'level'>[], texts: readonly string[]) {
  return listOwnAnchors(
    artifacts.map(({ id, level }, at) => ({ id: level === 0 ? null : id, text: texts[at] as string })),
  )
}

const isSame = (a: Uint8Array | null, b: Uint8Array | null): boolean =>
  a === null || b === null ? a === b : Buffer.compare(a, b) === 0

const fileColumns = combine(fileSum.columns(), files.pick(['frontmatter', 'outline', 'sectionsSum']))
const mentionColumns = combine(
  combine(mentionSum.columns('m'), computed<{ origin: string }>({ origin: 'a.canonical_id' })),
  references.pick(['id'], 'm'),
)
const sectionColumns = sections.pick(['id', 'canonicalId', 'level'])

/** Compares documents with their rows in the index. */
export function openReused(db: DatabaseSync): (document: StoredDocument) => Reused | null {
  const fileByPath = select(db, fileColumns, 'FROM files WHERE path = ?')
  const mentions = `FROM ${sectionsSql} a JOIN ${referencesSql} m ON m.artifact = a.id`
  const mentionsOf = select(db, mentionColumns, `${mentions} WHERE a.file = ? ORDER BY m.id`)
  const prepare = cacheStatements(db)
  const sectionsOf = select(db, sectionColumns, `FROM ${sectionsSql} WHERE file = ? ORDER BY id`)

  /** Has the document the stored headings and anchors? */
  function hasPlaces(
    { artifacts: now, texts }: StoredDocument,
    before: Selected<typeof fileColumns>,
  ): boolean {
    if (textSum(listSections(now)) !== before.sectionsSum) return false
    const old = sectionsOf.all(before.id)
    const anchors = ownAnchorsOf(
      old.map(({ canonicalId, level }) => ({ id: canonicalId, level })),
      old.map(({ id }) => id).map(readTexts(prepare)),
    )
    return JSON.stringify([...anchors]) === JSON.stringify([...ownAnchorsOf(now, unpackTexts(texts))])
  }

  /**
   * Null unless the document has the same names as before. A reference depends on the names of all documents and on the
   * headings and anchors of its target and of its own document (resolve/resolve-mention.ts, resolve/code/resolve-use.ts).
   */
  return (document) => {
    const before = fileByPath.get(document.path)
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
    const old = mentionsOf.all(before.id)
    const isRight = old.every((row) => row.outcome !== 'pending' && mentionSum.isRight(row))
    const isWhole = isRight && isSameText(document, old) && hasPlaces(document, before)
    return { authority, resolutions: isWhole ? old : [], isWhole }
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
