// Can a person look at a corpus of the service, and nobody else? The pages in a real browser, and every way around the form.
import { existsSync } from 'node:fs'
import axe from 'axe-core'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKey, revokeKey } from '../src/control/keys.ts'
import { serve } from '../src/serve.ts'
import { Client, keySecret, signIn, startService, type TestService } from './service.ts'

const program = process.env['YORE_CHROMIUM'] ?? '/usr/bin/chromium'
const hasBrowser = existsSync(program)
if (!hasBrowser)
  console.warn(`SKIPPED: no browser at ${program}; apt-get install chromium, or set YORE_CHROMIUM`)
const flags = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking']

/** Shown as text; a picture is shown by its description, and has none. */
const script = '<script>window.hacked=1</script>'
const attack = `${script}<img src=x onerror="window.hacked=1">`
const documents = {
  'guide.md': `# Retries\n\nThree attempts, as [the decision](adr/decision.md) says, and [x](gone.md).\n\n## Empty\n\n## Limits\n\n${attack} Retries href="/ask" action="/ask".\n`,
  'adr/decision.md': '# Decision\n\nThree attempts and an hour of patience.\n',
}
const asked = '/ui/handbook/ask?q=How+many+retries%3F&max=1500'

let service: TestService
let browser: Browser

beforeAll(async () => {
  service = await startService()
  const client = new Client(service.url, service.key)
  await client.call('POST', '/v1/corpora', { name: 'handbook' })
  for (const [path, text] of Object.entries(documents)) {
    const { body } = await client.upload(path, text, { corpus: 'handbook' })
    expect((await client.wait(body.id)).state).toBe('completed')
  }
  if (hasBrowser) browser = await chromium.launch({ executablePath: program, args: flags })
})
afterAll(async () => {
  await browser?.close()
  await service.close()
})

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(service.url + path, { headers, redirect: 'manual' })

