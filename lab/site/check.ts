// Is the built site whole? Every link and anchor by a crawler and by yore itself; every kind of page in a real browser.
//
// npm run site:check    after npm run site; writes screenshots to site/work/screens; says what it left out without a browser
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import axe from 'axe-core'
import { Parser } from 'htmlparser2'
import { type Browser, chromium, type Page } from 'playwright-core'
import { openEngine } from '../../src/offer/engine/open-engine.ts'

const site = path.join(import.meta.dirname, 'work/dist')
const screens = path.join(import.meta.dirname, 'work/screens')
const base = process.env['YORE_SITE_BASE'] ?? '/'
const program = process.env['YORE_CHROMIUM'] ?? '/usr/bin/chromium'

interface Crawled {
  readonly links: string[]
  readonly names: Set<string>
}

/** What a page loads or leads to, and the anchors that it has. */
function readHtml(html: string): Crawled {
  const crawled: Crawled = { links: [], names: new Set() }
  const parser = new Parser({
    onopentag(_, { href, src, id }) {
      for (const link of [href, src]) if (link !== undefined) crawled.links.push(link)
      if (id !== undefined) crawled.names.add(id)
    },
  })
  parser.end(html)
  return crawled
}

/** Faults of all links between files of the site. */
function crawl(): { faults: string[]; links: number; outside: Set<string> } {
  const files = readdirSync(site, { recursive: true, encoding: 'utf8' }).map((name) =>
    name.replaceAll(path.sep, '/'),
  )
  const present = new Set(files)
  const pages = new Map(
    files
      .filter((name) => name.endsWith('.html'))
      .map((name) => [name, readHtml(readFileSync(path.join(site, name), 'utf8'))]),
  )
  const faults: string[] = []
  const outside = new Set<string>()
  let links = 0
  for (const [name, page] of pages) {
    for (const link of page.links) {
      links++
      const url = new URL(link, `http://site${base}${name}`)
      if (url.host !== 'site') {
        if (url.protocol.startsWith('http')) outside.add(url.href)
        continue
      }
      const place = decodeURIComponent(url.pathname).slice(base.length)
      const file = place === '' || place.endsWith('/') ? `${place}index.html` : place
      const anchor = decodeURIComponent(url.hash.slice(1))
      if (!present.has(file)) faults.push(`${name}: ${link} leads nowhere`)
      else if (anchor !== '' && pages.get(file)?.names.has(anchor) === false)
        faults.push(`${name}: ${link} has no such anchor`)
    }
  }
  return { faults, links, outside }
}

/** What `yore links` says of the built pages. */
async function askYore(): Promise<string[]> {
  const indexFolder = mkdtempSync(path.join(tmpdir(), 'yore-site-'))
  try {
    using engine = openEngine(site, { indexDir: indexFolder })
    await engine.index()
    const { links } = await engine.checkLinks()
    // Anchors of built pages are checked by the crawler.
    const faulty = [...links.broken, ...links.ambiguous]
    // Pages speak of made-up decisions such as ADR-013: a mention of an id is no link of the site.
    return faulty.filter(({ form }) => form !== 'id').map((fault) => JSON.stringify(fault))
  } finally {
    rmSync(indexFolder, { recursive: true, force: true })
  }
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.jpg': 'image/jpeg',
  '.json': 'application/json',
}

