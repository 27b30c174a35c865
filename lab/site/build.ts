// How do the documents become a site? Writes pages into site/work, lets VitePress build them, and adds what models read.
//
// npm run site              into site/work/dist; the first run installs VitePress into site/node_modules
// npm run site -- --pages   the pages alone, without VitePress: what a quick check needs
// YORE_SITE_BASE=/yore/     where the site will stand, when that is not the root of its host
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import {
  type LinkTargets,
  makePage,
  type Page,
  questionIn,
  read,
  readDocuments,
  repository,
  rewriteLinks,
  showVerbatim,
  withoutComments,
} from './pages.ts'
import { splitCommands } from './split-commands.ts'
import { structure } from './structure.ts'

const here = import.meta.dirname
const work = path.join(here, 'work')
const target = path.join(work, 'pages')
const site = path.join(work, 'dist')

function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** Digests that tests compare on every run, in addition to the examples of docs/. */
const goldens = [
  'deploy-new-service',
  'retry-semantics',
  'troubleshoot-coordinator',
  'deploy-new-service-in-700',
]

function readGoldens(): Page[] {
  return goldens.map((name) => makePage('', `gallery/${name}`, read(`test/golden/${name}.golden.md`)))
}

function galleryPage(digests: readonly Page[]): string {
  const cards = digests.map(({ title, place, text }) => {
    const tokens = /^\*\*Actual Tokens:\*\* ~(.*)$/m.exec(text)?.[1] ?? '?'
    const budget = Number(/^\*\*Token Budget:\*\* (\d+)$/m.exec(text)?.[1] ?? 0).toLocaleString('en-US')
    const sources = [...new Set([...text.matchAll(/^\*\*Source:\*\* ([^:\n]+):/gm)].map(([, file]) => file))]
    const came = text.includes('## Cross-Referenced Documents') ? ' Includes referenced sections.' : ''
    const list = sources.slice(0, 4).map((file) => `\`${file}\``)
    const more = sources.length > 4 ? ` and ${sources.length - 4} more` : ''
    return `## [${questionIn(title)}](/${place}.md)\n\n${tokens} of ${budget} tokens, from ${list.join(', ')}${more}.${came}`
  })
  return `# Example digests\n\nTests write each of these digests again and compare every byte. [How to read a digest](docs/explanation/how-to-read-a-digest.md) explains the parts; [one digest of nine formats](docs/examples/formats.md) shows citations of PDF, Word and others.\n\n${cards.join('\n\n')}\n`
}

function decisionsPage(documents: readonly Page[]): string {
  const own = documents.filter(({ source }) => source.startsWith('docs/decisions/'))
  const lines = own.map(({ title, place }) => `- [${title}](/${place}.md)`)
  return `# Decisions\n\nEach record states a problem, what was decided, and what follows.\n\n${lines.join('\n')}\n`
}

function recordsPage(): string {
  const names = readdirSync(path.join(repository, 'lab/records')).sort().reverse()
  const lines = names
    .filter((name) => name.endsWith('.md'))
    .map((name) => `- [${name.slice(0, 10)}: ${titleOf(read(`lab/records/${name}`))}](lab/records/${name})`)
  return `# Lab records\n\nDated reports of measurements, as they were written, including what was tried and not kept. Later code may differ; [evidence](docs/explanation/evidence.md) has the current figures.\n\n${lines.join('\n')}\n`
}

const titleOf = (text: string): string => /^# (.*)$/m.exec(text)?.[1] ?? ''

/** What a model reads instead of pages: https://llmstxt.org, with addresses of the Markdown sources on this site. */
function llmsText(pages: readonly Page[]): string {
  const { description } = JSON.parse(read('package.json')) as { description: string }
  const byPlace = new Map(pages.map((page) => [page.place, page]))
  const parts = structure.map(({ text, pages: places }) => {
    const lines = places.flatMap((place) => {
      const page = byPlace.get(place)
      return page === undefined ? [] : [`- [${page.title}](${base}${place}.md): ${page.description}`]
    })
    return `## ${text}\n\n${lines.join('\n')}`
  })
  return `# yore\n\n> ${description}\n\nEverything in one file: [llms-full.txt](${base}llms-full.txt).\n\n${parts.join('\n\n')}\n`
}

