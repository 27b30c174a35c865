// Which documents need maintenance? References, superseded decisions, age compared with code, and orphans, each finding with its fix.
import type { CanonicalityWeights } from '../../corpus/graph/score-canonicality.ts'
import { canonicalStatus, roleOf, scoreCanonicality } from '../../corpus/graph/score-canonicality.ts'
import { isFixturePath, isGeneratedPath } from '../../corpus/resolve/code/code-roles.ts'
import { isIndexPage } from '../../corpus/resolve/page-keys.ts'
import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import type { ReferenceRow } from '../../corpus/store/rows/reference-reader.ts'
import { byPath, folderOf, lastSegment } from '../../model/paths.ts'
import type { FileRow } from '../../model/section.ts'
import { checkLinks, type FaultyLink, type LinkReport } from '../links/check-links.ts'
import { fixAnchor, fixLink } from '../links/suggest-fix.ts'
import { findStaleDocuments } from './find-stale-documents.ts'
import { type HealthFinding, type HealthReport, healthRules } from './health-rules.ts'

export interface HealthContext {
  readonly reader: CorpusReader
  /** Folder of the corpus; null for an index file without one. */
  readonly root: string | null
  readonly ignoreLinks: readonly string[]
  readonly now: number
  readonly authority: CanonicalityWeights
}

/** `deno_dist/README.md`: output of a build in its own folder. */
const built = /(?:^|\/)[\w.-]+[_.-]dist\//i

/** Documents that people of this project write: not code, test data, vendored or generated files. */
export function isKeptDocument(file: FileRow): boolean {
  const { path, language } = file
  return (
    (language === 'markdown' || language === 'text') &&
    roleOf(file) === null &&
    !isFixturePath(path) &&
    !isGeneratedPath(path) &&
    !built.test(path)
  )
}

/** A note of the generator at the start or end of a page; the header of Python's packages. */
const generated =
  /^Metadata-Version: |(?:\bauto[-_ ]?|\bautomatically )generated\b|\bgenerated (?:documentation|by|from)\b/i

function isGenerated(reader: CorpusReader, { id }: FileRow): boolean {
  const rows = reader.artifactsOf(id)
  return [rows[0], rows[1], rows.at(-1)].some(
    (row) => row !== undefined && generated.test(reader.text(row.rowId).text.slice(0, 1000)),
  )
}

/** Checks one state of the index. */
export function checkHealth(context: HealthContext): HealthReport {
  const { reader, root, ignoreLinks, now, authority } = context
  return reader.snapshot(() => {
    const files = reader.files()
    const documents = files.filter((file) => isKeptDocument(file) && !isGenerated(reader, file))
    const links = checkLinks(reader, root, ignoreLinks)
    const isCanonical = (file: FileRow): boolean =>
      canonicalStatus(scoreCanonicality(file, { now, weights: authority }), file.language) === 'canonical'
    const stale = findStaleDocuments(reader, root, documents.filter(isCanonical))
    const found: HealthFinding[] = [
      ...findBadLinks(reader, links, new Set(documents.map(({ path }) => path))),
      ...findSupersededCitations(reader, documents),
      ...stale.findings,
      ...findOrphans(reader, documents),
    ]
    const order = Object.keys(healthRules)
    const findings = found.sort(
      (a, b) => order.indexOf(a.rule) - order.indexOf(b.rule) || byPath(a, b) || a.line - b.line,
    )
    return { documents: documents.length, references: links.checked, findings, notices: stale.notices }
  })
}

