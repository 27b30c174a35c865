// Which file does this one repeat, as a translation or as another version? Decided by its path, the files next to it, and the question.
import { languageCodes } from '../../corpus/resolve/code/code-roles.ts'
import type { RankedSection } from '../../model/section.ts'
import { compareVersions } from './section-roles.ts'
import { LEAD } from './tuning.ts'

/** Languages with a script of their own, and how the script is recognised. */
const scripts: readonly (readonly [languages: string, script: RegExp])[] = [
  ['ja jp', /[\p{sc=Hiragana}\p{sc=Katakana}]/u],
  ['zh cn tw', /\p{sc=Han}/u],
  ['ko kr', /\p{sc=Hangul}/u],
  ['ru uk ua bg sr be', /\p{sc=Cyrillic}/u],
  ['ar fa ur', /\p{sc=Arabic}/u],
  ['he', /\p{sc=Hebrew}/u],
  ['th', /\p{sc=Thai}/u],
  ['el', /\p{sc=Greek}/u],
  ['hi ne mr', /\p{sc=Devanagari}/u],
  ['bn', /\p{sc=Bengali}/u],
]
/** English names of languages, and function words that English does not have. */
const words: Readonly<Record<string, string>> = {
  de: 'german wie und der das ist nicht ich für mit eine einen kann werden wird',
  fr: 'french le la les des est une dans avec je quel quelle puis sont faire',
  es: 'spanish el los las cómo como para una qué con puedo es se hacer',
  pt: 'portuguese como para uma não que posso é fazer são está quais você',
  it: 'italian il gli della che è non una posso si fare nel perché',
  nl: 'dutch het een hoe niet ik voor met kan wordt zijn van',
  pl: 'polish jak nie się jest czy dla można mogę przez',
  tr: 'turkish nasıl bir ve için ile ne bu değil olarak',
  sv: 'swedish hur och är inte jag för att ett med',
  da: 'danish hvordan og er ikke jeg til med kan',
  no: 'norwegian hvordan og er ikke jeg til med kan',
  fi: 'finnish miten ja ei ole voin mikä kuinka',
  cs: 'czech jak je není pro mohu se co které',
  hu: 'hungarian hogyan az és nem egy lehet van',
  ro: 'romanian cum și este nu pentru care pot',
  id: 'indonesian bagaimana dan yang untuk tidak dengan cara saya',
  vi: 'vietnamese làm thế nào của và không cho tôi để',
  ja: 'japanese',
  zh: 'chinese',
  ko: 'korean',
  ru: 'russian',
  uk: 'ukrainian',
  ar: 'arabic',
  hi: 'hindi',
}
const wordLists = Object.entries(words).map(([language, list]) => [language, ...list.split(' ')])

function readLanguages(question: string): ReadonlySet<string> {
  const asked = new Set(question.toLowerCase().match(/\p{L}+/gu))
  const named = wordLists.flatMap(([language = '', name = '', ...functionWords]) => {
    const said = functionWords.filter((word) => asked.has(word))
    // Letters that English does not have need no second word.
    const isSaid = said.length > 1 || said.some((word) => /\P{ASCII}/u.test(word))
    return asked.has(name) || isSaid ? [language] : []
  })
  if (!/\P{ASCII}/u.test(question)) return new Set(named)
  const written = scripts.flatMap(([languages, script]) =>
    script.test(question) ? languages.split(' ') : [],
  )
  return new Set([...named, ...written, ...(/[¿¡]/.test(question) ? ['es'] : [])])
}

/** Versions that the question names: `v2`, `version 9`, `1.4`, `10.x`. */
function readVersions(question: string): string[] {
  const named = /\b(?:v|version |release )(\d+(?:\.\d+)*)|\b(\d+(?:\.\d+)+|\d+(?=\.x\b))/gi
  return [...question.matchAll(named)].map(([, marked, bare]) => (marked ?? bare) as string)
}

