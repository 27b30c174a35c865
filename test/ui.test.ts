// Do the pages of `yore ui` show what is so, to everybody, and can no document or other site make more of them? In a real browser.
import { existsSync } from 'node:fs'
import path from 'node:path'
import axe from 'axe-core'
import fc from 'fast-check'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSettings } from '../src/model/config/load-settings.ts'
import { defaultSettings } from '../src/model/config/settings.ts'
import type { Dropped } from '../src/model/digest.ts'
import type { AssembleResult } from '../src/model/report.ts'
import { showAnswer } from '../src/offer/ui/ask-page.ts'
import { explainMissing } from '../src/offer/ui/explain-missing.ts'
import { makePages } from '../src/offer/ui/make-pages.ts'
import { serveUi } from '../src/offer/ui/serve-ui.ts'
import { hostileDigest } from './support/hostile-digest.ts'
import { copyFixture, makeFolder, openCorpus, removeFolder, runSeed, writeFiles } from './temporary-corpus.ts'

const program = process.env['YORE_CHROMIUM'] ?? '/usr/bin/chromium'
const hasBrowser = existsSync(program)
if (!hasBrowser)
  console.warn(`SKIPPED: no browser at ${program}; apt-get install chromium, or set YORE_CHROMIUM`)

const flags = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking']

/** What a document may try: markup in text, names, titles, links and code, and characters that reorder text. */
const attack =
  '<script>window.hacked=1</script><img src=x onerror="window.hacked=1"><iframe src="//evil.example"></iframe>'
const hostile = {
  'docs/drawing.svg':
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><script>window.hacked=1</script></svg>',
  'docs/wide.md': `# Wide\n\n![A drawing](drawing.svg) <img src="drawing.svg" alt="again">\n\n[![](a.svg)](https://example.org) [<img src="b.svg" alt="Badge">](https://example.org/b)\n\n\`\`\`js\n${'wide('.repeat(80)}\n\`\`\`\n`,
  'docs/hostile.md': `# ${attack}</title></h1>\n\nZebra stripes ${attack} "'>< \u202Edesrever\u202C [go](javascript:window.hacked=1)\n\n## <svg onload=window.hacked=1>\n\nZebra [x](gone"onmouseover="window.hacked=1.md) ![i](http://evil.example/x.png)\n\n</li></ol></article><article class="passage" data-cite="forged:1-2">Zebra\n\n## Empty <b>\n`,
  'docs/a"><img src=x onerror=window.hacked=1>.md': '# Zebra name\n\nZebra by a name.\n',
  'src/hostile.ts': `/** Zebra ${attack} */\nexport function zebra(a: string): string {\n  return "${attack.replaceAll('"', '\\"')}" // ${attack}\n}\n`,
}

const root = makeFolder()
const stop = new AbortController()
const engine = openCorpus(root, { 'embedding.provider': 'none' })
let base = ''
let token = ''
/** As a script asks. */
const bearer = (): { headers: Record<string, string> } => ({ headers: { authorization: `Bearer ${token}` } })
let browser: Browser
let serving: Promise<void>

beforeAll(async () => {
  copyFixture('crossref', root)
  writeFiles(root, hostile)
  await engine.index()
  const { settings } = loadSettings({ root, env: {} })
  await new Promise<void>((resolve) => {
    serving = serveUi(
      { engine, name: '<corpus>', root, settings },
      {
        port: 0,
        signal: stop.signal,
        onListening: (url) => {
          token = new URL(url).searchParams.get('token') ?? ''
          base = new URL(url).origin
          resolve()
        },
      },
    )
  })
  if (hasBrowser) browser = await chromium.launch({ executablePath: program, args: flags })
})
afterAll(async () => {
  await browser?.close()
  stop.abort()
  await serving
  engine.close()
  removeFolder(root)
})

interface Opened {
  readonly page: Page
  /** Errors that the page told, and requests that left it. */
  readonly faults: string[]
}

