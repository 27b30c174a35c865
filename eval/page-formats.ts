// Is the page that answers found as well when it is no Markdown? The pages of raydocs as reStructuredText, HTML, Word and PDF, made by pandoc and LibreOffice, and the same questions.
//
// npm run eval:page-formats -- [--half A|B|all] [--folder where the pages are kept] [--only rst,html,docx,pdf]
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { defaultSettings } from '../src/config/settings.ts'
import { openEngine } from '../src/engine/open-engine.ts'
import { excerptsOf } from './figures.ts'
import { estimate } from './measures.ts'
import { evalFolder, halfOf, type QueryRow, readRows, writeCorpus } from './read-sets.ts'
import { coverageSections } from './score-coverage.ts'

const { values } = parseArgs({
  options: {
    half: { type: 'string', default: 'B' },
    folder: { type: 'string' },
    only: { type: 'string', default: 'rst,html,docx,pdf' },
  },
})

const kept = values.folder ?? mkdtempSync(path.join(tmpdir(), 'yore-page-formats-'))
const source = writeCorpus('raydocs', path.join(kept, 'md'))
const pages = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.md'),
)
const renamed = (file: string, extension: string): string => file.replace(/\.md$/, `.${extension}`)

/** A filter of pandoc's: links between the pages lead to their new names. */
function writeFilter(extension: string): string {
  const file = path.join(kept, `links-${extension}.lua`)
  const target = `l.target:gsub('%.md$', '.${extension}'):gsub('%.md#', '.${extension}#')`
  writeFileSync(
    file,
    `function Link(l) if not l.target:match('^%w+:') then l.target = ${target} end return l end\n`,
  )
  return file
}

function convert(extension: string): void {
  const filter = writeFilter(extension)
  for (const page of pages) {
    const target = path.join(kept, extension, renamed(page, extension))
    if (existsSync(target)) continue
    mkdirSync(path.dirname(target), { recursive: true })
    const title = ['--standalone', '--metadata', `pagetitle=${path.basename(page, '.md')}`]
    const text = readFileSync(path.join(source, page), 'utf8')
    // A Word file would hold its pictures, which would be fetched: their descriptions stay.
    const input = extension === 'docx' ? text.replace(/!\[([^\]]*)\]\([^)]*\)/g, '$1') : text
    const form = extension === 'rst' ? [] : title
    execFileSync('pandoc', ['-f', 'gfm', '--lua-filter', filter, ...form, '-o', target], { input })
  }
}

/** After some hundred files LibreOffice stops without a word. */
const PRINTED_AT_ONCE = 50

/** Word files printed by LibreOffice, under names without folders. */
function print(): void {
  convert('docx')
  const flat = path.join(kept, 'flat')
  mkdirSync(flat, { recursive: true })
  const waiting = pages.filter((page) => !existsSync(path.join(kept, 'pdf', renamed(page, 'pdf'))))
  const names = new Map(waiting.map((page, at) => [page, `page-${at}`]))
  for (const [page, name] of names)
    copyFileSync(path.join(kept, 'docx', renamed(page, 'docx')), path.join(flat, `${name}.docx`))
  const files = [...names.values()].map((name) => path.join(flat, `${name}.docx`))
  for (let at = 0; at < files.length; at += PRINTED_AT_ONCE)
    execFileSync(
      'soffice',
      ['--headless', '--convert-to', 'pdf', '--outdir', flat, ...files.slice(at, at + PRINTED_AT_ONCE)],
      { stdio: 'ignore' },
    )
  for (const [page, name] of names) {
    const target = path.join(kept, 'pdf', renamed(page, 'pdf'))
    const printed = path.join(flat, `${name}.pdf`)
    mkdirSync(path.dirname(target), { recursive: true })
    if (existsSync(printed)) renameSync(printed, target)
    else console.error(`pdf: LibreOffice does not print ${page}; a question about it counts as a miss`)
  }
  rmSync(flat, { recursive: true, force: true })
}

const questions = readRows<QueryRow & { readonly gold: { readonly path: string } }>(
  path.join(evalFolder() ?? '', 'raydocs', 'queries.jsonl'),
).filter(({ _id }) => values.half === 'all' || halfOf(_id) === values.half)

/** 1 for each question whose page is quoted in 8,000 tokens. */
async function cover(extension: string): Promise<number[]> {
  const root = path.join(kept, extension)
  const indexDir = path.join(kept, `index-${extension}`)
  const engine = openEngine({ root, indexDir, settings: { ...defaultSettings, workers: 1 }, now: 0 })
  const { files, skipped } = await engine.index()
  console.error(`${extension}: ${files} files, ${skipped.length} skipped`)
  const found: number[] = []
  for (const { text, gold } of questions) {
    const asked = { maxTokens: 8000, sections: coverageSections, layout: 'brief', refresh: 'never' } as const
    const { digest } = await engine.assemble(text, asked)
    found.push(excerptsOf(digest, renamed(gold.path, extension)).length > 0 ? 1 : 0)
  }
  engine.close()
  return found
}

const mean = (of: readonly number[]): string => (of.reduce((a, b) => a + b, 0) / of.length).toFixed(3)
const asMarkdown = await cover('md')
console.log(`${questions.length} questions, half ${values.half}, page quoted in 8,000 tokens`)
console.log(`md    ${mean(asMarkdown)}`)
for (const extension of values.only.split(',')) {
  if (extension === 'pdf') print()
  else convert(extension)
  const found = await cover(extension)
  const { mean: change, low, high } = estimate(found.map((value, at) => value - (asMarkdown[at] as number)))
  const interval = [change, low, high].map((value) => value.toFixed(3))
  console.log(`${extension.padEnd(5)} ${mean(found)}  ${interval[0]} [${interval[1]}, ${interval[2]}]`)
}
if (values.folder === undefined) rmSync(kept, { recursive: true, force: true })
