// Does the counter agree with gpt-tokenizer on every text?

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { countTokens as countWithPackage } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { buildO200k } from '../../../scripts/build-o200k.ts'
import { hostileText } from '../../../test/support/text-arbitraries.ts'
import { openO200k } from './o200k.ts'

const countTokens = openO200k(readFileSync(buildO200k().path))
const expected = (text: string): number => countWithPackage(text, { disallowedSpecial: new Set() })

/** gpt-tokenizer loses U+FEFF when it looks up bytes, so those texts have their own test below. */
const withoutMark = (text: string): string => text.replaceAll('\ufeff', '')

test('agrees with gpt-tokenizer on 10,000 hostile texts', () => {
  fc.assert(
    fc.property(hostileText.map(withoutMark), (text) => {
      expect(countTokens(text)).toBe(expected(text))
    }),
    { numRuns: 10_000 },
  )
})

test('agrees with gpt-tokenizer on texts with lone surrogates', () => {
  const units = fc.array(fc.constantFrom('\ud83d', '\ude00', 'a', ' ', '中', '\n', '!'), { maxLength: 20 })
  fc.assert(
    fc.property(units, (parts) => {
      expect(countTokens(parts.join(''))).toBe(expected(parts.join('')))
    }),
    { numRuns: 2_000 },
  )
})

test('agrees with gpt-tokenizer on every document of the Kubernetes documentation', (context) => {
  const corpus = join(process.env['YORE_EVAL_DIR'] ?? '../shared/eval', 'k8sdocs', 'corpus.jsonl')
  if (!existsSync(corpus)) {
    process.stderr.write(`SKIPPED: no ${corpus}; set YORE_EVAL_DIR to compare with real documents\n`)
    return context.skip(`no ${corpus}`)
  }
  const documents = readFileSync(corpus, 'utf8').trimEnd().split('\n')
  const differing = documents.filter((line) => {
    const { text } = JSON.parse(line) as { text: string }
    return countTokens(text) !== expected(text)
  })
  expect(documents.length).toBeGreaterThan(1000)
  expect(differing).toEqual([])
})

test('agrees with gpt-tokenizer on long pretokens, which go through the heap', () => {
  const piece = fc.string({ unit: fc.constantFrom(...'aaaeinorstxzабв中文é'), minLength: 40, maxLength: 400 })
  fc.assert(
    fc.property(piece, (text) => {
      expect(countTokens(text)).toBe(expected(text))
    }),
    { numRuns: 300 },
  )
  for (const unit of [
    'a',
    'Z',
    ' ',
    '\n',
    '!',
    '=',
    '-',
    '中',
    'é',
    '😀',
    'ab',
    'the',
    '\u0301',
    '0',
    '\t',
  ]) {
    for (const times of [63, 64, 65, 127, 128, 129, 1000]) {
      expect(countTokens(unit.repeat(times)), `${JSON.stringify(unit)} × ${times}`).toBe(
        expected(unit.repeat(times)),
      )
    }
  }
})

test('counts special tokens as plain text', () => {
  expect(countTokens('<|endoftext|>')).toBe(7)
  expect(countTokens('a <|im_start|> b')).toBe(expected('a <|im_start|> b'))
})

test('counts U+FEFF as its bytes, where gpt-tokenizer drops them', () => {
  const token = '\ufeff'
  expect(countTokens('')).toBe(0)
  expect(countTokens(token)).toBe(1)
  expect(countTokens(`${token}zzqx`)).toBe(1 + countTokens('zzqx'))
})

test('gives the same count on a second call, and in a text above the size of the shared buffer', () => {
  const paragraph = 'Der Zugriffsschlüssel läuft ab; siehe 配置文件 und kubectl-apply.\n'
  const once = countTokens(paragraph)
  expect(countTokens(paragraph)).toBe(once)
  expect(countTokens(paragraph.repeat(1000))).toBe(once * 1000)
})

test('reads a table that does not begin at a multiple of four bytes', () => {
  const file = readFileSync(buildO200k().path)
  const shifted = new Uint8Array(file.length + 1)
  shifted.set(file, 1)
  expect(openO200k(shifted.subarray(1))('How do I deploy a new service?')).toBe(8)
})
