// What does a site serve that no document of the corpus shows? Public folders, redirects, translations, dated pages.
import { languageCodes } from '../../corpus/resolve/code/code-roles.ts'
import {
  declaredPages,
  normalizeSegments,
  pageOf,
  placeOf,
  withoutExtension,
  withoutNumbers,
} from '../../corpus/resolve/page-keys.ts'
import type { CorpusReader } from '../../corpus/store/corpus-reader.ts'
import { textOfFile } from '../../corpus/store/stored-text.ts'
import { folderOf, lastSegment } from '../../model/paths.ts'

/** Generators serve the files of these folders from the root of the site. */
const servedFolders = ['', 'public', 'static', 'assets', '.vitepress/public', '.vuepress/public']
const redirectFiles =
  /redirects?(?:\.|$)|(?:^|[/-])sidebars\.|(?:^|\/)(?:netlify\.toml|vercel\.json|book\.toml|\.htaccess)$/i
/** Pages that say what was true on a day: changelogs, release notes, posts, files with a date in their names. */
const datedFolders = /(?:^|\/)(?:blog|_?posts|news|announcements?|changelogs?|release[-_]?notes)\//i
const datedNames =
  /^(?:changes|history|news|releases?)\.\w+$|^(?:change[-_]?log|release[-_]notes?|what'?s[-_]new|announcing)\b|(?:^|\D)(?:19|20)\d\d[-_.]?[01]\d(?:[-_.]?[0-3]\d)?(?:\D|$)/i
const proseExtension = /\.(?:html?|md|rst|txt)$/i
const docusaurus = /(?:^|\/)docusaurus\.config(?:\.|$)/
/** Settings of sites: strings in them and in files with these words in their names list pages. */
const siteFile =
  /^(?:|(.*)\/)(?:\.(?:vitepress|vuepress)\/.*\.(?:[cm]?[jt]s|json)|(?:(?:docusaurus|astro|nuxt|rspress)\.config|mkdocs|mint|docs|_config|_toc|antora|conf)\.(?:[cm]?[jt]sx?|json|ya?ml|py))$/
const navigationFile = /(?:sidebar|nav|menu|toc)[^/]{0,40}\.(?:[cm]?[jt]sx?|json|ya?ml)$/i
/** Where generators look for pages, from the folder of a site. */
const contentFolders = ' docs content pages src src/pages src/content/docs modules/ROOT/pages'.split(' ')
/** A string in quotes, or a value of YAML. */
const settingValue =
  /(["'`])([^"'`\s#]{1,200})(?:#[^"'`\s]{0,200})?\1|[-:][ \t]{1,8}([^"'`\s:#]{1,200})[ \t]{0,8}$/gm
/** A folder of notes that towncrier joins into a changelog. */
const fragmentFolder = /^\[(?:tool\.)?towncrier\]\n(?:[^[\n].*\n|\n){0,40}?directory ?= ?["']([\w./-]+)/m
const languageFolder = new RegExp(`^(?:${languageCodes})(?:[-_][a-z]{2,4})?$`, 'i')

/** The page of an address: no slashes at its ends, no extension. */
const pageAt = (address: string): string => withoutExtension(normalizeSegments(address) ?? '')

export class ServedSite {
  readonly #folders: ReadonlySet<string>
  /** Files without their extensions. */
  readonly pages: ReadonlySet<string>
  readonly #redirected = new Set<string>()
  /** Does a folder exist? Every link asks for the same few. */
  readonly #served = new Map<string, boolean>()
  readonly #redirectedBelow: string[] = []
  /** Pages that a navigation lists, and folders whose pages are all listed. */
  readonly #listed = new Set<string>()
  readonly #listedBelow: string[] = []

  constructor(reader: CorpusReader) {
    const files = reader.files()
    this.pages = new Set(files.map(({ path }) => withoutExtension(path)))
    const folders = new Set<string>()
    for (const { path } of files) for (let at = folderOf(path); at !== ''; at = folderOf(at)) folders.add(at)
    this.#folders = folders
    const sites = new Map<string, string>()
    for (const { id, path } of files) {
      const [isSite, at = ''] = siteFile.exec(path) ?? []
      if (isSite !== undefined) sites.set(at, `${sites.get(at) ?? ''}\n${textOfFile(reader, id)}`)
      if (redirectFiles.test(path) && !path.endsWith('.md'))
        for (const { rowId } of reader.artifactsOf(id)) this.#readRedirects(reader.text(rowId).text)
      const [, notes] = /\.toml$/.test(path) ? (fragmentFolder.exec(textOfFile(reader, id)) ?? []) : []
      if (notes !== undefined) this.#listedBelow.push(`${placeOf(notes, path)}/`)
    }
    for (const { id, path } of files) {
      let at = folderOf(path)
      while (at !== '' && !sites.has(at)) at = folderOf(at)
      if (navigationFile.test(path) && sites.has(at))
        sites.set(at, `${sites.get(at)}\nnav:\n${textOfFile(reader, id)}`)
    }
    for (const [at, text] of sites) this.#readSite(at, text)
  }

  /** A string that is the path or the address of a page lists it; without a navigation, all pages are listed. */
  #readSite(at: string, text: string): void {
    const found = [...text.matchAll(settingValue)].slice(0, 5000)
    const values = found.map(([, , quoted, plain]) => quoted ?? plain ?? '')
    const named = [...contentFolders, ...values.filter((value) => !value.startsWith('/'))]
    // Docusaurus keeps the pages of earlier versions in folders of their own.
    const versions = [...this.#folders].filter((one) => /(?:^|\/)versioned_docs\/[^/]+$/.test(one))
    const inside = versions.filter((one) => at === '' || one.startsWith(`${at}/`))
    const places = new Set([...named.map((name) => normalizeSegments(`${at}/${name}`) ?? at), ...inside])
    const roots = [...places].filter((place) => place === at || this.#folders.has(place)).slice(0, 100)
    for (const root of roots)
      for (const value of ['', ...values]) this.#listed.add(pageAt(`${root}/${value}`))
    for (const folder of this.#folders)
      if (languageFolder.test(lastSegment(folder)) && roots.includes(folderOf(folder)))
        this.#listed.add(folder)
    if (!text.includes('autogenerate') && (!/docs_dir|site_name|presets:/.test(text) || /^nav:/m.test(text)))
      return
    for (const root of roots)
      if (root !== at && lastSegment(root) !== 'src') this.#listedBelow.push(`${root}/`)
  }

  /** Does a navigation lead to this page, or the list of its folder in Hugo, or does it say that none does? */
  isListed(path: string, frontmatter: Readonly<Record<string, unknown>>): boolean {
    const page = pageOf(path)
    const pages = [withoutExtension(path), page, withoutNumbers(page), ...declaredPages(page, frontmatter)]
    if ('orphan' in frontmatter || pages.some((one) => this.#listed.has(one))) return true
    for (let at = folderOf(path); at !== ''; at = folderOf(at))
      if (this.pages.has(`${at}/_index`)) return true
    return this.#listedBelow.some((folder) => path.startsWith(folder))
  }

  /** A sidebar of Docusaurus makes the pages of its slugs. The first address of other lines is redirected; `/old/*` redirects everything below `/old`. */
  #readRedirects(text: string): void {
    for (const line of text.split('\n')) {
      const [, made] = /\bslug['"]?:\s?['"]([\w/-]{1,200})['"]/.exec(line) ?? []
      if (made !== undefined) this.#redirected.add(pageAt(made))
      const address = line.split(/[\s"'=,]+/).find((word) => /^\/\w|\.html$/.test(word))
      if (address === undefined || /^\s*"?(?:to|destination)\b/.test(line)) continue
      const star = address.search(/[*:]/)
      if (star === -1) this.#redirected.add(pageAt(address))
      else if (star > 1) this.#redirectedBelow.push(`${pageAt(address.slice(0, star))}/`)
    }
  }

  /** Also for relative addresses: slugs are below the root of the content. */
  isRedirected(address: string): boolean {
    const page = pageAt(address.replace(/^(?:\.\.?\/)+/, ''))
    return this.#redirected.has(page) || this.#redirectedBelow.some((below) => `${page}/`.startsWith(below))
  }

  /** Where an address of the site may be a file: below each folder around the origin, and below what it serves. */
  placesOf(address: string, origin: string, isFolder: (path: string) => boolean): string[] {
    const page = normalizeSegments(address)
    if (page === null || page === '') return []
    const places: string[] = []
    for (let at = folderOf(origin); ; at = folderOf(at)) {
      for (const served of servedFolders) {
        const folder = [at, served].filter(Boolean).join('/')
        const known = this.#served.get(folder) ?? (served === '' || isFolder(folder))
        this.#served.set(folder, known)
        if (known) places.push(folder === '' ? page : `${folder}/${page}`)
      }
      if (at === '') return places
    }
  }

  /** `pages/errors/[code].tsx` serves every page below `/errors`. */
  hasDynamicRoute(folder: string): boolean {
    return [...this.pages].some((page) => `/${page}`.includes(`/${folder}/[`))
  }

  /** Sphinx, whose settings are in a `conf.py` around the page, resolves names: `[](filtering)`, `[](log.Renderer)`. */
  isLabel(written: string, origin: string): boolean {
    return /^[\w.-]+$/.test(written) && !proseExtension.test(written) && this.sphinxAt(origin) !== null
  }

  /** The settings of Sphinx around a page; null without any. */
  sphinxAt(origin: string): string | null {
    for (let at = folderOf(origin); at !== ''; at = folderOf(at))
      if (this.pages.has(`${at}/conf.py`)) return `${at}/conf.py`
    return this.pages.has('conf.py') ? 'conf.py' : null
  }

  /** Docusaurus also looks for `blog.mdx` of `docs/api/plugin.mdx` in the folders around it. */
  isContentPath(written: string, { originPath, path }: { originPath: string; path: string | null }): boolean {
    const at = path === null || !`/${path}`.endsWith(`/${written}`) ? null : path.slice(0, -written.length)
    return at !== null && originPath.startsWith(at) && [...this.pages].some((page) => docusaurus.test(page))
  }

  isDated(path: string): boolean {
    return datedFolders.test(path) || datedNames.test(lastSegment(path))
  }

  /** `content/de/docs/a.md` next to `content/en`, or `docs/ja/a.md` for `docs/a.md`. */
  isTranslation(path: string): boolean {
    const names = path.split('/')
    return names.some((name, at) => {
      if (at === names.length - 1 || !languageFolder.test(name)) return false
      const around = names.slice(0, at)
      const original = [...around, ...names.slice(at + 1)].join('/')
      return this.#folders.has([...around, 'en'].join('/')) || this.pages.has(withoutExtension(original))
    })
  }
}
