// Which documents need maintenance? References, superseded decisions and code that is gone: certain findings, each with its evidence.

import type { CanonicalityWeights } from '../../corpus/graph/score-canonicality.ts'
import { canonicalStatus, roleOf, scoreCanonicality } from '../../corpus/graph/score-canonicality.ts'
import { isFixturePath, isGeneratedPath } from '../../corpus/resolve/code/code-roles.ts'
import { isIndexPage } from '../../corpus/resolve/page-keys.ts'
import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import type { ReferenceRow } from '../../corpus/store/rows/reference-reader.ts'
import { textOfFile } from '../../corpus/store/stored-text.ts'
import { byPath, lastSegment } from '../../model/paths.ts'
import type { FileRow } from '../../model/section.ts'
import { checkLinks, type FaultyLink, type LinkReport } from '../links/check-links.ts'
import { ServedSite } from '../links/served-site.ts'
import {
  findLinkLine,
  findMeantAnchor,
  findMovedTarget,
  listTargets,
  replaceTarget,
} from '../links/suggest-fix.ts'
import { findStaleDocuments } from './find-stale-documents.ts'
import { type HealthFinding, type HealthReport, type HealthRuleName, healthRules } from './health-rules.ts'

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
    const site = new ServedSite(reader)
    const documents = files.filter(
      (file) =>
        isKeptDocument(file) &&
        !site.isDated(file.path) &&
        !site.isTranslation(file.path) &&
        !isGenerated(reader, file),
    )
    const links = checkLinks(reader, root, ignoreLinks, site)
    const isCanonical = (file: FileRow): boolean =>
      canonicalStatus(scoreCanonicality(file, { now, weights: authority }), file.language) === 'canonical'
    const stale = findStaleDocuments(reader, root, documents.filter(isCanonical))
    const found: HealthFinding[] = [
      ...findBadLinks(reader, links, { site, documents: new Set(documents.map(({ path }) => path)) }),
      ...findSupersededCitations(reader, documents),
      ...stale.findings,
    ]
    const order = Object.keys(healthRules)
    const findings = found.sort(
      (a, b) => order.indexOf(a.rule) - order.indexOf(b.rule) || byPath(a, b) || a.line - b.line,
    )
    return { documents: documents.length, references: links.checked, findings, notices: stale.notices }
  })
}

/** A document as it was indexed, line by line. */
function linesOf(reader: CorpusReader, path: string): string[] {
  const file = reader.fileByPath(path)
  return file === null ? [] : textOfFile(reader, file.id).split('\n')
}

function findBadLinks(
  reader: CorpusReader,
  { broken, moved, ambiguous, anchors }: LinkReport,
  { site, documents }: { readonly site: ServedSite; readonly documents: ReadonlySet<string> },
): HealthFinding[] {
  const paths = listTargets(reader, site)
  const find = (
    rule: HealthRuleName,
    link: FaultyLink,
    text: Pick<HealthFinding, 'message' | 'fix' | 'related'> & { readonly meant: string | null },
  ): HealthFinding[] => {
    // Comments also name documents as examples: only moved files are certain there.
    if (!documents.has(link.path) && text.meant === null) return []
    const { meant, message, related } = text
    const lines = linesOf(reader, link.path)
    const at = findLinkLine(lines, link)
    const before = lines[at ?? link.line - 1]?.trim() ?? ''
    const after = meant === null || at === null ? null : replaceTarget(before, link.target, meant)
    const fix = meant === null ? text.fix : `Link to ${meant}`
    const place = { path: link.path, line: at === null ? link.line : at + 1 }
    return [{ rule, ...place, message, fix, evidence: before, fixed: after, related }]
  }
  return [
    ...[...broken, ...moved].flatMap((link) =>
      find('broken-reference', link, {
        message: `${link.target} does not exist`,
        meant: findMovedTarget(reader, link, paths),
        fix:
          link.form === 'id'
            ? `Add the document ${link.target}, or correct the number`
            : 'Remove the link, or add the file that it names',
        related: [],
      }),
    ),
    ...ambiguous.flatMap((link) =>
      find('ambiguous-reference', link, {
        message: `${link.target} could mean ${link.candidates.length} documents`,
        meant: null,
        fix: `Link to one of them by its path: ${link.candidates.join(', ')}`,
        related: link.candidates.map((path) => ({ path, line: 1 })),
      }),
    ),
    ...anchors.flatMap((link) =>
      find('lost-anchor', link, {
        message: `${link.candidates[0] ?? 'the document'} has no heading #${link.target.split('#')[1]}`,
        meant: findMeantAnchor(reader, link),
        fix: 'Link to a heading that is there, or to the document alone',
        related: link.candidates.map((path) => ({ path, line: 1 })),
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
          evidence: linesOf(reader, originPath)[line - 1]?.trim() ?? '',
          fixed: null,
          related: [{ path: successor ?? path, line: 1 }],
        },
      ]
    }
    const found = reader.references().to(path, 'text').flatMap(cites)
    return [...Map.groupBy(found, (one) => one.path).values()].flatMap(([first]) => first ?? [])
  })
}
