// Do models get the prefixes that they were trained with, by the names that servers give them?
import { expect, test } from 'vitest'
import { findPrefixes } from './open-embedder.ts'

test.each([
  ['nomic-embed-text:v1.5', 'search_query: ', 'search_document: '],
  ['BAAI/bge-small-en-v1.5', 'Represent this sentence for searching relevant passages: ', ''],
  ['bge-m3:latest', '', ''],
  ['intfloat/multilingual-e5-large', 'query: ', 'passage: '],
  ['Snowflake/snowflake-arctic-embed-m-v2.0', 'query: ', ''],
  ['snowflake-arctic-embed:335m', 'Represent this sentence for searching relevant passages: ', ''],
  ['some-model-of-my-own', '', ''],
])('%s', (model, queryPrefix, passagePrefix) => {
  expect(findPrefixes(model)).toEqual({ queryPrefix, passagePrefix })
})

test('Qwen3 wants an instruction, in each spelling', () => {
  for (const model of ['qwen3-embedding:0.6b', 'Qwen/Qwen3-Embedding-0.6B'])
    expect(findPrefixes(model).queryPrefix).toMatch(/^Instruct: .+\nQuery:$/)
})
