// Which parts of a line of code are highlighted? Comments, strings, numbers and common keywords, by one linear pattern.
import { type Child, html } from './html.ts'

const keywords = new Set(
  'as async await break case catch class const continue def default defer del do elif else enum except export extends false finally fn for from func function go if impl import in interface is lambda let match mod mut new nil none not null or package pass private protected pub public raise return select self static struct super switch this throw trait true try type undefined union use var void while with yield'.split(
    ' ',
  ),
)

const token =
  /(?<com>\/\/.*|#(?![\w[]).*|^\s*(?:\*|\/\*).*)|(?<str>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)|(?<num>\b\d[\w.]*\b)|(?<word>[A-Za-z_]\w*)/g
/** Tags, at-rules and properties are the keywords of markup and style sheets. */
const markupToken = new RegExp(
  `(?<key></?[A-Za-z][\\w-]*|@[a-z][\\w-]*|^\\s*[a-z-]+(?=\\s*:))|${token.source.replace('\\/\\/.*|', '')}`,
  'g',
)
const markupLanguages = /^(?:css|scss|sass|less|html|xml|vue|svelte|astro)\b/
/** Longer lines are not highlighted. */
const LONGEST = 400

/** The line with its parts marked; documents show their headings alone. `write` writes each part. */
export function markCode(
  line: string,
  language: string,
  write: (text: string) => Child = (text) => text,
): Child {
  if (language === 'markdown' || language === 'text')
    return /^#{1,6} /.test(line) ? html`<span class="head">${write(line)}</span>` : write(line)
  if (language === 'generic' || line.length > LONGEST) return write(line)
  const parts: Child[] = []
  let last = 0
  for (const match of line.matchAll(markupLanguages.test(language) ? markupToken : token)) {
    const [whole] = match
    const { key, com, str, num, word = '' } = match.groups ?? {}
    const isKey = key !== undefined || keywords.has(word)
    const kind = com ? 't-com' : str ? 't-str' : num ? 't-num' : isKey ? 't-key' : null
    if (kind === null) continue
    parts.push(write(line.slice(last, match.index)), html`<span class="${kind}">${write(whole)}</span>`)
    last = match.index + whole.length
  }
  parts.push(write(line.slice(last)))
  return parts
}