const code = `(${languageCodes})(?:[-_][a-z]{2,4})?`
const languageFolder = new RegExp(`^${code}$`, 'i')
/** `guide.fr.md`, `README_zh-CN.md`, `fr.json`: with the stem, the separator and the extension. */
const languageName = new RegExp(`^(?:(.*)([._-]))?${code}(\\.[a-z]+)$`, 'i')
/** Most paths have neither a code nor a version: these find at least every path that has one. */
const mayHaveLanguage = new RegExp(`(?:^|[/._-])${code}(?:/|\\.[a-z]+$)`, 'i')
const mayHaveVersion = /(?:^|\/)(?:v(?:ersion[-_]?)?|release[-_]?)?\d/i
/** Codes that name nothing but a language; `id`, `it`, `no` and `cs` are also words and programming languages. */
const clearCodes = 'de es fr ja jp ko kr pt pt-BR pt-br ru zh zh-CN zh-cn'.split(' ')
const originals = ['en', 'en-us', 'en-US', 'en_US']
const startPage = /^(?:index|readme)\./i

/** `v2`, `1.x`, `version-10.x`, `0.6.0-beta.1`; a bare number may count anything. */
const versionFolder =
  /^(?=v|release|\d+\.)(?:v|version[-_]?|release[-_]?)?(\d+(?:\.\d+)*)(?:\.x)?(?:[-.](?:alpha|beta|rc|pre|dev|next)[\w.-]*)?$/i
/** Every version has its own release notes. */
const ofOneVersion = /(?:^|\/)(?:change[-_]?logs?|news|release[-_]?notes?|relnotes|releases)(?:[/._-]|$)/i

/** The same page in the wanted edition; null for a page that only old versions have. */
interface OtherEdition {
  readonly path: string | null
}

interface EditionFile {
  readonly path: string
  readonly title: string
  readonly isCode: boolean
}

/** Finds, for a question, the files that repeat another one. */
export class EditionFinder {
  readonly #titleOf: (path: string) => string | null
  readonly #languages: ReadonlySet<string>
  readonly #versions: readonly string[]
  /** Folders of versions, by the folder that they are in. */
  readonly #siblings = new Map<string, Set<string>>()
  /** Pages in folders of versions. */
  readonly #pages = new Map<string, string[]>()
  /** Pages in a language of the question, by their originals. */
  readonly #translations = new Map<string, string>()

