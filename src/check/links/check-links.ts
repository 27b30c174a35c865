// Which references have no target, and which documents have no references? From the index and the disk, for people and for CI.

import { isIndexPage, normalizeSegments, placeOf } from '../../corpus/resolve/page-keys.ts'
import { readTarget } from '../../corpus/resolve/read-target.ts'
import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import type { ReferenceRow } from '../../corpus/store/rows/reference-reader.ts'
import { isCodeLanguage } from '../../model/code-languages.ts'
import { byPath, folderOf } from '../../model/paths.ts'
import type { Freshness } from '../../model/report.ts'
import { type Root, readRoots } from '../../read/source/walk/corpus-roots.ts'
import { isNamedByGitignore } from '../../read/source/walk/ignore-files.ts'
import { lookInside } from '../../read/source/walk/is-inside.ts'
import { LinkJudge } from './judge-links.ts'
import { ServedSite } from './served-site.ts'

/** A reference with a problem. */
export interface FaultyLink {
  readonly path: string
  readonly line: number
  readonly form: 'link' | 'wiki' | 'id'
  /** As written. */
  readonly target: string
  /** Possible targets of an ambiguous reference; the document of a missing heading. */
  readonly candidates: readonly string[]
}

export interface LinkReport {
  /** Checked references between documents: all except images and external ones. */
  readonly checked: number
  /** Neither the index nor the disk has this name. */
  readonly broken: readonly FaultyLink[]
  /** The file is missing, and exactly one other file has its name: yore follows the link, a reader cannot. */
  readonly moved: readonly FaultyLink[]
  /** A missing target that may be intended: templates, examples in code, generated pages. */
  readonly doubtful: readonly (FaultyLink & { readonly why: string })[]
  /** Ignored by a comment `yore-ignore-link` or by the setting `ignoreLinks`. */
  readonly silenced: number
  /** The file exists but is not indexed: ignored, too large, or not text. */
  readonly unindexed: readonly FaultyLink[]
  /** Several documents have this name. */
  readonly ambiguous: readonly FaultyLink[]
  /** The document has no heading with this anchor. */
  readonly anchors: readonly FaultyLink[]
  /** Documents that no other document refers to, except the root's own index page. */
  readonly orphans: readonly string[]
}

export interface LinkResult {
  readonly links: LinkReport
  readonly freshness: Freshness
}

function toLink({ originPath, line, form, target, candidates, path }: ReferenceRow): FaultyLink {
  const named = path === null ? candidates : [path]
  return { path: originPath, line, form: form as FaultyLink['form'], target, candidates: named }
}

/** What is on disk at the target of a link; null without any. */
function lookAtTarget(
  root: Root | null,
  { form, target, originPath }: ReferenceRow,
  site: ServedSite,
): 'file' | 'folder' | null {
  if (form !== 'link' || root === null) return null
  const { scheme, path } = readTarget(target)
  if (scheme !== null) return null
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
function doubtMade(
  root: Root | null,
  { form, target, originPath }: ReferenceRow,
  site: ServedSite,
): string | null {
  const { scheme, path } = readTarget(target)
  const place = form === 'link' && scheme === null ? placeOf(path, originPath) : null
  if (root === null || place === null || place === '') return null
  const isAdapted = (one: string): boolean => lookInside(root, `${folderOf(one)}/_content.gotmpl`) === 'file'
  if (path.startsWith('/') && site.placesOf(path, originPath, () => false).some(isAdapted))
    return 'a template makes it'
  return isNamedByGitignore(root, place) ? 'an ignore file names it: a build makes it' : null
}

/** Checks every reference of one state of the index; lists are by file and line. */
export function checkLinks(
  reader: CorpusReader,
  root: string | null,
  ignored: readonly string[] = [],
  site: ServedSite = new ServedSite(reader),
): LinkReport {
  return reader.snapshot(() => {
    const references = reader.references()
    const roots = root === null ? null : readRoots(root, reader.meta('roots'))
    const judge = new LinkJudge(reader, ignored, site)
    const found = references.broken()
    const open = found.filter((row) => !judge.isSilenced(row))
    const seen = open.map((row) => ({ row, kind: lookAtTarget(roots, row, site) }))
    const nowhere = seen
      .filter(({ kind }) => kind === null)
      .map(({ row }) => ({
        row,
        link: toLink(row),
        why: judge.doubt(row) ?? doubtMade(roots, row, site),
      }))
    const certain = (outcome: string): FaultyLink[] =>
      nowhere.filter(({ row, why }) => why === null && row.outcome === outcome).map(({ link }) => link)
    const unanchored = references.lostAnchors()
    const lost = unanchored
      .filter((row) => !judge.isSilenced(row))
      .map((row) => ({ link: toLink(row), why: judge.doubtAnchor(row, unanchored) }))
    const doubts = [...nowhere, ...lost]
      .flatMap(({ link, why }) => (why === null ? [] : [{ ...link, why }]))
      .sort((a, b) => byPath(a, b) || a.line - b.line)
    return {
      checked: references.countInside(),
      broken: certain('missing'),
      moved: references
        .followedByName()
        .filter(
          (row) =>
            /\.\w+$/.test(readTarget(row.target).path) &&
            lookAtTarget(roots, row, site) === null &&
            !judge.isSilenced(row) &&
            judge.doubt(row) === null,
        )
        .map(toLink),
      doubtful: doubts,
      silenced: found.length - open.length + unanchored.length - lost.length,
      // A folder is not indexed itself: a link to it only needs it to exist.
      unindexed: seen.filter(({ kind }) => kind === 'file').map(({ row }) => toLink(row)),
      ambiguous: certain('ambiguous'),
      anchors: lost.filter(({ why }) => why === null).map(({ link }) => link),
      orphans: reader
        .files()
        .filter(
          ({ inbound, path, language }) =>
            inbound === 0 && !isCodeLanguage(language) && !(isIndexPage(path) && folderOf(path) === ''),
        )
        .map(({ path }) => path),
    }
  })
}
