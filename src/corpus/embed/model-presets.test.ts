// Are known models recognised by the names that servers give them, and no others?
import { expect, test } from 'vitest'
import { findPreset } from './model-presets.ts'

test.each([
  ['nomic-embed-text', 'search_query: ', 768],
  ['nomic-embed-text:v1.5', 'search_query: ', 768],
  ['BAAI/bge-small-en-v1.5', 'Represent this sentence for searching relevant passages: ', 384],
  ['bge-m3:latest', '', 1024],
  ['intfloat/multilingual-e5-large', 'query: ', 1024],
  ['Snowflake/snowflake-arctic-embed-m-v2.0', 'query: ', 768],
  ['snowflake-arctic-embed:335m', 'Represent this sentence for searching relevant passages: ', 1024],
  ['thenlper/gte-small', '', 384],
  ['text-embedding-3-small', '', 1536],
  ['voyage-3.5', '', 1024],
  ['some-model-of-my-own', '', 0],
  ['', '', 0],
])('%s', (model, queryPrefix, dimensions) => {
  expect(findPreset(model)).toMatchObject({ queryPrefix, dimensions })
})

test('Qwen3 wants an instruction, in each spelling', () => {
  for (const model of ['qwen3-embedding:0.6b', 'Qwen/Qwen3-Embedding-0.6B']) {
    const { queryPrefix, passagePrefix, dimensions } = findPreset(model)
    expect(queryPrefix).toMatch(/^Instruct: .+\nQuery:$/)
    expect([passagePrefix, dimensions]).toEqual(['', 1024])
  }
})
