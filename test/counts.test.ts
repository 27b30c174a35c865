// Does every page and every JSON tell the same numbers? Of the demo, of yore's own documents, and of code with tests.
import { cpSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DocumentGraph } from '../src/explore/describe-document.ts'
import { loadSettings } from '../src/model/config/load-settings.ts'
import type { AssembleResult, StatusReport } from '../src/model/report.ts'
import { printStatus } from '../src/offer/cli/commands/status.ts'
import { makePalette } from '../src/offer/cli/format.ts'
import { printPreview } from '../src/offer/cli/print-preview.ts'
import { makePages, type PageMaker } from '../src/offer/ui/make-pages.ts'
import { makeFolder, openCorpus, removeFolder, writeFiles } from './temporary-corpus.ts'

const corpora = {
  demo: 'How do I deploy a new service?',
  docs: 'How does yore rank sections?',
  generated: 'How is the total computed?',
} as const

/** Code and tests that are alike, documents and configuration in a folder of tests, and a file without a word. */
const generated = Object.fromEntries([
  ...['cart', 'order', 'invoice', 'refund'].flatMap((thing) => [
    [
      `src/${thing}.ts`,
      `/** The total of a ${thing}. */\nexport const total = (parts: number[]): number => parts.length\n`,
    ],
    [
      `test/${thing}.test.ts`,
      `import { total } from '../src/${thing}.ts'\n\nit('computes the total', () => total([]))\n`,
    ],
    [`docs/${thing}.md`, `# The ${thing}\n\nIts total is computed in [code](../src/${thing}.ts).\n`],
  ]),
  ['test/README.md', '# Tests\n\nThey compute a total.\n'],
  ['test/tsconfig.json', '{ "include": ["."] }\n'],
  ['test/empty.ts', '\n'],
])
const copies: Readonly<Record<keyof typeof corpora, (root: string) => void>> = {
  demo: (root) =>
    cpSync(path.join(import.meta.dirname, '../assets/demo/documents'), root, { recursive: true }),
  docs: (root) => cpSync(path.join(import.meta.dirname, '../docs'), root, { recursive: true }),
  generated: (root) => writeFiles(root, generated),
}

