// Is a file or folder called what the question is about? Words, parts of words and abbreviations of a name against those of the question.

import { remember } from '../../model/remember.ts'
import type { QueryTerm } from '../../model/report.ts'
import { termsIn } from '../../read/parse/words/analyze-words.ts'
import { NAMED_SHARE } from './tuning.ts'

/** A term of the question with the word that it was read from, in lower case, and its weight by IDF. */
export type AskedWord = QueryTerm

/** Letters from which on a part of a word counts: `url` in `urldispatcher`, `auth` of `authentication`. */
const LEAST_LETTERS = 3

/** How much of one word of a name the question covers, 0 to 1, and by which of its words. */
function coverWord(own: string, asked: readonly AskedWord[], held: Set<AskedWord>): number {
  const covered = new Uint8Array(own.length)
  let share = 0
  for (const one of asked) {
    const { term, word } = one
    const at = term.length >= LEAST_LETTERS ? own.indexOf(term) : -1
    if (term === own || (own.length >= LEAST_LETTERS && word.startsWith(own))) share = 1
    else if (at >= 0) covered.fill(1, at, at + term.length)
    else continue
    held.add(one)
  }
  return Math.max(share, covered.reduce((sum, one) => sum + one, 0) / own.length)
}

/** `urldispatcher` of `aiohttp/web_urldispatcher.py`; `Builders` of `Builders.common.kt`. */
const stemOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/(?<=.)\..*$/, '')

export type FileNames = ReturnType<typeof matchFileNames>

/** Matches names of files and folders with one question; each name is read once. */
export function matchFileNames(asked: readonly AskedWord[], identifiers: readonly string[]) {
  const total = asked.reduce((sum, { weight }) => sum + weight, 0)
  const names = new Set(identifiers.map(plain))

  /** Share of a name that the question covers, 0 to 1; less for a name that is a small part of a long question. */
  const cover = remember((name: string): number => {
    const words = new Set(termsIn(name, { whole: false }))
    const held = new Set<AskedWord>()
    let covered = 0
    for (const word of words) covered += coverWord(word, asked, held)
    const weight = [...held].reduce((sum, one) => sum + one.weight, 0)
    const share = total > 0 ? Math.min(1, weight / total / NAMED_SHARE) : 0
    return words.size > 0 ? (covered / words.size) * share : 0
  })

  const file = (path: string): number => cover(stemOf(path))
  const folder = (path: string): number => cover(path.split('/').at(-2) ?? '')

  /** Is the file called like an identifier of the question: `client_session.py` for `ClientSession`? */
  const isNamesake = (path: string): boolean => names.has(plain(stemOf(path)))

  return { file, folder, isNamesake }
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
