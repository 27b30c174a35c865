// Which tokens does a local model expect? Those of its tokenizer.json, if it is an uncased WordPiece tokenizer.

import { YoreError } from '../../model/errors.ts'
import { findToken, openVocabulary, packVocabulary } from './vocabulary.ts'
import { createWordPieces } from './word-pieces.ts'

/** The ids of a text with special tokens around it, cut to this many. */
export type TokenizeText = (text: string, maxTokens: number) => number[]

interface TokenizerFile {
  readonly normalizer?: {
    readonly type?: unknown
    readonly lowercase?: unknown
    readonly strip_accents?: unknown
  }
  readonly pre_tokenizer?: { readonly type?: unknown }
  readonly model?: {
    readonly type?: unknown
    readonly vocab?: unknown
    readonly continuing_subword_prefix?: unknown
    readonly max_input_chars_per_word?: unknown
  }
}

/** Reads a tokenizer.json; tokenizers other than BERT's uncased WordPiece are refused, because vectors would be wrong. */
export function readTokenizer(json: string, origin: string): TokenizeText {
  const refuse = (reason: string): YoreError =>
    new YoreError('BAD_CONFIG', `${origin} cannot be used: ${reason}`, {
      hint: 'use a model with an uncased BERT WordPiece tokenizer, such as all-MiniLM-L6-v2, bge-small-en or gte-small',
    })
  const file = parseJson(json)
  if (file === null) throw refuse('it is not JSON')
  const { normalizer, pre_tokenizer: splitter, model } = file
  if (model?.type !== 'WordPiece') throw refuse(`its model is ${String(model?.type)}, not WordPiece`)
  if (normalizer?.type !== 'BertNormalizer' || splitter?.type !== 'BertPreTokenizer') {
    throw refuse('it does not split words as BERT does')
  }
  if (normalizer.lowercase !== true || normalizer.strip_accents === false) throw refuse('it is not uncased')
  if ((model.continuing_subword_prefix ?? '##') !== '##' || (model.max_input_chars_per_word ?? 100) !== 100) {
    throw refuse('it does not split words into pieces as BERT does')
  }
  const vocabulary = openVocabulary(packVocabulary(listTokens(model.vocab, refuse)))
  const toPieces = createWordPieces(vocabulary)
  const [first, last] = ['[CLS]', '[SEP]'].map((token) => findToken(vocabulary, token)) as [number, number]
  if (first < 0 || last < 0) throw refuse('it has no [CLS] or no [SEP]')
  return (text, maxTokens) => [first, ...toPieces(text).subarray(0, Math.max(0, maxTokens - 2)), last]
}

function parseJson(json: string): TokenizerFile | null {
  try {
    return JSON.parse(json) as TokenizerFile | null
  } catch {
    return null
  }
}

/** The tokens in order of their ids, one per line; ids must run from 0 without a gap. */
function listTokens(vocab: unknown, refuse: (reason: string) => YoreError): Uint8Array {
  if (typeof vocab !== 'object' || vocab === null) throw refuse('it has no vocabulary')
  const entries = Object.entries(vocab as Record<string, unknown>)
  const tokens: string[] = new Array(entries.length)
  for (const [token, id] of entries) {
    if (typeof id !== 'number' || !(id >= 0 && id < entries.length) || tokens[id] !== undefined) {
      throw refuse('its token ids have gaps')
    }
    if (/[\r\n]/.test(token)) throw refuse('a token holds a line end')
    tokens[id] = token
  }
  return new TextEncoder().encode(tokens.map((token) => `${token}\n`).join(''))
}
