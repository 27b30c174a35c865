// Which pages are the same page in another language or version? Those whose paths differ in nothing else.
import { remember } from '../../model/remember.ts'
import type { FileRow, RankedSection } from '../../model/section.ts'
import { compareVersions } from './section-roles.ts'
import { LEAD } from './tuning.ts'

/** Codes that name nothing but a language; `id`, `it`, `no` and `cs` are also words and programming languages. */
const code = '(en|de|es|fr|ja|jp|ko|kr|pl|pt|ru|tr|uk|vi|zh)(?:[-_][a-z]{2,4})?'
/** A folder, a name or the end of a name: `fr/`, `fr.json`, `guide.fr.md`, `README_zh-CN.md`. */
const languageMark = new RegExp(`(?<=^|/)${code}/|(?:(?<=^|/)|(?<=\\w)[._-])${code}(?=\\.[a-z]+$)`, 'gi')
/** `version-10.x/` is next to a folder without a version; `v2/`, `1.4/` and `latest/` are next to each other. */
const versionMark =
  /(?<=^|\/)(?:(?:version|release)[-_]?(\d[\w.-]*)\/|(?:v?(\d+\.[\w.-]*)|v(\d+)|latest|current|stable)(?=\/))/gi
/** Every version has its own release notes. */
const ofOneVersion = /(?:^|\/)(?:change[-_]?logs?|news|release[-_]?notes?|relnotes|releases)(?:[/._-]|$)/i
/** Letters and function words that English does not have, or a language that an English question names. */
const foreign =
  /[^\0-\u024f\u2000-\u2bff]|[¿¡À-ÖØ-öø-ɏ]|\b(?:wie|und|nicht|ich|les|une|dans|est|para|una|los|como|não|che|della|het|een|niet|jak|nie)\b|\b(?:french|german|spanish|italian|portuguese|russian|turkish|polish|japanese|chinese|korean|translat\w*)\b/i

interface Edition {
  /** Of the file. */
  readonly id: number
  /** The path without marks of languages and versions. */
  readonly page: string
  readonly isTranslation: boolean
  /** '' for the current one. */
  readonly release: string
}

function editionOf({ id, path }: FileRow, isForeign: boolean): Edition {
  let isTranslation = false
  let release = ''
  let page = path
    .replace(/\bi18n\/([^/]+)\/docusaurus-plugin-content-docs\/current\//, 'docs/$1/')
    .replace(/\bversioned_docs\//, 'docs/')
  if (!isForeign)
    page = page.replace(languageMark, (_, folder: string | undefined, ending: string | undefined) => {
      isTranslation ||= (folder ?? ending)?.toLowerCase() !== 'en'
      return ''
    })
  if (!ofOneVersion.test(path))
    page = page.replace(versionMark, (_, named?: string, dotted?: string, single?: string) => {
      release = (named ?? dotted ?? single ?? '').replace(/[^\d.].*|\.$/, '').replace(/\.$/, '')
      return named === undefined ? '*' : ''
    })
  return { id, page, isTranslation, release }
}

/** The editions of files, by rows that are the same objects as long as they are kept. */
const plainEdition = remember((file: FileRow) => editionOf(file, false), new WeakMap())

/** For each of the files, the id of the edition that the question wants instead; null for the wanted one. */
export function findEditions(question: string, files: Iterable<FileRow>): (file: FileRow) => number | null {
  const editionIn = foreign.test(question) ? remember((file: FileRow) => editionOf(file, true)) : plainEdition
  const versions = [...question.matchAll(/\bv?(\d+(?:\.\d+)*)/gi)].map(([, release]) => `${release}.`)
  const isAsked = ({ release }: Edition): boolean =>
    release !== '' && versions.some((one) => `${release}.`.startsWith(one) || one.startsWith(`${release}.`))
  const isBetter = (one: Edition, other: Edition): boolean => {
    if (isAsked(one) !== isAsked(other)) return isAsked(one)
    if (one.isTranslation !== other.isTranslation) return other.isTranslation
    if (one.release === '' || other.release === '') return one.release < other.release
    return compareVersions({ release: one.release, pre: null }, { release: other.release, pre: null }) > 0
  }
  const best = new Map<string, Edition>()
  for (const file of files) {
    const edition = editionIn(file)
    const known = best.get(edition.page)
    if (known === undefined || isBetter(edition, known)) best.set(edition.page, edition)
  }
  return (file) => {
    const own = editionIn(file)
    const wanted = best.get(own.page)
    return wanted !== undefined && isBetter(wanted, own) ? wanted.id : null
  }
}

/** A section of another edition comes behind the edition that the question wants. */
export function yieldToEditions(sections: readonly RankedSection[]): RankedSection[] {
  const best = new Map<number, number>()
  for (const { file, score } of sections) best.set(file.id, Math.max(best.get(file.id) ?? 0, score))
  return sections.map((section) => {
    const most = best.get(section.yieldsTo ?? -1) ?? Infinity
    return section.score < most ? section : { ...section, score: most - LEAD }
  })
}

/** Without translations and other versions of files that are better ranked. */
export function withoutOtherEditions(sections: readonly RankedSection[]): RankedSection[] {
  const files = new Set<number>()
  return sections.filter(({ file, yieldsTo }) => {
    files.add(file.id)
    return !files.has(yieldsTo ?? -1)
  })
}