function findBadLinks(
  reader: CorpusReader,
  { broken, ambiguous, anchors }: LinkReport,
  documents: ReadonlySet<string>,
): HealthFinding[] {
  const paths = reader.files().map(({ path }) => path)
  const isIn = ({ path }: FaultyLink): boolean => documents.has(path)
  return [
    ...broken.flatMap((link): HealthFinding[] => {
      const fix = fixLink(link, paths)
      // Comments also name documents as examples: only moved files are certain there.
      if (!isIn(link) && !fix.startsWith('Link to')) return []
      const { path, line, target } = link
      return [{ rule: 'broken-reference', path, line, message: `${target} does not exist`, fix, related: [] }]
    }),
    ...ambiguous.filter(isIn).map(
      ({ path, line, target, candidates }): HealthFinding => ({
        rule: 'ambiguous-reference',
        path,
        line,
        message: `${target} could mean ${candidates.length} documents`,
        fix: `Link to one of them by its path: ${candidates.join(', ')}`,
        related: candidates.map((candidate) => ({ path: candidate, line: 1 })),
      }),
    ),
    ...anchors.filter(isIn).map(
      (link): HealthFinding => ({
        rule: 'lost-anchor',
        path: link.path,
        line: link.line,
        message: `${link.candidates[0] ?? 'the document'} has no heading for ${link.target}`,
        fix: fixAnchor(reader, link),
        related: link.candidates.map((candidate) => ({ path: candidate, line: 1 })),
      }),
    ),
  ]
}

/** Statuses of documents that are no longer valid. */
const withdrawn = /^(?:superseded|deprecated|obsolete|rejected|withdrawn)\b/

function findSupersededCitations(reader: CorpusReader, documents: readonly FileRow[]): HealthFinding[] {
  const kept = new Map(documents.map((file) => [file.path, file]))
  const isPast = ({ successor, status }: FileRow): boolean =>
    successor !== null || withdrawn.test(status ?? '')
  return documents.filter(isPast).flatMap((file) => {
    const { path, successor, status } = file
    const cites = ({ originPath, line }: ReferenceRow): HealthFinding[] => {
      const origin = kept.get(originPath)
      // A list may name anything, a successor names what it replaces, and outdated documents may cite each other.
      if (origin === undefined || originPath === successor || isIndexPage(originPath) || isPast(origin))
        return []
      const state = status === null ? 'superseded' : status
      return [
        {
          rule: 'superseded-citation',
          path: originPath,
          line,
          message: `cites ${path}, which is ${successor === null ? state : `superseded by ${successor}`}`,
          fix:
            successor === null
              ? `Say next to the reference that ${lastSegment(path)} is ${state}, or cite what replaces it`
              : `Cite ${successor} instead`,
          related: [successor === null ? { path, line: 1 } : { path: successor, line: 1 }],
        },
      ]
    }
    const found = reader.references().to(path, 'text').flatMap(cites)
    return [...Map.groupBy(found, (one) => one.path).values()].flatMap(([first]) => first ?? [])
  })
}

/** Files that readers find without a link. */
const known =
  /^(?:licen[cs]e|copying|notice|authors|maintainers|contributors|contributing|governance|owners|codeowners|changelog|changes|history|news|release|security|support|roadmap|todo|install|code[-_]of[-_]conduct|pull_request_template|issue_template|agents|claude|summary|_sidebar|_navbar|credits|thanks|acknowledge|index|404)/i
/** Minimum share of linked siblings at which an unlinked document counts as forgotten. */
const LINKED_SHARE = 0.8
const LEAST_SIBLINGS = 4

function findOrphans(reader: CorpusReader, documents: readonly FileRow[]): HealthFinding[] {
  const frontmatter = new Set(
    reader
      .references()
      .catalogue()
      .filter((row) => row.frontmatter !== '{}')
      .map(({ path }) => path),
  )
  // Only links in Markdown are reliable; pages with frontmatter are in menus.
  const pages = documents.filter(({ language, path }) => language === 'markdown' && !frontmatter.has(path))
  return [...Map.groupBy(pages, ({ path }) => folderOf(path))].flatMap(([folder, siblings]) => {
    const linked = siblings.filter(({ inbound }) => inbound > 0).length
    if (folder === '' || linked < LEAST_SIBLINGS || linked / siblings.length < LINKED_SHARE) return []
    return siblings
      .filter(({ inbound, path }) => inbound === 0 && !isIndexPage(path) && !known.test(lastSegment(path)))
      .map(
        ({ path }): HealthFinding => ({
          rule: 'orphan',
          path,
          line: 1,
          message: `no document links here, while ${linked} of ${siblings.length} in ${folder} are linked`,
          fix: `Link it from a document of ${folder}, or delete it`,
          related: [],
        }),
      )
  })
}
