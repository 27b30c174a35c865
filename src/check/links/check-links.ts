// Which references lead nowhere, and which documents does nobody lead to? Facts of the index and a look at the disk, for people and for CI.

import { isIndexPage, normalizeSegments, placeOf } from '../../corpus/resolve/page-keys.ts'
import { readTarget } from '../../corpus/resolve/read-target.ts'
import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import type { ReferenceRow } from '../../corpus/store/rows/reference-reader.ts'
import { isCodeLanguage } from '../../model/config/code-languages.ts'
import { folderOf } from '../../model/paths.ts'
import type { Freshness } from '../../model/report.ts'
import { type Root, readRoots } from '../../read/source/walk/corpus-roots.ts'
import { isNamedByGitignore } from '../../read/source/walk/ignore-files.ts'
import { lookInside } from '../../read/source/walk/is-inside.ts'
import { LinkJudge } from './judge-links.ts'

/** A reference that does not lead where it says. */
export interface FaultyLink {
  readonly path: string
  readonly line: number
  readonly form: 'link' | 'wiki' | 'id'
  /** As written. */
  readonly target: string
  /** What it could mean, when that is several documents; the document, when only the heading is missing. */
  readonly candidates: readonly string[]
}

export interface LinkReport {
  /** References between documents that were looked at: everything but images and what leads out of the corpus. */
  readonly checked: number
  /** Nothing of that name is in the index or on the disk. */
  readonly broken: readonly FaultyLink[]
  /** The file is not there, and exactly one other has its name: yore follows the link, a reader of the file cannot. */
  readonly moved: readonly FaultyLink[]
  /** Nothing of that name is there, and that may be right: templates, examples in code, pages that a tool makes. */
  readonly doubtful: readonly (FaultyLink & { readonly why: string })[]
  /** Left out by a comment `yore-ignore-link` beside it, or by the setting `ignoreLinks`. */
  readonly silenced: number
  /** A file of that name is there and not in the index: ignored, too large, or no text. */
  readonly unindexed: readonly FaultyLink[]
  /** Several documents are of that name. */
  readonly ambiguous: readonly FaultyLink[]
  /** The document is there, and no heading of it has the anchor. */
  readonly anchors: readonly FaultyLink[]
  /** Documents that no other refers to, but for the root's own index page. */
  readonly orphans: readonly string[]
}

export interface LinkResult {
  readonly links: LinkReport
  readonly freshness: Freshness
}

function toFault({ originPath, line, form, target, candidates, path }: ReferenceRow): FaultyLink {
  const named = path === null ? candidates : [path]
  return { path: originPath, line, form: form as FaultyLink['form'], target, candidates: named }
}

/** What stands on the disk where a link without a target in the index leads; null when nothing does. */
function lookAtTarget(
  root: Root | null,
  { form, target, originPath }: ReferenceRow,
): 'file' | 'folder' | null {
  if (form !== 'link' || root === null) return null
  const { scheme, path } = readTarget(target)
  if (scheme !== null) return null
  for (const place of [placeOf(path, originPath), normalizeSegments(path)]) {
    if (place === null || place === '') continue
    const kind = lookInside(root, place)
    if (kind === 'folder' || (kind === 'file' && !path.endsWith('/'))) return kind
  }
  return null
}

/** What ignore files name is made by a build, and is not there before it. */
function doubtMade(root: Root | null, { form, target, originPath }: ReferenceRow): string | null {
  const { scheme, path } = readTarget(target)
  const place = form === 'link' && scheme === null ? placeOf(path, originPath) : null
  if (root === null || place === null || place === '') return null
  return isNamedByGitignore(root, place) ? 'an ignore file names it: a build makes it' : null
}

/** Looks at every reference of one state of the index; lists are in the order of files and lines. */
export function checkLinks(
  reader: CorpusReader,
  root: string | null,
  ignored: readonly string[] = [],
): LinkReport {
  return reader.snapshot(() => {
    const references = reader.references()
    const roots = root === null ? null : readRoots(root, reader.meta('roots'))
    const judge = new LinkJudge(reader, ignored)
    const found = references.broken()
    const faults = found.filter((row) => !judge.isSilenced(row))
    const missing = faults
      .filter(({ outcome }) => outcome === 'missing')
      .map((row) => ({ row, fault: toFault(row), kind: lookAtTarget(roots, row) }))
    const nowhere = missing
      .filter(({ kind }) => kind === null)
      .map(({ row, fault }) => ({ fault, why: judge.doubt(row) ?? doubtMade(roots, row) }))
    const unanchored = references.lostAnchors()
    const lost = unanchored
      .filter((row) => !judge.isSilenced(row))
      .map((row) => ({ fault: toFault(row), why: judge.doubtAnchor(row, unanchored) }))
    const doubts = [...nowhere, ...lost]
      .flatMap(({ fault, why }) => (why === null ? [] : [{ ...fault, why }]))
      .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line))
    return {
      checked: references.countInside(),
      broken: nowhere.filter(({ why }) => why === null).map(({ fault }) => fault),
      moved: references
        .followedByName()
        .filter(
          (row) =>
            /\.\w+$/.test(readTarget(row.target).path) &&
            lookAtTarget(root, row) === null &&
            !judge.isSilenced(row) &&
            judge.doubt(row) === null,
        )
        .map(toFault),
      doubtful: doubts,
      silenced: found.length - faults.length + unanchored.length - lost.length,
      // A folder is never in the index itself: that it is there is all that a link to it says.
      unindexed: missing.filter(({ kind }) => kind === 'file').map(({ fault }) => fault),
      ambiguous: faults.filter(({ outcome }) => outcome === 'ambiguous').map(toFault),
      anchors: lost.filter(({ why }) => why === null).map(({ fault }) => fault),
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
