// What does the explorer look like? A tour of twenty seconds as an animated SVG, light and dark, and the pictures of the guide, from a real browser.
//
//   npm run tour -- <clone of kubernetes/website>
//
// Not part of CI: it needs Chromium (test/install-browser.sh) and the clone.
import { spawn } from 'node:child_process'
import { statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import {
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core'

const [root] = process.argv.slice(2)
if (root === undefined) throw new Error('usage: npm run tour -- <clone of kubernetes/website>')
const home = path.join(import.meta.dirname, '..')
const images = path.join(home, 'docs/images')
const [WIDTH, HEIGHT, BAR] = [900, 564, 36]
/** Of the picture compared with the page. */
const SCALE = 0.75
const QUESTION = 'How do I roll back a Deployment?'

interface Frame {
  readonly seconds: number
  readonly caption: string
  readonly image: string
  /** The part of the page that it shows, over the first frame; null for all of it. */
  readonly clip: { x: number; y: number; width: number; height: number } | null
  /** Where the next click is. */
  readonly pointer: { readonly x: number; readonly y: number } | null
}

const server = spawn(
  process.execPath,
  [path.join(home, 'src/offer/cli/main.ts'), 'ui', '--port', '0', '--root', root],
  { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, BROWSER: 'none' } },
)
const address = await new Promise<string>((resolve, reject) => {
  let told = ''
  server.once('exit', () => reject(new Error(told)))
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (part: Buffer) => {
      told += part
      const [found] = /http:\S+token=\w+/.exec(told) ?? []
      if (found !== undefined) resolve(found)
    })
})
const browser = await chromium.launch({
  executablePath: process.env['YORE_CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--force-color-profile=srgb'],
})

async function open(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: WIDTH / SCALE, height: HEIGHT / SCALE },
    deviceScaleFactor: SCALE,
    ...options,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(150_000)
  await page.goto(address)
  return page
}

const frames: Frame[] = []
async function shoot(
  session: CDPSession,
  seconds: number,
  caption: string,
  { next = null, part = null }: { readonly next?: Locator | null; readonly part?: Locator | null } = {},
): Promise<void> {
  const clip = part === null ? null : await part.boundingBox()
  const box = next === null ? null : await next.boundingBox()
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: 25,
    ...(clip === null ? {} : { clip: { ...clip, scale: 1 } }),
  })
  const pointer =
    box === null ? null : { x: SCALE * (box.x + box.width / 2), y: SCALE * (box.y + box.height / 2) }
  frames.push({ seconds, caption, image: data, clip, pointer })
}

async function record(colorScheme: 'light' | 'dark'): Promise<void> {
  frames.length = 0
  const page = await open({ colorScheme })
  const session = await page.context().newCDPSession(page)
  const take = (seconds: number, caption: string, next?: Locator, part?: Locator): Promise<void> =>
    shoot(session, seconds, caption, { next: next ?? null, part: part ?? null })
  await page.locator('a.tile').first().waitFor()
  await take(1.6, 'yore ui: the documentation of Kubernetes')
  for (const part of ['How do I', ' roll back', ' a Deployment?']) {
    await page.type('input[name=q]', part)
    await take(0.5, 'Ask a question', page.locator('form.ask .line button'), page.locator('form.ask .line'))
  }
  await page.click('form.ask .line button')
  await page.waitForSelector('.marks button')
  await take(2.4, 'The passages that your agent gets, within 8,000 tokens')
  await page.fill('input[name=max]', '2000')
  await page.locator('#moved', { hasText: 'Left' }).waitFor()
  await take(2.2, 'Drag the budget to 2,000: see what leaves', page.locator('#p1 .why summary'))
  await page.click('#p1 .why summary')
  await page.evaluate("document.querySelector('#p1').scrollIntoView()")
  await take(2.4, 'Why is it here? Its scores and reasons')
  await page.evaluate('scrollTo(0, 0)')
  await page.fill('#missing input[name=find]', 'rollback-daemon-set.md')
  await page.click('#missing button')
  await take(2.4, 'Missing something? One sentence says why', page.locator('#p1 .place'))
  await page.click('#p1 .place')
  await page.waitForSelector('li.marked')
  await take(1.6, 'The source, at its lines, and who quotes it')
  await page.click('.lead >> text=Rendered')
  await page.waitForSelector('.prose.page')
  await take(1.8, 'The whole document, with its outline')
  await page.click('nav >> text=Graph')
  await page.evaluate('scrollTo(0, 190)')
  await page.hover('.node >> nth=1')
  await take(2.2, 'What refers to what', page.locator('nav >> text=Links'))
  await page.click('nav >> text=Links')
  await take(1.8, 'Broken references, each with its line')
  await page.context().close()
}

