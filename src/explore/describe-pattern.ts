// What does the index know about a pattern that an agent greps for? Its definitions with their uses, and the best sections, as a few lines.

import { formatPlace } from '../answer/assemble/escape-inline.ts'
import { ownDefinitionsCalled } from '../corpus/lookup/find-definition.ts'
import type { CorpusReader } from '../corpus/store/corpus-reader.ts'
import { formatQuantity } from '../model/format-numbers.ts'
import { clip } from '../model/mark-invisible.ts'
import type { SearchHit } from '../model/report.ts'
import type { TokenCounter } from '../read/tokens/token-counter.ts'
import { signatureOf } from './map-corpus.ts'

/** Characters of a pattern that are read. */
const MOST_READ = 500
/** Names that are looked up, and definitions that are shown of each; a name with more says little. */
const MOST_NAMES = 3
const MOST_DEFINITIONS = 3
/** Tokens of the hint. */
const MOST_TOKENS = 200

/** Words of patterns that name no subject. */
const ordinary = new Set(
  `abstract all and any are async await class const data def default else end enum error export extends final fn for from func
  function get has http https if impl implements import include index int interface let main new not null none package private
  protected public return self set static string struct test tests the this throw throws todo true false type use var void with`.split(
    /\s+/,
  ),
)

/** Names and words in a regular expression or a glob, in their order: `class\s+Foo|bar\.baz` has Foo and bar.baz. */
export function wordsOfPattern(pattern: string): string[] {
  const plain = pattern
    .slice(0, MOST_READ)
    .replace(/\\[a-zA-Z]|\[[^[\]]*\]|\(\?[a-zA-Z:=!<]*|\.[*+?]|\{[^{}]*\}/g, ' ')
    .replace(/\*\.[a-zA-Z0-9]+$/, ' ')
    .replaceAll('\\', '')
  const words = plain.match(/[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::)[\p{L}_$][\p{L}\p{N}_$]*)*/gu) ?? []
  return [...new Set(words)].filter((word) => word.length > 2 && !ordinary.has(word.toLowerCase()))
}

/** A line for each definition of these names; none for a name that has many. */
function listDefinitions(reader: CorpusReader, names: readonly string[]) {
  return names.slice(0, MOST_NAMES).flatMap((name) => {
    const found = ownDefinitionsCalled(reader, name)
    // A plain word that several definitions have is rarely meant as one of them.
    if (found.length > (/^\p{Ll}+$/u.test(name) ? 1 : MOST_DEFINITIONS)) return []
    return found.flatMap(({ id, path }) => {
      const row = reader.artifactById(id)
      if (row === null) return []
      const uses = reader.references().toSection(path, id).length
      const place = formatPlace(path, [row.lines])
      const used = uses === 0 ? '' : ` (used at ${formatQuantity(uses, 'place')})`
      const text = `- defined: ${place} ${clip(signatureOf(reader, row))}${used}`
      return [{ path, start: row.lines.start, text }]
    })
  })
}

/** The lines of a hint within its budget; empty when the index knows nothing. `told` are lines that the agent already has. */
export function describePattern(
  reader: CorpusReader,
  words: readonly string[],
  { hits, told, countTokens }: PatternContext,
): readonly string[] {
  const defined = reader.snapshot(() => listDefinitions(reader, words))
  const isDefined = ({ path, lines }: SearchHit): boolean =>
    defined.some((one) => one.path === path && one.start === lines.start)
  const found = hits
    .filter((hit) => !isDefined(hit))
    .map(
      ({ path, lines, matchedLines, name }) =>
        `- read: ${formatPlace(path, matchedLines.length === 0 ? [lines] : matchedLines.slice(0, 1))} ${clip(name)}`,
    )
  const lines = [...defined.map(({ text }) => text), ...found].filter((line) => !told.has(line))
  let left = MOST_TOKENS - countTokens(heading)
  const fitting = lines.filter((line) => {
    const cost = countTokens(line) + 1
    if (cost > left) return false
    left -= cost
    return true
  })
  return fitting.length === 0 ? [] : [heading, ...fitting]
}

interface PatternContext {
  /** Sections that match, best first. */
  readonly hits: readonly SearchHit[]
  readonly told: ReadonlySet<string>
  readonly countTokens: TokenCounter
}

const heading = "From yore's index of this repository:"
