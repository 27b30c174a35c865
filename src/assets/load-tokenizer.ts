// Where does the exact token counter come from? A table that the package ships; it opens in a few milliseconds.
import { existsSync, readFileSync } from 'node:fs'
import { YoreError } from '../errors.ts'
import { openO200k } from '../tokens/o200k.ts'
import { estimateTokens, type TokenCounter } from '../tokens/token-counter.ts'

let o200k: TokenCounter | null = null

/** Counts as the name says; the table is read once per process. */
export function loadTokenizer(name: 'o200k' | 'estimate'): TokenCounter {
  if (name === 'estimate') return estimateTokens
  if (o200k !== null) return o200k
  // From dist/ the package root is one folder up, from src/assets/ two.
  const places = [
    new URL('../assets/o200k.bin', import.meta.url),
    new URL('../../assets/o200k.bin', import.meta.url),
  ]
  const place = places.find((url) => existsSync(url))
  if (place === undefined)
    throw new YoreError('BAD_INSTALL', 'the token table assets/o200k.bin is missing from this installation')
  o200k = openO200k(readFileSync(place))
  return o200k
}