async function open(path: string, options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('dialog', (dialog) => faults.push(`dialog: ${dialog.message()}`))
  page.on('request', (request) => !request.url().startsWith(base) && faults.push(`left: ${request.url()}`))
  const [address, fragment] = path.split('#')
  await page.goto(
    `${base}${address}${address?.includes('?') === true ? '&' : '?'}token=${token}${fragment === undefined ? '' : `#${fragment}`}`,
  )
  expect(page.url()).not.toContain(token)
  return { page, faults }
}

const question = '/ask?q=Which+retry+semantics+hold%3F&max=1500'
const document = '/doc/docs/adr/ADR-013-retries.md?lines=3-5'
const compared = `/compare${question.slice(4)}&max2=500`
const all = ['/ask', question, compared, '/doc', document, '/doc/docs/wide.md', '/graph', '/links']

/** The first section that did not fit. */
function place(dropped: readonly Dropped[]): string {
  const { path, lines } = dropped.find(({ reason }) => reason === 'no room') as Dropped
  return `${path}:${lines.start}`
}

const violations = (page: Page): Promise<string[]> =>
  page.evaluate(
    `${axe.source}; axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes.map(({ html }) => html.slice(0, 160)).join(' | ')))`,
  )

describe.skipIf(!hasBrowser)('every page', () => {
  it.each(['light', 'dark'] as const)(
    'is accessible, tells no error, asks nobody else and fits a screen of 390 pixels: %s',
    async (colorScheme) => {
      for (const path of all) {
        const { page, faults } = await open(path, { colorScheme })
        const found = await violations(page)
        await page.setViewportSize({ width: 390, height: 800 })
        const over = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        expect([path, found, faults, over]).toEqual([path, [], [], 0])
        // What is read comes first, in the whole width.
        for (const column of await page.locator('.two > *').all())
          expect([path, (await column.boundingBox())?.width]).toEqual([path, 358])
        await page.context().close()
      }
    },
  )

  it('shows pictures of the folder, whose scripts do not run', async () => {
    const { page, faults } = await open('/doc/docs/wide.md')
    const widths = await page
      .locator('.prose img')
      .evaluateAll((all) => all.map((one) => (one as unknown as { naturalWidth: number }).naturalWidth))
    expect([widths, faults]).toEqual([[40, 40], []])
    await page.goto(`${base}/picture/docs/drawing.svg`)
    expect(await page.evaluate('window.hacked')).toBeUndefined()
    await page.context().close()
  })

  it('works without scripts', async () => {
    const { page } = await open('/ask', { javaScriptEnabled: false })
    await page.fill('input[name=q]', 'Which retry semantics hold?')
    await page.click('button')
    expect(await page.locator('article.passage').count()).toBeGreaterThan(0)
    await page.click('article.passage a.place')
    expect(await page.locator('li.marked').count()).toBeGreaterThan(0)
    await page.click('nav >> text=Links')
    expect(await page.textContent('h1')).toBe('Links')
    await page.context().close()
  })
})

