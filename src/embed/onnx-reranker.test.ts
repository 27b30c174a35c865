// Does a local model score texts, and does pooling take the tokens that it says?
import { describe, expect, test } from 'vitest'
import { poolTokens } from './onnx-embedder.ts'
import { openOnnxReranker } from './onnx-reranker.ts'
import { findTestModel, isOnnxRuntimeThere } from './test-models.fixture.ts'

const runtimeThere = isOnnxRuntimeThere('local rerankers')
const folder = findTestModel('minilm-q8')

test('pooling takes the mean, the first or the last of the tokens', () => {
  const output = { data: [1, 2, 3, 4, 8, 9], dims: [1, 3, 2] }
  expect([...poolTokens(output, 'mean', 'm')]).toEqual([4, 5])
  expect([...poolTokens(output, 'cls', 'm')]).toEqual([1, 2])
  expect([...poolTokens(output, 'last', 'm')]).toEqual([8, 9])
  expect(() => poolTokens({ data: [1], dims: [1, 1] }, 'mean', 'm')).toThrow('no vector per token')
})

test.skipIf(runtimeThere)('without the runtime, the error says how to install it', async () => {
  await expect(openOnnxReranker({ folder: '/models' })).rejects.toMatchObject({
    code: 'BAD_CONFIG',
    hint: expect.stringContaining('ONNXRUNTIME_NODE_INSTALL=skip npm i onnxruntime-node'),
  })
})

describe.skipIf(!runtimeThere || folder === null)('an embedding model as a reranker', () => {
  const question = 'How do I deploy a service?'
  const texts = ['Cats sleep all day long', 'Rolling out an application', '']

  test('scores what answers above what does not, alike alone and among others', async () => {
    const reranker = await openOnnxReranker({ folder: folder! })
    const scores = await reranker.rerank(question, texts)
    expect(scores[1]).toBeGreaterThan(scores[0]! + 0.2)
    expect(scores.every(Number.isFinite)).toBe(true)
    expect(await reranker.rerank(question, [texts[1]!])).toEqual([scores[1]])
    const small = await openOnnxReranker({ folder: folder! }, { keptVectors: 1 })
    expect(await small.rerank(question, texts)).toEqual(scores)
    expect(small.id).toBe(reranker.id)
    reranker.close()
    small.close()
  })

  test('stops when it is told to', async () => {
    const reranker = await openOnnxReranker({ folder: folder! })
    await expect(reranker.rerank(question, texts, AbortSignal.timeout(0))).rejects.toMatchObject({
      name: 'TimeoutError',
    })
    reranker.close()
  })
})
