// By which endings of file names is a document known? The one table: readers, links, questions and comments go by it.

/** Text with markup, or plain; a link may leave the ending out. */
export const markupExtensions: readonly string[] = [
  ...['md', 'mdx', 'markdown', 'mdown', 'txt', 'rst', 'adoc', 'asciidoc', 'org'],
]

/** Pages of the web; where they hold no prose they are code. */
export const htmlExtensions: readonly string[] = ['html', 'htm', 'xhtml']

/** Files whose text is extracted first, by the name of their format. */
export const extractedExtensions = {
  notebook: ['ipynb'],
  docx: ['docx'],
  odt: ['odt'],
  pptx: ['pptx'],
  xlsx: ['xlsx'],
  epub: ['epub'],
  eml: ['eml'],
  mbox: ['mbox'],
  pdf: ['pdf'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** Documents of other programs, which people name, and which are not read, or as plain text only. */
const otherExtensions = ['doc', 'ppt', 'xls', 'ods', 'odp', 'msg', 'pst', 'tex']

/** What is saved as a document of its own, and is no page of a site: its name is said without the ending. */
export const savedExtensions: readonly string[] = [
  ...Object.values(extractedExtensions).flat(),
  ...otherExtensions,
]

/** A name that ends with one of these. */
export function endsWith(extensions: readonly string[]): RegExp {
  return new RegExp(`\\.(?:${extensions.join('|')})$`, 'i')
}

/** Languages of code that no grammar is shipped for: never prose, however much documentation they hold. */
export const plainCodeFile: RegExp =
  /\.(?:lua|exs?|scala|swift|p[lm]|jq|zig|r|jl|nim|dart|cljs?|hs|elm|vim|fish|tcl|psm?1|groovy|gradle|cr|fsx?|awk|sol|cmake)$/i
