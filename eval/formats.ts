// Are the headings of PDF, EPUB and HTML manuals found? The same manuals in several formats, as Debian ships them, against the tags of their HTML.
//
// npm run eval:formats -- [--folder unpacked packages] [--faults] [--docx: Word files that pandoc makes of the HTML, alone] [--links: links inside the PDFs, alone]; without a folder they are downloaded by apt-get into a temporary one
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Extraction } from '../src/extract/format.ts'
import { docx } from '../src/extract/read-docx.ts'
import { epub } from '../src/extract/read-epub.ts'
import { html } from '../src/extract/read-html.ts'
import { readPdf } from '../src/extract/read-pdf.ts'
import { fetchPackages, htmlOf, manuals, normalize, read } from './manuals.ts'

const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    faults: { type: 'boolean', default: false },
    docx: { type: 'boolean', default: false },
    links: { type: 'boolean', default: false },
  },
})

const headingsOf = ({ text }: Extraction): string[] => {
  const found: string[] = []
  let fence: string | null = null
  for (const line of text.split('\n')) {
    const mark = /^(`{3,})/.exec(line)?.[1] ?? null
    if (fence === null ? mark !== null : line === fence) fence = fence === null ? mark : null
    else if (fence === null && /^#{1,6} /.test(line)) found.push(normalize(line.replace(/^#+ /, '')))
  }
  return found.filter((heading) => heading !== '')
}

const decode = (markup: string): string =>
  markup
    .replace(/<a class="headerlink"[\s\S]*?<\/a>|<[^>]+>/g, '')
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/&#x([\da-f]+);/gi, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/&(?:nbsp|lt|gt|amp|quot|rsquo|lsquo|rdquo|ldquo|mdash|ndash);/g, ' ')
    .replace(/¶/g, '')

/** What is marked up as a heading and is none: what leads around the page, boxes and footnotes. */
const furniture =
  /^(?:tableofcontents|shortcontents|contents|shorttableofcontents|navigation|previoustopic|nexttopic|thispage|quicksearch|note|tip|caution|warning|important|\d+)$/

/** What the tags say. */
function truthOf(pages: readonly string[]): string[] {
  return pages
    .flatMap((page) =>
      [...page.matchAll(/<h([1-6])\b[^>]*>([\s\S]*?)<\/h\1>/gi)].map(([, , text = '']) =>
        normalize(decode(text)),
      ),
    )
    .filter((heading) => heading !== '' && !furniture.test(heading))
}

interface Score {
  readonly precision: number
  readonly recall: number
  readonly found: number
  readonly true: number
}

/** Each heading counts once for each time it stands there. */
function compare(found: readonly string[], truth: readonly string[]): Score {
  const left = new Map<string, number>()
  for (const heading of truth) left.set(heading, (left.get(heading) ?? 0) + 1)
  let right = 0
  for (const heading of found) {
    const count = left.get(heading) ?? 0
    if (count === 0) continue
    right++
    left.set(heading, count - 1)
  }
  return {
    precision: right / Math.max(1, found.length),
    recall: right / Math.max(1, truth.length),
    found: found.length,
    true: truth.length,
  }
}

/** The first few headings on one side only. */
function faultsOf(found: readonly string[], truth: readonly string[]): string {
  const extra = found.filter((heading) => !truth.includes(heading)).slice(0, 25)
  const missing = truth.filter((heading) => !found.includes(heading)).slice(0, 25)
  return `  too many: ${extra.join(' | ')}\n  missing: ${missing.join(' | ')}`
}

const show = (what: string, { precision, recall, found, true: count }: Score): string =>
  `${what.padEnd(34)} P ${precision.toFixed(3)}  R ${recall.toFixed(3)}  ${found} found, ${count} true`

function report(what: string, found: readonly string[], truth: readonly string[]): void {
  console.log(show(what, compare(found, truth)))
  if (values.faults) console.log(faultsOf(found, truth))
}

/** Headings of pages that a book has elsewhere: its title, which is no section, and footnotes, which stand at the foot. */
function isOfPages(heading: string, { metadata }: Extraction): boolean {
  return heading === 'footnotes' || heading === normalize(metadata.title ?? '')
}

/** Links inside a PDF whose words carry the number of a section: does the section that they lead to have it? */
function reportLinks(name: string, { text }: Extraction): void {
  const links = [...text.matchAll(/(\w+ )?\[((?:[^\][\\\n]|\\.)*)\]\(#([^)\s]*)\)/g)]
  const sections = new Map(
    [...text.matchAll(/^#+ (.*) \{#([\w-]+)\}$/gm)].map(([, words, id]) => [id, words]),
  )
  const faults: string[] = []
  let numbered = 0
  for (const [, before = '', words = '', anchor = ''] of links) {
    const number = /(?:[A-Z]\.)?\d+(?:\.\d+)+/.exec(words)?.[0]
    // The number of a table or a figure is not that of its section.
    if (number === undefined || /^(?:table|figure|example) $/i.test(before)) continue
    numbered++
    const section = sections.get(anchor) ?? ''
    if (!section.startsWith(`${number} `)) faults.push(`${words} → ${section}`)
  }
  console.log(
    `${name.padEnd(24)} ${links.length} links inside, ${numbered} with a number, ${numbered - faults.length} right`,
  )
  if (values.faults) console.log(faults.map((fault) => `  ${fault}`).join('\n'))
}

const folder = values.folder ?? fetchPackages()
for (const manual of manuals) {
  const at = path.join(folder, manual.package)
  const pages = htmlOf(folder, manual)
  if (pages.length === 0) {
    console.log(`${manual.name}: not there`)
    continue
  }
  if (values.links) {
    reportLinks(manual.name, await readPdf(read(path.join(at, manual.pdf))))
    continue
  }
  const truth = truthOf(pages.map(String))
  if (values.docx) {
    const made = execFileSync('pandoc', ['--from=html', '--to=docx', '--output=-'], {
      input: Buffer.concat(pages),
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    report(
      `${manual.name} docx`,
      headingsOf(await docx.read(made)).filter((heading) => !furniture.test(heading)),
      truth,
    )
    continue
  }
  const own: string[] = []
  for (const page of pages) own.push(...headingsOf(await html.read(page)))
  report(`${manual.name} html`, own, truth)
  if (manual.epub !== undefined)
    report(`${manual.name} epub`, headingsOf(await epub.read(read(path.join(at, manual.epub)))), truth)
  const bytes = read(path.join(at, manual.pdf))
  const withOutline = await readPdf(bytes)
  const printed = truth.filter((heading) => !isOfPages(heading, withOutline))
  report(`${manual.name} pdf`, headingsOf(withOutline), printed)
  report(
    `${manual.name} pdf without outline`,
    headingsOf(await readPdf(bytes, { useOutline: false })),
    printed,
  )
}
