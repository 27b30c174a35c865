// Which documents are pages of the site, and where do their links lead there? Pure but for reading the repository.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

export const repository: string = path.resolve(import.meta.dirname, '../..')

export interface Page {
  /** Path in the repository; what a reader of the source knows it by. Empty for a page that the build writes. */
  readonly source: string
  /** Address without extension: `guides/agents`. */
  readonly place: string
  readonly title: string
  /** Its first sentence or two, without marks. */
  readonly description: string
  readonly text: string
}

/** Documents outside of docs/ that are pages, too. README.md is what the landing page says. */
const projectDocuments = [
  'ARCHITECTURE.md',
  'ARCHITECTURE-MAP.md',
  'AGENTS.md',
  'CHANGELOG.md',
  'CODE_OF_CONDUCT.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'lab/eval/README.md',
  'lab/training/README.md',
]

/** Folders that a document links to, and the page that lists what is in them. */
const folderPages: Readonly<Record<string, string>> = {
  'docs/decisions': '/decisions/index.md',
  'lab/bench/runs': '/explanation/evidence.md',
  'lab/records': '/records/index.md',
}

const longestDescription = 200

export const read = (file: string): string => readFileSync(path.join(repository, file), 'utf8')

/** Plain words of a line of Markdown. */
export function plain(line: string): string {
  return line
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .trim()
}

export function makePage(source: string, place: string, text: string): Page {
  const lines = text.split('\n')
  const title = plain(lines.find((line) => line.startsWith('# '))?.slice(2) ?? place)
  const prose = lines.find((line) => /^[A-Z`[*_]/.test(line) && !line.startsWith('**Generated'))
  const description = plain(prose ?? '')
  return {
    source,
    place,
    title,
    description:
      description.length > longestDescription
        ? `${description.slice(0, description.lastIndexOf(' ', longestDescription))} …`
        : description,
    text,
  }
}

/** Without comments for authors: markers of figures and the origin of generated pages. */
export function withoutComments(text: string): string {
  const lines = [...trackFences(text)].map(({ line, fenced }) =>
    fenced ? line : line.replaceAll(/<!--.*?-->/g, ''),
  )
  return lines.join('\n').replaceAll(/\n{3,}/g, '\n\n')
}

/** Every document that becomes a page, in the order of its path. */
export function readDocuments(): Page[] {
  const names = readdirSync(path.join(repository, 'docs'), { recursive: true, encoding: 'utf8' })
  const inDocs = names
    .map((name) => `docs/${name.replaceAll(path.sep, '/')}`)
    .filter((name) => name.endsWith('.md'))
  const placeOf = (source: string): string => {
    const bare = source.slice(0, -'.md'.length)
    const place = bare.startsWith('docs/') ? bare.slice('docs/'.length) : `project/${bare.toLowerCase()}`
    return place.replace(/(?<=^|\/)readme$/i, 'index')
  }
  return [...inDocs.sort(), ...projectDocuments].map((source) =>
    makePage(source, placeOf(source), read(source)),
  )
}

/** The question in the first heading of a digest. */
export function questionIn(title: string): string {
  return /"((?:[^"\\]|\\.)*)"/.exec(title)?.[1] ?? title
}

/** A digest is shown as the text that a model gets, not as a page of the documents that it quotes. */
export function showVerbatim(page: Page): Page {
  if (!page.text.startsWith('# Context Digest for:')) return page
  const question = questionIn(page.title)
  const text = `# ${question}\n\nThe digest as a model gets it, unchanged.\n\n${fence(page.text, 'markdown')}\n`
  return { ...page, title: question, description: `A digest: ${question}`, text }
}

/** A fence that no line of the text can close. */
export function fence(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/^\s*(`{3,})/gm)].map(([, marks]) => marks?.length ?? 0))
  const marks = '`'.repeat(longest + 1)
  return `${marks}${language}\n${text.trimEnd()}\n${marks}`
}

/** The lines of a text with whether each stands inside a fence. */
function* trackFences(text: string): Generator<{ readonly line: string; readonly fenced: boolean }> {
  let open = ''
  for (const line of text.split('\n')) {
    const marks = /^\s*(`{3,}|~{3,})/.exec(line)?.[1] ?? ''
    const wasOpen = open
    if (open === '') open = marks
    else if (marks.startsWith(open) && line.trim() === marks) open = ''
    yield { line, fenced: wasOpen !== '' || open !== '' }
  }
}

export interface LinkTargets {
  /** Address of the page of each source. */
  readonly pages: ReadonlyMap<string, string>
  /** Files that pages link to and the site has to hold: path in the repository to its address. */
  readonly files: Map<string, string>
}

/** Rewrites the links of a document of the repository to those of the site. */
export function rewriteLinks(text: string, source: string, targets: LinkTargets): string {
  const rewritten = [...trackFences(text)].map(({ line, fenced }) =>
    fenced
      ? line
      : line.replaceAll(/\]\(([^)\s]+)\)/g, (_, target: string) => `](${leadTo(target, source, targets)})`),
  )
  return rewritten.join('\n')
}

function leadTo(target: string, source: string, { pages, files }: LinkTargets): string {
  if (/^(?:[a-z]+:|#)/.test(target)) return target
  const [place = '', hash] = target.split('#')
  const file = path.posix.join(path.posix.dirname(source), place).replace(/\/$/, '')
  const anchor = hash === undefined ? '' : `#${hash}`
  if (file === 'README.md') return '/index.md'
  const page = pages.get(file)
  if (page !== undefined) return `/${page}.md${anchor}`
  const listed = folderPages[file]
  if (listed !== undefined) return listed
  const full = path.join(repository, file)
  if (!existsSync(full) || statSync(full).isDirectory())
    throw new Error(`${source} links to ${target}, which is no page and no file: add it to folderPages`)
  // A browser shows these itself; everything else as text.
  const shown = /\.(?:jpg|png|svg|json|txt)$/.test(file)
  const address = file.startsWith('docs/images/') ? file.slice('docs'.length) : `/source/${file}`
  files.set(file, shown ? address : `${address}.txt`)
  return files.get(file) as string
}
