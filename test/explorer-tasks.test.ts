// Does the explorer answer common tasks in four clicks each? In a real browser, which counts the clicks.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSettings } from '../src/model/config/load-settings.ts'
import { makePages } from '../src/offer/ui/make-pages.ts'
import { serveUi } from '../src/offer/ui/serve-ui.ts'
import { runYore } from './run-command-line.ts'
import { makeFolder, openCorpus, removeFolder, writeFiles } from './temporary-corpus.ts'

const program = process.env['YORE_CHROMIUM'] ?? '/usr/bin/chromium'
const flags = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking']
const MOST_CLICKS = 4

const things =
  'cache queue scheduler gateway ledger mailer indexer crawler router worker printer broker'.split(' ')
const guide = (thing: string): string =>
  `# The ${thing}\n\nSee [the decision](../adr/ADR-007-retries.md).\n\n## Configure the ${thing} of a service\n\n${`The ${thing} retries a failed call and reads its limit from the settings of the service. `.repeat(12)}\n\n## Restart the ${thing} after an outage\n\n${`Stop the ${thing}, wait for its calls to end, and start it again. `.repeat(8)}\n`
const files = {
  ...Object.fromEntries(things.map((thing) => [`docs/guides/${thing}.md`, guide(thing)])),
  'docs/adr/ADR-007-retries.md':
    '# ADR-007: Retries\n\nStatus: accepted\n\n## Decision\n\nA failed call is retried three times by `retryCall`, see [the queue](../guides/queue.md).\n',
  'docs/archive/old-retries.md':
    '# Retries before ADR-007\n\nStatus: deprecated\n\nA failed call was retried once, by hand.\n',
  'docs/history/cache.md': '# Notes\n\nThe first cache was a file.\n',
  'src/retry.ts':
    'const most = 3\n\nexport function retryCall(call: () => boolean): boolean {\n  for (let at = 0; at < most; at++) if (call()) return true\n  return false\n}\n',
  'package-lock.json': '{ "name": "shop", "lockfileVersion": 3, "packages": {} }\n',
}

const root = makeFolder()
const engine = openCorpus(root, { 'embedding.provider': 'none' })
const stop = new AbortController()
let serving: Promise<void>
let browser: Browser
let address = ''

beforeAll(async () => {
  if (!existsSync(program)) return
  writeFiles(root, files, { 'docs/archive/old-retries.md': Date.parse('2022-01-01') })
  await engine.index()
  const corpus = { engine, name: 'shop', settings: loadSettings({ root, env: {} }).settings }
  await new Promise<void>((resolve) => {
    const onListening = (url: string): void => {
      address = url
      resolve()
    }
    serving = serveUi(corpus, { port: 0, signal: stop.signal, onListening })
  })
  browser = await chromium.launch({ executablePath: program, args: flags })
})
afterAll(async () => {
  await browser?.close()
  stop.abort()
  await serving
  engine.close()
  removeFolder(root)
})

/** Clicks that the browser saw since the start page; a choice in a list and Enter in a form count, too. */
const counter = `{
  const count = ({ isTrusted, target, type }) => {
    const isChoice = target.tagName === 'SELECT'
    if (isTrusted ? type === 'click' && !isChoice : isChoice && type === 'change')
      sessionStorage.clicks = Number(sessionStorage.clicks ?? 0) + 1
  }
  for (const type of ['click', 'change']) addEventListener(type, count, true)
}`

async function start(): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage()
  await page.addInitScript(counter)
  await page.goto(address)
  return page
}

const ask = async (page: Page, question = 'How are failed calls retried?'): Promise<void> => {
  await page.fill('input[name=q]', question)
  await page.click('form.ask .line button')
  await page.waitForSelector('#answer')
}

/** Again while the browser is still about to focus the question, which a page does in its own time. */
async function goToField(page: Page): Promise<void> {
  const pressed = async (): Promise<unknown> => {
    await page.keyboard.press('Escape')
    await page.keyboard.press('/')
    return page.evaluate('document.activeElement.name')
  }
  await expect.poll(pressed, { timeout: 20_000 }).toBe('text')
}

