// How does a document read when its markup is rendered? With headings, links into the corpus, and colours in its code.
import { posix } from 'node:path'
import type { Token } from 'markdown-it'
import type { DocumentDescription } from '../../explore/describe-document.ts'
import { readAsMarkdown } from '../../explore/read-as-markdown.ts'
import { colourLines, fileOfFence } from './colour-lines.ts'
import { addressOf, type Child, documentAddress, html, type Markup } from './html.ts'
import { type ProseContext, parser, renderProse } from './show-text.ts'

/** The id of a section on its page: the part of its canonical id after the path. */
export const anchorOf = (id: string): string => `at-${id.slice(id.indexOf('#') + 1)}`

/** What names a section of this document: its title, its anchor, and a label of MyST above it. */
function ownTargets({ text, sections }: DocumentDescription) {
  const labels = text.split('\n').flatMap((line, at) => {
    const label = /^\(([\w:/. -]{1,200})\)=\s*$/.exec(line)?.[1]
    const section = label && sections.find(({ lines }) => lines.start > at + 1)
    return section ? [[`role:${label}`, section] as const] : []
  })
  const named = sections.flatMap((section) => {
    const { anchor, name } = section
    const targets = [`#${name.toLowerCase()}`, `role:${anchor}`, `label:${anchor}`, `#${anchor}`]
    return targets.map((target) => [target, section] as const)
  })
  return [...named, ...labels]
}

/** Where links of a document lead: to its documents, sections and folders, or to another site. */
function findAddresses(found: DocumentDescription): (href: string) => string | null {
  const { references, path } = found
  const resolved = new Map([
    ...ownTargets(found).map(([target, { id }]) => [target, id] as const),
    ...references.flatMap(({ target, to }) => (to === null ? [] : [[target, to] as const])),
  ])
  // A page of code has lines instead of headings.
  const places = new Map(references.map(({ to, definition }) => [to, definition?.lines] as const))
  return (href) => {
    const written = parser.utils.lib.mdurl.decode(href)
    const bare = written.replace(/^(?:role:|#)/, '')
    const to =
      [href, written, bare, `#${bare}`, `role:${bare}`].map((one) => resolved.get(one)).find(Boolean) ?? null
    if (to === null && /^https?:\/\//.test(href)) return href
    const folder = posix.resolve('/', path, '..', written).slice(1)
    if (to === null && href.startsWith(':obj:'))
      return documentAddress(written.split('(', 1)[0]?.split(/[.:]/).at(-1) ?? '')
    if (to === null) return written.endsWith('/') ? addressOf('/doc', { folder }) : null
    const [file = '', section] = to.split('#')
    const lines = places.get(to)
    if (lines !== undefined) return documentAddress(file, lines)
    const place = file === path ? '' : documentAddress(file)
    return section === undefined ? place || null : `${place}#${encodeURIComponent(anchorOf(to))}`
  }
}

/** Facts above the text, open where there is no text. */
async function showFrontmatter({ text, sections }: DocumentDescription): Promise<Child> {
  const front = /^(---|\+\+\+)\r?\n([\s\S]{1,20000}?)\n\1(?=\r?\n|$)/.exec(text)?.[2]
  if (front === undefined) return ''
  const lines = await colourLines(front, fileOfFence('yaml'))
  const shown = lines?.flatMap((line) => [line, '\n']) ?? front
  return html`<details class="front"${sections.length === 0 ? ' open' : ''}><summary>Metadata</summary><pre tabindex="0">${shown}</pre></details>`
}

export async function renderDocument(
  found: DocumentDescription,
  pictureOf: ProseContext['pictureOf'] = () => null,
): Promise<Markup | null> {
  const text = readAsMarkdown(found)
  if (text === null) return null
  const sections = new Map(found.sections.map(({ id, lines }) => [lines.start, id]))
  const tokens = parser.parse(text, {})
  const titles = new Map([
    ...ownTargets(found).map(([target, { name }]) => [target, name] as const),
    ...found.references.map(({ target, title }) => [target, title] as const),
  ])
  // A reference to a label or a document without words of its own shows its title.
  for (const { children } of tokens)
    for (const [at, { type, attrGet }] of children?.entries() ?? []) {
      const href = type === 'link_open' ? String(attrGet.call(children?.[at], 'href')) : ''
      const shown = children?.[at + 1]
      if (shown?.content === href.replace(/^(?:role|label|doc):/, ''))
        shown.content = titles.get(href) ?? titles.get(shown.content) ?? shown.content
    }
  const codes = new Map<Token, readonly Markup[] | null>()
  for (const token of tokens)
    if (token.type === 'fence')
      codes.set(token, await colourLines(token.content.replace(/\n$/, ''), fileOfFence(token.info)))
  const isNamed =
    found.sections.some(({ name }) => name === found.title) ||
    tokens.some(({ tag, content }) => tag === 'h1' || /^\s*<h1\b/i.test(content))
  const title = isNamed ? '' : html`<h2 class="head h1">${found.title}</h2>`
  const context: ProseContext = {
    write: (words) => words,
    linkTo: findAddresses(found),
    pictureOf,
    headingId: (line) => (sections.has(line) ? anchorOf(sections.get(line) as string) : null),
    levels: isNamed ? [] : [2],
    codeOf: (token) => codes.get(token) ?? null,
  }
  // A section without a heading of its own, or in markup that is not read, gets its id at the block that holds its line.
  const headings = new Set(tokens.map(({ type, map }) => (type === 'heading_open' ? (map?.[0] ?? 0) + 1 : 0)))
  const shown: Markup[] = []
  let from = 0
  for (const [line, id] of sections) {
    if (headings.has(line)) continue
    const at = tokens.findLastIndex(
      (one) => one.level === 0 && one.nesting >= 0 && (one.map?.[0] ?? line) < line,
    )
    const to = Math.max(from, at)
    shown.push(html`${renderProse(tokens.slice(from, to), context)}<span id="${anchorOf(id)}"></span>`)
    from = to
  }
  return html`<div class="prose page">${await showFrontmatter(found)}${title}${shown}${renderProse(tokens.slice(from), context)}</div>`
}
