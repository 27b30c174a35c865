// What role does a section have in its repository? Release notes, an upgrade guide, a table of contents, a licence, a test: rarely the answer.
import {
  isFixturePath,
  isGeneratedPath,
  isTestPath,
  isVendoredPath,
} from '../../corpus/resolve/code/code-roles.ts'
import type { WordWindow } from '../../corpus/store/rows/section-words.ts'
import { getOrAdd } from '../../model/remember.ts'

export type SectionRole =
  | 'release notes'
  | 'upgrade guide'
  | 'table of contents'
  | 'licence'
  | 'test'
  | 'generated'
  | 'vendored'
  | 'example'
  | 'deprecated'

/** `CHANGELOG.md`, `CHANGES`, `HISTORY.rst`, `00-RELEASENOTES`, `CHANGES-7.0.md`. */
const releaseFile =
  /^(?:\d+[-_. ]?)?(?:change[-_ ]?logs?|changes|history|news|release[-_ ]?(?:notes?|history)|relnotes|releases|whats[-_ ]?new)(?:$|\.[a-z]+$|[-_. ]v?\d)/i
/** `RelNotes/2.39.0.txt`, `news/0.70.md`. */
const releaseFolder = /^(?:change[-_]?logs?|news|release[-_]?notes?|relnotes|releases)$/i
const upgradeName = /(?:^|[-_ ./])(?:migrat\w*|upgrad\w*|porting)(?:$|[-_ ./])/i
const licenceName =
  /^(?:licen[cs]es?|copying|copyright|notice|authors|contributors|credits|thanks|maintainers)(?:$|[-_. ])/i
/** `v1.2.3`, `[1.2.0-rc.1] - 2024-01-02`, `Version 3.0`, `Redis 7.0.15`, `Release 2.1`. */
const versionHeading =
  /^(?:[\w-]+ )?(?:version |release )?\[?v?\d+\.\d+(?:\.\d+)*(?:[-.]?\w+)*\]?(?:$|\s*[-–—(:[]|\s+(?:released|final|\d{4}))/i
/** `from v3 to v4`, `V4 Migration Guide`, `Upgrading to 2.0`. */
const upgradeHeading = /\bv?\d+(?:\.\w+)* (?:to|→|->) v?\d|\b(?:migrat|upgrad)(?:e|ing|ion)\b/i

/** The version that release notes are of: `1.2.0`, and `rc.1` where it came before that. */
export interface Version {
  readonly release: string
  readonly pre: string | null
}

/** The version that a heading names, if it is one of release notes. */
export function versionIn(heading: string): Version | null {
  if (!versionHeading.test(heading)) return null
  const found =
    /(?<!\d)(\d+(?:\.\d+)+)(?:[-.]?((?:alpha|beta|rc|pre|preview|dev|next|canary)[-.\w]*))?/i.exec(heading)
  return found === null ? null : { release: found[1] as string, pre: found[2] ?? null }
}

/** Numbers compare as numbers: 1.10 is newer than 1.9. */
export function compareVersions(a: Version, b: Version): number {
  const [left, right] = [a.release.split('.').map(Number), b.release.split('.').map(Number)]
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0)
    if (difference !== 0) return difference
  }
  return Number(a.pre === null) - Number(b.pre === null)
}

export interface RoleInput {
  readonly path: string
  readonly title: string
  readonly headings: readonly string[]
  readonly isCode: boolean
  /** A test by its structure. */
  readonly isTest?: boolean
  /** Links and headings without prose. */
  readonly isContents: boolean
}

/** Tests, also in the same file as the code they test: `#[test] fn`, `mod tests`, `class TestLoader`, `describe('router', …)`. */
const isTestCode = ({ path, headings, isTest = false }: RoleInput): boolean =>
  isTest || isTestPath(path) || headings.some((name) => /^tests?$|^Test[A-Z]|^test_|^describe\(/.test(name))

const exampleFolder = /(?:^|\/)(?:examples?|samples?|demos?|benchmarks?|benches|bench|playground|contrib)\//i

/** `runtime-tests/`, `unit_tests/`; `integration/` at the top of a repository. */
const testsFolder = /[-_]tests\/|^integration\//i

function isReleaseNotes({ path, title, headings }: RoleInput): boolean {
  const folders = path.split('/')
  const name = folders.pop() as string
  if (releaseFile.test(name) || folders.some((folder) => releaseFolder.test(folder))) return true
  if (/\brelease notes\b|\bchange ?log\b/i.test(title)) return true
  return headings.some((heading) => versionHeading.test(heading) && !/\bto\b|→/.test(heading))
}

const isUpgradeGuide = ({ path, title, headings }: RoleInput): boolean =>
  upgradeName.test(path) || [title, ...headings].some((heading) => upgradeHeading.test(heading))

/** The roles of a section; most have none. */
export function rolesOf(input: RoleInput): SectionRole[] {
  const { path, isCode } = input
  const name = path.slice(path.lastIndexOf('/') + 1)
  const roles: SectionRole[] = []
  if (!isCode && isReleaseNotes(input)) roles.push('release notes')
  else if (!isCode && isUpgradeGuide(input)) roles.push('upgrade guide')
  if (!isCode && licenceName.test(name)) roles.push('licence')
  if (!isCode && input.isContents) roles.push('table of contents')
  if (testsFolder.test(path) || (isCode ? isTestCode(input) : isFixturePath(path))) roles.push('test')
  if (isGeneratedPath(path)) roles.push('generated')
  if (isVendoredPath(path)) roles.push('vendored')
  if (exampleFolder.test(path)) roles.push('example')
  return roles
}

const deprecatedPath = /(?:^|\/)_?(?:deprecated|legacy|obsolete)(?:\/|[-_.])/i
const versionFolder = /(?<=\/)v\d+\//

/** `pkg/deprecated/a.py`, and `pkg/v1/main.py` next to `pkg/main.py`: kept for those who did not upgrade. */
export const isDeprecated = (path: string, has: (path: string) => boolean): boolean =>
  deprecatedPath.test(path) || (versionFolder.test(path) && has(path.replace(versionFolder, '')))

/** Does the question ask for something old? */
export const asksForOld = /\b(?:deprecat\w*|legacy|obsolete|old(?:er)?|v\d+|migrat\w*|upgrad\w*)\b/i

/** By the words of a section, which are the same object as long as they are kept. */
const known = new WeakMap<WordWindow, readonly SectionRole[]>()

/** The roles of a section, found once for as long as its words are kept. */
export const knownRolesOf = (
  input: Pick<RoleInput, 'path' | 'title' | 'headings'> & {
    readonly words: WordWindow
    readonly kind: string
  },
  isCode: boolean,
): readonly SectionRole[] =>
  getOrAdd(known, input.words, ({ isContents }) => {
    return rolesOf({ ...input, isCode, isTest: input.kind.endsWith('_test'), isContents })
  })