function llmsFullText(documents: readonly Page[]): string {
  const wanted = documents.filter(({ source }) =>
    /^docs\/(?:tutorial|guides|reference|explanation)\//.test(source),
  )
  return wanted.map(({ source, text }) => `<!-- Source: ${source} -->\n\n${text.trim()}\n`).join('\n---\n\n')
}

const base = process.env['YORE_SITE_BASE'] ?? '/'
rmSync(target, { recursive: true, force: true })

const documents = readDocuments()
const targets: LinkTargets = {
  pages: new Map(documents.map(({ source, place }) => [source, place])),
  files: new Map(),
}
const digests = [
  ...readGoldens(),
  ...documents.filter(({ text }) => text.startsWith('# Context Digest for:')),
]
/** Pages that the build writes; their links are those of a document at the root of the repository. */
const written = [
  makePage('', 'gallery/index', galleryPage(digests)),
  makePage('', 'decisions/index', decisionsPage(documents)),
  makePage('', 'records/index', recordsPage()),
]
const isCommands = ({ source }: Page): boolean => source === 'docs/reference/cli.md'
const commands = splitCommands(documents.find(isCommands) as Page)
const shownDocuments = [...documents.filter((page) => !isCommands(page)), ...commands.pages]
const linked = [...shownDocuments, ...written].map((page) => {
  const shown = showVerbatim(page)
  // Links that the build wrote are those of the site already.
  const text = withoutComments(shown.text).replaceAll(/\]\(\/(?=[a-z])/g, '](site:/')
  const rewritten = rewriteLinks(text, page.source, targets).replaceAll('](site:/', '](/')
  const led = rewritten.replaceAll(
    /\]\((\/reference\/cli\.md#[\w-]+)\)/g,
    (_, target: string) => `](${commands.moved.get(target) ?? target})`,
  )
  return { ...shown, text: led }
})
const pages = [...linked, ...readGoldens().map(showVerbatim)]

for (const { place, text, title, description } of pages) {
  const about = `title: ${JSON.stringify(title)}\ndescription: ${JSON.stringify(description)}`
  write(path.join(target, `${place}.md`), `---\n${about}\n---\n\n${text}`)
}
write(
  path.join(target, 'index.md'),
  '---\nlayout: home\ntitle: yore\ntitleTemplate: one question, one digest\n---\n',
)
/** Files that only the theme shows. */
for (const image of [
  'logo.svg',
  'tour.svg',
  'tour-dark.svg',
  'ui-why.jpg',
  'ui-why-dark.jpg',
  'evidence-needs.svg',
  'evidence-agents.svg',
  'evidence-references.svg',
])
  targets.files.set(`docs/images/${image}`, `/images/${image}`)
for (const [file, address] of targets.files) {
  const copy = path.join(target, 'public', address)
  mkdirSync(path.dirname(copy), { recursive: true })
  copyFileSync(path.join(repository, file), copy)
}
write(
  path.join(work, 'pages.json'),
  JSON.stringify(pages.map(({ place, title, source }) => ({ place, title, source }))),
)
console.log(`${pages.length} pages, ${targets.files.size} files`)

if (!process.argv.includes('--pages')) {
  const program = path.join(here, 'node_modules/vitepress/bin/vitepress.js')
  const run = (command: string, args: readonly string[]): Buffer =>
    execFileSync(command, args, { cwd: here, stdio: 'inherit' })
  if (!existsSync(program)) run('npm', ['ci', '--ignore-scripts', '--silent', '--no-fund', '--no-audit'])
  run(process.execPath, [program, 'build', '.'])
  // Beside each page its Markdown, which llms.txt names.
  for (const { place, text } of pages) write(path.join(site, `${place}.md`), text)
}
const texts = process.argv.includes('--pages') ? path.join(target, 'public') : site
write(path.join(texts, 'llms.txt'), llmsText(pages))
write(path.join(texts, 'llms-full.txt'), llmsFullText(documents))
