// Which code sets off this code by a name that both write? Events, variables of the environment, settings and tables.
import type { FoundArtifact } from '../../corpus/lookup/find-artifact.ts'
import { findWord } from '../../read/parse/code/code-names.ts'

/** A name that more files receive is a word of the program, or of a library. */
const MOST_RECEIVERS = 4
/** Two words: `order.placed`, `checkSession`, `LOG_LEVEL`. */
const compound = /[a-z\d][A-Z]|[A-Za-z\d][.:_/-][A-Za-z\d]/

/** What sends a name and, on the next line, what receives it; the first are events, the others data. */
const kinds = String.raw`
\b(?:(?:emit|fire)(?:Async|Event)?|trigger|publish|broadcast|dispatch|send_event|send_task|sendToQueue|enqueue|addJob|new (?:Custom)?Event)\(\s*['"\x60]%['"\x60]
\b(?:on|once|one|(?:prepend|add)(?:Event)?Listener|add_listener|subscribe|listen|consume|OnEvent|Processor|new Worker)\(\s*['"\x60]%['"\x60]

\bsetenv\(\s*"%"|\bos\.environ\[['"]%['"]\]\s*=(?!=)|\bprocess\.env\.%\s*(?:\|\||\?\?)?=(?!=)
\bgetenv\(\s*['"]%['"]|\bos\.environ(?:\.get\(|\[)['"]%['"](?!\]\s*=[^=])|\bprocess\.env\.%\b(?!\s*(?:\|\||\?\?)?=[^=])

\b\w{0,20}(?:config|conf|settings|options)\.set\w{0,20}\(\s*['"]%['"]\s*,
\b\w{0,20}(?:config|conf|settings|options)\.get\w{0,20}\(\s*['"]%['"]

\b(?:INSERT INTO|UPDATE|DELETE FROM) [\x60"]?%\b
\bSELECT\b[^;]{1,200}?\b(?:FROM|JOIN) [\x60"]?%\b`
  .split('\n\n')
  .map((kind) => kind.trim().split('\n') as [sends: string, receives: string])

interface ReadSection {
  readonly at: FoundArtifact
  readonly text: string
}

/**
 * Sections that send what a text receives, if they are of one file and few files receive it. An event counts if its handler
 * names the step that follows.
 */
export function findSenders(
  text: string,
  next: string | null,
  sectionsOf: (name: string) => readonly ReadSection[],
) {
  const patternOf = (pattern: string, name: string): RegExp => new RegExp(pattern.replaceAll('%', name), 'g')
  return kinds.flatMap(([sends, receives], kind) =>
    [...text.matchAll(patternOf(receives, String.raw`([\w.:/-]{4,60})`))].flatMap((match) => {
      const name = match.slice(1).find((one) => one !== undefined) ?? ''
      const handled = handlerAt(text.slice(text.lastIndexOf('\n', match.index) + 1))
      const isHandled = kind > 0 || handled.startsWith('@') || findWord(handled, next ?? '') >= 0
      if (!compound.test(name) || !isHandled) return []
      const escaped = name.replaceAll('.', '\\.')
      const writing = (side: string): readonly ReadSection[] =>
        sectionsOf(name).filter((one) => one.text.search(patternOf(side, escaped)) >= 0)
      const files = (side: string): number => new Set(writing(side).map(({ at }) => at.file.path)).size
      if (files(sends) !== 1 || files(receives) > MOST_RECEIVERS) return []
      return writing(sends).map(({ at }) => ({
        at,
        lines: (line: string) => line.includes(name),
        sends: name,
      }))
    }),
  )
}

/** The first line, and the lines that are indented below it. */
function handlerAt(text: string): string {
  const [first = '', ...below] = text.split('\n')
  const end = below.findIndex((line) => line.trim() !== '' && line.search(/\S/) <= first.search(/\S/))
  return [first.trim(), ...below.slice(0, end === -1 ? below.length : end)].join('\n')
}
