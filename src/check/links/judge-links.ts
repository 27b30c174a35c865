// Is a link without a target really broken? Not if a program writes it, a generator makes its page, or a comment accepts it.

import { roleOf } from '../../corpus/graph/score-canonicality.ts'
import { sectionsWith } from '../../corpus/lookup/find-definition.ts'
import {
  isFixturePath,
  isGeneratedPath,
  isTestPath,
  isVendoredPath,
} from '../../corpus/resolve/code/code-roles.ts'
import { matchesGlob } from '../../corpus/resolve/matches-glob.ts'
import { isIndexPage, normalizeSegments } from '../../corpus/resolve/page-keys.ts'
import { decodePercent, readTarget } from '../../corpus/resolve/read-target.ts'
import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import type { ReferenceRow } from '../../corpus/store/rows/reference-reader.ts'
import { linesAround, textOfFile } from '../../corpus/store/stored-text.ts'
import { isCodeLanguage } from '../../model/code-languages.ts'
import { folderOf } from '../../model/paths.ts'
import { remember } from '../../model/remember.ts'
import type { FileRow } from '../../model/section.ts'
import type { ServedSite } from './served-site.ts'

/** On the line of a link or the one above it: accepts the link. */
const silencing = 'yore-ignore-link'
/** Placeholders of template languages and expressions of MDX, and quotes, which no address contains. */
const written = /\{\{|\{%|<%|\$\{|^\{|[<>"\\|]/
/** Paths that rustdoc and JSDoc resolve, and an alias of Docusaurus. */
const documented = /::|^(?:crate|self|super|module:|@link|@site\/)/
/** `docs.example.com/guide.md` */
const address = /^(?:[\w-]+\.)+(?:com|dev|io|net|org)\//i
/** A page with headings or terms that a template or a hook writes, with tabs, or with other pages in it. */
const composed =
  /^(?:\.\. )?include::|^`{3,9}\{include\}|^===[!+]? "|^#{1,6} (?:.*\{[{%]|<!--[^\n]*-->\s*$)|^<!--[^\n]{1,200}-->\n\n:[ \t]|\{\{[^}\n]{1,200} name="|\{\{\W{0,4}include[^}\n]{1,200}\.mdx?\b|^import\s[^\n]{1,200}\.mdx?['"]/m

/** `proposal-templates/0000-template.md`: its links are filled in by authors. */
const template = /(?:^|[/_-])templates?(?:[/._-]|$)/i
/** `deno_dist/README.md`: output of a build in its own folder. */
const builtFolder = /(?:^|\/)[\w.-]+[_.-]dist\//i
/** A note of the generator at the start or end of a page; the header of Python's packages. */
const generatedNote =
  /^Metadata-Version: |(?:\bauto[-_ ]?|\bautomatically )generated\b|\bgenerated (?:documentation|by|from)\b/i

/** Labels that Sphinx makes itself, and the roles that use labels. */
const generatedLabel = /^(?:genindex|(?:py-)?modindex|search)$/
const labelRole = /[:{](?:num)?ref[:}]`[^`]*`/g

/** By `/first`, or by a name without slashes: links with a target, and folders of those without. */
type Conventions = Map<string, { found: number; readonly lost: Set<string> }>

export class LinkJudge {
  readonly #reader: CorpusReader
  readonly #ignored: readonly string[]
  readonly #site: ServedSite
  readonly #languages: ReadonlyMap<string, string>
  #conventions: Conventions | null = null
  /** Every folder by its last names: `docs/content/en/install` is also `en/install` and `install`. */
  readonly #folders = new Set<string>()

  constructor(reader: CorpusReader, ignored: readonly string[], site: ServedSite) {
    this.#reader = reader
    this.#ignored = ignored
    this.#site = site
    const files = reader.files()
    this.#languages = new Map(files.map(({ path, language }) => [path, language]))
    // No generator serves test data, or folders whose names begin with an underscore.
    const served = files.filter(({ path }) => !isFixturePath(path) && !/(?:^|\/)_/.test(path))
    for (const folder of new Set(served.map(({ path }) => folderOf(path)))) {
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
    if (plain !== null || form !== 'link') return plain
    const { path } = readTarget(target)
    // Only a moved file shows that a comment means a document and not an example.
    const isInFolder = folderOf(normalizeSegments(path) ?? '') !== ''
    const isMoved = isInFolder && row.path !== null && !isFixturePath(row.path)
    if (this.#isCode(originPath) && !isMoved) return 'an example in code'
    if (row.outcome === 'ambiguous') return 'several files have its name'
    if (documented.test(path) || this.#site.isLabel(path, originPath)) return 'a documentation tool makes it'
    if (address.test(path)) return 'an address without its protocol'
    if (this.#site.isContentPath(path, row)) return 'the generator finds it from the root of its content'
    if (this.#site.isRedirected(path)) return 'the site redirects or makes it'
    if (/\.html?$|(?:^|\/)(?:llms(?:-full)?|robots)\.txt$/i.test(path)) return 'a tool may make it'
    if (this.#isMade(path)) return 'a site generator may make it'
    return this.#isConvention(target) ? 'such links rarely have a file here' : null
  }

  /** Do links of this kind fail in three folders or more, and more often than not? Then a site or a hook defines them. */
  #isConvention(target: string): boolean {
    const kindOf = (written: string): string => /^\/[^/]+(?=\/)|^[^/.#]+$/.exec(written)?.[0] ?? ''
    if (kindOf(target) === '') return false
    this.#conventions ??= this.#countConventions(kindOf)
    const { found = 0, lost } = this.#conventions.get(kindOf(target)) ?? {}
    return lost !== undefined && lost.size >= 3 && lost.size > found
  }

  #countConventions(kindOf: (target: string) => string): Conventions {
    const counts: Conventions = new Map()
    for (const { form, target, outcome, originPath } of this.#reader.references().everything()) {
      const count = counts.get(kindOf(target)) ?? { found: 0, lost: new Set() }
      if (form === 'link') counts.set(kindOf(target), count)
      if (outcome === 'missing') count.lost.add(folderOf(originPath))
      else if (outcome === 'resolved') count.found++
    }
    return counts
  }

  /** May the label of a `:ref:` be missing? Not if Sphinx makes it, or if any other text has it, as a docstring may. */
  isLost({ target, originPath }: ReferenceRow): boolean {
    return this.#site.sphinxAt(originPath) !== null && !this.#isWritten(target.slice('role:'.length))
  }

  readonly #isWritten = remember((label: string): boolean => {
    const texts = sectionsWith(this.#reader, label).map((row) => this.#reader.text(row).text.toLowerCase())
    return generatedLabel.test(label) || texts.some((text) => text.replace(labelRole, ' ').includes(label))
  })

  /** Extensions make labels, and those of another project need no prefix. */
  doubtLabel(row: ReferenceRow): string | null {
    const file = this.#reader.fileByPath(this.#site.sphinxAt(row.originPath) ?? '')
    const settings = file === null ? '' : textOfFile(this.#reader, file.id)
    const named = /^extensions\s*=\s*\[([^\]]*)\]/m.exec(settings)?.[1] ?? ''
    const isPlain = named.replace(/(["'])sphinx\.ext\.\w+\1|#.*|[\s,]/g, '') === ''
    const makes = /intersphinx|autosectionlabel|extensions(?:\s*\+|\.)|^[ \t]*def |subprocess/m.test(settings)
    if (file === null || !isPlain || makes) return 'an extension or another project may have the label'
    return this.#doubtOrigin(row)
  }

  /** The same for a missing anchor. */
  doubtAnchor(row: ReferenceRow): string | null {
    const plain = this.#doubtOrigin(row)
    if (plain !== null || row.path === null) return plain
    const anchor = readTarget(row.target).anchor ?? ''
    if (/^L\d/.test(anchor)) return 'a line number'
    if (row.outcome === 'missing' && this.#site.sphinxAt(row.path) !== null)
      return 'another page may have the label'
    if (row.method === 'repository') return 'an address may mean another version of the file'
    if (isIndexPage(row.path) && this.#site.pages.has(`${folderOf(row.path)}/${anchor}`))
      return 'the page lists the pages of its folder'
    if (this.#site.isDated(row.path)) return 'a dated page loses its oldest parts'
    if (this.#site.isTranslation(row.path)) return 'only a translation was found'
    return this.#isComposed(row.path) ? 'a template or another page may write the heading' : null
  }

  /** Also a page with nothing but frontmatter, whose text comes from data. */
  #isComposed(path: string): boolean {
    const file = this.#reader.fileByPath(path)
    const text = file === null ? '' : textOfFile(this.#reader, file.id)
    return composed.test(text) || /^(---|\+\+\+)\n(?:(?!\1).*\n)*\1\s*$/.test(text)
  }

  #isCode(path: string): boolean {
    return isCodeLanguage(this.#languages.get(path) ?? '')
  }

  /** Is it prose that people of this project write and keep up to date? */
  isOwnDocument(file: FileRow): boolean {
    const isProse = file.language === 'markdown' || file.language === 'text'
    return isProse && roleOf(file) === null && this.#doubtDocument(file.path) === null
  }

  /** Its place and its spelling. */
  #doubtOrigin({ form, target, originPath }: ReferenceRow): string | null {
    const place = this.#doubtDocument(originPath)
    return place ?? (form === 'link' && written.test(decodePercent(target)) ? 'a template writes it' : null)
  }

  readonly #doubtDocument = remember((path: string): string | null => {
    const isTest = this.#isCode(path) ? isTestPath(path) : isFixturePath(path)
    if (isTest || isVendoredPath(path) || isGeneratedPath(path) || this.#isGenerated(path))
      return 'in a test, or in text that others wrote'
    if (template.test(path)) return 'a template of a document'
    if (this.#site.isDated(path)) return 'a dated page says what was true then'
    return this.#site.isTranslation(path) ? 'a translation follows its original' : null
  })

  /** By its folder, or by a note at its start or end. */
  #isGenerated(path: string): boolean {
    if (builtFolder.test(path)) return true
    const file = this.#isCode(path) ? null : this.#reader.fileByPath(path)
    const rows = file === null ? [] : this.#reader.artifactsOf(file.id)
    return [rows[0], rows[1], rows.at(-1)].some(
      (row) => row !== undefined && generatedNote.test(this.#reader.text(row.rowId).text.slice(0, 1000)),
    )
  }

  /** An address of the site without an extension: a folder has its page, and an unknown folder may have one. */
  #isMade(path: string): boolean {
    if (!path.startsWith('/') || /\.\w{1,5}$/.test(path)) return false
    const place = normalizeSegments(path) ?? ''
    const parent = folderOf(place)
    return (
      this.#folders.has(place) ||
      parent === '' ||
      !this.#folders.has(parent) ||
      this.#site.hasDynamicRoute(parent)
    )
  }
}
