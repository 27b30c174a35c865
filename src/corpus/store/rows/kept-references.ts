// What does a document keep that is read again? Its place in the graph and where references lead, when these cannot have changed.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { labelsKey } from '../../../read/parse/text/marked-text.ts'
import { findPlace, listOwnAnchors } from '../../resolve/find-section.ts'
import type { StoredArtifact, StoredDocument } from './document-batch.ts'
import { checkedLeads, type Leads, type StoredLeads } from './document-edges.ts'
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

/** What a document that is read again with the names that it had keeps of before. */
export interface Kept {
  readonly standing: Standing
  /** What became of each of its references; undefined of those that are to be resolved. */
  readonly outcomes: readonly (StoredOutcome | undefined)[]
  /** What it refers to; null where some of its references, or some to places in it, are to be resolved. */
  readonly leads: Leads | null
  /** Whether its headings or anchors are others than before. */
  readonly hasOtherPlaces: boolean
  /** Whether every reference to it leads where it led. */
  readonly isFoundAlike: boolean
}

export const nothingKept: Kept = {
  standing: { inbound: 0, rank: 0, successor: null },
  outcomes: [],
  leads: null,
  hasOtherPlaces: true,
  isFoundAlike: false,
}

function ownAnchorsOf(
  artifacts: readonly Pick<StoredArtifact, 'id' | 'level' | 'text'>[],
): ReadonlyMap<string, string | null> {
  return listOwnAnchors(artifacts.map(({ id, level, text }) => ({ id: level === 0 ? null : id, text })))
}

/** A label may mean a heading of the very document that names it. */
function namesPlace({ form, target }: Pick<ReferenceValues, 'form' | 'target'>): boolean {
  return /^(?:label|role):/.test(target) || (form === 'code' && target.startsWith(':'))
}

/** References of one document that mean the same. */
function keyOf({ form, target }: Pick<ReferenceValues, 'form' | 'target'>): string {
  return `${form}\0${target}`
}

/** Compares documents with what the index holds of them. */
export class KeptReferences {
  readonly #fileByPath: StatementSync
  readonly #mentionsOf: StatementSync
  readonly #textsOf: StatementSync
  readonly #placesIn: StatementSync
  readonly #leadsOf: StatementSync

  constructor(db: DatabaseSync) {
    this.#fileByPath = db.prepare(
      `SELECT ${fileColumns}, frontmatter, outline, sections_sum AS sectionsSum FROM files WHERE path = ?`,
    )
    this.#mentionsOf = db.prepare(
      'SELECT a.canonical_id AS origin, m.* FROM artifacts a JOIN mentions m ON m.artifact = a.id WHERE a.file = ? ORDER BY m.id',
    )
    this.#textsOf = db.prepare(
      'SELECT a.canonical_id AS id, a.level, a.text FROM artifacts a WHERE a.file = ? ORDER BY a.id',
    )
    this.#placesIn = db.prepare(
      `SELECT section, anchor FROM mentions WHERE path = ? AND (section IS NOT NULL OR anchor IS NOT NULL
        OR instr(target, '#') > 0 OR target LIKE 'label:%' OR target LIKE 'role:%')`,
    )
    this.#leadsOf = db.prepare('SELECT file, targets, sum FROM leads WHERE file = ?')
  }

  /**
   * Null unless the document has the names that it had. Where a reference leads depends on the names of all documents and
   * on the headings and anchors of its target alone, and a label on those of its own document, too
   * (resolve/resolve-mention.ts, resolve/code/resolve-use.ts).
   */
  of(document: StoredDocument): Kept | null {
    const before = this.#fileByPath.get(document.path) as unknown as FileBefore | undefined
    if (before === undefined) return null
    const { facts, language, outline, artifacts, mentions } = document
    const isNamedAlike =
      fileSum(before) === before.sum &&
      facts.title === before.title &&
      language === before.language &&
      outline === before.outline &&
      JSON.stringify(facts.frontmatter) === before.frontmatter
    if (!isNamedAlike) return null
    const { inbound, rank, successor } = before
    const standing = { inbound, rank, successor }
    const said = this.#mentionsOf.all(before.id) as unknown as MentionBefore[]
    const isRight = said.every((row) => row.outcome !== 'pending' && referenceSum(row) === row.sum)
    const stored = this.#leadsOf.get(before.id) as unknown as StoredLeads | undefined
    if (!isRight || stored === undefined) return { ...nothingKept, standing }
    const texts = this.#textsOf.all(before.id) as unknown as { id: string; level: number; text: string }[]
    const hasOtherPlaces =
      textSum(listSections(artifacts)) !== before.sectionsSum ||
      JSON.stringify([...ownAnchorsOf(texts)]) !== JSON.stringify([...ownAnchorsOf(artifacts)])
    const isSaid = ({ origin, form, text, target }: MentionBefore, at: number): boolean => {
      const now = mentions[at]
      return (
        now !== undefined &&
        // Of a document it is the path alone that counts.
        (outline === null || origin === artifacts[now.artifact]?.id) &&
        form === now.form &&
        text === now.text &&
        target === now.target
      )
    }
    const isWhole = said.length === mentions.length && said.every(isSaid)
    const isFoundAlike = !hasOtherPlaces || (outline === null && this.#leadsAsBefore(document))
    const places = { hasOtherPlaces, isFoundAlike }
    if (isWhole && isFoundAlike && !(hasOtherPlaces && said.some(namesPlace)))
      return { standing, outcomes: said, leads: checkedLeads(stored), ...places }
    if (outline !== null) return { ...nothingKept, standing }
    const known = new Map(said.map((row) => [keyOf(row), row]))
    const outcomes = mentions.map((mention) => (namesPlace(mention) ? undefined : known.get(keyOf(mention))))
    return { standing, outcomes, leads: null, ...places }
  }

  /** Does every reference to a place in the document mean the same place of what it is now? */
  #leadsAsBefore({ path, facts, artifacts }: StoredDocument): boolean {
    const labels = facts.frontmatter[labelsKey]
    const document = {
      path,
      title: facts.title,
      frontmatter: facts.frontmatter,
      labels: new Map(Array.isArray(labels) ? (labels as [string, number][]) : []),
      ownAnchors: ownAnchorsOf(artifacts),
      sections: artifacts
        .filter(({ level }) => level > 0)
        .map(({ id, name, anchor }) => ({ id, name, anchor: anchor ?? '' })),
    }
    const rows = this.#placesIn.all(path) as unknown as Pick<StoredOutcome, 'section' | 'anchor'>[]
    return rows.every(({ section, anchor }) => {
      // The start of the document was meant, by an anchor that is not kept.
      if (anchor === null) return false
      const place = findPlace(document, anchor)
      return section === (place?.section ?? null) && (place === null || place.section !== null)
    })
  }
}
