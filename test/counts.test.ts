// Does every page and every JSON tell the same numbers? Of the demo, of linked documents and of code.
import { cpSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DocumentGraph } from '../src/explore/describe-document.ts'
import { loadSettings } from '../src/model/config/load-settings.ts'
import type { AssembleResult, StatusReport } from '../src/model/report.ts'
import { PageMaker } from '../src/offer/ui/make-pages.ts'
import { copyFixture, makeFolder, openCorpus, removeFolder } from './temporary-corpus.ts'

const corpora = {
  demo: 'How do I deploy a new service?',
  crossref: 'Which retry semantics hold?',
  code: 'How is the total computed?',
} as const

const numberIn = (text: string, wanted: RegExp): number => {
  const found = wanted.exec(text)?.[1]
  expect(found, `${wanted} in ${text.slice(0, 2000)}`).toBeDefined()
  return Number((found as string).replaceAll(',', ''))
}
const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0)

describe.each(Object.entries(corpora))('%s', (name, question) => {
  const root = makeFolder()
  const engine = openCorpus(root, { 'embedding.provider': 'none' })
  let pages: PageMaker
  const read = async (address: string): Promise<string> =>
    (await pages.make(new URL(address, 'http://127.0.0.1'))).body
  const words = async (address: string): Promise<string> =>
    (await read(address)).replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
  let graph: DocumentGraph
  let status: StatusReport

  beforeAll(async () => {
    if (name === 'demo')
      cpSync(path.join(import.meta.dirname, '../assets/demo/documents'), root, { recursive: true })
    else copyFixture(name, root)
    await engine.index()
    pages = new PageMaker({ engine, name, settings: loadSettings({ root, env: {} }).settings })
    graph = JSON.parse(await read('/doc.json')) as DocumentGraph
    status = await engine.status()
  })
  afterAll(() => {
    engine.close()
    removeFolder(root)
  })

  it('counts documents, sections and tokens alike', async () => {
    const start = await words('/ask')
    expect(numberIn(start, /([\d,]+) files? /)).toBe(status.files)
    expect(numberIn(start, /([\d,]+) sections/)).toBe(status.sections)
    expect(numberIn(start, /([\d,]+) tokens;/)).toBe(status.tokens)
    expect(numberIn(await words('/doc'), /([\d,]+) documents? /)).toBe(status.files)
    expect(graph.total).toBe(status.files)
    expect(sum(graph.nodes.map(({ tokens }) => tokens))).toBe(status.tokens)
    const drawn = JSON.parse(await read('/graph.json?kind=all&limit=200')) as DocumentGraph
    expect(drawn.total).toBe(status.files)
    expect(numberIn(await words('/graph?kind=all&limit=200'), /([\d,]+) documents?/)).toBe(status.files)
    const kinds = ['docs', 'code', 'tests', 'config']
    const totals = await Promise.all(
      kinds.map(async (kind) => (JSON.parse(await read(`/doc.json?kind=${kind}`)) as DocumentGraph).total),
    )
    expect(sum(totals)).toBe(status.files)
  })

  it('counts who refers to a document alike', async () => {
    for (const { path: file, inbound } of graph.nodes.slice(0, 5)) {
      const place = file.split('/').map(encodeURIComponent).join('/')
      const around = await words(`/graph?of=${encodeURIComponent(file)}`)
      expect([file, numberIn(around, /Refer to it · ([\d,]+)/)]).toEqual([file, inbound])
      const quoted = /Quoted by · ([\d,]+)/.exec(await words(`/doc/${place}`))?.[1] ?? '0'
      expect([file, Number(quoted)]).toEqual([file, inbound])
    }
  })

  it('counts findings alike, and calls no link broken on one page and fine on another', async () => {
    const { links } = await engine.checkLinks()
    const page = await words('/links')
    expect(numberIn(page, /([\d,]+) references/)).toBe(links.checked)
    expect(numberIn(page, /([\d,]+) broken/)).toBe(links.broken.length)
    expect(numberIn(page, /([\d,]+) doubtful/)).toBe(links.doubtful.length)
    expect(numberIn(page, /([\d,]+) orphans/)).toBe(links.orphans.length)
    expect(JSON.parse(await read('/links.json'))).toEqual(JSON.parse(JSON.stringify(links)))
    for (const { path: file } of graph.nodes) {
      const html = await read(`/doc/${file.split('/').map(encodeURIComponent).join('/')}`)
      const own = links.broken.filter((link) => link.path === file)
      expect([file, html.split('"tag bad">broken<').length - 1]).toEqual([
        file,
        new Set(own.map(({ target }) => target)).size,
      ])
    }
  })

  it.each([500, 2000, 16_000])('accounts for the tokens and the matches of a digest of %i', async (max) => {
    const query = `q=${encodeURIComponent(question)}&max=${max}`
    const page = await words(`/ask?${query}`)
    const { digest, tokensUsed, account } = JSON.parse(await read(`/ask.json?${query}`)) as AssembleResult
    expect(numberIn(page, /([\d,]+) of [\d,]+ tokens/)).toBe(tokensUsed)
    expect(sum([account?.frame ?? 0, ...(account?.primary ?? []), ...(account?.expanded.flat() ?? [])])).toBe(
      tokensUsed,
    )
    const shares = [...page.matchAll(/(?:results|references|sources|Unused) (\d+) %/g)]
    expect(shares).toHaveLength(4)
    expect(Math.abs(100 - sum(shares.map(([, share]) => Number(share))))).toBeLessThanOrEqual(2)
    expect(page).not.toContain('adds nothing')
    const shown = /([\d,]+) of ([\d,]+) matches are shown(?:; ([\d,]+) (scored below|more would need))/.exec(
      page,
    )
    if (shown === null) return
    const [counted, all, rest] = shown.slice(1, 4).map((one) => Number(one.replaceAll(',', '')))
    expect(counted).toBe(digest.primary.length)
    expect(all).toBe(digest.primary.length + digest.dropped.length)
    expect(rest).toBeLessThanOrEqual((all ?? 0) - (counted ?? 0))
    const notShown = /Matches that are not shown · ([\d,]+)/.exec(page)?.[1] ?? '0'
    expect(Number(notShown.replaceAll(',', ''))).toBe(digest.dropped.length)
    // A larger budget is offered only where this one is nearly spent.
    if (shown[4] === 'more would need') expect(tokensUsed).toBeGreaterThan(0.5 * max)
  })
})
