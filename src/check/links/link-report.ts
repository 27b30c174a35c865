// What does a link check report? Findings by kind, and one sentence for each: data for every surface.
import type { Unresolved } from '../../model/digest.ts'
import type { Freshness } from '../../model/report.ts'

/**
 * A reference with a problem. Its target is as written; the quote of a stale document, the path of a superseded one. Its
 * candidates are the possible targets of an ambiguous reference; the document of a missing heading; the code, the successor.
 */
export interface FaultyLink extends Omit<Unresolved, 'reason'> {
  readonly form: 'link' | 'wiki' | 'id' | 'code'
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
  /** Citations of documents that are superseded or withdrawn. */
  readonly superseded: readonly FaultyLink[]
  /** Quotes of code that was there when the document was last changed; null without a git history to compare with. */
  readonly stale: readonly FaultyLink[] | null
  /** Documents that no other document refers to, except the root's own index page. */
  readonly orphans: readonly string[]
}

/** The lists of certain findings, worst first. */
export const certainKinds = [
  { kind: 'broken', title: 'Broken references' },
  { kind: 'moved', title: 'References to files that moved' },
  { kind: 'ambiguous', title: 'Ambiguous references' },
  { kind: 'anchors', title: 'Lost anchors' },
  { kind: 'superseded', title: 'Superseded documents that are still cited' },
  { kind: 'stale', title: 'Documents that quote code which is gone' },
] as const

/** The finding in one sentence. */
export function describeFinding(
  kind: (typeof certainKinds)[number]['kind'],
  { target, candidates }: FaultyLink,
): string {
  const other = candidates[0]
  if (kind === 'broken') return `${target} does not exist`
  if (kind === 'moved') return `${target} does not exist; ${other} has its name`
  if (kind === 'ambiguous') return `${target} could mean ${candidates.join(', ')}`
  if (kind === 'anchors') return `${other} has no heading #${target.split('#')[1]}`
  if (kind === 'stale') return `${target} is no longer in ${other}`
  return other === undefined ? `${target} is no longer valid` : `${target} is superseded by ${other}`
}

export interface LinkResult {
  readonly links: LinkReport
  readonly freshness: Freshness
}
