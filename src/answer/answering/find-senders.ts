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
 * names the step that follows; `read` gives the sections that hold a name.
 */
export function findSenders(
  text: string,
  next: string | null,
  read: (name: string) => readonly ReadSection[],
) {
  const patternOf = (pattern: string, name: string): RegExp => new RegExp(pattern.replaceAll('%', name), 'g')
  return kinds.flatMap(([sends, receives], kind) =>
    [...text.matchAll(patternOf(receives, String.raw`([\w.:/-]{4,60})`))].flatMap((match) => {
      const name = match.slice(1).find((one) => one !== undefined) ?? ''
      const line = text.lastIndexOf('\n', match.index) + 1
      if (!compound.test(name) || (kind === 0 && !handles(text.slice(line), next))) return []
      const finds = (pattern: string) => {
        const written = patternOf(pattern, name.replaceAll('.', String.raw`\.`))
        return (one: { readonly text: string }): boolean => one.text.search(written) >= 0
      }
      const sections = read(name)
      const senders = sections.filter(finds(sends))
      const files = (found: readonly ReadSection[]): number =>
        new Set(found.map(({ at }) => at.file.path)).size
      const isClear = files(senders) === 1 && files(sections.filter(finds(receives))) <= MOST_RECEIVERS
      const lines = (written: string): boolean => finds(sends)({ text: written })
      return isClear ? senders.map(({ at }) => ({ at, lines, sends: name })) : []
    }),
  )
}

/** Is the first line a decorator, or is the name in it or in the lines that are indented below it? */
function handles(text: string, name: string | null): boolean {
  const [first = '', ...below] = text.split('\n')
  const indent = first.search(/\S/)
  const end = below.findIndex((line) => line.trim() !== '' && line.search(/\S/) <= indent)
  const body = [first, ...below.slice(0, end === -1 ? below.length : end)]
  return first[indent] === '@' || (name !== null && body.some((line) => findWord(line, name) >= 0))
}
