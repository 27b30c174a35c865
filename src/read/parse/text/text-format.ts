// In which markup is a text that is no Markdown written? Its name says it, else what its lines begin with.
import { lineAt, type TextLines } from '../find-lines.ts'
import { patterns } from '../patterns.ts'

export type TextFormat = 'rst' | 'asciidoc' | 'org' | 'man' | 'pod' | 'texinfo' | 'plain'

const formatOfEnding: readonly (readonly [ending: string, format: TextFormat])[] = [
  ['.rst', 'rst'],
  // Sphinx ships the sources of its pages so.
  ['.rst.txt', 'rst'],
  ['.adoc', 'asciidoc'],
  ['.asciidoc', 'asciidoc'],
  ['.org', 'org'],
]
/** Of longer texts the beginning is looked at, and of longer lines. */
const maxLines = 2_000
const maxChars = 400

/** The format of a text. One that shows no mark of any is plain. */
export function formatOf(path: string, lines: TextLines): TextFormat {
  const name = path.toLowerCase()
  const named = formatOfEnding.find(([ending]) => name.endsWith(ending))
  if (named !== undefined) return named[1]
  const count = Math.min(lines.starts.length, maxLines)
  let rst = 0
  let asciidoc = 0
  for (let line = 0; line < count; line++) {
    const start = lines.starts[line]!
    const end = lines.starts[line + 1] ?? lines.text.length
    const text = end - start > maxChars ? lines.text.slice(start, start + maxChars) : lineAt(lines, line)
    if (patterns.manMark.test(text)) return 'man'
    if (patterns.podMark.test(text)) return 'pod'
    if (patterns.texinfoMark.test(text)) return 'texinfo'
    if (patterns.rstMark.test(text)) rst++
    if (patterns.asciidocMark.test(text)) asciidoc++
  }
  if (rst === 0 && asciidoc === 0) return 'plain'
  return rst > asciidoc ? 'rst' : 'asciidoc'
}
