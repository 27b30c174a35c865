// What does a document keep that is read again? Its place in the graph and where references lead, when these cannot have changed.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { labelsKey } from '../parse/marked-text.ts'
import { findPlace, listOwnAnchors } from '../resolve/find-section.ts'
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

/** What a document that is read again keeps of before: its standing, and what became of each of its references. */
export interface Kept {
  readonly standing: Standing
  readonly outcomes: readonly StoredOutcome[]
  /** Null where its references are to be resolved. */
  readonly leads: Leads | null
  /** Whether its headings and anchors are others than before, which nothing refers to. */
  readonly hasOtherPlaces: boolean
}

export const nothingKept: Kept = {
  standing: { inbound: 0, rank: 0, successor: null },
  outcomes: [],
  leads: null,
  hasOtherPlaces: true,
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
   * Null unless the document has the names and references that it had, and each reference to a place in it leads there
   * still. Where a reference leads depends on these alone, of this document and of all others
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
    const said = this.#mentionsOf.all(before.id) as unknown as MentionBefore[]
    const isSaid = ({ origin, form, text, target, outcome, ...row }: MentionBefore, at: number): boolean => {
      const now = mentions[at]
      return (
        now !== undefined &&
        // Of a document it is the path alone that counts.
        (outline === null || origin === artifacts[now.artifact]?.id) &&
        form === now.form &&
        text === now.text &&
        target === now.target &&
        outcome !== 'pending' &&
        referenceSum({ form, text, target, outcome, ...row }) === row.sum
      )
    }
    if (said.length !== mentions.length || !said.every(isSaid)) return null
    const texts = this.#textsOf.all(before.id) as unknown as { id: string; level: number; text: string }[]
    const hasOtherPlaces =
      textSum(listSections(artifacts)) !== before.sectionsSum ||
      JSON.stringify([...ownAnchorsOf(texts)]) !== JSON.stringify([...ownAnchorsOf(artifacts)])
    if (hasOtherPlaces && (outline !== null || said.some(namesPlace) || !this.#leadsAsBefore(document)))
      return null
    const stored = this.#leadsOf.get(before.id) as unknown as StoredLeads | undefined
    if (stored === undefined) return null
    const { inbound, rank, successor } = before
    const leads = checkedLeads(stored)
    return { standing: { inbound, rank, successor }, outcomes: said, leads, hasOtherPlaces }
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
