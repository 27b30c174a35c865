// Where does the exact token counter come from? From a table in the package, which opens in a few milliseconds.
import { readFileSync } from 'node:fs'
import { packageFile } from '../../model/config/read-formats.ts'
import { openO200k } from '../tokens/o200k.ts'
import type { TokenCounter } from '../tokens/token-counter.ts'

let o200k: TokenCounter | null = null

/** The table is read once per process. */
export function loadTokenizer(): TokenCounter {
  o200k ??= openO200k(readFileSync(packageFile('assets/o200k.bin')))
  return o200k
}
