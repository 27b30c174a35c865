// What are the pages of a site? Those in its llms.txt or sitemap, fetched in sequence as robots.txt allows, from its own host only.
import { mkdir, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { YoreError } from '../../../model/errors.ts'
import { endsWith, htmlExtensions } from '../../../model/file-extensions.ts'
import { product, yoreVersion } from '../../../model/version.ts'
import { markupExtensions } from '../../parse/text/text-formats.ts'
import { isBinaryName } from '../language-of.ts'
import { normalizeCorpusPath } from '../walk/corpus-path.ts'
import { type AddressPolicy, chooseAddress, publicAddresses, readPublicUrl } from './public-address.ts'
import { gatherBytes } from './request.ts'

export interface SiteOptions {
  readonly policy: AddressPolicy
  readonly pages: number
  readonly pageBytes: number
  readonly totalBytes: number
  /** Of one page, and of all. */
  readonly pageMs: number
  readonly timeoutMs: number
  /** Between two pages; robots.txt may ask for more. */
  readonly pauseMs: number
}

const megabyte = 1024 * 1024

export const siteDefaults: SiteOptions = {
  policy: publicAddresses,
  pages: 500,
  pageBytes: 2 * megabyte,
  totalBytes: 64 * megabyte,
  pageMs: 20_000,
  timeoutMs: 900_000,
  pauseMs: 200,
}

/** Longest pause between pages, even if robots.txt asks for more. */
const LONGEST_PAUSE_MS = 10_000
const REDIRECTS = 5
const SITEMAPS = 20
/** RFC 9309 requires at least this many bytes of robots.txt to be read. */
const ROBOTS_BYTES = 500 * 1024

interface Page {
  readonly url: URL
  readonly type: string
  readonly body: Buffer
}

type Fetched = Page | { readonly status: number }

/** One site at one IP address of its host. */
class Site {
  readonly #options: SiteOptions
  readonly #address: string
  readonly #deadline: number

  constructor(address: string, options: SiteOptions) {
    this.#address = address
    this.#options = options
    this.#deadline = performance.now() + options.timeoutMs
  }

  get isLate(): boolean {
    return performance.now() > this.#deadline
  }

  /** Fetches a page and follows redirects on the same host. Throws CANNOT_FETCH when the host does not answer. */
  async get(from: URL, most: number = this.#options.pageBytes): Promise<Fetched> {
    let url = from
    for (let hop = 0; hop <= REDIRECTS; hop++) {
      const found = await this.#ask(url, most)
      if (!('location' in found)) return found
      const next = URL.parse(found.location, url.href)
      if (next === null || next.host !== from.host || next.protocol !== from.protocol) return { status: 403 }
      next.hash = ''
      url = next
    }
    return { status: 310 }
  }

  #ask(url: URL, most: number): Promise<Fetched | { readonly location: string }> {
    const { pageMs } = this.#options
    const family = this.#address.includes(':') ? 6 : 4
    return new Promise((resolve, reject) => {
      const fail = (cause: unknown): void =>
        reject(
          new YoreError('CANNOT_FETCH', `${url.host} does not answer: ${(cause as Error).message}`, {
            cause,
          }),
        )
      const asking = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
        // Connect to the checked address, whatever the name resolves to now.
        lookup: (_, wants, found) =>
          wants.all === true
            ? found(null, [{ address: this.#address, family }])
            : found(null, this.#address, family),
        headers: {
          'user-agent': `yore/${yoreVersion} (reads documentation for its user)`,
          accept: 'text/markdown, text/plain;q=0.9, text/html;q=0.8, application/xml;q=0.7',
          'accept-encoding': 'identity',
        },
        signal: AbortSignal.timeout(pageMs),
      })
      asking.on('error', fail)
      asking.on('response', (response) => {
        const { statusCode = 0, headers } = response
        if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
          response.destroy()
          resolve({ location: headers.location })
        } else if (statusCode !== 200) {
          response.destroy()
          resolve({ status: statusCode })
        } else
          gatherBytes(response, most).then(
            (body) =>
              resolve(
                body === null
                  ? { status: 413 }
                  : { url, type: typeOf(response), body: Buffer.from(body.buffer) },
              ),
            fail,
          )
      })
      asking.end()
    })
  }
}

function typeOf({ headers }: IncomingMessage): string {
  return (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
}

export interface Robots {
  readonly allows: (path: string) => boolean
  readonly pauseMs: number
}

/** Does a path match a rule's pattern? `*` matches anything, and a final `$` the end of the path. */
function fitsRule(pattern: string, wanted: string): boolean {
  const isWhole = pattern.endsWith('$')
  const [first = '', ...parts] = (isWhole ? pattern.slice(0, -1) : pattern).split('*')
  if (!wanted.startsWith(first)) return false
  let at = first.length
  for (const part of parts) {
    const found = wanted.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return !isWhole || (parts.length === 0 ? at === wanted.length : wanted.endsWith(parts.at(-1) ?? ''))
}

/** The rules for yore, or else for all agents. The longest matching rule decides (RFC 9309). */
export function readRobots(text: string): Robots {
  const groups: { agents: string[]; rules: { allow: boolean; path: string }[]; pause: number }[] = []
  let isNaming = false
  for (const raw of text.split(/\r?\n/)) {
    const [, key = '', value = ''] = /^\s*([A-Za-z-]{1,40})\s*:\s*([^#]*)/.exec(raw.slice(0, 2000)) ?? []
    const name = key.toLowerCase()
    if (name === 'user-agent') {
      if (!isNaming) groups.push({ agents: [], rules: [], pause: 0 })
      groups.at(-1)?.agents.push(value.trim().toLowerCase())
      isNaming = true
      continue
    }
    if (name === '') continue
    isNaming = false
    const group = groups.at(-1)
    if (name === 'crawl-delay') {
      if (group !== undefined) group.pause = Number(value) || 0
    } else if ((name === 'allow' || name === 'disallow') && value.trim() !== '')
      group?.rules.push({ allow: name === 'allow', path: value.trim() })
  }
  const own = groups.filter(({ agents }) => agents.includes(product.name))
  const held = own.length > 0 ? own : groups.filter(({ agents }) => agents.includes('*'))
  const rules = held.flatMap((group) => group.rules)
  return {
    pauseMs: 1000 * Math.max(0, ...held.map(({ pause }) => pause)),
    allows: (wanted) => {
      const fits = rules.filter((rule) => fitsRule(rule.path, wanted))
      const longest = fits.sort(
        (a, b) => b.path.length - a.path.length || Number(b.allow) - Number(a.allow),
      )[0]
      return longest?.allow ?? true
    },
  }
}

/** The URLs in a list: the links of llms.txt, the locations of a sitemap. */
export function listedIn({ url, body }: Pick<Page, 'url' | 'body'>): readonly URL[] {
  const text = body.toString('utf8')
  const isMap = url.pathname.endsWith('.xml')
  const named = isMap
    ? [...text.matchAll(/<loc>\s{0,20}([^<\s]{1,2000})\s{0,20}<\/loc>/g)].map(([, place = '']) =>
        place.replaceAll('&amp;', '&'),
      )
    : [...text.matchAll(/\]\(\s{0,5}([^)\]\s]{1,2000})\s{0,5}\)/g)].map(([, place = '']) => place)
  const found = new Map<string, URL>()
  for (const place of named) {
    const page = URL.parse(place, url.href)
    // Only URLs of this host, without a password.
    if (page === null || page.host !== url.host || page.protocol !== url.protocol || page.username !== '')
      continue
    page.hash = ''
    found.set(page.href, page)
  }
  return [...found.values()]
}

const extensions: Readonly<Record<string, string>> = {
  'text/html': '.html',
  'application/xhtml+xml': '.html',
  'text/markdown': '.md',
  'text/x-markdown': '.md',
  'text/plain': '.txt',
}

const hasEnding = endsWith([...htmlExtensions, ...markupExtensions])

/** The file name of a page: its path on the host, with the extension of its type. Null if it is not text. */
export function fileOf({ url, type }: Pick<Page, 'url' | 'type'>): string | null {
  const extension = extensions[type]
  if (extension === undefined || url.search !== '') return null
  let name: string
  try {
    name = decodeURIComponent(url.pathname)
  } catch {
    return null
  }
  const page = name.endsWith('/') ? `${name}index` : name
  const ending = hasEnding.test(page) ? '' : extension
  const file = normalizeCorpusPath(`${page.slice(1)}${ending}`)
  return file === null || isBinaryName(file) ? null : file
}

/** Writes the pages below `folder` and reports what was skipped. Throws CANNOT_FETCH when the list cannot be fetched. */
export async function fetchSite(
  given: string,
  folder: string,
  options: SiteOptions = siteDefaults,
): Promise<{ readonly pages: number; readonly notices: readonly string[] }> {
  const url = readPublicUrl(given, options.policy)
  const site = new Site(await chooseAddress(url, options.policy), options)
  const said = await site.get(new URL('/robots.txt', url), ROBOTS_BYTES)
  // RFC 9309: without robots.txt everything is allowed; if the host fails, nothing is.
  if (!('body' in said) && said.status >= 500)
    throw new YoreError('CANNOT_FETCH', `cannot read robots.txt of ${url.host}: status ${said.status}`)
  const robots = readRobots('body' in said ? said.body.toString('utf8') : '')
  if (!robots.allows(url.pathname))
    throw new YoreError('CANNOT_FETCH', `robots.txt of ${url.host} does not allow ${url.pathname}`)
  const list = await site.get(url)
  if (!('body' in list)) throw new YoreError('CANNOT_FETCH', `${url.href} returned status ${list.status}`)
  const writer = new PageWriter(folder, options)
  if (!url.pathname.endsWith('.xml')) await writer.add({ ...list, type: 'text/markdown' })
  const pause = Math.min(LONGEST_PAUSE_MS, Math.max(options.pauseMs, robots.pauseMs))
  const wanted = [...listedIn(list)]
  const known = new Set(wanted.map(({ href }) => href))
  let maps = 0
  for (let at = 0; at < wanted.length && !writer.isFull; at++) {
    if (site.isLate) {
      writer.leave(wanted.length - at, 'it took too long')
      break
    }
    const next = wanted[at] as URL
    if (!robots.allows(next.pathname)) {
      writer.leave(1, 'robots.txt does not allow it')
      continue
    }
    await sleep(pause)
    const page = await site.get(next)
    if (!('body' in page)) writer.leave(1, `status ${page.status}`)
    else if (!next.pathname.endsWith('.xml')) await writer.add(page)
    else if (++maps <= SITEMAPS)
      for (const one of listedIn(page)) {
        if (!known.has(one.href)) wanted.push(one)
        known.add(one.href)
      }
  }
  return { pages: writer.pages, notices: writer.notices(url.host) }
}

/** Writes pages within the limits. */
class PageWriter {
  readonly #folder: string
  readonly #options: SiteOptions
  readonly #written = new Set<string>()
  readonly #left = new Map<string, number>()
  #bytes = 0

  constructor(folder: string, options: SiteOptions) {
    this.#folder = folder
    this.#options = options
  }

  get pages(): number {
    return this.#written.size
  }

  get isFull(): boolean {
    return this.pages >= this.#options.pages || this.#bytes >= this.#options.totalBytes
  }

  leave(count: number, why: string): void {
    this.#left.set(why, (this.#left.get(why) ?? 0) + count)
  }

  async add(page: Page): Promise<void> {
    const file = fileOf(page)
    if (file === null) return this.leave(1, 'not text, or not a valid file name')
    if (this.#written.has(file)) return
    this.#written.add(file)
    this.#bytes += page.body.length
    const place = path.join(this.#folder, file)
    try {
      await mkdir(path.dirname(place), { recursive: true })
      await writeFile(place, page.body, { flag: 'wx' })
    } catch {
      // The name is that of a folder, or differs from another page's name only in case.
      this.leave(1, 'another page has its name')
    }
  }

  notices(host: string): readonly string[] {
    const full = this.isFull ? [`${host}: stopped at the limit of ${this.pages} pages`] : []
    return [...full, ...[...this.#left].map(([why, count]) => `${host}: skipped ${count} pages: ${why}`)]
  }
}