describe.skipIf(!hasBrowser)('the ask page', () => {
  it('accounts for every token, and each part of the bar leads to its passage', async () => {
    const { page } = await open(question)
    const answered = await fetch(`${base}${question.replace('/ask?', '/ask.json?')}`, bearer())
    const { tokensUsed, account, digest } = (await answered.json()) as Required<AssembleResult>
    const counted = [account.frame, ...account.primary, ...account.expanded.flat()]
    expect(counted.reduce((sum, tokens) => sum + tokens, 0)).toBe(tokensUsed)
    const passages = digest.primary.length + digest.expanded.flatMap(({ passages }) => passages).length
    expect(await page.locator('article.passage').count()).toBe(passages)
    expect(await page.locator('.budget svg a').count()).toBe(passages)
    await page.locator('.budget svg a').last().click()
    expect(new URL(page.url()).hash).toBe(`#p${passages}`)
    expect(digest.decisions?.length).toBeGreaterThan(0)
    const markdown = await (await fetch(`${base}${question.replace('/ask?', '/ask.md?')}`, bearer())).text()
    expect(markdown).toMatch(/^# Context Digest for: /)
    await page.context().close()
  })

  it('copies, and goes to its field by a key', async () => {
    const { page, faults } = await open(question, { permissions: ['clipboard-read', 'clipboard-write'] })
    const clipboard = (): Promise<string> => page.evaluate('navigator.clipboard.readText()')
    await page.click('#p1 [data-copy]')
    await page.waitForSelector('.toast')
    expect(await clipboard()).toBe(await page.locator('#p1 [data-copy]').getAttribute('data-copy'))
    await page.click('[data-copy-digest]')
    await page.waitForFunction(
      'navigator.clipboard.readText().then((text) => text.startsWith("# Context Digest"))',
    )
    await page.keyboard.press('/')
    expect(await page.evaluate('document.activeElement.name')).toBe('text')
    await page.keyboard.press('Escape')
    expect(await page.evaluate('document.activeElement.name')).toBeUndefined()
    expect(faults).toEqual([])
    await page.context().close()
  })

  it('goes through its passages by keys, and opens one', async () => {
    const { page } = await open(question)
    const at = (): Promise<number> =>
      page.evaluate('[...document.querySelectorAll("article.passage")].indexOf(document.activeElement)')
    for (const [key, number] of [
      ['j', 0],
      ['j', 1],
      ['k', 0],
    ] as const) {
      await page.keyboard.press(key)
      expect(await at()).toBe(number)
    }
    await page.keyboard.press('/')
    await page.keyboard.type('jk')
    expect(await page.inputValue('form.find input')).toBe('jk')
    await page.context().close()
  })

  it('says in one sentence why a file, a line or a sentence is missing, with the link that changes it', async () => {
    const { page } = await open(`${question}&find=docs/adr/ADR-013-retries.md`)
    const told = async (find: string, max: number): Promise<string> => {
      await page.goto(`${base}/ask?q=Which+retry+semantics+hold%3F&max=${max}`)
      await page.fill('#missing input[name=find]', find)
      await page.click('#missing button')
      return (await page.textContent('#expected')) ?? ''
    }
    expect(await page.textContent('#expected')).toMatch(/ADR-013-retries.md is passage \d of the digest/)
    const digestAt = async (max: number): Promise<AssembleResult['digest']> => {
      const found = await fetch(`${base}/ask.json?q=Which+retry+semantics+hold%3F&max=${max}`, bearer())
      return ((await found.json()) as AssembleResult).digest
    }
    const [digest, full] = [await digestAt(300), await digestAt(4000)]
    const shown = new Set(full.primary.flatMap(({ artifacts }) => artifacts))
    const left = digest.dropped.find(({ artifact, reason }) => shown.has(artifact) && reason === 'no room')
    expect(await told(`${left?.path}:${left?.lines.start}`, 300)).toMatch(/It fits from [\d,]+ tokens\./)
    await page.click('#expected a')
    expect(await page.textContent('#expected')).toMatch(/is passage \d+ of the digest/)
    const weak = full.dropped.find(({ reason }) => reason === 'adds little')
    if (weak !== undefined)
      expect(await told(`${weak.path}:${weak.lines.start}`, 4000)).toMatch(/below the cut: .*0\.\d\d/)
    expect(await told('nowhere.md:3', 300)).toMatch(/There is no file nowhere.md/)
    expect(await told('Zebra by a name.', 4000)).toMatch(/is indexed, but no section|below the cut/)
    await page.click('#expected a')
    expect(new URL(page.url()).pathname).toMatch(/^\/doc\//)
    expect(await told('no such sentence anywhere', 300)).toMatch(/No indexed section contains/)
    writeFiles(root, { '.gitignore': 'kept-out.md\n', 'kept-out.md': '# Kept out\n' })
    expect(await told('kept-out.md', 300)).toMatch(/not indexed: ignore rules exclude it/)
    removeFolder(path.join(root, 'kept-out.md'))
    removeFolder(path.join(root, '.gitignore'))
    await page.context().close()
  })

  it('offers no budget that it does not take', async () => {
    const q = 'Which retry semantics hold?'
    const result = await engine.assemble(q, { maxTokens: 300, explain: true })
    const tried: number[] = []
    await explainMissing({
      query: { q, max: 100_000, depth: 1, mode: 'lexical', path: '', find: place(result.digest.dropped) },
      assembleAt: async (budgets) => {
        tried.push(...budgets)
        return budgets.map(() => null)
      },
      ...{ engine, result, hasIndexPage: true },
    })
    expect(Math.max(...tried)).toBe(200_000)
  })

  it('moves the budget with its slider: passages enter and leave without a new page', async () => {
    const { page, faults } = await open(question)
    await page.waitForSelector('.marks button')
    const marks = await page.locator('.marks button').count()
    const cards = (): Promise<number> => page.locator('article.passage').count()
    const before = await cards()
    expect(marks).toBeGreaterThanOrEqual(before)
    const slide = (place: number): Promise<unknown> =>
      page.evaluate(
        `(() => { const slider = document.querySelector('.slide input'); slider.value = ${place}; slider.dispatchEvent(new Event('input')) })()`,
      )
    await slide(0)
    await page.locator('#moved', { hasText: /Left: / }).waitFor()
    expect(await cards()).toBeLessThan(before)
    expect(page.url()).toContain('max=500')
    expect(await page.locator('.marks button.in').count()).toBe(await cards())
    await slide(100)
    await page.waitForURL(/max=16000/)
    await page.locator('#moved', { hasText: /Entered: / }).waitFor()
    expect(await page.locator('.marks button.in').count()).toBe(await cards())
    expect(faults).toEqual([])
    await page.context().close()
  })

  it('shows cards of a few lines with the words marked, opens them, and takes words that the answer may use', async () => {
    const { page, faults } = await open(question.replace('1500', '8000'))
    expect(await page.locator('article mark').count()).toBeGreaterThan(0)
    expect(await page.locator('article.brief').count()).toBeGreaterThan(0)
    const id = (await page.locator('article:has(.more)').first().getAttribute('id')) ?? ''
    const height = (): Promise<number> =>
      page.evaluate(`document.querySelector('article#${id}').offsetHeight`)
    const closed = await height()
    await page.locator(`article#${id} .more`).click()
    await expect.poll(height).toBeGreaterThan(closed)
    expect(await page.locator(`article#${id} .more`).count()).toBe(0)
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThan(3 * 900)
    await page.click('.more-options summary')
    for (const word of ['timeout', 'backoff']) {
      await page.fill('input[name=word]', word)
      await Promise.all([page.waitForURL(new RegExp(`word=${word}`)), page.keyboard.press('Enter')])
    }
    expect(await page.locator('.chip').count()).toBe(2)
    await page.click('.chip a >> nth=0')
    expect(new URL(page.url()).searchParams.get('words')).toBe('backoff')
    expect(faults).toEqual([])
    await page.context().close()
  })

  it('says what went wrong, and finds a page for the names that people try', async () => {
    const { page } = await open('/?q=Which+retry+semantics+hold%3F')
    expect(await page.locator('article.passage').count()).toBeGreaterThan(0)
    expect(new URL(page.url()).pathname).toBe('/ask')
    await page.goto(`${base}/documents`)
    expect(await page.textContent('h1')).toBe('Documents')
    await page.goto(`${base}/ask?q=retry&max=100`)
    expect(await page.textContent('main')).toMatch(/cannot hold the question/)
    expect((await page.goto(`${base}/nothing`))?.status()).toBe(404)
    expect(await page.locator('main a.quiet').count()).toBe(2)
    expect((await page.goto(`${base}/doc/elsewhere/ADR-013-retries.md`))?.status()).toBe(404)
    await page.click('main li a')
    expect(new URL(page.url()).pathname).toBe('/doc/docs/adr/ADR-013-retries.md')
    await page.context().close()
  })
})

it('begins with the question where no index is there yet', async () => {
  const empty = makeFolder()
  writeFiles(empty, { 'a.md': '# Retries\n\nRetries stop after three attempts.\n' })
  const fresh = openCorpus(empty, { 'embedding.provider': 'none', refresh: 'auto' })
  const pages = makePages({ engine: fresh, name: 'new', settings: defaultSettings })
  const { status, body } = await pages.make(new URL('http://x/ask'))
  expect([status, body.includes('No index is ready')]).toEqual([200, true])
  // Every other page builds it.
  expect((await pages.make(new URL('http://x/doc'))).body).toContain('Retries')
  expect((await pages.make(new URL('http://x/ask'))).body).toContain('1 file')
  fresh.close()
  removeFolder(empty)
})

/** Headings of rst below code, and contents whose links are the anchors of its headings. */
const linked = {
  'guide.rst': `.. _top:\n\n=====\nGuide\n=====\n\n${['One', 'Two', 'Three & four', 'Five']
    .map(
      (name) =>
        `${name}\n${'~'.repeat(name.length)}\n\nCall it::\n\n    ${name.toLowerCase()}()\n    # done\n\n.. code-block:: sh\n\n    run\n\nThen stop.\n\n`,
    )
    .join('')}`,
  'contents.md':
    '# Tool\n\n- [Options](#options)\n- [Required `option`](#required-option)\n- [More](#more-1)\n- [Bad](#%C3)\n- [Gone](#gone)\n\n## Options\n\n### Required `option`\n\nOne.\n\n### More\n\nTwo.\n\n## More\n\nThree.\n\n<h2>In HTML</h2>\n\nFour.\n',
}

it.each(Object.keys(linked))('leads each link inside a document to its heading: %s', async (name) => {
  const folder = makeFolder()
  writeFiles(folder, linked)
  const corpus = openCorpus(folder, { 'embedding.provider': 'none' })
  await corpus.index()
  const pages = makePages({ engine: corpus, name: 'linked', settings: defaultSettings })
  const body = String((await pages.make(new URL(`http://x/doc/${name}`))).body)
  const plain = (text = ''): string => text.replaceAll(/<[^>]*>/g, '').trim()
  const headings = new Map(
    [...body.matchAll(/<(?:h[2-6] class="[^"]*"|span) id="([^"]*)">([\s\S]*?)<\/[hp]/g)].map(
      ([, id = '', text]) => [id, plain(text)],
    ),
  )
  const links = [...body.matchAll(/<a href="#(at-[^"]*)"[^>]*>(.*?)<\/a>/g)]
  expect(links.length).toBe(name === 'guide.rst' ? 5 : 9)
  for (const [, id = '', text] of links) expect(headings.get(decodeURIComponent(id))).toBe(plain(text))
  corpus.close()
  removeFolder(folder)
})

it('finds names before what is about them, and tests last without cutting own code off', async () => {
  const folder = makeFolder()
  const others = ['Austrian', 'Swiss', 'French', 'Thai', 'Greek', 'Czech', 'Irish', 'Welsh']
  const classes = others.map(
    (name) => `class ${name}Locale(Locale):\n    own = "the locale Locale of ${name}"\n`,
  )
  const tests = Array.from({ length: 40 }, (_, at) => `def locale_${at}():\n    return 1\n`)
  writeFiles(folder, {
    'src/names.py': `def get_locale(name):\n    return Locale\n\n\n${classes.join('\n\n')}\n\nclass Locale:\n    names = 1\n\n\ndef locale_of_the_reader(text):\n    return 2\n`,
    'tests/test_names.py': `${tests.join('\n\n')}\n\nclass Locale:\n    pass\n`,
    'docs/words.md': '# Words\n\n## Use a locale\n\nLocale.\n',
  })
  const corpus = openCorpus(folder, { 'embedding.provider': 'none' })
  await corpus.index()
  const pages = makePages({ engine: corpus, name: 'names', settings: defaultSettings })
  const find = async (text: string): Promise<string[]> => {
    const { body } = await pages.make(new URL(`http://x/find.json?text=${encodeURIComponent(text)}`))
    const { found } = JSON.parse(String(body)) as { found: { name: string; place: string }[] }
    return found.map(({ name, place }) => `${name} ${place.replace(/:.*/, '')}`)
  }
  const found = await find('Locale')
  expect(found.slice(0, 3)).toEqual([
    'Locale src/names.py',
    'Locale tests/test_names.py',
    'locale_of_the_reader src/names.py',
  ])
  const first = found.findIndex((one) => one.startsWith('locale_0'))
  expect(first).toBeGreaterThan(5)
  expect(found.slice(first).every((one) => one.endsWith(' tests/test_names.py'))).toBe(true)
  expect((await find('locale()'))[0]).toBe('Locale src/names.py')
  expect((await find('locale_'))[0]).toBe('locale_of_the_reader src/names.py')
  expect((await find('locale_39'))[0]).toBe('locale_39 tests/test_names.py')
  expect((await find('use a locale'))[0]).toBe('Use a locale docs/words.md')
  expect((await find('WelshLoc'))[0]).toBe('WelshLocale src/names.py')
  expect((await find('names.py'))[0]).toBe('names.py src/names.py')
  expect(await find('()')).toEqual([])
  corpus.close()
  removeFolder(folder)
})

describe.skipIf(!hasBrowser)('the other pages', () => {
  it('filter and sort documents, with and without a script', async () => {
    const { page } = await open('/doc', { javaScriptEnabled: false })
    const rows = page.locator('#documents tbody tr')
    const all = await rows.count()
    const filter = 'form[data-filter]'
    await page.fill(`${filter} input[name=text]`, 'adr')
    await page.click(`${filter} button`)
    const found = await rows.count()
    expect(found).toBeGreaterThan(0)
    expect(found).toBeLessThan(all)
    await page.click('th >> text=tokens')
    const tokens = (await page.locator('#documents td:nth-child(5)').allTextContents()).map((text) =>
      Number(text.replace(',', '')),
    )
    expect(tokens).toEqual(tokens.toSorted((a, b) => b - a))
    expect(await rows.count()).toBe(found)
    await page.context().close()
    const { page: live, faults } = await open('/doc')
    await live.fill(`${filter} input[name=folder]`, 'docs/adr')
    await live.waitForURL(/folder=docs%2Fadr/)
    expect(await live.locator('#documents tbody tr').count()).toBeLessThan(all)
    await live.selectOption(`${filter} select[name=kind]`, 'code')
    await live.locator('#documents', { hasText: 'No document matches' }).waitFor()
    expect(faults).toEqual([])
    await live.context().close()
  })

  it('find a file from any page, and offer questions', async () => {
    const { page, faults } = await open(question)
    await page.keyboard.press('/')
    await page.keyboard.type('adr-013')
    await page.waitForSelector('[role=option]')
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('ArrowDown')
    await Promise.all([
      page.waitForURL(/\/doc\/docs\/adr\/ADR-013-retries\.md/),
      page.keyboard.press('Enter'),
    ])
    // Enter opens the first entry, a symbol as well, before the list is shown.
    await page.keyboard.press('/')
    await page.keyboard.type('zebra(')
    await Promise.all([page.waitForURL(/\/doc\/src\/hostile\.ts\?lines=/), page.keyboard.press('Enter')])
    await page.goBack()
    expect(await page.locator('details:has(.outline)').getAttribute('open')).toBe('')
    expect(await page.textContent('aside')).toMatch(/Referenced by · \d/)
    await page.goto(`${base}/ask`)
    expect(await page.locator('a.tile').count()).toBe(3)
    const tried = page.locator('main .pair li a')
    for (const link of await tried.all()) expect(await link.getAttribute('href')).toMatch(/^\/ask\?q=/)
    expect(faults).toEqual([])
    await page.context().close()
  })

  it('draw the graph with neighbours, mark lines of the address, and draw folders', async () => {
    const { page, faults } = await open('/graph')
    // The best connected document is in the middle, its neighbours at both sides; labels are whole.
    const drawings = await page.locator('.around').all()
    // A small corpus has more than one drawing.
    expect(drawings.length).toBeGreaterThan(1)
    expect(await page.locator('.key span').count()).toBeGreaterThan(1)
    for (const drawing of drawings)
      for (const side of ['before', 'after']) {
        const title = (await drawing.locator(`h2.${side}`).textContent()) ?? ''
        const named = await drawing.locator(`ul.${side} > li, details.${side} li`).count()
        expect(Number(/\d+$/.exec(title)?.[0])).toBe(named)
      }
    // The first has both; an edge shows its kinds and lines to a pointer, to keys, and in a list.
    for (const side of ['before', 'after'])
      expect(await page.locator(`.around >> nth=0 >> ul.${side} > li`).count()).toBeGreaterThan(0)
    const row = page.locator('.around ul > li').first()
    expect(await row.locator('.lines-of').isVisible()).toBe(false)
    await row.locator('.node').focus()
    const said = await row.locator('.lines-of').innerText()
    expect(said).toMatch(/^(?:links to|cites|names|uses|imports).* at its lines? \d/)
    expect(await page.textContent('#in')).toContain(said)
    const isWhole = `[...document.querySelectorAll('.around :is(.node, .middle) :is(b, .soft)')].every((one) => {
      const { left, right, bottom } = one.getBoundingClientRect()
      const row = (one.closest('li') ?? one.closest('.middle')).getBoundingClientRect()
      return one.scrollWidth <= one.clientWidth + 1 && left >= 0 && right <= innerWidth && bottom <= row.bottom + 1
    })`
    expect(await page.evaluate(isWhole)).toBe(true)
    await page.setViewportSize({ width: 390, height: 800 })
    expect(await page.locator('.around > svg:visible').count()).toBe(0)
    expect(await page.evaluate(isWhole)).toBe(true)
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.locator('.around ul .node').first().click()
    await page.waitForURL(/\/graph\?of=/)
    await page.locator('.around .middle a').first().click()
    await page.waitForURL(/\/doc\//)
    await page.goto(`${base}/doc/docs/adr/ADR-013-retries.md#L2-4`)
    await page.waitForURL(/view=source#L2-4$/)
    await page.waitForSelector('.linemenu')
    expect(await page.locator('li.marked').count()).toBe(3)
    await page.goto(`${base}/ask`)
    expect(await page.locator('.treemap a').count()).toBeGreaterThan(1)
    expect(faults).toEqual([])
    await page.context().close()
  })
})

/** As text: the types of a browser are not loaded here. */
const inspect = `((written) => {
  const parsed = new DOMParser().parseFromString(written, 'text/html')
  const isOdd = ({ tagName, attributes }) =>
    /^(?:script|img|iframe|object|embed|style|link|meta|base)$/i.test(tagName) ||
    [...attributes].some(({ name, value }) => /^on|^style$/i.test(name) || (name === 'href' && !/^[/#]/.test(value)))
  return {
    odd: [...parsed.querySelectorAll('*')].filter(isOdd).length,
    passages: parsed.querySelectorAll('article.passage').length,
  }
})`

describe.skipIf(!hasBrowser)('T23: hostile documents', () => {
  const paths = [
    '/ask?q=zebra+stripes&max=4000',
    `/ask?q=${encodeURIComponent(attack)}`,
    '/doc',
    '/doc/docs/hostile.md',
    '/doc/src/hostile.ts',
    `/doc/${encodeURIComponent('docs/a"><img src=x onerror=window.hacked=1>.md').replaceAll('%2F', '/')}`,
    '/graph',
    '/uses?of=src/hostile.ts%23zebra',
    '/compare?q=zebra+stripes&max2=500',
    '/links',
    `/doc/${encodeURIComponent(attack)}`,
  ]

  it('run nothing, load nothing and forge nothing', async () => {
    for (const path of paths) {
      const { page, faults } = await open(path)
      const found = await page.evaluate(`({
        hacked: window.hacked ?? null,
        foreign: document.querySelectorAll('img, iframe, object, embed, main script, [onerror], [onload], [onmouseover], a[href^="javascript"]').length,
        forged: document.querySelectorAll('[data-cite^="forged"]').length,
      })`)
      const told = faults.filter((fault) => !fault.includes('status of 4'))
      expect([path, found, told]).toEqual([path, { hacked: null, foreign: 0, forged: 0 }, []])
      await page.context().close()
    }
  })

  it('of any shape stay text: as many passages as there are, each with its own place', async () => {
    const { page } = await open('/ask')
    const query = {
      q: 'x',
      max: 1000,
      depth: 1,
      mode: 'lexical',
      path: '',
      find: '',
      saved: '',
    } as const
    const freshness = { state: 'fresh', changedFiles: 0, indexedAt: 0 } as const
    for (const digest of fc.sample(hostileDigest, { numRuns: 60, seed: runSeed })) {
      const result = { output: '', digest, tokensUsed: 1, freshness, explanation: '' } as const
      const { text } = showAnswer(query, result, { isWhole: true })
      const passages = [...digest.primary, ...digest.expanded.flatMap((one) => one.passages)]
      const seen = await page.evaluate(`${inspect}(${JSON.stringify(text.toWellFormed())})`)
      expect(seen).toEqual({ odd: 0, passages: passages.length })
    }
    await page.context().close()
  })
})

describe('the server', () => {
  const askServer = (path: string, headers: Record<string, string>, method = 'GET'): Promise<Response> =>
    fetch(base + path, { method, headers, redirect: 'manual' })
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
    askServer(path, { ...bearer().headers, ...headers }, method)

  it('answers nothing to a program or a user that does not know the token', async () => {
    const paths = [...all, '/', '/ask.md?q=retry', '/ask.json?q=retry', '/style.css', '/nothing']
    const wrong = '0'.repeat(32)
    const guesses = [
      {},
      { authorization: `Bearer ${wrong}` },
      { cookie: `yore-${new URL(base).port}=${wrong}` },
    ]
    for (const path of paths)
      for (const headers of guesses) {
        const answered = await askServer(path, headers)
        expect([path, answered.status, await answered.text()]).toEqual([
          path,
          401,
          'open the address that `yore ui` printed\n',
        ])
        expect(answered.headers.get('set-cookie')).toBe(null)
      }
    expect((await askServer(`/?token=${wrong}`, {})).status).toBe(401)
  })

  it('gives a browser a cookie for the token, and takes it out of the address', async () => {
    const opened = await askServer(`/doc//x?lines=3&token=${token}`, {})
    expect([opened.status, opened.headers.get('location')]).toEqual([302, '/doc//x?lines=3'])
    expect((await askServer(`//evil.example/?token=${token}`, {})).headers.get('location')).not.toMatch(
      /^\/\//,
    )
    const cookie = opened.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict; Path=\/$/)
    expect((await askServer('/ask', { cookie: cookie.split(';', 1)[0] ?? '' })).status).toBe(200)
    expect((await askServer(`/?token=${token}`, {})).headers.get('location')).toBe('/ask')
  })

  it('answers its own pages alone, reads only, and lets nothing be loaded from elsewhere', async () => {
    const answered = await get('/ask')
    expect(answered.status).toBe(200)
    const policy = answered.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^default-src 'none'/)
    expect(policy).not.toMatch(/unsafe|data:|\*/)
    expect((await get('/ask', { origin: 'http://evil.example' })).status).toBe(403)
    expect((await get('/ask', { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await get('/ask', {}, 'POST')).status).toBe(405)
    expect((await get('/')).headers.get('set-cookie')).toBe(null)
    expect((await get('/')).headers.get('location')).toBe('/ask')
    expect((await get('/../../etc/passwd')).status).toBe(404)
    expect((await get('/?q=retry')).headers.get('location')).toBe('/ask?q=retry')
    expect((await get('/doc/%E0%A4%A')).status).toBe(400)
    const { status } = await new Promise<{ status: number | undefined }>((resolve) => {
      const url = new URL(base)
      import('node:http').then(({ get: ask }) =>
        ask(
          { host: url.hostname, port: url.port, path: '/ask', headers: { host: 'evil.example' } },
          (answer) => {
            answer.resume()
            resolve({ status: answer.statusCode })
          },
        ),
      )
    })
    expect(status).toBe(403)
  })

  it('sends a first page of at most 20 KB, with script and style', async () => {
    const sizes = await Promise.all(
      [question.replace('1500', '8000'), '/style.css', '/ui-island.js', '/icon.svg'].map(async (path) => {
        const { headers } = await get(path, { 'accept-encoding': 'gzip' })
        return Number(headers.get('content-length'))
      }),
    )
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(20_000)
    const etag = (await get('/style.css')).headers.get('etag') ?? ''
    expect((await get('/style.css', { 'if-none-match': etag })).status).toBe(304)
  })
})
