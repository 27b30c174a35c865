import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { processorTime } from '../../../../test/processor-time.ts'
import { analyzeWords, startsOf } from './analyze-words.ts'
import { stemRussian } from './stem-russian.ts'
import { stemWord } from './stem-word.ts'

function terms(text: string): string[] {
  const found: string[] = []
  analyzeWords(text, (term, whole) => found.push(whole ? `(${term})` : term))
  return found
}

describe('analyzeWords', () => {
  it('gives the parts of identifiers and the whole in one spelling', () => {
    expect(terms('max_tokens')).toEqual(['max', 'token', '(maxtoken)'])
    expect(terms('maxTokens')).toEqual(['max', 'token', '(maxtoken)'])
    expect(terms('--max-tokens')).toEqual(['max', 'token', '(maxtoken)'])
    expect(terms('HTTPServer2')).toEqual(['http', 'server2', '(httpserver2)'])
    expect(terms('getUserName')).toEqual(['get', 'user', 'name', '(getusernam)'])
  })

  it('splits paths and dotted names', () => {
    expect(terms('src/app/Server.start')).toEqual(['src', 'app', 'server', 'start', '(serverstart)'])
    expect(terms('ray.init().')).toEqual(['rai', 'init', '(rayinit)'])
  })

  it('folds case, diacritics and English endings', () => {
    expect(terms('Deploying Services — déployé')).toEqual(['deploi', 'servic', 'deploy'])
  })

  it('indexes scripts without spaces as pairs of characters', () => {
    expect(terms('部署服务 test')).toEqual(['部署', '署服', '服务', 'test'])
    expect(terms('図')).toEqual(['図'])
  })

  it('indexes Hangul as pairs of characters, so that particles do not hide a word', () => {
    expect(terms('클러스터를')).toEqual(['클러', '러스', '스터', '터를'])
    expect(terms('클러스터에서')).toEqual(expect.arrayContaining(terms('클러스터')))
  })

  it('gives the forms of a Russian word one term', () => {
    for (const forms of ['кластер кластера кластеров', 'развёрнутый развернутого', 'поды подами подах'])
      expect(new Set(terms(forms)), forms).toHaveLength(1)
    expect(terms('Как развернуть сервис')).toEqual(['как', 'развернут', 'сервис'])
    expect(terms('кластер-узел')).toEqual(['кластер', 'узел', '(кластерузел)'])
  })

  it('keeps words of other scripts and languages whole', () => {
    expect(terms('Πώς λειτουργεί їжак')).toEqual(['πως', 'λειτουργει', 'іжак'])
  })

  it('never throws and never gives an empty term, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        expect(terms(text).every((term) => term.length > 0)).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  it('takes time in proportion to the text (T14)', () => {
    for (const unit of ['a', '-a', 'aB', '_', '部', '.a.', 'ABC']) {
      const time = (n: number): number => {
        const text = unit.repeat(n)
        const from = processorTime()
        analyzeWords(text, () => {})
        return processorTime() - from
      }
      const best = (n: number): number => Math.min(time(n), time(n), time(n))
      expect(best(400_000) / Math.max(best(100_000), 20)).toBeLessThan(4 * 2)
    }
  })
})

describe('stemWord', () => {
  it('follows the published examples', () => {
    const pairs: Record<string, string> = {
      caresses: 'caress',
      ponies: 'poni',
      ties: 'ti',
      cats: 'cat',
      feed: 'feed',
      agreed: 'agre',
      plastered: 'plaster',
      motoring: 'motor',
      sing: 'sing',
      conflated: 'conflat',
      hopping: 'hop',
      falling: 'fall',
      hissing: 'hiss',
      filing: 'file',
      happy: 'happi',
      sky: 'sky',
      relational: 'relat',
      conditional: 'condit',
      digitizer: 'digit',
      operator: 'oper',
      hopefulness: 'hope',
      electrical: 'electr',
      goodness: 'good',
      revival: 'reviv',
      adjustment: 'adjust',
      adoption: 'adopt',
      probate: 'probat',
      rate: 'rate',
      cease: 'ceas',
      controll: 'control',
      roll: 'roll',
    }
    for (const [word, stem] of Object.entries(pairs)) expect([word, stemWord(word)]).toEqual([word, stem])
  })

  it('leaves words whole that only look like plurals', () => {
    const same = [
      'status statuses',
      'focus focused',
      'alias aliases',
      'previous previously',
      'gpu gpus',
      'menu menus',
    ]
    for (const words of same) expect(new Set(words.split(' ').map(stemWord)).size, words).toBe(1)
    for (const words of ['http https', 'io ios'])
      expect(new Set(words.split(' ').map(stemWord)).size, words).toBe(2)
  })
})

describe('stemRussian', () => {
  it('follows the published examples', () => {
    const pairs: Record<string, string> = {
      в: 'в',
      вавиловка: 'вавиловк',
      важнейшими: 'важн',
      важничал: 'важнича',
      валившиеся: 'вал',
      вдохновенность: 'вдохновен',
      падением: 'паден',
      павшем: 'павш',
      пассажиров: 'пассажир',
      перелистывая: 'перелистыв',
    }
    for (const [word, stem] of Object.entries(pairs)) expect([word, stemRussian(word)]).toEqual([word, stem])
  })
})

describe('startsOf', () => {
  it('passes every word that has one of the terms', () => {
    const word = fc.oneof(
      fc.stringMatching(/^[a-zA-Z]{1,9}(?:y|ies|ing|ed|s|ion)?$/),
      fc.string({ unit: 'binary' }),
    )
    const joined = fc.array(word, { maxLength: 6 }).map((words) => words.join('_'))
    fc.assert(
      fc.property(fc.array(fc.oneof(word, joined)), fc.nat(), (words, at) => {
        const text = words.join(' ')
        const all = terms(text)
        const wanted = new Set(
          all.slice(at % (all.length + 1)).map((term) => term.replace(/^\((.*)\)$/s, '$1')),
        )
        const [found, expected]: string[][] = [[], []]
        analyzeWords(text, (term) => wanted.has(term) && expected?.push(term))
        const take = (term: string): unknown => wanted.has(term) && found?.push(term)
        analyzeWords(text, take, 0, text.length, startsOf(wanted))
        expect(found).toEqual(expected)
      }),
      { numRuns: 2000 },
    )
  })
})
