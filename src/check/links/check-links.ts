// Which references have no target, and which documents are out of date or unreferenced? From the index, the disk and git, for people and for CI.

import { fileKindOf } from '../../corpus/lookup/kind-of-file.ts'
import { matchesGlob } from '../../corpus/resolve/matches-glob.ts'
import { isIndexPage, normalizeSegments, placeOf, withoutExtension } from '../../corpus/resolve/page-keys.ts'
import { readResource, readTarget } from '../../corpus/resolve/read-target.ts'
import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import type { ReferenceRow } from '../../corpus/store/rows/reference-reader.ts'
import { byPath, folderOf } from '../../model/paths.ts'
import { asRoot, type Root } from '../../read/source/walk/corpus-roots.ts'
import { isNamedByGitignore } from '../../read/source/walk/ignore-files.ts'
import { lookInside } from '../../read/source/walk/is-inside.ts'
import { findStale, findSuperseded } from './find-outdated.ts'
import { LinkJudge } from './judge-links.ts'
import type { FaultyLink, LinkReport } from './link-report.ts'
import { ServedSite } from './served-site.ts'

/** Documents that no other one has to link to: hosts or programs show them, or look for them by name. */
const unlinked =
  /^\.github\/|(?:^|\/)(?:(?:[^/]*[-_.])?(?:licen[cs]e|copying|notice)[^/]*|(?:changelog|code[-_]of[-_]conduct|security|contributing|support|governance|readme|agents|claude|gemini|summary|404)\.[a-z]+|(?:index|overview|package)\.html?)$|(?:^|\/)_?(?:templates|layouts|partials|overrides)\/.*\.html?$|(?:^|\/)(?:layouts|_includes|public|static|sample-data|newsfragments|changelog\.d|archetypes|_posts|blog)\/|(?:^|\/)(?:\d+\.[a-z][^/]*[/.]|_(?!index)[^/]+\.mdx?$)/i
/** Other texts are data: `.txt` outside the folders of documents may be anything. */
const textDocument = /\.(?:rst|adoc|org)$|^(?:(?:.*\/)?doc(?:s|umentation)?\/.*|[^/]*)(?<!robots)\.txt$/i

function toLink({ originPath, line, form, target, candidates, path }: ReferenceRow): FaultyLink {
  const named = path === null ? candidates : [path]
  return { path: originPath, line, form: form as FaultyLink['form'], target, candidates: named }
}

/** What is on disk at the target of a link; null without any. */
function lookAtTarget(root: Root | null, { form, target, originPath }: ReferenceRow, site: ServedSite) {
  if (form !== 'link' || root === null) return null
  const { scheme, path } = readTarget(readResource(target, originPath))
  if (scheme !== null && scheme !== 'doc') return null
  const isFolder = (one: string): boolean => lookInside(root, one) === 'folder'
  const served = path.startsWith('/') ? site.placesOf(path, originPath, isFolder) : [normalizeSegments(path)]
  for (const place of [placeOf(path, originPath), ...served]) {
    if (place === null || place === '') continue
    const kind = lookInside(root, place)
    if (kind === 'folder' || (kind === 'file' && !path.endsWith('/'))) return kind
  }
  return null
}

/** An ignored file may be created by a build, and a content adapter of Hugo creates the pages of its folder. */
function doubtMade(root: Root | null, { form, target, originPath }: ReferenceRow, site: ServedSite) {
  const { scheme, path } = readTarget(target)
  const place = form === 'link' && scheme === null ? placeOf(path, originPath) : null
  if (root === null || place === null || place === '') return null
  const isAdapted = (one: string): boolean => lookInside(root, `${folderOf(one)}/_content.gotmpl`) === 'file'
  if (path.startsWith('/') && site.placesOf(path, originPath, () => false).some(isAdapted))
    return 'a template makes it'
  return isNamedByGitignore(root, place) ? 'an ignore file names it: a build makes it' : null
}

export interface CheckLinksOptions {
  /** Folder of the corpus; null for an index file without one. */
  readonly root: string | null
  readonly ignored: readonly string[]
  /** Checks the references of this document only. */
  readonly path?: string
}

