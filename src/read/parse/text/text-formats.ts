// Which formats of prose besides Markdown does yore read, and how? One entry per format; a new format is a new entry.
import { endsWith, markdownExtensions } from '../../../model/file-extensions.ts'
import { lineAt, type TextLines } from '../find-lines.ts'
import { patterns } from '../patterns.ts'
import { findAsciidocHeads } from './find-asciidoc-heads.ts'
import { markAsciidoc } from './find-asciidoc-mentions.ts'
import { findPlainHeads, findPodHeads, findTexinfoHeads } from './find-plain-heads.ts'
import { findRstHeads } from './find-rst-heads.ts'
import { markRst } from './find-rst-mentions.ts'
import type { HeadCandidate } from './head-candidate.ts'
import type { MarkedText } from './marked-text.ts'
import { findManHeads, markMan } from './read-man.ts'
import { findOrgHeads, markOrg } from './read-org.ts'

export interface TextFormat {
  readonly name: string
  /** Endings of file names, without the dot before them. Such a file has this format, whatever it contains. */
  readonly endings: readonly string[]
  /** File names that a digest fences as this format although only a mark in the text decides how it is parsed. */
  readonly fencedNames?: RegExp
  /** The word after the fence of an excerpt. */
  readonly fence: string
  /** Matches lines that show the format in a file with another ending; null if no line does. */
  readonly mark: RegExp | null
  /** True if one marked line decides. Otherwise the format with the most marked lines wins, the later one in a tie. */
  readonly oneMarkDecides?: true
  /** The headings of a text, given as lines without trailing space. */
  readonly heads: (lines: readonly string[]) => HeadCandidate[]
  /** References, labels and metadata; null for a format whose references are not read. */
  readonly mentions: ((lines: TextLines, options: { readonly codeNames: boolean }) => MarkedText) | null
}

export const textFormats: readonly TextFormat[] = [
  {
    name: 'rst',
    // Sphinx ships the sources of its pages as .rst.txt.
    endings: ['rst', 'rst.txt'],
    fence: 'rst',
    mark: patterns.rstMark,
    heads: findRstHeads,
    mentions: markRst,
  },
  {
    name: 'asciidoc',
    endings: ['adoc', 'asciidoc'],
    fence: 'asciidoc',
    mark: patterns.asciidocMark,
    heads: findAsciidocHeads,
    mentions: markAsciidoc,
  },
  {
    name: 'org',
    endings: ['org'],
    fence: 'org',
    mark: null,
    heads: findOrgHeads,
    mentions: markOrg,
  },
  {
    name: 'man',
    endings: [],
    fencedNames: /\.[1-9][a-z]{0,3}$/,
    fence: 'man',
    mark: patterns.manMark,
    oneMarkDecides: true,
    heads: findManHeads,
    mentions: markMan,
  },
  {
    name: 'pod',
    endings: ['pod'],
    fence: 'text',
    mark: patterns.podMark,
    oneMarkDecides: true,
    heads: findPodHeads,
    mentions: null,
  },
  {
    name: 'texinfo',
    endings: ['texi'],
    fence: 'text',
    mark: patterns.texinfoMark,
    oneMarkDecides: true,
    heads: findTexinfoHeads,
    mentions: null,
  },
]

/** Text without a mark of any format. */
export const plainText: TextFormat = {
  name: 'plain',
  endings: [],
  fence: 'text',
  mark: null,
  heads: findPlainHeads,
  mentions: null,
}

/** Extensions of prose, with markup or plain; a link may omit them. */
export const markupExtensions: readonly string[] = [
  ...markdownExtensions,
  'txt',
  ...textFormats.flatMap(({ endings }) => endings.filter((ending) => !ending.includes('.'))),
]

const fencesByName: readonly (readonly [names: RegExp, fence: string])[] = textFormats.flatMap(
  ({ endings, fencedNames, fence }) => [
    ...(endings.length === 0 ? [] : [[endsWith(endings), fence] as const]),
    ...(fencedNames === undefined ? [] : [[fencedNames, fence] as const]),
  ],
)

/** The fence of a prose file that is not Markdown, by its name. */
export function textFence(path: string): string {
  return fencesByName.find(([names]) => names.test(path))?.[1] ?? plainText.fence
}

/** Limits on what is searched for marks. */
const maxLines = 2_000
const maxChars = 400

/** The format of a text, by the file's name or by the marks in its lines. */
export function formatOf(path: string, lines: TextLines): TextFormat {
  const name = path.toLowerCase()
  const named = textFormats.find(({ endings }) => endings.some((ending) => name.endsWith(`.${ending}`)))
  if (named !== undefined) return named
  const counts = textFormats.map(() => 0)
  for (let line = 0; line < Math.min(lines.starts.length, maxLines); line++) {
    const start = lines.starts[line]!
    const end = lines.starts[line + 1] ?? lines.text.length
    const text = end - start > maxChars ? lines.text.slice(start, start + maxChars) : lineAt(lines, line)
    for (const [index, format] of textFormats.entries()) {
      if (format.mark === null || !format.mark.test(text)) continue
      if (format.oneMarkDecides === true) return format
      counts[index]!++
    }
  }
  const most = Math.max(...counts)
  return most === 0 ? plainText : textFormats[counts.lastIndexOf(most)]!
}
