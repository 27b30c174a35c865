// Is this a word of the language, whatever the corpus has? The vocabulary of the built-in model knows the frequent ones.
import { readVocabulary, shippedModelFolder } from './static-model.ts'
import { findToken, type Vocabulary } from './vocabulary.ts'

/** The vocabulary may lack these where it has the word: `leases`, `piling`. */
const endings = ['s', 'es', 'd', 'ed', 'ing', 'er', 'r', 'ly']
let known: Vocabulary | null | undefined

/** Without the shipped model nothing is known to be a word. */
export function isOrdinaryWord(word: string): boolean {
  if (known === undefined) {
    const folder = shippedModelFolder()
    known = folder === null ? null : readVocabulary(folder, 'vocab.txt')
  }
  const vocabulary = known
  if (vocabulary === null) return false
  const lower = word.toLowerCase()
  const bare = endings.filter((end) => lower.endsWith(end)).map((end) => lower.slice(0, -end.length))
  return [lower, ...bare, ...bare.map((one) => `${one}e`)].some(
    (one) => one.length > 2 && findToken(vocabulary, one) >= 0,
  )
}
