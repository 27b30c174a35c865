// Which formats of prose besides Markdown does yore read? One entry per format; `text-scanners.ts` says how each is read.
//
// Answering loads this table, so it imports no scanner.
import { endsWith, markdownExtensions } from '../../../model/file-extensions.ts'

interface TextFormatNames {
  readonly name: string
  /** Endings of file names, without the dot before them. Such a file has this format, whatever it contains. */
  readonly endings: readonly string[]
  /** The word after the fence of an excerpt. */
  readonly fence: string
}

const formats = [
  // Sphinx ships the sources of its pages as .rst.txt.
  { name: 'rst', endings: ['rst', 'rst.txt'], fence: 'rst' },
  { name: 'asciidoc', endings: ['adoc', 'asciidoc'], fence: 'asciidoc' },
] as const satisfies readonly TextFormatNames[]

export type TextFormatName = (typeof formats)[number]['name']

export const textFormats: readonly (TextFormatNames & { readonly name: TextFormatName })[] = formats

/** Extensions of prose, with markup or plain; a link may omit them. */
export const markupExtensions: readonly string[] = [
  ...markdownExtensions,
  'txt',
  ...textFormats.flatMap(({ endings }) => endings.filter((ending) => !ending.includes('.'))),
]

const fencesByName: readonly (readonly [names: RegExp, fence: string])[] = textFormats.map(
  ({ endings, fence }) => [endsWith(endings), fence],
)

/** The fence of a prose file that is not Markdown, by its name. */
export const textFence = (path: string): string =>
  fencesByName.find(([names]) => names.test(path))?.[1] ?? 'text'
