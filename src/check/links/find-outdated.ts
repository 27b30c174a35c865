// Which documents are out of date? Those that cite a superseded document, and by git those that quote code which is gone.

import { isIndexPage } from '../../corpus/resolve/page-keys.ts'
import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import type { ReferenceRow } from '../../corpus/store/rows/reference-reader.ts'
import { linesAround, textOfFile } from '../../corpus/store/stored-text.ts'
import type { ArtifactRow, FileRow } from '../../model/section.ts'
import { isCodeKind, shapeOfKind } from '../../read/parse/artifact-kinds.ts'
import { readOldText } from '../../read/source/git/read-changes.ts'
import { readGitHead, runGit } from '../../read/source/git/run-git.ts'
import type { FaultyLink } from './link-report.ts'

/** Maximum documents to compare with the history, the most referenced first. */
const MOST_DOCUMENTS = 200
/** Minimum confidence: a less certain resolution may be another definition. */
const CERTAIN = 0.8
/** Statuses of documents that are no longer valid. */
const withdrawn = /^(?:superseded|deprecated|obsolete|rejected|withdrawn)\b/
/** Code in backticks: a name, a call, a short expression. */
const quoted = /`([\w$][^`\n]{3,80})`/g

const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** The first citation of each superseded document in each of the documents. */
export function findSuperseded(reader: CorpusReader, documents: readonly FileRow[]): FaultyLink[] {
  const known = new Map(documents.map((file) => [file.path, file]))
  const isPast = ({ successor, status }: FileRow): boolean =>
    successor !== null || withdrawn.test(status ?? '')
  return documents.filter(isPast).flatMap(({ path: target, successor }) => {
    // A list may name anything, a successor names what it replaces, and outdated documents may cite each other.
    const isCurrent = ({ originPath }: ReferenceRow): boolean => {
      const origin = known.get(originPath)
      return origin !== undefined && originPath !== successor && !isIndexPage(originPath) && !isPast(origin)
    }
    const found = Map.groupBy(
      reader.references().to(target, 'text').filter(isCurrent),
      (row) => row.originPath,
    )
    const candidates = successor === null ? [] : [successor]
    return [...found].map(([path, [first]]) => ({
      path,
      line: first?.line ?? 1,
      form: 'id' as const,
      target,
      candidates,
    }))
  })
}

/** Quotes that were in the code at the document's last commit and are not there now; null without a git history. */
export function findStale(reader: CorpusReader, root: string | null, documents: readonly FileRow[]) {
  const head = root === null ? null : readGitHead(root)
  if (root === null || head === null || head.endsWith('shallow')) return null
  const compared = documents.toSorted((a, b) => b.rank - a.rank || (a.path < b.path ? -1 : 1))
  return compared.slice(0, MOST_DOCUMENTS).flatMap((file) => compareDocument(reader, root, file))
}

interface NamedCode {
  readonly mention: ReferenceRow
  readonly row: ArtifactRow
  readonly file: FileRow
}

function compareDocument(reader: CorpusReader, root: string, document: FileRow): FaultyLink[] {
  const named = reader
    .artifactsOf(document.id)
    .flatMap(({ rowId }) => reader.references().of(rowId))
    .flatMap((mention) => namedCode(reader, mention))
    .filter(({ file }) => file.modifiedAt > document.modifiedAt)
  if (named.length === 0) return []
  const commit = runGit(root, ['log', '-1', '--format=%H', '--', `./${document.path}`])?.trim()
  if (commit === undefined || commit === '') return []
  return [...Map.groupBy(named, ({ file }) => file.path)].flatMap(([path, uses]) => {
    const before = plain(readOldText(root, commit, path) ?? '')
    const now = plain(textOfFile(reader, (uses[0] as NamedCode).file.id))
    return uses.flatMap(({ mention, row }) => {
      const quotes = [...(linesAround(reader, mention)(mention.line) ?? '').matchAll(quoted)]
      const gone = quotes
        .map(([, text]) => plain(text ?? ''))
        .filter((quote) => quote.startsWith(row.name) && before.includes(quote) && !now.includes(quote))
      const from = { path: document.path, line: mention.line, form: 'code' as const }
      return gone.map((target) => ({ ...from, target, candidates: [path] }))
    })
  })
}

/** A function or type that a document names with certainty, with its file. */
function namedCode(reader: CorpusReader, mention: ReferenceRow): NamedCode[] {
  if (mention.outcome !== 'resolved' || mention.section === null || (mention.confidence ?? 0) < CERTAIN)
    return []
  const row = reader.artifactById(mention.section)
  if (row === null) return []
  const file = reader.file(row.file)
  const isPiece =
    isCodeKind(row.kind) && ['function', 'class_function', 'class', 'type'].includes(shapeOfKind(row.kind))
  return isPiece ? [{ mention, row, file }] : []
}
