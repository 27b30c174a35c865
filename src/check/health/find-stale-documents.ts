// Which documents describe code that changed since? Compares the named code at the document's last commit with today's.
import { findSignature } from '../../answer/assemble/find-signature.ts'
import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import type { ReferenceRow } from '../../corpus/store/rows/reference-reader.ts'
import type { ArtifactRow, FileRow } from '../../model/section.ts'
import { isCodeText, shapeOfKind } from '../../read/parse/artifact-kinds.ts'
import { readOldText } from '../../read/source/git/read-changes.ts'
import { readGitHead, runGit } from '../../read/source/git/run-git.ts'
import type { HealthFinding } from './health-rules.ts'

/** Maximum documents to compare with the history, the most referenced first. */
const MOST_DOCUMENTS = 200
/** Minimum confidence: a less certain resolution may be another definition. */
const CERTAIN = 0.8
/** Share of new lines at which a definition counts as rewritten. */
const REWRITTEN = 0.5
const LEAST_LINES = 5

interface StaleDocuments {
  readonly findings: readonly HealthFinding[]
  readonly notices: readonly string[]
}

/** Compares commits of documents with those of the code; empty without git. */
export function findStaleDocuments(
  reader: CorpusReader,
  root: string | null,
  documents: readonly FileRow[],
): StaleDocuments {
  const head = root === null ? null : readGitHead(root)
  if (root === null || head === null)
    return {
      findings: [],
      notices: ['Documents were not compared with the code: this is not a git checkout.'],
    }
  if (head.endsWith('shallow'))
    return { findings: [], notices: ['Documents were not compared with the code: the history is shallow.'] }
  const compared = documents
    .toSorted((a, b) => b.rank - a.rank || (a.path < b.path ? -1 : 1))
    .slice(0, MOST_DOCUMENTS)
  return { findings: compared.flatMap((file) => compareDocument(reader, root, file)), notices: [] }
}

function compareDocument(reader: CorpusReader, root: string, document: FileRow): HealthFinding[] {
  const named = reader
    .artifactsOf(document.id)
    .flatMap(({ rowId }) => reader.references().of(rowId))
    .flatMap((mention) => namedCode(reader, mention))
    .filter(({ file }) => file.modifiedAt > document.modifiedAt)
  if (named.length === 0) return []
  const commit = runGit(root, ['log', '-1', '--format=%H', '--', `./${document.path}`])?.trim()
  if (commit === undefined || commit === '') return []
  const olds = new Map<string, string | null>()
  const oldText = (path: string): string | null => {
    if (!olds.has(path)) olds.set(path, readOldText(root, commit, path))
    return olds.get(path) ?? null
  }
  const seen = new Set<string>()
  return named.flatMap(({ mention, row, file }): HealthFinding[] => {
    if (seen.has(row.id)) return []
    seen.add(row.id)
    const before = oldText(file.path)
    const change = before === null ? null : describeChange(before, reader.text(row.rowId).text, row)
    if (change === null) return []
    return [
      {
        rule: 'stale-document',
        path: document.path,
        line: mention.line,
        message: `${row.name} in ${file.path} ${change} since this document was last changed`,
        fix: `Compare the section with ${file.path}:${row.lines.start}, and commit the document with what changed`,
        related: [{ path: file.path, line: row.lines.start }],
      },
    ]
  })
}

/** A function or type that a document names with certainty, with its file. */
function namedCode(
  reader: CorpusReader,
  mention: ReferenceRow,
): { mention: ReferenceRow; row: ArtifactRow; file: FileRow }[] {
  if (mention.outcome !== 'resolved' || mention.section === null || (mention.confidence ?? 0) < CERTAIN)
    return []
  const row = reader.artifactById(mention.section)
  if (row === null) return []
  const file = reader.file(row.file)
  // In git, a notebook is not code.
  const isPiece =
    isCodeText(row.kind, file.path) &&
    ['function', 'class_function', 'class', 'type'].includes(shapeOfKind(row.kind))
  return isPiece ? [{ mention, row, file }] : []
}

const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** The change of a definition; null if readers of the document need not know. */
function describeChange(before: string, now: string, row: ArtifactRow): string | null {
  const signature = findSignature(now, row.name, row.lines.start)
  if (signature === null || !plain(before).includes(row.name)) return null
  const isClass = shapeOfKind(row.kind) === 'class' || shapeOfKind(row.kind) === 'type'
  if (!isClass && !plain(before).includes(plain(signature.text))) return 'has another signature'
  const old = new Set(before.split('\n').map((line) => line.trim()))
  const lines = now
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.length > 3)
  const fresh = lines.filter((line) => !old.has(line)).length
  return lines.length >= LEAST_LINES && fresh / lines.length >= REWRITTEN
    ? `was rewritten (${fresh} of ${lines.length} lines)`
    : null
}
