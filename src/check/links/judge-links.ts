// Is a link without a target really broken? Not if a program writes it, a generator makes its page, or a comment accepts it.

import {
  isFixturePath,
  isGeneratedPath,
  isTestPath,
  isVendoredPath,
} from '../../corpus/resolve/code/code-roles.ts'
import { matchesGlob } from '../../corpus/resolve/matches-glob.ts'
import {
  extensionOf,
  isAddressExtension,
  isIndexPage,
  normalizeSegments,
  pageOf,
  placeOf,
  withoutExtension,
} from '../../corpus/resolve/page-keys.ts'
import { readTarget } from '../../corpus/resolve/read-target.ts'
import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import type { ReferenceRow } from '../../corpus/store/rows/reference-reader.ts'
import { linesAround } from '../../corpus/store/stored-text.ts'
import { isCodeLanguage } from '../../model/code-languages.ts'
import { folderOf, lastSegment } from '../../model/paths.ts'
import type { ServedSite } from './served-site.ts'

/** On the line of a link or the one above it: accepts the link. */
const silencing = 'yore-ignore-link'
/** Placeholders of template languages, and quotes, which no address contains. */
const written = /\{\{|\{%|<%|\$\{|[<>"\\|]/
/** Pages that rustdoc generates, and paths that it and JSDoc resolve. */
const documented =
  /(?:^|\/)(?:struct|enum|trait|fn|macro|type|constant|mod|primitive|union|attr|derive|keyword|static)\.[\w!]+\.html$|::|^(?:crate|self|super|module:|@link)\b/

interface Templates {
  readonly headings: readonly string[]
  readonly names: ReadonlySet<string>
}

const anchorOf = (target: string): string => readTarget(target).anchor ?? ''
const slug = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-')

export class LinkJudge {
  readonly #reader: CorpusReader
  readonly #ignored: readonly string[]
  readonly #site: ServedSite
  readonly #languages: ReadonlyMap<string, string>
  readonly #templates = new Map<string, Templates>()
  /** Every folder by its last names: `docs/content/en/install` is also `en/install` and `install`. */
  readonly #folders = new Set<string>()

  constructor(reader: CorpusReader, ignored: readonly string[], site: ServedSite) {
    this.#reader = reader
    this.#ignored = ignored
    this.#site = site
    const files = reader.files()
    this.#languages = new Map(files.map(({ path, language }) => [path, language]))
    for (const folder of new Set(files.map(({ path }) => folderOf(path)))) {
      const names = folder.split('/')
      for (let end = names.length; end > 0; end--)
        for (let start = 0; start < end; start++) this.#folders.add(names.slice(start, end).join('/'))
    }
  }

  /** A comment or a setting accepts it. */
  isSilenced(row: ReferenceRow): boolean {
    const { artifact, line, target, originPath } = row
    if (this.#ignored.some((glob) => matchesGlob(originPath, glob) || matchesGlob(target, glob))) return true
    if (!this.#reader.text(artifact).text.includes(silencing)) return false
    const lineAt = linesAround(this.#reader, row)
    return [line, line - 1].some((at) => lineAt(at)?.includes(silencing) ?? false)
  }

  /** Why files alone cannot show that it is broken; null if it plainly is. */
  doubt(row: ReferenceRow): string | null {
    const { form, target, originPath } = row
    const plain = this.#doubtOrigin(row)
    if (plain !== null) return plain
    if (form === 'id' && this.#isFamilyOfTests(target)) return 'only test data has documents of this kind'
    if (form !== 'link') return null
    const { path } = readTarget(target)
    // Only a moved file shows that a comment means a document and not an example.
    if (
      this.#isCode(originPath) &&
      (row.outcome !== 'resolved' || folderOf(normalizeSegments(path) ?? '') === '')
    )
      return 'an example in code'
    if (row.outcome === 'ambiguous') return 'several files have its name'
    if (documented.test(path) || this.#isModule(path)) return 'a documentation tool makes it'
    if (this.#isRendered(row)) return 'a tool makes it of a file that is here'
    if (this.#site.isRedirected(path)) return 'the site redirects it'
    if (this.#site.hasBasePath(path)) return 'it may begin with the base path of the site'
    return this.#isMade(path) ? 'a site generator may make it' : null
  }

  /** `ADR-046` where only test fixtures have ADRs: it means another project's. */
  #isFamilyOfTests(id: string): boolean {
    const prefix = /^[a-z]+/i.exec(id)?.[0].toLowerCase()
    if (prefix === undefined) return false
    const isOf = (path: string): boolean =>
      new RegExp(`^${prefix}[-_ ]?\\d`).test(lastSegment(path).toLowerCase())
    const family = [...this.#languages.keys()].filter(isOf)
    return family.length > 0 && family.every(isFixturePath)
  }

  /** `middleware/index.html`: rustdoc generates a page for every module. */
  #isModule(path: string): boolean {
    const name = /(?:^|\/)(\w+)\/index\.html$/.exec(path)?.[1]
    const isFile = (one: string): boolean => one === `${name}.rs` || one.endsWith(`/${name}.rs`)
    return (
      name !== undefined &&
      [...this.#languages.keys()].some((one) => isFile(one) || one.endsWith(`/${name}/mod.rs`))
    )
  }

  /** `guide.html` next to `guide.txt`, its source, or built of a document elsewhere: several books may be one site. */
  #isRendered({ path: found, originPath, target }: ReferenceRow): boolean {
    const { path } = readTarget(target)
    if (extensionOf(path) === '' || !isAddressExtension(extensionOf(path))) return false
    const place = placeOf(path, originPath)
    const page = pageOf(path)
    if (found !== null || (isIndexPage(path) && this.#folders.has(page))) return true
    return place !== null && this.#site.pages.has(withoutExtension(place))
  }

  /** The same for a missing anchor; `lost` are all such references. */
  doubtAnchor(row: ReferenceRow, lost: readonly ReferenceRow[]): string | null {
    const plain = this.#doubtOrigin(row)
    if (plain !== null || row.path === null) return plain
    if (this.#isEmpty(row.path)) return 'a site generator may make it'
    if (this.#isListed(row.path, anchorOf(row.target))) return 'the page lists the pages of its folder'
    if (this.#site.isDated(row.path)) return 'a dated page loses its oldest parts'
    if (this.#site.isTranslation(row.path)) return 'only a translation was found'
    return this.#isTemplated(row.path, row.target, lost) ? 'a template writes the heading' : null
  }

  /**
   * `## {{% heading "prerequisites" %}}` becomes a phrase from a file. The anchor is probably right when it contains
   * the template's own word, or when other documents with the same template are linked by it, too.
   */
  #isTemplated(path: string, target: string, lost: readonly ReferenceRow[]): boolean {
    const { headings, names } = this.#templatesOf(path)
    const wanted = slug(anchorOf(target))
    if (names.has(wanted) || names.has(wanted.replace(/-\d{1,3}$/, ''))) return true
    const others = lost.flatMap((row) =>
      row.path !== null && row.path !== path && slug(anchorOf(row.target)) === wanted ? [row.path] : [],
    )
    return others.some((other) => headings.some((one) => this.#templatesOf(other).headings.includes(one)))
  }

  /** Headings with a shortcode, and the names from which shortcodes make anchors. */
  #templatesOf(path: string): Templates {
    const known = this.#templates.get(path)
    if (known !== undefined) return known
    const file = this.#reader.fileByPath(path)
    const rows = file === null ? [] : this.#reader.artifactsOf(file.id)
    const texts = rows.map(({ rowId }) => this.#reader.text(rowId).text).filter((text) => text.includes('{{'))
    const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line.includes('{{'))
    const headings = lines.filter((line) => line.startsWith('#')).map((line) => line.trim())
    const quoted = headings.map((heading) => heading.split('"')[1] ?? '')
    // Tabs number their parts: `name="k8s_install"` gives `#k8s-install-2`.
    const given = lines.flatMap((line) => line.split(' name="').slice(1))
    const names = [...quoted, ...given.map((rest) => rest.split('"', 1)[0] ?? '')].map(slug)
    const found = { headings, names: new Set(names.filter((name) => name !== '')) }
    this.#templates.set(path, found)
    return found
  }

  #isCode(path: string): boolean {
    return isCodeLanguage(this.#languages.get(path) ?? '')
  }

  /** Its place and its spelling. */
  #doubtOrigin({ form, target, originPath }: ReferenceRow): string | null {
    const isTest = this.#isCode(originPath) ? isTestPath(originPath) : isFixturePath(originPath)
    if (isTest || isVendoredPath(originPath) || isGeneratedPath(originPath))
      return 'in a test, or in text that others wrote'
    if (this.#site.isDated(originPath)) return 'a dated page says what was true then'
    if (this.#site.isTranslation(originPath)) return 'a translation follows its original'
    return form === 'link' && written.test(target) ? 'a template writes it' : null
  }

  /** `gates/#NewGate` of `gates/index.md`, with a page `gates/NewGate.md`. */
  #isListed(path: string, anchor: string): boolean {
    return isIndexPage(path) && this.#site.pages.has(`${folderOf(path)}/${anchor}`)
  }

  /** Only frontmatter: the text of such a page comes from data. */
  #isEmpty(path: string): boolean {
    const file = this.#reader.fileByPath(path)
    const [own, ...sections] = file === null ? [] : this.#reader.artifactsOf(file.id)
    if (own === undefined || sections.length > 0) return false
    const { text, pieces } = this.#reader.text(own.rowId)
    return text.slice(/^(?:---|\+\+\+)/.test(text) ? (pieces[0]?.end ?? 0) : 0).trim() === ''
  }

  /** An address of the site without an extension: a folder has its page, and an unknown folder may have one. */
  #isMade(path: string): boolean {
    if (!path.startsWith('/') || /\.\w{1,5}$/.test(path)) return false
    const place = normalizeSegments(path) ?? ''
    const parent = folderOf(place)
    return this.#folders.has(place) || parent === '' || !this.#folders.has(parent)
  }
}
