// Which documents quote code that is gone? Compares the quoted code at the document's last commit with today's.

import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import type { ReferenceRow } from '../../corpus/store/rows/reference-reader.ts'
import { linesAround, textOfFile } from '../../corpus/store/stored-text.ts'
import type { ArtifactRow, FileRow } from '../../model/section.ts'
import { isCodeText, shapeOfKind } from '../../read/parse/artifact-kinds.ts'
import { readOldText } from '../../read/source/git/read-changes.ts'
import { readGitHead, runGit } from '../../read/source/git/run-git.ts'
import type { HealthFinding } from './health-rules.ts'

/** Maximum documents to compare with the history, the most referenced first. */
const MOST_DOCUMENTS = 200
/** Minimum confidence: a less certain resolution may be another definition. */
const CERTAIN = 0.8
/** Code in backticks: a name, a call, a short expression. */
const quoted = /`([\w$][^`\n]{3,80})`/g

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
  const texts = Map.groupBy(named, ({ file }) => file.path)
  return [...texts.values()].flatMap((uses) => {
    const { file } = uses[0] as NamedCode
    const before = plain(readOldText(root, commit, file.path) ?? '')
    const now = plain(textOfFile(reader, file.id))
    const found = uses.flatMap((use) => findGoneQuotes(reader, use, { before, now }))
    return found.map(
      ({ quote, line, evidence, row }): HealthFinding => ({
        rule: 'stale-document',
        path: document.path,
        line,
        message: `${quote} was in ${file.path} when this document was last changed, and is not there now`,
        evidence,
        fix: `Compare it with ${file.path}:${row.lines.start}`,
        fixed: null,
        related: [{ path: file.path, line: row.lines.start }],
      }),
    )
  })
}

interface NamedCode {
  readonly mention: ReferenceRow
  readonly row: ArtifactRow
  readonly file: FileRow
}

/** Quotes of this code on the line that names it: in the old file as written, and no longer in the new one. */
function findGoneQuotes(
  reader: CorpusReader,
  { mention, row }: NamedCode,
  { before, now }: { readonly before: string; readonly now: string },
): { quote: string; line: number; evidence: string; row: ArtifactRow }[] {
  const evidence = linesAround(reader, mention)(mention.line)?.trim() ?? ''
  return [...evidence.matchAll(quoted)].flatMap(([, text]) => {
    const quote = plain(text ?? '')
    const isGone = quote.startsWith(row.name) && before.includes(quote) && !now.includes(quote)
    return isGone ? [{ quote, line: mention.line, evidence, row }] : []
  })
}

/** A function or type that a document names with certainty, with its file. */
function namedCode(reader: CorpusReader, mention: ReferenceRow): NamedCode[] {
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