  /** Versions are compared with those of `paths`. A file that does not exist has no title. */
  constructor(question: string, paths: Iterable<string>, titleOf: (path: string) => string | null) {
    this.#titleOf = titleOf
    this.#languages = readLanguages(question)
    this.#versions = readVersions(question)
    for (const path of paths) {
      const segments = mayHaveVersion.test(path) ? path.split('/') : []
      for (const [at, segment] of segments.slice(0, -1).entries()) {
        if (!versionFolder.test(segment)) continue
        const folder = segments.slice(0, at).join('/')
        this.#siblings.set(folder, (this.#siblings.get(folder) ?? new Set()).add(segment))
        const place = segments.slice(0, at + 1).join('/')
        this.#pages.set(place, [...(this.#pages.get(place) ?? []), segments.slice(at + 1).join('/')])
      }
      if (this.#languages.size === 0 || this.#original(path, false) !== null) continue
      const original = this.#original(path, false, new Set())
      if (original !== null) this.#translations.set(original, path)
    }
  }

  #has = (path: string): boolean => this.#titleOf(path) !== null

  /** The edition that the question wants instead; null if the file is to be shown itself. */
  find({ path, title, isCode }: EditionFile): OtherEdition | null {
    const translation = isCode ? undefined : this.#translations.get(path)
    if (translation !== undefined) return { path: translation }
    const original = this.#original(path, isCode)
    const page = original ?? path
    const newer = isCode || ofOneVersion.test(page) ? null : this.#version(page, title)
    return original === null ? newer : { path: newer?.path ?? original }
  }

  /** The text in the default language, for a path with the code of another one that is not wanted. */
  #original(path: string, isCode: boolean, wanted = this.#languages): string | null {
    if (!mayHaveLanguage.test(path)) return null
    const segments = path.split('/')
    const name = segments.pop() as string
    const first = (places: readonly string[]): string | null => places.find(this.#has) ?? null
    for (const [at, segment] of segments.entries()) {
      const language = languageFolder.exec(segment)?.[1]?.toLowerCase()
      if (language === undefined || wanted.has(language)) continue
      const [before, after] = [segments.slice(0, at), [...segments.slice(at + 1), name]]
      const place = (...middle: string[]): string => [...before, ...middle, ...after].join('/')
      const found = first(originals.map((one) => place(one)))
      if (found !== null) return found
      // Code of other folders may have the same name, and many folders have a start page.
      const isClear = clearCodes.includes(language) && !startPage.test(name)
      const isOther = (one: string): boolean => one !== segment && this.#has(place(one))
      if (isCode || !(isClear || clearCodes.some(isOther))) continue
      const source = first([place(), ...docusaurusSource(before, after)])
      if (source !== null) return source
    }
    const [, stem, separator, language, extension] = languageName.exec(name) ?? []
    if (language === undefined || wanted.has(language.toLowerCase())) return null
    const named = (one: string): string => [...segments, `${one}${extension}`].join('/')
    if (stem === undefined) return first(originals.map(named))
    const isOther = (one: string): boolean => this.#has(named(`${stem}${separator}${one}`))
    const isClear =
      separator === '.' || clearCodes.includes(language.toLowerCase()) || clearCodes.some(isOther)
    return first([
      ...(isCode || !isClear ? [] : [named(stem)]),
      ...originals.map((one) => named(`${stem}.${one}`)),
    ])
  }

  /** Wanted is the version that the question names, else the unversioned one, else the newest. */
  #version(path: string, title: string): OtherEdition | null {
    if (this.#siblings.size === 0 && !mayHaveVersion.test(path)) return null
    const segments = path.split('/')
    const versioned = segments.findIndex((segment) => versionFolder.test(segment))
    const at = versioned === -1 ? segments.indexOf('docs') : versioned
    const own = segments[at]
    if (own === undefined) return null
    const [before, rest] = [segments.slice(0, at), segments.slice(at + 1)]
    const isCurrent = versioned === -1
    const isOfDocusaurus = before.at(-1) === 'versioned_docs'
    const inVersions = isCurrent ? [...before, 'versioned_docs'] : before
    const place = (folder: string): string => [...inVersions, folder, ...rest].join('/')
    const versions = [...(this.#siblings.get(inVersions.join('/')) ?? [])]
      .map((folder) => ({ folder, release: versionFolder.exec(folder)?.[1] as string, pre: null }))
      .sort((a, b) => compareVersions(b, a) || (a.folder < b.folder ? 1 : -1))
    const asked = versions.find(({ release }) => this.#asks(release))
    if (asked === undefined && isCurrent) return null
    const plain = [...before, ...rest].join('/')
    // `v1` alone may be a version of an API.
    const isRepeated =
      !startPage.test(rest.join('/')) && (versions.length > 1 || this.#titleOf(plain) === title)
    const unversioned = [
      ...['latest', 'current', 'stable'].map(place),
      ...(isOfDocusaurus ? [[...before.slice(0, -1), 'docs', ...rest].join('/')] : []),
      ...(isRepeated ? [plain] : []),
    ]
    const wanted =
      asked === undefined
        ? [...unversioned, ...versions.map(({ folder }) => place(folder))]
        : [place(asked.folder)]
    const other = wanted.find(this.#has)
    if (other !== undefined && other !== path) return { path: other }
    const newest = versions[0]?.folder
    if (asked !== undefined || newest === undefined) return null
    return isOfDocusaurus || (newest !== own && this.#share(before, own, newest)) ? { path: null } : null
  }

  /** Do two folders of versions have a page in common? Versions of an API have pages of their own. */
  #share(before: readonly string[], one: string, other: string): boolean {
    const [own, others] = [one, other].map((folder) => [...before, folder].join('/')) as [string, string]
    const has = (there: string) => (page: string) => !startPage.test(page) && this.#has(`${there}/${page}`)
    return (this.#pages.get(own) ?? []).some(has(others)) || (this.#pages.get(others) ?? []).some(has(own))
  }

  #asks(release: string): boolean {
    return this.#versions.some(
      (one) => `${one}.`.startsWith(`${release}.`) || `${release}.`.startsWith(`${one}.`),
    )
  }
}

/** `docs/a.md` for `i18n/fr/docusaurus-plugin-content-docs/current/a.md`. */
function docusaurusSource(before: readonly string[], after: readonly string[]): string[] {
  const isHere = before.at(-1) === 'i18n' && after[0] === 'docusaurus-plugin-content-docs'
  return isHere ? [[...before.slice(0, -1), 'docs', ...after.slice(2)].join('/')] : []
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
