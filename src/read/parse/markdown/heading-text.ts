// What does a heading say? Its plain text, and the id in its attributes.
import type { Env, Token } from 'markdown-it'
import { patterns } from '../patterns.ts'
import { cutText } from '../slug.ts'
import { markdown } from './markdown-parser.ts'

/** A longer "heading" is a paragraph above a rule; the rest adds nothing to a name or an anchor. */
const maxHeadingChars = 1_000

export interface HeadingText {
  /** One line, without markup. */
  readonly name: string
  /** As GitHub sees it before making the slug: with multiple spaces. */
  readonly plain: string
  // The id of `{#id}` or `{/*id*/}`; null when the heading has none.
  readonly explicitId: string | null
}

/** Reads a heading's source: `` readHeading('Run `it` {#run}', {}) `` has the name `Run it` and the id `run`. */
export function readHeading(source: string, env: Env): HeadingText {
  const { content, explicitId } = splitAttributes(cutText(source, maxHeadingChars))
  const plain = patterns.inlineMarkup.test(content) ? plainText(content, env) : content
  return { plain, name: plain.replace(patterns.whitespaceRun, ' ').trim(), explicitId }
}

// Removes what ends a heading and is not its text: the attributes of Hugo and Kramdown (`{#id .class key=value}`,
// `{:.class}`, in MDX also `\{#id}`, in VitePress `%{#id}%`), or a comment of MDX, which may hold the id (`{/*id*/}`, `{/* #id */}`).
function splitAttributes(written: string): { content: string; explicitId: string | null } {
  const content = written.endsWith('}%') ? written.slice(0, -1).replace('%{#', '{#') : written
  const whole = { content, explicitId: null }
  const open = content.endsWith('}') ? content.lastIndexOf('{') : -1
  if (open === -1 || content[open - 1] === '{') return whole
  let inner = content.slice(open + 1, -1).trim()
  const text = content.slice(0, content[open - 1] === '\\' ? open - 1 : open).trimEnd()
  if (inner.startsWith('/*') && inner.endsWith('*/'))
    return { content: text, explicitId: patterns.commentId.exec(inner)?.[1] ?? null }
  if (inner.startsWith(':')) inner = inner.slice(1).trim()
  if (inner === '' || inner.includes('}')) return whole
  let explicitId: string | null = null
  for (const part of inner.replace(patterns.whitespaceRun, ' ').split(' '))
    if (part.startsWith('#') && part.length > 1) explicitId ??= part.slice(1)
    else if (!(part.startsWith('.') && part.length > 1) && part.indexOf('=') < 1) return whole

  return { content: text, explicitId }
}

function plainText(content: string, env: Env): string {
  const tokens: Token[] = []
  markdown.inline.parse(content, markdown, env, tokens)
  return joinTokens(tokens).trim()
}

/** Text, escapes, entities, code, and image texts, without HTML tags and emphasis. */
function joinTokens(tokens: readonly Token[]): string {
  let joined = ''
  for (const token of tokens)
    if (token.type === 'image') joined += joinTokens(token.children ?? [])
    else if (token.type === 'softbreak' || token.type === 'hardbreak') joined += ' '
    else if (token.type !== 'html_inline') joined += token.content

  return joined
}
