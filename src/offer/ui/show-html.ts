// What of a block of HTML does a page show? Text, links, pictures, tables and emphasis, in tags that this file writes.
import { Parser } from 'htmlparser2'
import { withoutTags } from '../../explore/show-passage.ts'
import { type Child, html, Markup } from './html.ts'

/** Tags that keep their meaning, without attributes. */
const kept = /^(?:b|blockquote|br|code|em|hr|i|kbd|li|ol|pre|s|strong|sub|sup|table|tbody|td|thead|tr|u|ul)$/
const paragraphs = /^(?:dd|div|dt|p|summary)$/
const unseen = /^(?:style|svg|template)$/

interface HtmlContext {
  readonly write: (text: string) => Child
  readonly openLink: (href: string) => Markup
  readonly showPicture: (source: string, description: string, width: string) => Child
}

/** The tags around the text of an element; null for none. */
function tagsOf(
  name: string,
  { href, align }: { readonly href: string; readonly align: string },
  { openLink }: HtmlContext,
): readonly [Markup, string] | null {
  if (name === 'a') return [openLink(href), '</a>']
  const [before, after] =
    align === 'center' || name === 'center' ? [html`<div class="center">`, '</div>'] : [html``, '']
  if (/^h[1-6]$/.test(name)) return [html`${before}<p class="head ${name}">`, `</p>${after}`]
  if (after !== '') return [before, after]
  const tag = name === 'th' ? 'td' : paragraphs.test(name) ? 'div' : name
  if (tag === name && !kept.test(name)) return null
  return [new Markup(`<${tag}>`), /^[bh]r$/.test(tag) ? '' : `</${tag}>`]
}

/** Null for a block that shows nothing. A script is shown as text. The parser closes every tag that it opens, so that no block leaves one open. */
export function showHtml(content: string, context: HtmlContext): Markup | null {
  if (/<script\b/i.test(content)) return html`${context.write(withoutTags(content))}`
  const out: Child[] = []
  const open: { readonly isUnseen: boolean; readonly end: string }[] = []
  let isEmpty = true
  const show = (text: Child): void => {
    isEmpty &&= typeof text === 'string' && text.trim() === ''
    if (!open.some(({ isUnseen }) => isUnseen))
      out.push(typeof text === 'string' ? context.write(text) : text)
  }
  const parser = new Parser(
    {
      ontext: show,
      onopentag(name, { src = '', alt = '', width = '', href = '', title = '', align = '' }) {
        if (name.toLowerCase() === 'img') show(context.showPicture(src, alt, width))
        // A component of the site is known by its title.
        else if (/^[A-Z]/.test(name)) show(title)
        const [start, end = ''] = tagsOf(name.toLowerCase(), { href, align }, context) ?? []
        open.push({ isUnseen: unseen.test(name.toLowerCase()), end })
        if (start !== undefined) out.push(start)
      },
      onclosetag() {
        out.push(new Markup(open.pop()?.end ?? ''))
      },
    },
    { lowerCaseTags: false },
  )
  parser.end(content)
  return isEmpty ? null : html`${out}`
}
