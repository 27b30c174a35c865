// Is this a common word of the language? The vocabulary of the built-in model has the frequent ones.
import { readVocabulary, shippedModelFolder } from './static-model.ts'
import { findToken, type Vocabulary } from './vocabulary.ts'

/** Endings without which the vocabulary may have the word: `leases`, `piling`. */
const endings = ['s', 'es', 'd', 'ed', 'ing', 'er', 'r', 'ly']
let known: Vocabulary | null | undefined

/** Without the shipped model no word counts as common. */
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