const plain = makePalette(false)
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
    copies[name as keyof typeof corpora](root)
    await engine.index()
    pages = makePages({ engine, name, settings: loadSettings({ root, env: {} }).settings })
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
    const kinds = /tokens; ([^.]*?) How fresh/.exec(start)?.[1] ?? ''
    expect(sum([...kinds.matchAll(/ (\d+)(?:,|$)/g)].map(([, count]) => Number(count)))).toBe(status.files)
    expect(numberIn(await words('/doc'), /([\d,]+) documents? /)).toBe(status.files)
    expect(graph.total).toBe(status.files)
    expect(sum(graph.nodes.map(({ tokens }) => tokens))).toBe(status.tokens)
    const drawn = JSON.parse(await read('/graph.json?kind=all&limit=200')) as DocumentGraph
    expect(drawn.total).toBe(status.files)
    for (const kind of ['docs', 'code', 'tests', 'config']) {
      const { total } = JSON.parse(await read(`/doc.json?kind=${kind}`)) as DocumentGraph
      expect([kind, total]).toEqual([kind, status.kinds[kind] ?? 0])
    }
    expect(sum(Object.values(status.kinds))).toBe(status.files)
    expect(sum(Object.values(status.languages))).toBe(status.files)
    expect(printStatus(status, { palette: plain, now: 0, skipped: false, masked: false })).toContain(
      `${status.files} files (`,
    )
  })

  it('counts who refers to a document alike', async () => {
    for (const { path: file, inbound } of graph.nodes.slice(0, 5)) {
      const place = file.split('/').map(encodeURIComponent).join('/')
      const around = await words(`/graph?of=${encodeURIComponent(file)}`)
      expect([file, numberIn(around, /Referenced by · ([\d,]+)/)]).toEqual([file, inbound])
      const quoted = /Referenced by · ([\d,]+)/.exec(await words(`/doc/${place}`))?.[1] ?? '0'
      expect([file, Number(quoted)]).toEqual([file, inbound])
    }
  })

  it('counts findings alike, and calls no link broken on one page and fine on another', async () => {
    const { links } = await engine.checkLinks()
    const page = await words('/links')
    const lost = `${links.anchors.length} lost anchor${links.anchors.length === 1 ? '' : 's'}`
    const told = `${links.broken.length} broken ${links.checked} references, ${lost}, ${links.doubtful.length} doubtful, ${links.orphans.length} orphans`
    expect(await words('/ask')).toContain(told)
    expect(numberIn(page, /([\d,]+) references/)).toBe(links.checked)
    expect(numberIn(page, /([\d,]+) broken/)).toBe(links.broken.length)
    expect(numberIn(page, /([\d,]+) doubtful/)).toBe(links.doubtful.length)
    expect(numberIn(page, /([\d,]+) orphans/)).toBe(links.orphans.length)
    const listed = /Documents that nothing links to · ([\d,]+)/.exec(page)?.[1] ?? '0'
    expect(Number(listed)).toBe(links.orphans.length)
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
    const [sections, all] = [/([\d,]+) of [\d,]+ matching sections? shown/, /[\d,]+ of ([\d,]+) matching/]
    const came = sum(digest.expanded.map(({ passages }) => passages.length))
    const { account: _, ...same } = await engine.assemble(question, { maxTokens: max, layout: 'brief' })
    expect(numberIn(page, sections)).toBe(digest.sectionsSelected - came)
    expect(numberIn(page, all)).toBe(digest.candidateSections)
    expect([same.tokensUsed, same.digest.candidateSections]).toEqual([tokensUsed, digest.candidateSections])
    if (came > 0) expect(numberIn(page, /and ([\d,]+) referenced ones?[;.]/)).toBe(came)
    const dropped = (reason: RegExp): number => digest.dropped.filter((one) => reason.test(one.reason)).length
    // What is shown and what is not is all that matches; a reference may lead to some of it.
    const isNeighbour = /^no room for references$|^expansion budget$/
    const notShown = numberIn(page, /Matching sections not shown · ([\d,]+)/)
    expect(notShown).toBe(digest.dropped.length - dropped(isNeighbour))
    const missing = digest.candidateSections - (digest.sectionsSelected - came) - notShown
    expect(missing).toBeGreaterThanOrEqual(0)
    expect(missing).toBeLessThanOrEqual(came)
    const low = /([\d,]+) scored below the cut-off of (\d\.\d+)/.exec(page)
    if (low !== null) {
      expect(Number(low[1])).toBe(dropped(/^adds little$|^below threshold$/))
      expect(Number(low[2])).toBe(Number(digest.leastScore.toFixed(2)))
    }
    // A larger budget is offered only where this one is nearly spent.
    const more = /([\d,]+) more would need/.exec(page)?.[1]
    if (more === undefined) return
    expect(Number(more)).toBe(dropped(/^no room$/))
    expect(tokensUsed).toBeGreaterThan(0.5 * max)
  })

  it.each(['Who pays for the zebra?', 'How is the total of a deploy ranked?', 'which words'])(
    'offers what shows more for an unsure answer, and no limit as if it were the reader’s: %s',
    async (unsure) => {
      const asked = { maxTokens: 8000, layout: 'brief', explain: true } as const
      const query = `q=${encodeURIComponent(unsure)}&max=8000`
      const [page, { digest }] = [await words(`/ask?${query}`), await engine.assemble(unsure, asked)]
      expect(page).not.toContain('The limit of')
      const shown = async (more: object): Promise<number> =>
        (await engine.assemble(unsure, { ...asked, ...more })).digest.sectionsSelected
      if (page.includes('Fill the budget to see'))
        expect(await shown({ fill: true })).toBeGreaterThan(digest.sectionsSelected)
      expect(await words(`/ask?${query}&fill=1`)).not.toMatch(/cut-off|Fill the budget to see/)
      if (page.includes('more would need'))
        expect(await shown({ maxTokens: 100_000 })).toBeGreaterThan(digest.sectionsSelected)
      const limit = /did not fit into ([\d,]+) tokens, the most for (\w+) confidence/.exec(page)
      if (limit === null) return
      expect(limit.slice(1)).toEqual([digest.query.tokenLimit.toLocaleString('en'), digest.confidence.label])
      expect(digest.query.tokenLimit).toBeLessThan(8000)
    },
  )

  it('says the same numbers in Markdown, in JSON and on the page, and of which layout tokens are', async () => {
    const ask = (format: 'markdown' | 'json'): Promise<AssembleResult> =>
      engine.assemble(question, { maxTokens: 8000, layout: 'full', format, explain: true })
    const [text, json] = [await ask('markdown'), await ask('json')]
    const facts = JSON.parse(json.output) as Record<string, number>
    const { output, digest } = text
    expect(numberIn(output, /Documents Scanned:\*\* (\d+)/)).toBe(status.files)
    expect(facts['documentsScanned']).toBe(status.files)
    expect(numberIn(output, /Total candidate sections: (\d+)/)).toBe(facts['candidateSections'])
    expect(numberIn(output, /elevance threshold: ([\d.]+)/)).toBe(facts['relevanceThreshold'])
    expect(numberIn(output, /Cut-off score: ([\d.]+)/)).toBe(Number(facts['leastScore']?.toFixed(2)))
    expect(digest.primary.every(({ score }) => score >= digest.leastScore)).toBe(true)
    const shown = printPreview(text, { palette: plain, width: 100, height: 30, note: null, uses: null })
    expect(numberIn(shown, /the digest has ([\d,]+) of 8,000 tokens in the full layout/)).toBe(
      text.tokensUsed,
    )
    const short = await engine.assemble(question, { maxTokens: 1000, explain: true })
    expect(printPreview(short, { palette: plain, width: 100, height: 30, note: null, uses: null })).toContain(
      `${short.tokensUsed} of 1,000 tokens in the brief layout`,
    )
    const page = await words(`/ask?q=${encodeURIComponent(question)}&max=8000`)
    expect(page).toContain('tokens in the brief layout')
    expect(page).toContain(`in ${status.files} documents`)
  })
})
