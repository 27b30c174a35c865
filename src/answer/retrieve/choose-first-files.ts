// Which files does a question need while there is no index? Those with most of its words, found by reading every file once.

import { roleOf } from '../../corpus/graph/score-canonicality.ts'
import { expectedSeconds } from '../../corpus/indexing/refresh-index.ts'
import type { QueryTerm } from '../../model/report.ts'
import type { FileStamp } from '../../model/source-file.ts'
import { languageOf } from '../../read/source/language-of.ts'
import { readBytesInside } from '../../read/source/read-bytes-inside.ts'
import type { Root } from '../../read/source/walk/corpus-roots.ts'
import { inverseFrequency } from './score-lexical.ts'

/** What is read for an early answer: about a second of work. */
const READ = { files: 64, bytes: 600_000 }
/** The first ones may be longer. */
const READ_FIRST = { files: 24, bytes: 1_200_000 }
/** A corpus that takes less time to index is indexed whole. */
const WHOLE_SECONDS = 1.5
/** So much of a corpus is searched, a few seconds of work; the rest is chosen by its paths. */
const SEARCHED = { files: 50_000, bytes: 300_000_000 }

/** Saturation and normalisation by length, as in BM25. */
const K1 = 1.2
const B = 0.4
/** Further places in a file add nothing. */
const MOST_PLACES = 30
/** A word in the name of a file or of its folders counts as often as this in the text. */
const IN_NAME = 20
const IN_FOLDER = 6
/** Tests, translations, generated and vendored files. */
const ASIDE = 0.4
/** Of a longer file, its beginning is searched. */
const MOST_BYTES = 1_000_000

/** The bytes that forms of a word share, one character each: `policy` and `polici` share `polic`. */
function patternOf({ term, word }: QueryTerm): string {
  const spelled = word.toLowerCase()
  let shared = 0
  while (shared < term.length && term[shared] === spelled[shared]) shared++
  return Buffer.from(shared >= 3 ? term.slice(0, shared) : term, 'utf8').toString('latin1')
}

function countPlaces(text: string, pattern: string): number {
  let count = 0
  for (let at = text.indexOf(pattern); at >= 0; at = text.indexOf(pattern, at + pattern.length))
    if (++count === MOST_PLACES) break
  return count
}

/** How often each word occurs in the path of a file and, if it is searched, in its text. */
function countWords(
  root: Root,
  { path, isSearched }: FileStamp & { readonly isSearched: boolean },
  patterns: readonly string[],
): readonly number[] {
  const read = isSearched ? readBytesInside(root, path, MOST_BYTES) : null
  const text = read !== null && 'bytes' in read ? read.bytes.toString('latin1').toLowerCase() : ''
  const folded = path.toLowerCase()
  const name = folded.slice(folded.lastIndexOf('/') + 1)
  return patterns.map((pattern) => {
    const inPath = name.includes(pattern) ? IN_NAME : folded.includes(pattern) ? IN_FOLDER : 0
    return countPlaces(text, pattern) + inPath
  })
}

const bytesOf = (files: readonly FileStamp[]): number => files.reduce((sum, { size }) => sum + size, 0)

/** The files with most words of a question, the best first; null for a corpus that is small enough to be indexed first. */
export function chooseFirstFiles(
  root: Root,
  files: readonly FileStamp[],
  words: readonly QueryTerm[],
  isInScope: (path: string) => boolean,
): readonly FileStamp[] | null {
  if (expectedSeconds(files) < WHOLE_SECONDS) return null
  const wanted = files.filter(({ path }) => isInScope(path))
  if (expectedSeconds(wanted) < WHOLE_SECONDS) return wanted
  const bytes = bytesOf(files)
  const patterns = words.map(patternOf)
  let left = SEARCHED.bytes
  const counted = files.map((file, at) => {
    left -= Math.min(file.size, MOST_BYTES)
    const isSearched = at < SEARCHED.files && left > 0
    return { file, counts: countWords(root, { ...file, isSearched }, patterns) }
  })
  const rarity = words.map(({ weight }, at) => {
    return weight * inverseFrequency(files.length, counted.filter(({ counts }) => counts[at] !== 0).length)
  })
  const scored = counted.map(({ file, counts }) => {
    const length = K1 * (1 - B + (B * file.size * files.length) / bytes)
    const score = counts.reduce((sum, count, at) => sum + ((rarity[at] ?? 0) * count) / (count + length), 0)
    const language = languageOf(file.path) ?? 'text'
    const isAside = roleOf({ path: file.path, modifiedAt: 0, language }) !== null
    return { file, score: isAside ? ASIDE * score : score }
  })
  scored.sort((a, b) => b.score - a.score || (a.file.path < b.file.path ? -1 : 1))
  const chosen: FileStamp[] = []
  let taken = 0
  for (const { file } of scored.filter(({ file }) => isInScope(file.path))) {
    if (chosen.length === READ.files) break
    const most = chosen.length < READ_FIRST.files ? READ_FIRST.bytes : READ.bytes
    if (taken + file.size > most && chosen.length > 0) continue
    taken += file.size
    chosen.push(file)
  }
  return chosen
}
