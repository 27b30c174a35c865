// What does yore answer to the common questions about itself? Its own digests over the pages, made when the site is built.
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type ParsedPassage, parseDigest } from '../../src/answer/assemble/parse-digest.ts'
import { openEngine } from '../../src/offer/engine/open-engine.ts'
import { slugOf } from '../../src/read/parse/slug.ts'
import { anchorAt, type LinkTargets, makePage, type Page, read, rewriteLinks } from './pages.ts'

/** Enough for two or three sections. */
const tokensOfAnswer = 900

/** The same for every file and for the question: the answers of one commit are the same on every machine. */
const when = Date.parse('2026-01-01T00:00:00Z')

/** What a user reads. Not examples and records of measurements, which quote other questions and documents. */
const isAsked = ({ source }: Page): boolean =>
  /^docs\/(?:tutorial|guides|reference|explanation)\/|^SECURITY/.test(source) &&
  !/(?:-in-figures|digests-read|mutation-testing|names-in-questions)\.md$/.test(source)

export const questions: readonly string[] = read('lab/site/questions.txt').trim().split('\n')

export async function answerQuestions(documents: readonly Page[], targets: LinkTargets): Promise<Page[]> {
  const root = mkdtempSync(path.join(tmpdir(), 'yore-site-'))
  try {
    const sources = documents.filter(isAsked)
    const readme = makePage('README.md', 'index', read('README.md'))
    for (const { source, text } of [...sources, readme]) {
      const file = path.join(root, source)
      mkdirSync(path.dirname(file), { recursive: true })
      writeFileSync(file, text)
      utimesSync(file, when / 1000, when / 1000)
    }
    using engine = openEngine(root)
    await engine.index()
    const texts = new Map([...sources, readme].map(({ source, text }) => [source, text]))
    const pages: Page[] = []
    for (const question of questions) {
      const { output, tokensUsed } = await engine.assemble(question, {
        maxTokens: tokensOfAnswer,
        layout: 'brief',
        now: when,
      })
      const { passages, expanded } = parseDigest(output)
      const parts = [...passages, ...expanded].map((passage) => showPassage(passage, texts, targets))
      const text = `# ${question}\n\n*yore answered this from these documents when the site was built, in ${tokensUsed} tokens. Each heading leads to its place.*\n\n${parts.join('\n\n')}\n`
      pages.push(makePage('', `questions/${slugOf(question)}`, text))
    }
    return pages
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** A passage under a heading that leads to where it stands. Its own headings are set as bold lines. */
function showPassage(
  passage: ParsedPassage,
  texts: ReadonlyMap<string, string>,
  targets: LinkTargets,
): string {
  const { path: source, name, ranges, texts: shown } = passage
  const first = ranges[0]?.start ?? 1
  const anchor = anchorAt(texts.get(source) ?? '', first)
  const place = ranges.map(({ start, end }) => `${start}-${end}`).join(', ')
  const body = shown.map((lines) => lines.join('\n')).join('\n\n…\n\n')
  const withoutHeadings = body.replaceAll(/^#{1,6} (.*)$/gm, (line, words: string) =>
    isInFence(body, line) ? line : `**${words.replaceAll('**', '')}**`,
  )
  const heading = `## [${name.replaceAll(/[[\]]/g, '')}](${path.posix.basename(source)}${anchor})`
  return rewriteLinks(`${heading}\n\n${withoutHeadings}\n\n*${source}:${place}*`, source, targets)
}

/** Is this line, a comment of a shell script perhaps, part of a block of code? */
function isInFence(body: string, line: string): boolean {
  const before = body.slice(0, body.indexOf(line))
  return (before.match(/^\s*(?:`{3,}|~{3,})/gm) ?? []).length % 2 === 1
}

/** The list of them all. */
export function questionsPage(answered: readonly Page[]): string {
  const lines = answered.map(({ title, place }) => `- [${title}](/${place}.md)`)
  return `# Common questions\n\n${answered.length} questions about yore, each answered by yore from these documents when the site was built. Nobody edited the answers: where one is poor, that is how good yore is at it.\n\n${lines.join('\n')}\n`
}