async function serve(): Promise<{ server: Server; origin: string }> {
  const server = createServer((request, response) => {
    const place = decodeURIComponent(new URL(request.url ?? '/', 'http://site').pathname).slice(base.length)
    const file = path.join(site, place === '' || place.endsWith('/') ? `${place}index.html` : place)
    if (!file.startsWith(site) || !existsSync(file)) {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, { 'content-type': types[path.extname(file)] ?? 'text/plain; charset=utf-8' })
    response.end(readFileSync(file))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** One of each kind of page. */
const looked = [
  'index.html',
  'tutorial/first-digest.html',
  'guides/agents.html',
  'reference/cli.html',
  'reference/cli-ask.html',
  'explanation/evidence.html',
  'records/index.html',
  'gallery/index.html',
  'gallery/retry-semantics.html',
  'guides/questions.html',
  'guides/command-line.html',
  'decisions/index.html',
  'project/changelog.html',
]

const violations = (page: Page): Promise<string[]> =>
  page.evaluate(
    `${axe.source}; axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ×' + nodes.length + ': ' + nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(' | ')))`,
  )

async function look(browser: Browser, origin: string): Promise<string[]> {
  const faults: string[] = []
  mkdirSync(screens, { recursive: true })
  const sights = [
    { name: 'light', colorScheme: 'light', viewport: { width: 1280, height: 900 } },
    { name: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
    { name: 'narrow', colorScheme: 'light', viewport: { width: 390, height: 844 } },
  ] as const
  for (const { name, ...options } of sights) {
    const context = await browser.newContext({ ...options, reducedMotion: 'reduce' })
    const page = await context.newPage()
    const tell = (what: string): void => void faults.push(`${name} ${page.url()}: ${what}`)
    page.on('console', (message) => message.type() === 'error' && tell(message.text()))
    page.on('pageerror', (error) => tell(error.message))
    page.on('request', (request) => !request.url().startsWith(origin) && tell(`asks ${request.url()}`))
    for (const place of looked) {
      await page.goto(origin + base + place, { waitUntil: 'load' })
      for (const violation of await violations(page)) tell(violation)
      const over = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
      if (over > 0) tell(`${over} pixels too wide`)
      await page.screenshot({ path: path.join(screens, `${name}-${place.replaceAll('/', '-')}.png`) })
    }
    await context.close()
  }
  return [...faults, ...(await trySearch(browser, origin))]
}

/** What a reader types, and the page that must be among the first three results. */
const searches = {
  'exclude files': 'guides/ignore-and-limits',
  'library api': 'guides/library',
  'claude code': 'guides/agents',
  'exit codes': 'guides/command-line',
} as const

/** Search finds pages by the words of readers, without a network. */
async function trySearch(browser: Browser, origin: string): Promise<string[]> {
  const page = await browser.newPage()
  await page.goto(origin + base, { waitUntil: 'networkidle' })
  await page.keyboard.press('Control+k')
  const missed: string[] = []
  for (const [words, wanted] of Object.entries(searches)) {
    await page.locator('.VPLocalSearchBox input').fill(words)
    await page.waitForTimeout(600)
    const found = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.VPLocalSearchBox .result')].map((one) => one.getAttribute('href') ?? '')`,
    )
    const pages = [...new Set(found.map((place) => place.split('#')[0] ?? ''))].slice(0, 3)
    if (!pages.some((place) => place.includes(wanted)))
      missed.push(`search for "${words}" found ${pages.join(', ')}, not ${wanted}`)
  }
  await page.screenshot({ path: path.join(screens, 'search.png') })
  await page.close()
  return missed
}

const { faults, links, outside } = crawl()
console.log(`crawler: ${links} links, ${faults.length} broken; ${outside.size} addresses outside, not asked`)
const byYore = await askYore()
console.log(`yore links: ${byYore.length} broken`)
faults.push(...byYore)
if (existsSync(program)) {
  const { server, origin } = await serve()
  const browser = await chromium.launch({
    executablePath: program,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking'],
  })
  try {
    const seen = await look(browser, origin)
    console.log(`browser: ${looked.length} pages, light, dark and 390 pixels wide: ${seen.length} faults`)
    faults.push(...seen)
  } finally {
    await browser.close()
    server.close()
  }
} else console.warn(`SKIPPED: no browser at ${program}; test/install-browser.sh brings one`)
for (const fault of faults) console.error(fault)
process.exitCode = faults.length === 0 ? 0 : 1
