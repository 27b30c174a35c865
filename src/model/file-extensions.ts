// Which languages and formats do the extensions of file names show? Prose besides Markdown: src/read/parse/text/text-formats.ts.

export const markdownExtensions: readonly string[] = ['md', 'mdx', 'markdown', 'mdown']

/** Web pages; a file without prose is code. */
export const htmlExtensions: readonly string[] = ['html', 'htm', 'xhtml']

/** Configuration, never read as prose, by the word after its fence. */
export const configExtensions: Readonly<Record<string, readonly string[]>> = {
  toml: ['toml'],
  yaml: ['yaml', 'yml'],
  json: ['json'],
  ini: ['ini', 'cfg'],
  sql: ['sql'],
  proto: ['proto'],
  graphql: ['graphql', 'graphqls'],
}

/** Files whose text is extracted first, by the name of their format. */
export const extractedExtensions = {
  notebook: ['ipynb'],
  docx: ['docx'],
  pptx: ['pptx'],
  pdf: ['pdf'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** Documents of other programs: people name them, but yore skips them or reads them as plain text. */
const otherExtensions = 'doc ppt xls xlsx epub odt ods odp eml mbox msg pst tex'.split(' ')

/** Documents that people save as files, unlike pages of a site; people name them without the extension. */
export const savedExtensions: readonly string[] = [
  ...Object.values(extractedExtensions).flat(),
  ...otherExtensions,
]

/** Matches names that end with one of these extensions. */
export const endsWith = (extensions: readonly string[]): RegExp =>
  new RegExp(`\\.(?:${extensions.join('|').replaceAll('.', '\\.')})$`, 'i')

/** Code that is read by its definitions, without a grammar or where it gives up: never prose. */
export const plainCodeFile: RegExp =
  /\.(?:lua|exs?|scala|swift|p[lm]|jq|zig|r|jl|nim|dart|cljs?|hs|elm|vim|fish|tcl|psm?1|groovy|gradle|cr|fsx?|awk|sol|cmake)$/i
