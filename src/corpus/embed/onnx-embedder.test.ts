// Does a local model give its vectors, and does its absence say what to do?
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { describeEmbedderContract } from './embedder-contract.fixture.ts'
import { openOnnxEmbedder, poolTokens } from './onnx-embedder.ts'
import { readTokenizer } from './read-tokenizer.ts'
import { findTestModel, isOnnxRuntimeThere } from './test-models.fixture.ts'

const runtimeThere = isOnnxRuntimeThere('local models')
const folder = findTestModel('minilm-q8')

test.skipIf(runtimeThere)('without the runtime, the error says how to install it', async () => {
  const work = openOnnxEmbedder({ folder: '/models' })
  await expect(work).rejects.toMatchObject({
    code: 'BAD_CONFIG',
    message: 'a local model needs onnxruntime-node, which is not installed',
    hint: expect.stringContaining('ONNXRUNTIME_NODE_INSTALL=skip npm i onnxruntime-node'),
  })
})

describe.skipIf(folder === null)('the tokenizer of a local model', () => {
  const json = folder === null ? '{}' : readFileSync(path.join(folder, 'tokenizer.json'), 'utf8')
  const changed = (key: string, change: object) => (): string => {
    const file = JSON.parse(json) as Record<string, object>
    return JSON.stringify({ ...file, [key]: { ...file[key], ...change } })
  }

  test('puts its special tokens around a text, and cuts between them', () => {
    const tokenize = readTokenizer(json, 'tokenizer.json')
    expect(tokenize('Hello world', 256)).toEqual([101, 7592, 2088, 102])
    expect(tokenize('Hello world', 3)).toEqual([101, 7592, 102])
    expect(tokenize('', 256)).toEqual([101, 102])
    // Identifiers are not split: the model was not trained so.
    expect(tokenize('helloWorld', 256)).toEqual([101, 7592, 11108, 102])
  })

  test.each([
    [() => '{', 'it is not JSON'],
    [() => 'null', 'it is not JSON'],
    [() => '{}', 'its model is undefined, not WordPiece'],
    [changed('model', { type: 'BPE' }), 'its model is BPE, not WordPiece'],
    [changed('normalizer', { lowercase: false }), 'it is not uncased'],
    [changed('pre_tokenizer', { type: 'Metaspace' }), 'does not split words as BERT'],
    [changed('model', { vocab: { a: 0, b: 2 } }), 'its token ids have gaps'],
    [changed('model', { vocab: { a: 0 } }), 'no [CLS]'],
  ])('of another kind is refused', (makeText, reason) => {
    expect(() => readTokenizer(makeText(), 'tokenizer.json')).toThrow(reason)
  })
})

describe.skipIf(!runtimeThere || folder === null)('all-MiniLM-L6-v2', () => {
  test('puts related sentences together', async () => {
    const embedder = await openOnnxEmbedder({ folder: folder! })
    expect(embedder.dimensions).toBe(384)
    const texts = ['How do I deploy a service?', 'Rolling out an application', 'Cats sleep all day long']
    const [question, related, unrelated] = await embedder.embed(texts, 'query')
    const dot = (a: Float32Array, b: Float32Array): number =>
      a.reduce((sum, value, at) => sum + value * b[at]!, 0)
    expect(dot(question!, related!)).toBeGreaterThan(dot(question!, unrelated!) + 0.2)
    embedder.close()
  })

  test('a folder without a model is refused with the reason', async () => {
    await expect(openOnnxEmbedder({ folder: '/no/such/folder' })).rejects.toThrow('ENOENT')
    const work = openOnnxEmbedder({ folder: folder!, modelFile: 'tokenizer.json' })
    await expect(work).rejects.toMatchObject({ code: 'BAD_CONFIG' })
  })

  describeEmbedderContract('the local model', {
    open: () => openOnnxEmbedder({ folder: folder! }),
    runs: 3,
    longChars: 20_000,
  })
})

test('pools the vectors of tokens as each kind of model wants it', () => {
  const output = { data: [1, 2, 3, 3, 8, 9], dims: [1, 3, 2] }
  expect([...poolTokens(output, 'mean', 'm')].map(Math.round)).toEqual([4, 5])
  expect([...poolTokens(output, 'cls', 'm')]).toEqual([1, 2])
  expect([...poolTokens(output, 'last', 'm')]).toEqual([8, 9])
  expect(() => poolTokens({ data: [1], dims: [1, 1] }, 'mean', 'm')).toThrow('no vector per token')
})