/** Checks every reference of one state of the index; lists are by file and line. */
export function checkLinks(reader: CorpusReader, { root, ignored, path }: CheckLinksOptions): LinkReport {
  return reader.snapshot(() => {
    const references = reader.references()
    const roots = root === null ? null : asRoot(root, reader.meta('roots'))
    const site = new ServedSite(reader)
    const judge = new LinkJudge(reader, ignored, site)
    const isAsked = (row: ReferenceRow): boolean => path === undefined || row.originPath === path
    const seen = new Set<string>()
    // A link and its text may be two mentions of one target: one finding.
    const isNew = ({ originPath, line, target }: ReferenceRow): boolean =>
      seen.size < seen.add(`${originPath}\0${line}\0${target}`).size
    const take = (rows: readonly ReferenceRow[]): ReferenceRow[] => rows.filter(isAsked).filter(isNew)
    const isInside = ({ outcome, originPath, candidates }: ReferenceRow): boolean =>
      outcome === 'missing' && candidates[0] === originPath
    const missing = take(references.broken())
    const inside = missing.filter(isInside).map((row) => ({ ...row, path: row.originPath }))
    const found = missing.filter((row) => !isInside(row))
    const open = found.filter((row) => !judge.isSilenced(row))
    const looked = open.map((row) => ({ row, kind: lookAtTarget(roots, row, site) }))
    const nowhere = looked
      .filter(({ kind }) => kind === null)
      .map(({ row }) => ({ row, link: toLink(row), why: judge.doubt(row) ?? doubtMade(roots, row, site) }))
    const roles = take(references.unknownLabels())
    const unknown = roles.filter((row) => judge.isLost(row))
    const labels = unknown.filter((row) => !judge.isSilenced(row))
    for (const row of labels) {
      const target = `:ref:\`${row.target.slice('role:'.length)}\``
      nowhere.push({
        row: { ...row, outcome: 'missing' },
        link: { ...toLink(row), target },
        why: judge.doubtLabel(row),
      })
    }
    const certain = (outcome: string): FaultyLink[] =>
      nowhere.filter(({ row, why }) => why === null && row.outcome === outcome).map(({ link }) => link)
    const moved = take(references.followedByName()).filter(
      (row) =>
        /\.\w+$/.test(readTarget(row.target).path) &&
        lookAtTarget(roots, row, site) === null &&
        !judge.isSilenced(row) &&
        judge.doubt(row) === null,
    )
    const unanchored = [...take(references.lostAnchors()), ...inside]
    const lost = unanchored
      .filter((row) => !judge.isSilenced(row))
      .map((row) => ({ link: toLink(row), why: judge.doubtAnchor(row) }))
    const doubts = [...nowhere, ...lost]
      .flatMap(({ link, why }) => (why === null ? [] : [{ ...link, why }]))
      .sort((a, b) => byPath(a, b) || a.line - b.line)
    const globs = references.patterns().flatMap(({ originPath, target }) => {
      const glob = placeOf(target.slice('glob:'.length), originPath)
      return glob === null ? [] : [glob]
    })
    const files = reader.files()
    const documents = files.filter((file) => judge.isOwnDocument(file))
    const asked = documents.filter((file) => path === undefined || file.path === path)
    return {
      checked: references.countInside() + roles.length,
      broken: certain('missing'),
      moved: moved.map(toLink),
      doubtful: doubts,
      silenced: found.length - open.length + unknown.length - labels.length + unanchored.length - lost.length,
      // A folder is not indexed itself: a link to it only needs it to exist.
      unindexed: looked.filter(({ kind }) => kind === 'file').map(({ row }) => toLink(row)),
      ambiguous: certain('ambiguous'),
      anchors: lost
        .flatMap(({ link, why }) => (why === null ? [link] : []))
        .sort((a, b) => byPath(a, b) || a.line - b.line),
      superseded: findSuperseded(reader, documents).filter(
        (link) => path === undefined || link.path === path,
      ),
      stale: findStale(reader, root, asked),
      orphans: files
        .filter(
          (file) =>
            file.inbound === 0 &&
            fileKindOf(file) === 'docs' &&
            (file.language !== 'text' || textDocument.test(file.path)) &&
            !unlinked.test(file.path) &&
            !globs.some((glob) =>
              [file.path, withoutExtension(file.path)].some((one) => matchesGlob(one, glob)),
            ) &&
            !site.isListed(file.path, JSON.parse(references.catalogue(file.id)[0]?.frontmatter ?? '{}')) &&
            !(isIndexPage(file.path) && folderOf(file.path) === ''),
        )
        .map(({ path }) => path),
    }
  })
}
