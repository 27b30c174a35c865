// Which calls may mean this method, although the type of their receiver is unknown? Calls of the same name in the indexed text.
import { namesIt } from '../answer/assemble/find-signature.ts'
import { sectionsWith } from '../corpus/lookup/sections-with.ts'
import type { CorpusReader } from '../corpus/store/corpus-reader.ts'
import type { ReferenceRow } from '../corpus/store/rows/reference-reader.ts'
import type { CodeOutline, OutlineImport } from '../model/code.ts'
import type { ArtifactRow } from '../model/section.ts'
import { isCodeKind, languageOfKind } from '../read/parse/artifact-kinds.ts'
import { dottedName } from '../read/parse/code/code-names.ts'

/** A section with calls that may mean the subject. */
export interface PossibleCalls {
  readonly row: ArtifactRow
  readonly lines: readonly number[]
}

/** Maximum sections to read for one name: `get` is in most files of a large corpus. */
const MOST_READ = 5000

/** Languages that call each other's methods. */
const kin: readonly ReadonlySet<string>[] = [
  new Set(['javascript', 'typescript', 'html']),
  new Set(['c', 'cpp']),
  new Set(['java', 'kotlin']),
]
const comment = /^\s*(?:#|\/\/|\/\*|\*|--)/
const receiverOperators: readonly string[] = ['?.', '&.', '->', '::', '.']

/** Is it a member? A plain function has no receiver. */
export function isMember({ id, kind }: ArtifactRow): boolean {
  const own = id.slice(id.lastIndexOf('#') + 1)
  return kind.endsWith('_function') && (kind.endsWith('_class_function') || own.includes('.'))
}

/** Calls by path and line; `cut` if not every section with the name was read. */
export function findPossibleUses(
  reader: CorpusReader,
  subject: ArtifactRow,
): { readonly calls: readonly PossibleCalls[]; readonly cut: boolean } {
  const name = subject.name.slice(subject.name.lastIndexOf('.') + 1)
  const language = languageOfKind(subject.kind)
  const languages = kin.find((one) => one.has(language)) ?? new Set([language])
  const importsOf = readImports(reader)
  const holding = sectionsWith(reader, name)
  const calls = holding.slice(0, MOST_READ).flatMap((id): PossibleCalls[] => {
    const row = reader.artifact(id)
    const isOther = row.id !== subject.id && !row.id.startsWith(`${subject.id}.`)
    if (!isOther || !isCodeKind(row.kind) || !languages.has(languageOfKind(row.kind))) return []
    const lines = callsIn(reader, row, { name, subject: subject.id, importsOf })
    return lines.length === 0 ? [] : [{ row, lines }]
  })
  return { calls, cut: holding.length > MOST_READ }
}

interface Wanted {
  readonly name: string
  readonly subject: string
  readonly importsOf: (file: number) => readonly OutlineImport[]
}

function callsIn(reader: CorpusReader, row: ArtifactRow, { name, subject, importsOf }: Wanted): number[] {
  const lines = reader.text(row.rowId).text.split('\n')
  if (!lines.some((line) => namesIt(line, name))) return []
  const mentions = reader
    .references()
    .of(row.rowId)
    .filter(({ form }) => form === 'uses')
  const first = (row.ownLines ?? row.lines).start
  const ambiguous = mentions.filter(
    ({ outcome, candidates }) => outcome === 'ambiguous' && candidates.includes(subject),
  )
  const unresolved = lines.flatMap((line, at) => {
    const written = comment.test(line) ? [] : receiversIn(line, name)
    return written.some((one) => isUnresolved(one, mentions, importsOf(row.file))) ? [first + at] : []
  })
  return [...new Set([...ambiguous.map(({ line }) => line), ...unresolved])].sort((a, b) => a - b)
}

/** Each call of the name on a receiver, as a dotted name; '' if the receiver is an expression. */
function receiversIn(line: string, name: string): string[] {
  const found: string[] = []
  for (let at = line.indexOf(name); at !== -1; at = line.indexOf(name, at + 1)) {
    const before = line.slice(0, at)
    if (!receiverOperators.some((operator) => before.endsWith(operator)) || before.endsWith('..')) continue
    if (!namesIt(line.slice(at), name)) continue
    let start = at
    while (start > 0 && /[\p{L}\p{N}_$@.:?&>-]/u.test(line.charAt(start - 1))) start--
    const isWhole = !/[)\]}"'`]/.test(line.charAt(start - 1))
    found.push((isWhole ? dottedName(line.slice(start, at + name.length)) : null) ?? '')
  }
  return found
}

/** False if a mention resolves the call, or its receiver is imported from outside. */
function isUnresolved(
  written: string,
  mentions: readonly ReferenceRow[],
  imports: readonly OutlineImport[],
): boolean {
  const mention = written === '' ? undefined : mentions.find(({ text }) => text === written)
  if (mention?.outcome === 'resolved' || mention?.outcome === 'self') return false
  if (mention?.outcome === 'missing' || mention?.outcome === 'ambiguous') return true
  // A variable whose class is known, and outside the corpus.
  if (mention !== undefined && mention.target !== mention.text) return false
  const [receiver] = written.split('.', 1)
  return !imports.some(({ local, module }) =>
    local === '' ? module.split(/[.:/\\]+/).includes(receiver ?? '') : local === receiver,
  )
}

function readImports(reader: CorpusReader): Wanted['importsOf'] {
  const known = new Map<number, readonly OutlineImport[]>()
  return (file) => {
    let imports = known.get(file)
    if (imports === undefined) {
      const [stored] = reader.references().outlines(reader.file(file).path)
      imports = stored === undefined ? [] : (JSON.parse(stored.outline) as CodeOutline).imports
      known.set(file, imports)
    }
    return imports
  }
}