/** Frames follow each other without a script, so that the picture moves in a README, too. */
function drawTour(): string {
  const total = frames.reduce((sum, { seconds }) => sum + seconds, 0)
  // It begins with the answer, which a still picture shows, too.
  const first = frames.slice(0, 4).reduce((sum, { seconds }) => sum + seconds, 0)
  let at = 0
  const share = (seconds: number): string => `${((100 * seconds) / total).toFixed(2)}%`
  const parts = frames.map(({ seconds, caption, image, clip, pointer }, number) => {
    const [from, to] = [share(at), share(at + seconds)]
    at += seconds
    const before = number === 0 ? '' : `0%{opacity:0}`
    const style = `@keyframes f${number}{${before}${from}{opacity:1}${to}{opacity:0}${to === '100.00%' ? '' : '100%{opacity:0}'}}#f${number}{animation:f${number} ${total.toFixed(1)}s step-end -${first.toFixed(1)}s infinite}`
    const ring =
      pointer === null
        ? ''
        : `<path transform="translate(${pointer.x.toFixed(0)} ${pointer.y.toFixed(0)})" d="M0 0v19l4.5-4 3 7 3-1.3-3-6.8h6z" fill="#1c1b19" stroke="#fff" stroke-width="1.5"/>`
    const { x, y, width, height } = clip ?? { x: 0, y: 0, width: WIDTH / SCALE, height: HEIGHT / SCALE }
    const place = Object.entries({ x, y, width, height }).map(([name, value]) => `${name}="${value * SCALE}"`)
    const below = clip === null ? '' : '<use href="#i0"/>'
    const words = caption.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
    return {
      style,
      shown: `<g id="f${number}" class="f">${below}<image id="i${number}" ${place.join(' ')} href="data:image/webp;base64,${image}"/>${ring}<text x="${WIDTH / 2}" y="${HEIGHT + 23}">${words}</text></g>`,
    }
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT + BAR}" role="img" aria-label="A tour of the explorer">
<style>.f{opacity:0}#f4{opacity:1}text{font:15px ui-sans-serif,system-ui,sans-serif;fill:#fbfaf8;text-anchor:middle}@media (prefers-reduced-motion:no-preference){#f4{opacity:0}${parts.map(({ style }) => style).join('')}}</style>
<rect width="${WIDTH}" height="${HEIGHT + BAR}" rx="8" fill="#1f1d1b"/>
${parts.map(({ shown }) => shown).join('\n')}
</svg>
`
}

const asked = `/ask?max=2000&q=${encodeURIComponent(QUESTION)}`
const guide: Readonly<Record<string, readonly [place: string, options?: BrowserContextOptions]>> = {
  'ui-ask': [asked],
  'ui-why': [`${asked}#p1`],
  'ui-why-dark': [`${asked}#p1`, { colorScheme: 'dark' }],
  'ui-missing': [`/ask?max=2000&find=rollback-daemon-set.md&q=${encodeURIComponent(QUESTION)}#missing`],
  'ui-document': [
    '/doc/content/en/docs/concepts/workloads/controllers/deployment.md',
    { colorScheme: 'dark' },
  ],
}

try {
  for (const [name, scheme] of [
    ['tour', 'light'],
    ['tour-dark', 'dark'],
  ] as const) {
    await record(scheme)
    writeFileSync(path.join(images, `${name}.svg`), drawTour())
  }
  for (const [name, [place, options]] of Object.entries(guide)) {
    const page = await open({ viewport: { width: 1200, height: 780 }, deviceScaleFactor: 1, ...options })
    await page.goto(new URL(place, address).href)
    await page.waitForLoadState('networkidle')
    if (name.startsWith('ui-why')) await page.click('#p1 .why summary')
    await page.screenshot({ path: path.join(images, `${name}.jpg`), type: 'jpeg', quality: 55 })
    await page.context().close()
  }
  const seconds = frames.reduce((sum, one) => sum + one.seconds, 0)
  process.stderr.write(
    `tour.svg: ${seconds.toFixed(1)} s, ${statSync(path.join(images, 'tour.svg')).size} bytes\n`,
  )
} finally {
  await browser.close()
  server.kill()
}