/** The first place that the field of the header offers. */
const find = async (page: Page, text: string): Promise<void> => {
  await goToField(page)
  await page.keyboard.type(text)
  await page.click('#offers a >> nth=0')
  await page.waitForURL(/\/doc\//)
}

const tasks: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'Why is a document missing?': async (page) => {
    await ask(page)
    // Two files have this name.
    await page.fill('#missing input[name=find]', 'cache.md')
    await page.click('#missing button')
    expect(await page.textContent('#expected')).toMatch(/^docs\/guides\/cache\.md is /)
    await page.fill('#missing input[name=find]', 'package-lock.json')
    await page.click('#missing button')
    expect(await page.textContent('#expected')).toMatch(/not indexed: .*lock file/)
  },
  'Which documents are outdated?': async (page) => {
    await page.click('nav >> text=Documents')
    // Its script is there once the page is loaded.
    await page.waitForURL('**/doc')
    await page.selectOption('select[name=status]', 'possibly stale')
    await page.waitForURL(/status=possibly/)
    expect(await page.locator('#documents tbody tr').allTextContents()).toEqual([
      expect.stringContaining('Retries before ADR-007'),
    ])
  },
  'What does ADR-7 touch?': async (page) => {
    await find(page, 'ADR-007')
    expect(await page.textContent('aside section:nth-of-type(2)')).toMatch(/Refers to · 2.*queue\.md/s)
    await page.click('.lead >> text=Graph')
    // What refers to it and is referred to by it stands on both sides.
    const names = await page.locator('.around .node b').allTextContents()
    expect(new Set(names).size).toBe(things.length + 3)
  },
  'What is in the index, and how much was skipped?': async (page) => {
    expect(await page.locator('.treemap a').count()).toBeGreaterThan(2)
    expect(await page.textContent('main')).toContain('1 file skipped')
    await page.click('.treemap a >> nth=0')
    expect(await page.locator('#documents tbody tr').count()).toBeGreaterThan(0)
  },
  'What changes at 4,000 tokens?': async (page) => {
    await page.fill('input[name=max]', '1000')
    await ask(page)
    await page.waitForSelector('.marks button')
    await page.fill('input[name=max]', '4000')
    await page.locator('#moved', { hasText: /Entered: / }).waitFor()
    expect(page.url()).toContain('max=4000')
  },
  'Open the source of a passage': async (page) => {
    await ask(page)
    const cited = await page.locator('#p1').locator('[data-copy]').getAttribute('data-copy')
    await page.click('#p1 a.place')
    await page.waitForURL(/\/doc\//)
    expect(cited).toContain(await page.textContent('.lead .mono'))
    expect(await page.locator('li.marked').count()).toBeGreaterThan(0)
  },
  'Who quotes this document?': async (page) => {
    await find(page, 'ADR-007')
    expect(await page.textContent('aside section')).toContain(`Referenced by · ${things.length + 1}`)
  },
  'Who calls this function?': async (page) => {
    await ask(page, 'What does retryCall do?')
    await page.click('article.passage .acts >> text=Uses')
    await page.waitForURL(/\/uses\?of=/)
    expect(await page.textContent('.pair section')).toMatch(/Used by · 1.*ADR-007-retries\.md/s)
  },
  'What did I ask before, and was the answer sure?': async (page) => {
    await ask(page)
    const verdict = await page.textContent('.verdict .tag')
    await page.click('nav >> text=Ask')
    expect(await page.textContent('#asked li')).toMatch(`${verdict} How are failed calls retried? `)
    await page.click('#asked a')
    await page.waitForSelector('#answer')
  },
  'What do two budgets show, next to each other?': async (page) => {
    await ask(page)
    const less = new URL(page.url())
    for (const [name, value] of Object.entries({ max: '500', words: 'limit' }))
      less.searchParams.set(name, value)
    await page.goto(less.href)
    // The same question with the same settings is listed once, with its budget, words and time.
    await page.goto(`${less.href}&find=queue.md`)
    await page.goto(address)
    const rows = await page.locator('#asked li').allTextContents()
    expect(rows).toHaveLength(2)
    expect(rows[0]).toMatch(
      /^ (?:high|medium|low) How are failed calls retried\? \d+ of 500 tokens · with limit · .*\d:\d\d/,
    )
    await page.click('#asked li:nth-child(1) input')
    await page.click('#asked li:nth-child(2) input')
    await page.click('#asked button')
    await page.waitForURL(/\/compare\?/)
    const told = /(\d+) passages? on both sides, (\d+) only in the first digest, (\d+) only in the second/
    const [both, left, right] = (told.exec((await page.textContent('main')) ?? '') ?? []).slice(1).map(Number)
    expect(right).toBeGreaterThan(0)
    expect(await page.locator('.pair > section:nth-child(1) .passage').count()).toBe(
      (both ?? 0) + (left ?? 0),
    )
    expect(await page.locator('.tag:text("only here")').count()).toBe((left ?? 0) + (right ?? 0))
  },
  'Find a symbol': async (page) => {
    await goToField(page)
    await page.keyboard.type('retryCall')
    await page.click('#offers a >> text=src/retry.ts:3')
    await page.waitForURL(/\/doc\/src\/retry\.ts/)
    expect(await page.textContent('li.marked')).toContain('export function retryCall')
  },
}

describe.skipIf(!existsSync(program))('within four clicks from the start page', () => {
  it.each(Object.entries(tasks))('%s', async (_, work) => {
    const page = await start()
    await work(page)
    const clicks = Number(await page.evaluate('sessionStorage.clicks'))
    expect(clicks).toBeGreaterThan(0)
    expect(clicks).toBeLessThanOrEqual(MOST_CLICKS)
    await page.context().close()
  })

  it('is offered questions that have strong matches', async () => {
    const page = await start()
    const questions = await page.locator('.chips a').allTextContents()
    expect(questions).toHaveLength(5)
    for (const question of questions)
      expect((await engine.search(question, { limit: 3 })).confidence.label).toBe('high')
    await page.context().close()
  })
})

it.skipIf(!existsSync(program))('copies a command that prints the digest of the page', async () => {
  const { settings } = loadSettings({ root, env: {} })
  const own = makePages({ engine, name: 'shop', settings, root })
  for (const query of ['&max=1500', "&max=4000&words=it's&depth=0&mode=lexical&fill=1&path=."]) {
    const asked = `q=${encodeURIComponent('How are failed calls retried? "$HOME" `x`')}${query}`
    const make = async (page: string): Promise<string> =>
      (await own.make(new URL(`${page}?${asked}`, 'http://127.0.0.1'))).body
    const copied = /data-copy="(yore [^"]*)"/.exec(await make('/ask'))?.[1] ?? ''
    const command = copied.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')
    const args = execFileSync('sh', ['-c', `set -- ${command.slice(5)}; printf '%s\\0' "$@"`], {
      encoding: 'utf8',
    })
    const env = { ...process.env, NO_COLOR: '1', YORE_EMBEDDING_PROVIDER: 'none' }
    const ran = runYore([...args.split('\0').slice(0, -1), '--refresh', 'never'], { cwd: root, env })
    expect([query, ran.stdout]).toEqual([query, await make('/ask.md')])
  }
})
