// What does a document keep that is read again? Its place in the graph and where its references lead, when its text alone changed.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { listOwnAnchors } from '../resolve/find-section.ts'
import type { StoredArtifact, StoredDocument } from './document-batch.ts'
import {
  type FileValues,
  fileColumns,
  fileSum,
  listSections,
  type ReferenceValues,
  referenceSum,
  type StoredOutcome,
  textSum,
} from './row-sum.ts'

/** A reference that nobody has resolved yet. */
export const pending: StoredOutcome = {
  outcome: 'pending',
  path: null,
  section: null,
  anchor: null,
  confidence: null,
  method: null,
  candidates: null,
}

/** A document's place in the graph. */
export interface Standing {
  readonly inbound: number
  readonly rank: number
  readonly successor: string | null
}

interface FileBefore extends FileValues, Standing {
  readonly id: number
  readonly sum: number
  readonly inbound: number
  readonly rank: number
  readonly successor: string | null
  readonly frontmatter: string
  readonly outline: string | null
  readonly sectionsSum: number
}

interface MentionBefore extends ReferenceValues {
  readonly origin: string
  readonly sum: number
}

/** What a document that is read again keeps of before: its standing, and what became of each of its references. */
export interface Kept {
  readonly standing: Standing
  readonly outcomes: readonly StoredOutcome[]
}

export const nothingKept: Kept = { standing: { inbound: 0, rank: 0, successor: null }, outcomes: [] }

function ownAnchorsOf(artifacts: readonly Pick<StoredArtifact, 'id' | 'level' | 'text'>[]): string {
  const texts = artifacts.map(({ id, level, text }) => ({ id: level === 0 ? null : id, text }))
  return JSON.stringify([...listOwnAnchors(texts)])
}

/** Compares documents with what the index holds of them. */
export class KeptReferences {
  readonly #fileByPath: StatementSync
  readonly #mentionsOf: StatementSync
  readonly #textsOf: StatementSync

  constructor(db: DatabaseSync) {
    this.#fileByPath = db.prepare(
      `SELECT ${fileColumns}, frontmatter, outline, sections_sum AS sectionsSum FROM files WHERE path = ?`,
    )
    this.#mentionsOf = db.prepare(
      'SELECT a.canonical_id AS origin, m.* FROM artifacts a JOIN mentions m ON m.artifact = a.id WHERE a.file = ? ORDER BY m.id',
    )
    this.#textsOf = db.prepare(
      'SELECT canonical_id AS id, level, text FROM artifacts WHERE file = ? ORDER BY id',
    )
  }

  /**
   * Null unless the document has the names, sections, anchors and references that it had. Where a reference leads
   * depends on these alone, of this document and of all others (resolve/resolve-mention.ts, resolve/code/resolve-use.ts).
   */
  of(document: StoredDocument): Kept | null {
    const before = this.#fileByPath.get(document.path) as unknown as FileBefore | undefined
    if (before === undefined) return null
    const { facts, language, outline, artifacts, mentions } = document
    const isSame =
      fileSum(before) === before.sum &&
      facts.title === before.title &&
      language === before.language &&
      outline === before.outline &&
      JSON.stringify(facts.frontmatter) === before.frontmatter &&
      textSum(listSections(artifacts)) === before.sectionsSum
    if (!isSame) return null
    const said = this.#mentionsOf.all(before.id) as unknown as MentionBefore[]
    const isSaid = ({ origin, form, text, target, outcome, ...row }: MentionBefore, at: number): boolean => {
      const now = mentions[at]
      return (
        now !== undefined &&
        origin === artifacts[now.artifact]?.id &&
        form === now.form &&
        text === now.text &&
        target === now.target &&
        outcome !== 'pending' &&
        referenceSum({ form, text, target, outcome, ...row }) === row.sum
      )
    }
    if (said.length !== mentions.length || !said.every(isSaid)) return null
    const texts = this.#textsOf.all(before.id) as unknown as { id: string; level: number; text: string }[]
    if (ownAnchorsOf(texts) !== ownAnchorsOf(artifacts)) return null
    const { inbound, rank, successor } = before
    return { standing: { inbound, rank, successor }, outcomes: said }
  }
}
