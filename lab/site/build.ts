// How do the documents become a site? Writes pages into site/work, lets VitePress build them, and adds what models read.
//
// npm run site              into site/work/dist; the first run installs VitePress into site/node_modules
// npm run site -- --pages   the pages alone, without VitePress: what a quick check needs
// YORE_SITE_BASE=/yore/     where the site will stand, when that is not the root of its host
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { answerQuestions, questionsPage } from './answer-questions.ts'
import { figuresPage } from './figures.ts'
import { showOneQuestion } from './landing.ts'
import {
  type LinkTargets,
  makePage,
  type Page,
  read,
  readDocuments,
  repository,
  rewriteLinks,
  showVerbatim,
} from './pages.ts'

const here = import.meta.dirname
const work = path.join(here, 'work')
const target = path.join(work, 'pages')
const site = path.join(work, 'dist')

function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** Digests that tests compare on every run, beside the examples of docs/. */
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
    const came = text.includes('## Cross-Referenced Documents') ? ' Some came along by reference.' : ''
    const list = sources.slice(0, 4).map((file) => `\`${file}\``)
    const more = sources.length > 4 ? ` and ${sources.length - 4} more` : ''
    return `## [${title.replace('Context Digest for: ', '').replaceAll('"', '')}](/${place}.md)\n\n${tokens} of ${budget} tokens, from ${list.join(', ')}${more}.${came}`
  })
  return `# Gallery of digests\n\nDigests as they are, not chosen for their looks: tests make each of them again and compare every byte. [How to read a digest](docs/explanation/how-to-read-a-digest.md) explains the parts; [one digest of ten formats](docs/examples/formats.md) and [a recorded first use](docs/examples/first-use.md) show more.\n\n${cards.join('\n\n')}\n`
}

function decisionsPage(documents: readonly Page[]): string {
  const own = documents.filter(({ source }) => source.startsWith('docs/decisions/'))
  const lines = own.map(({ title, place }) => `- [${title}](/${place}.md)`)
  return `# Decisions\n\nWhy things are as they are: each record says what was decided, from which measurements, and what follows.\n\n${lines.join('\n')}\n`
}

/** What a model reads instead of pages: https://llmstxt.org, with addresses of the Markdown sources on this site. */
function llmsText(pages: readonly Page[]): string {
  const groups: readonly [string, RegExp][] = [
    ['Start', /^tutorial\//],
    ['Guides', /^guides\//],
    ['Reference', /^reference\//],
    ['Explained', /^explanation\//],
    ['Optional', /^(?:examples|project|figures|decisions)\b/],
  ]
  const { description } = JSON.parse(read('package.json')) as { description: string }
  const parts = groups.map(([name, where]) => {
    const lines = pages
      .filter(({ place }) => where.test(place))
      .map(({ title, place, description: about }) => `- [${title}](${base}${place}.md): ${about}`)
    return `## ${name}\n\n${lines.join('\n')}`
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
const answers = await answerQuestions(documents, targets)
/** Pages that the build writes; their links are those of a document at the root of the repository. */
const written = [
  makePage('', 'figures', figuresPage()),
  makePage('', 'gallery/index', galleryPage(digests)),
  makePage('', 'questions/index', questionsPage(answers)),
  makePage('', 'decisions/index', decisionsPage(documents)),
]
const linked = [...documents, ...written].map((page) => {
  const shown = showVerbatim(page)
  // Links that the build wrote are those of the site already.
  const text = shown.text.replaceAll(/\]\(\/(?=[a-z])/g, '](site:/')
  return { ...shown, text: rewriteLinks(text, page.source, targets).replaceAll('](site:/', '](/') }
})
const pages = [...linked, ...answers, ...readGoldens().map(showVerbatim)]

for (const { place, text, title, description } of pages) {
  const about = `title: ${JSON.stringify(title)}\ndescription: ${JSON.stringify(description)}`
  write(path.join(target, `${place}.md`), `---\n${about}\n---\n\n${text}`)
}
write(
  path.join(target, 'index.md'),
  '---\nlayout: home\ntitle: yore\ntitleTemplate: one question, one digest\n---\n',
)
for (const [file, address] of targets.files) {
  const copy = path.join(target, 'public', address)
  mkdirSync(path.dirname(copy), { recursive: true })
  copyFileSync(path.join(repository, file), copy)
}
write(path.join(work, 'landing.json'), JSON.stringify(await showOneQuestion()))
write(
  path.join(work, 'pages.json'),
  JSON.stringify(pages.map(({ place, title, source }) => ({ place, title, source }))),
)
console.log(`${pages.length} pages, ${answers.length} of them answered by yore, ${targets.files.size} files`)

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
