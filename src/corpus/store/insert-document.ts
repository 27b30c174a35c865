// How does one document become rows? Its file, artifacts, fragments and mentions, each with its checksum.
import type { DatabaseSync } from 'node:sqlite'
import { getOrAdd } from '../../model/remember.ts'
import { blobSum, idKey, numberSum, rowSum, textSum } from './rows/checksum.ts'
import type { StoredArtifact, StoredDocument, StoredMention } from './rows/document-batch.ts'
import { StoredVocabulary } from './rows/pack-words.ts'
import { type Reused, type StoredResolution, unresolved } from './rows/reused-references.ts'
import { listSections } from './rows/section-rows.ts'
import { readVocabulary } from './rows/section-words.ts'
import { computed, select } from './rows/table.ts'
import * as schema from './schema.ts'

/** The first ids of a document's rows. */
export interface DocumentIds {
  readonly file: number
  readonly firstFragment: number
}

const nextId = (db: DatabaseSync, table: 'files' | 'artifacts'): number =>
  select(db, computed<{ id: number }>({ id: 'coalesce(max(id), 0) + 1' }), `FROM ${table}`).get()?.id ?? 1

const storedOfMention = [
  ...(['artifact', 'otherForm', 'text', 'otherTarget', 'line', 'otherOutcome', 'pathId', 'place'] as const),
  ...(['otherAnchor', 'confidence', 'method', 'candidates'] as const),
]

type MentionValues = Pick<StoredResolution, 'outcome' | 'path' | 'section' | 'anchor'>

/** The stored columns of a resolution; see `mentions`. */
export function packResolution({ outcome, path, section, anchor }: MentionValues) {
  const otherOutcome = outcome === (path === null ? 'external' : 'resolved') ? null : outcome
  if (section === null) return { otherOutcome, place: null, otherAnchor: anchor }
  if (path === null || !section.startsWith(`${path}#`))
    return { otherOutcome, place: `/${section}`, otherAnchor: anchor }
  const name = section.slice(path.length + 1)
  if (name === anchor) return { otherOutcome, place: `=${name}`, otherAnchor: null }
  return { otherOutcome, place: `#${name}`, otherAnchor: anchor }
}

function packMention({ form, text, target, ...resolution }: MentionValues & StoredMention) {
  return {
    ...packResolution(resolution),
    otherForm: form === 'uses' ? null : form,
    otherTarget: target === text ? null : target,
  }
}

export class DocumentInserter {
  readonly #db: DatabaseSync
  readonly #file
  readonly #artifact
  readonly #texts
  readonly #fragment
  readonly #mention
  #nextFile = 0
  #nextArtifact = 0
  #vocabulary: StoredVocabulary | null = null
  readonly #pathIds = new Map<string, number>()

  constructor(db: DatabaseSync) {
    this.#db = db
    this.#file = schema.files.inserter(db)
    this.#artifact = schema.artifacts.inserter(db)
    this.#texts = schema.texts.inserter(db)
    this.#fragment = schema.fragments.inserter(db)
    this.#mention = schema.mentions.inserter(db, [...storedOfMention, 'sum'])
  }

  /** Continues after the highest ids. Each transaction starts so, and ends with `end` or `forget`. */
  begin(): void {
    this.#nextFile = nextId(this.#db, 'files')
    this.#nextArtifact = nextId(this.#db, 'artifacts')
  }

  /** Forgets what was not committed. */
  forget(): void {
    this.#pathIds.clear()
    this.#vocabulary = null
  }

  /** The row of a path that a mention leads to. */
  pathId(path: string | null): number | null {
    if (path === null) return null
    return getOrAdd(this.#pathIds, path, () => {
      const known = select(this.#db, schema.paths.pick(['id']), 'FROM paths WHERE path = ?').get(path)
      return known?.id ?? schema.paths.inserter(this.#db, ['path'])({ path })
    })
  }

  end(): void {
    this.#vocabulary?.write(this.#db)
  }

  nextFile(): number {
    return this.#nextFile++
  }

  insert(document: StoredDocument, { file, firstFragment }: DocumentIds, reused: Reused): void {
    this.#insertFile(document, file, reused)
    const firstArtifact = this.#nextArtifact
    this.#nextArtifact += document.artifacts.length
    for (const [index, artifact] of document.artifacts.entries())
      this.#insertArtifact(artifact, document.path, { file, firstArtifact, id: firstArtifact + index })
    for (const { artifact, data } of document.texts) this.#texts({ artifact: firstArtifact + artifact, data })
    for (const [index, fragment] of document.fragments.entries()) {
      const [id, artifact] = [firstFragment + index, firstArtifact + fragment.artifact]
      const sum = numberSum(id, artifact, fragment.pieceStart, fragment.pieceEnd)
      this.#fragment({ ...fragment, id, artifact, sum })
    }
    for (const [index, mention] of document.mentions.entries()) {
      const artifact = firstArtifact + mention.artifact
      const row = { ...(reused.resolutions[index] ?? unresolved), ...mention, artifact }
      this.#mention({ ...schema.mentionSum.seal(row), ...packMention(row), pathId: this.pathId(row.path) })
    }
  }

  #insertFile(document: StoredDocument, id: number, { authority }: Reused): void {
    const { path, outline, masks, places, facts, artifacts: parts } = document
    const { title, status } = facts
    const frontmatter = JSON.stringify(facts.frontmatter)
    const row = {
      ...document,
      ...authority,
      id,
      title,
      status,
      frontmatter,
      tokens: document.artifacts.reduce((sum, { tokens }) => sum + tokens, 0),
    }
    this.#file({
      ...row,
      sum: schema.fileSum.of(row),
      frontmatterSum: rowSum(id, frontmatter, outline === null ? 0 : 1),
      detailsSum: schema.detailsSum.of({ path, outline, masks, places }),
      namesSum: textSum(parts.map(({ name }) => name).join('\0')),
      sectionsSum: textSum(listSections(parts)),
    })
  }

  #insertArtifact(
    artifact: StoredArtifact,
    path: string,
    { file, firstArtifact, id }: { file: number; firstArtifact: number; id: number },
  ): void {
    const { lines, ownLines } = artifact
    this.#vocabulary ??= new StoredVocabulary(readVocabulary(this.#db))
    const words = this.#vocabulary.number(artifact.words)
    const row = {
      ...artifact,
      words,
      id,
      file,
      key: idKey(artifact.id),
      canonicalId: artifact.id,
      place: artifact.id.slice(path.length),
      headings: JSON.stringify(artifact.headings),
      parent: artifact.parent < 0 ? null : firstArtifact + artifact.parent,
      lineStart: lines.start,
      lineEnd: lines.end,
      ownStart: ownLines?.start ?? null,
      ownEnd: ownLines?.end ?? null,
    }
    this.#artifact({ ...row, sum: schema.artifactSum.of(row), wordsSum: blobSum(id, words) })
  }
}
