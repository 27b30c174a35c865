// Which headings promise what is not there, and which terms have two definitions? Read from the sections of documents.
import type { ArtifactRow, FileRow } from '../model/section.ts'
import type { CorpusReader } from '../store/corpus-reader.ts'
import { isOfAnotherVersion } from './find-duplicates.ts'
import type { HealthFinding } from './health-rules.ts'

/** Forms to be filled in, and lists of changes, whose newest heading is empty until something changes. */
const unfinished = /template|archetypes|changelog|changes|history|release|news|unreleased/i
/** A step that says all in its heading, and tags of template languages. */
const wholeSentence = /^\d+[.)]|\{[{%<]/

/** Text below a heading, without comments. */
function bodyOf(text: string): string {
  const [shown = '', ...commented] = text.slice(text.indexOf('\n') + 1 || text.length).split('<!--')
  const after = commented.map((part) => (part.includes('-->') ? part.slice(part.indexOf('-->') + 3) : ''))
  return [shown, ...after].join('').trim()
}

/** Headings below which nothing stands and that no smaller heading divides. */
export function findHollowSections(reader: CorpusReader, documents: readonly FileRow[]): HealthFinding[] {
  return documents
    .filter(({ language, path }) => language === 'markdown' && !unfinished.test(path))
    .flatMap((file) => {
      const rows = reader.artifactsOf(file.id)
      const parents = new Set(rows.map(({ parent }) => parent))
      const isHollow = (row: ArtifactRow, at: number): boolean => {
        if (row.level === 0 || parents.has(row.rowId) || unfinished.test(row.name)) return false
        if (wholeSentence.test(row.name) || wholeSentence.test(rows[at + 1]?.name ?? '')) return false
        // Lines that begin with # one below the other are comments of an example.
        const isBeside = (other: ArtifactRow | undefined): boolean =>
          other !== undefined && Math.abs(other.lines.start - row.lines.start) === 1
        if (row.name === '' || isBeside(rows[at - 1]) || isBeside(rows[at + 1])) return false
        const { text } = reader.text(row.rowId)
        // A line above dashes may be a value of frontmatter as well.
        return text.startsWith('#') && bodyOf(text) === ''
      }
      return rows.filter(isHollow).map(
        ({ name, lines }): HealthFinding => ({
          rule: 'empty-section',
          path: file.path,
          line: lines.start,
          message: `“${name}” has no text below it`,
          fix: 'Write the section, or remove its heading',
          related: [],
        }),
      )
    })
}

/** What says of itself that it defines terms. */
const glossary = /\b(?:glossary|terminology|terms|definitions|vocabulary|nomenclature)\b/i
const entry = /^[ \t]*(?:[-*+]\s+)?(?:\*\*([^*\n]{2,60})\*\*|__([^_\n]{2,60})__)\s*(?::|[-–—]|\n:)/gm

interface TermDefinition {
  readonly term: string
  readonly path: string
  readonly line: number
  readonly text: string
}

/** Terms that sections called glossary, terminology or the like define, as headings or in bold before a colon. */
function definitionsIn(reader: CorpusReader, file: FileRow): TermDefinition[] {
  const rows = reader.artifactsOf(file.id)
  const isGlossary = (row: ArtifactRow): boolean =>
    glossary.test(row.level === 0 ? file.title : row.name) && row.name.split(/\s+/).length <= 4
  const holders = new Set(rows.filter(isGlossary).map(({ rowId }) => rowId))
  return rows.flatMap((row) => {
    const { text } = reader.text(row.rowId)
    const start = (row.ownLines ?? row.lines).start
    const under = row.parent !== null && holders.has(row.parent)
    const own =
      under && bodyOf(text) !== '' && row.name.split(/\s+/).length <= 4
        ? [{ term: row.name, path: file.path, line: row.lines.start, text: bodyOf(text) }]
        : []
    if (!holders.has(row.rowId) && !under) return own
    const listed = [...text.matchAll(entry)].map((match): TermDefinition => {
      const line = start + text.slice(0, match.index).split('\n').length - 1
      const rest = text.slice(match.index + match[0].length).split(/\n\s*\n|\n\s*[-*+]\s/, 1)[0] ?? ''
      return {
        term: (match[1] ?? match[2] ?? '').replace(/:$/, ''),
        path: file.path,
        line,
        text: rest.trim(),
      }
    })
    return [...own, ...listed]
  })
}

export function findRepeatedTerms(reader: CorpusReader, documents: readonly FileRow[]): HealthFinding[] {
  const found = documents
    .filter(({ language }) => language === 'markdown')
    .flatMap((file) => definitionsIn(reader, file))
  const byTerm = Map.groupBy(found, ({ term }) => term.trim().toLowerCase())
  return [...byTerm.values()].flatMap(([first, ...rest]): HealthFinding[] => {
    const others = rest.filter(({ path }) => first !== undefined && !isOfAnotherVersion(first.path, path))
    if (first === undefined || others.length === 0) return []
    return [
      {
        rule: 'repeated-definition',
        path: first.path,
        line: first.line,
        message: `“${first.term}” is defined here and in ${others.map(({ path, line }) => `${path}:${line}`).join(', ')}`,
        fix: 'Keep one definition and link to it from the other place',
        related: others.map(({ path, line }) => ({ path, line })),
      },
    ]
  })
}
