// Which sections contain a name? Found by the words of it.
import { termsIn } from '../../read/parse/words/analyze-words.ts'
import type { CorpusReader } from '../store/corpus-reader.ts'
import { DecodedPostings } from '../store/postings/postings.ts'

/** Rows of the sections that contain every word of a name, by path and line. */
export function sectionsWith(reader: CorpusReader, name: string): number[] {
  const lexical = reader.lexical()
  const list = new DecodedPostings()
  const lists = [...new Set(termsIn(name, { whole: false }))].map((term) => {
    lexical.read(term, list)
    return new Set(list.fragments.subarray(0, list.length))
  })
  const [first = new Set<number>(), ...others] = lists.sort((a, b) => a.size - b.size)
  const fragments = [...first]
    .filter((fragment) => others.every((other) => other.has(fragment)))
    .sort(lexical.compare)
  return [...new Set(fragments.map((fragment) => reader.fragment(fragment).artifact))]
}
