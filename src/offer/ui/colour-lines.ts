// Which words of a line of code have which colour? As the grammar of its language reads the whole text.
import { codeLanguages, isCodeLanguage, languageOfExtension } from '../../model/code-languages.ts'
import type { Language } from '../../model/source-file.ts'
import { html, type Markup } from './html.ts'

/** Names of a line with the address and the signature of their definition. */
export type Definitions = (
  line: number,
) => ReadonlyMap<string, { readonly href: string; readonly title: string }>

/** Colours of strings and comments, where a name is a word. */
const quoted: ReadonlySet<number | undefined> = new Set([2, 3])

/** Longer texts stay plain: colours must not delay a page. */
const LONGEST = 300_000

/** Lines as markup; null for a language without a grammar, and for text that it cannot read in time. */
export async function colourLines(
  text: string,
  { path, language }: { readonly path: string; readonly language: string },
  definitionsAt: Definitions = () => new Map(),
): Promise<readonly Markup[] | null> {
  if (!isCodeLanguage(language) || text.length > LONGEST) return null
  const { openTools } = await import('../../read/assets/load-grammars.ts')
  const file = { path, language: language as Language, text }
  const painted = (await openTools([file]))(file)?.read.colour(text)
  if (painted == null) return null
  let start = 0
  return text.split('\n').map((line, at) => {
    const definitions = definitionsAt(at + 1)
    const write = (word: string): Markup | string => {
      const { href, title } = definitions.get(word) ?? {}
      return href === undefined ? word : html`<a class="defined" href="${href}" title="${title}">${word}</a>`
    }
    const parts: (Markup | string | readonly (Markup | string)[])[] = []
    for (let from = start; from < start + line.length; ) {
      let to = from + 1
      while (to < start + line.length && painted[to] === painted[from]) to++
      const run = text.slice(from, to)
      const words = quoted.has(painted[from])
        ? run
        : run.split(/(?<![\w$])(?=[\w$])|(?<=[\w$])(?![\w$])/).map(write)
      parts.push(painted[from] === 0 ? words : html`<span class="k${painted[from]}">${words}</span>`)
      from = to
    }
    start += line.length + 1
    return html`${parts}`
  })
}

/** The language that the word after a fence names, with a file name for its dialect. */
export function fileOfFence(word: string): { readonly path: string; readonly language: string } {
  const name = /^[\w+#-]{0,20}/.exec(word.trim().toLowerCase())?.[0] ?? ''
  const known = { console: 'bash', shell: 'bash', 'c++': 'cpp', 'c#': 'csharp', golang: 'go', sh: 'bash' }
  const language =
    codeLanguages.find((one) => one === name) ??
    languageOfExtension.get(name) ??
    known[name as keyof typeof known] ??
    name
  return { path: `code.${languageOfExtension.has(name) ? name : ''}`, language }
}