const post = (form: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${service.url}/ui`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: service.url, ...headers },
    body: new URLSearchParams(form),
  })

describe.skipIf(!hasBrowser)('a person with a key', () => {
  const violations = `${axe.source}; axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes.map(({ html }) => html.slice(0, 160)).join(' | ')))`

  it('signs in once, follows a link to a question, and sees documents, graph and links, without a key in any address', async () => {
    const context: BrowserContext = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    const page = await context.newPage()
    const [faults, addresses]: [string[], string[]] = [[], []]
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('console', (message) => /Content Security/.test(message.text()) && faults.push(message.text()))
    page.on('request', (request) => addresses.push(request.url()))
    await page.goto(service.url + asked)
    expect(await page.evaluate(violations)).toEqual([])
    await page.fill('input[name=key]', service.key)
    await page.click('main button')
    expect(page.url()).toBe(service.url + asked)
    expect(await page.textContent('main')).toContain(`${script} Retries href`)
    expect(await page.evaluate(violations)).toEqual([])
    await page.click('nav >> text=Links')
    await page.waitForURL('**/ui/handbook/links')
    expect(await page.textContent('main')).toContain('gone.md does not exist')
    expect(await page.evaluate(violations)).toEqual([])
    await page.click('a.place >> nth=0')
    expect(new URL(page.url()).pathname).toBe('/ui/handbook/doc/guide.md')
    await page.click('nav >> text=Graph')
    await page.waitForURL('**/ui/handbook/graph')
    // It begins at the best connected document.
    expect(await page.locator('.around .node').count()).toBe(2)
    await page.click('.around li a')
    await page.waitForURL('**/ui/handbook/graph?of=*')
    await page.click('.around .middle a')
    await page.waitForURL('**/ui/handbook/doc/*')
    expect(page.url()).toContain('/ui/handbook/doc/')
    expect(await page.evaluate(violations)).toEqual([])
    // What a page does not offer here is not there.
    expect(await page.locator('nav a').allTextContents()).toEqual(['Ask', 'Documents', 'Graph', 'Links'])
    for (const path of ['index', 'eval', 'nothing'])
      expect((await page.goto(`${service.url}/ui/handbook/${path}`))?.status()).toBe(404)
    await page.click('.corpus a')
    expect(await page.textContent('main')).toContain('handbook')
    expect(await page.evaluate(violations)).toEqual([])
    expect(await page.evaluate('window.hacked')).toBeUndefined()
    expect(await page.evaluate('document.cookie')).toBe('')
    await page.click('text=Sign out')
    expect((await page.goto(service.url + asked))?.status()).toBe(401)
    expect(faults).toEqual([])
    expect(addresses.filter((url) => url.includes('yore_') || !url.startsWith(service.url))).toEqual([])
    await context.close()
  })
})

describe('the door', () => {
  it('gives a cookie that scripts, other sites and other paths never see; https alone carries it where there is https', async () => {
    const { headers, status } = await post({ key: service.key, next: asked })
    expect([status, headers.get('location')]).toEqual([303, asked])
    const cookie = headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/^yore_ticket=[^;]+; Path=\/ui; Max-Age=14400; HttpOnly; SameSite=Strict$/)
    expect(cookie).not.toContain(service.key.slice(22))
    const secure = await serve(service.serveOptions({ role: 'api', publicUrl: 'https://yore.example' }))
    const answer = await fetch(`${secure.url}/ui`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: 'https://yore.example' },
      body: new URLSearchParams({ key: service.key }),
    })
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([
      303,
      expect.stringMatching(/; Secure$/),
    ])
    await secure.stop()
  })

  it('sends nobody elsewhere, and takes no form of another site', async () => {
    for (const next of ['https://evil.example/', '//evil.example', '/ui/\\evil', '/v1/corpora', '/ui/a b/c'])
      expect((await post({ key: service.key, next })).headers.get('location')).toBe('/ui')
    const foreign = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ]
    for (const headers of foreign) {
      const answer = await post({ key: service.key }, headers as Record<string, string>)
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([403, null])
    }
  })

  it('refuses wrong keys and changed, old or revoked tickets in the same words, and no ticket opens the API', async () => {
    const wrong = await post({ key: service.key.replace(/.$/, '!') })
    expect([wrong.status, wrong.headers.get('set-cookie')]).toEqual([401, null])
    expect(await wrong.text()).toContain('the API key is missing, unknown, expired or revoked.')
    const ticket = await signIn(service.url, service.key)
    const [, prefix, until, hash] = /=(\w+)\.(\d+)\.(.+)$/.exec(ticket) ?? []
    const form = await (await get(asked)).text()
    const later = String(Number(until) + 1)
    for (const value of [
      '',
      'x',
      `${prefix}.${later}.${hash}`,
      `${prefix}.${until}.${'A'.repeat(43)}`,
      service.key,
    ]) {
      const answer = await get(asked, { cookie: `yore_ticket=${value}` })
      expect([answer.status, await answer.text()]).toEqual([401, form])
    }
    expect((await get(asked, { cookie: ticket })).status).toBe(200)
    expect((await get('/v1/corpora', { cookie: ticket })).status).toBe(401)
    const wanted = { name: 'gone', access: 'read', corpora: null, expiresAt: null } as const
    const { id, text } = await createKey(service.database.owner, service.organisation, wanted, keySecret)
    const short = await signIn(service.url, text)
    expect((await get(asked, { cookie: short })).status).toBe(200)
    await revokeKey(service.database.owner, service.organisation, id)
    // The node hears of it.
    await expect.poll(async () => (await get(asked, { cookie: short })).status, { timeout: 1000 }).toBe(401)
  })

  it('lets a link of another site ask again with its cookie', async () => {
    const linked = await get(asked, { 'sec-fetch-site': 'cross-site' })
    expect([linked.status, await linked.text()]).toEqual([
      200,
      expect.stringContaining('http-equiv="refresh"'),
    ])
  })

  it('lists uploads that failed with their reasons, to keys of their corpora', async () => {
    const client = new Client(service.url, service.key)
    const { body: corpus } = await client.call('POST', '/v1/corpora', { name: 'broken' })
    const sent = await client.upload('<b>bad.pdf', 'no PDF', { corpus: 'broken' })
    expect((await client.wait(sent.body.id)).state).toBe('failed')
    const list = async (key: string): Promise<string> =>
      await (await get('/ui', { cookie: await signIn(service.url, key) })).text()
    const shown = await list(service.key)
    expect(shown).toContain('Uploads that failed')
    expect(shown).toContain('&lt;b&gt;bad.pdf')
    expect(shown).toMatch(/broken[\s\S]*LEFT_OUT/)
    expect(shown).not.toContain('/ui/broken/')
    const other = await service.makeKey(service.organisation, 'read', [corpus.number + 1])
    expect(await list(other)).not.toContain('failed')
  })

  it('shows text of documents as text under its own place, and says what is wrong with an address', async () => {
    const cookie = await signIn(service.url, service.key)
    const page = await get('/ui/handbook/doc/guide.md', { cookie })
    const text = await page.text()
    expect(text).toContain('href=&quot;/ask&quot; action=&quot;/ask&quot;')
    expect(text).toContain('href="/ui/handbook/graph?of=guide.md"')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(page.headers.get('cache-control')).toBe('no-store')
    const missing = await get('/ui/handbook/doc/none.md', { cookie })
    expect([missing.status, await missing.text()]).toEqual([404, expect.stringContaining('Not found')])
    expect((await get('/ui/handbook', { cookie })).headers.get('location')).toBe('/ui/handbook/ask')
    expect((await get('/ui-assets/style.css')).headers.get('content-type')).toContain('text/css')
  })
})
