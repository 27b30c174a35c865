// Does a question about a manual find its section and its page? Sections of the HTML, joined to the pages of the PDF by their text; questions are their headings.
//
// npm run eval:manuals -- [--folder unpacked packages] [--half A|B|all] [--misses]
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { defaultSettings } from '../src/config/settings.ts'
import { openEngine } from '../src/engine/open-engine.ts'
import type { Extraction } from '../src/extract/format.ts'
import { html } from '../src/extract/read-html.ts'
import { readPdf } from '../src/extract/read-pdf.ts'
import { fetchPackages, htmlOf, manuals, normalize, read } from './manuals.ts'
import { halfOf } from './read-sets.ts'

const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    half: { type: 'string', default: 'all' },
    misses: { type: 'boolean', default: false },
  },
})

/** Words that are compared in a row, and how many rows a section must share with its page, and with no other as many. */
const ROW = 6
const LEAST_ROWS = 5
/** Words of a section that are looked for. */
const WORDS = 80

interface Section {
  readonly heading: string
  readonly above: string
  readonly words: readonly string[]
}

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

function rowsIn(words: readonly string[]): Set<string> {
  const rows = new Set<string>()
  for (let at = 0; at + ROW <= words.length; at++) rows.add(words.slice(at, at + ROW).join(' '))
  return rows
}

/** The sections of an extracted page with the heading above each. */
function sectionsOf({ text }: Extraction): Section[] {
  const found: { heading: string; above: string; level: number; lines: string[] }[] = []
  let isCode = false
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode
    const [, marks = '', heading = ''] = isCode ? [] : (/^(#{1,6}) (.+)$/.exec(line) ?? [])
    if (marks === '') found.at(-1)?.lines.push(line)
    else {
      const above = found.findLast(({ level }) => level < marks.length)
      const plain = heading
        .replace(/\s*\{#[^}]*\}$/, '')
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replace(/[`*\\]/g, '')
      found.push({ heading: plain, above: above?.heading ?? '', level: marks.length, lines: [] })
    }
  }
  return found.map(({ heading, above, lines }) => ({
    heading,
    above,
    words: wordsIn(lines.join(' ')).slice(0, WORDS),
  }))
}

/** Rows of words by page. The page of a line does not depend on headings. */
function pagesOf({ text, places }: Extraction): Map<string, Set<string>> {
  const lines = text.split('\n')
  const words = new Map<string, string[]>()
  places.forEach(({ line, place }, at) => {
    const end = (places[at + 1]?.line ?? lines.length + 1) - 1
    words.set(place, [...(words.get(place) ?? []), ...wordsIn(lines.slice(line - 1, end).join(' '))])
  })
  return new Map([...words].map(([place, all]) => [place, rowsIn(all)]))
}

/** The page that shares the most rows with the section's beginning; null when that is in doubt. */
function pageOf({ words }: Section, pages: ReadonlyMap<string, ReadonlySet<string>>): string | null {
  const rows = [...rowsIn(words)]
  const shared = [...pages]
    .map(([page, all]) => ({ page, count: rows.filter((row) => all.has(row)).length }))
    .sort((a, b) => b.count - a.count)
  const [best, next] = shared
  if (best === undefined || best.count < LEAST_ROWS || best.count === next?.count) return null
  return best.page
}

interface ManualQuestion {
  readonly id: string
  readonly path: string
  readonly text: string
  readonly heading: string
  readonly page: string
}

const folder = values.folder ?? fetchPackages()
const corpus = mkdtempSync(path.join(tmpdir(), 'yore-manual-questions-'))
const questions: ManualQuestion[] = []
mkdirSync(path.join(corpus, 'manuals'))
for (const manual of manuals) {
  const bytes = read(path.join(folder, manual.package, manual.pdf))
  const file = `manuals/${manual.name}.pdf`
  writeFileSync(path.join(corpus, file), bytes)
  const pages = pagesOf(await readPdf(bytes))
  const seen = new Set<string>()
  for (const page of htmlOf(folder, manual))
    for (const section of sectionsOf(await html.read(page))) {
      const heading = normalize(section.heading)
      const place = pageOf(section, pages)
      if (place === null || heading.length < 4 || seen.has(heading)) continue
      seen.add(heading)
      const bare = (text: string): string => text.replace(/^\s*(?:\d+|[A-Z])(?:\.\d+)*\.?\s+/, '').trim()
      const text = `${manual.name}: ${bare(section.heading)}${section.above === '' ? '' : ` (${bare(section.above)})`}`
      questions.push({ id: `${manual.name} ${heading}`, path: file, text, heading, page: place })
    }
}

const numberOf = (place: string): number => Number(/\d+/.exec(place)?.[0])

/** `p. 12-14 (x)` and `p. 3, p. 9` hold the pages between their numbers. */
function holdsPage(place: string | undefined, page: string): boolean {
  const wanted = numberOf(page)
  return (place ?? '').split(', ').some((part) => {
    const [, from, to = from] = /^p\. (\d+)(?:-(\d+))?/.exec(part) ?? []
    return from !== undefined && Number(from) <= wanted && wanted <= Number(to)
  })
}

const settings = { ...defaultSettings, workers: 1 }
const engine = openEngine({ root: corpus, indexDir: path.join(corpus, '.yore'), settings, now: 0 })
await engine.index()
const asked = questions.filter(({ id }) => values.half === 'all' || halfOf(id) === values.half)
const hits = { 'section@1': 0, 'section@5': 0, 'page@1': 0, 'page@5': 0 }
for (const question of asked) {
  const { hits: found } = await engine.search(question.text, { limit: 5, refresh: 'never' })
  const own = found.map((hit) => hit.path === question.path)
  const section = found.findIndex(
    (hit, at) => own[at] && normalize(hit.headings.at(-1) ?? hit.title) === question.heading,
  )
  const page = found.findIndex((hit, at) => own[at] && holdsPage(hit.place, question.page))
  if (section === 0) hits['section@1']++
  if (section >= 0) hits['section@5']++
  if (page === 0) hits['page@1']++
  if (page >= 0) hits['page@5']++
  if (values.misses && page < 0)
    console.log(
      `${question.text} → ${question.page}\n${found.map((hit) => `    ${hit.path} (${hit.place}) ${hit.name}`).join('\n')}`,
    )
}
engine.close()
rmSync(corpus, { recursive: true, force: true })
console.log(
  `${asked.length} of ${questions.length} questions on ${manuals.length} manuals, half ${values.half}`,
)
for (const [name, count] of Object.entries(hits)) console.log(`${name}  ${(count / asked.length).toFixed(3)}`)
