// Is a bad input refused in plain words, and a good one completed?
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultSettings } from '../../model/config/settings.ts'
import { YoreError } from '../../model/errors.ts'
import { loadSpecs } from '../cli/commands.ts'
import { checkInput, completeInput, readCommandLine } from './check-input.ts'

const specs = await loadSpecs()
const specOf = (name: string) => specs.find((spec) => spec.name === name)!
const [assemble, search, index] = [specOf('assemble'), specOf('search'), specOf('index')]
const line = (given: Record<string, unknown>) =>
  checkInput(assemble, readCommandLine(assemble, { question: ['x'], ...given }))

describe('readCommandLine and checkInput', () => {
  it('join words and read numbers and times', () => {
    expect(line({ question: ['how', 'to', 'deploy?'], maxTokens: '500', now: '2025-11-29' })).toEqual({
      question: 'how to deploy?',
      maxTokens: 500,
      now: Date.UTC(2025, 10, 29),
    })
  })

  it('lead from the beginning of a choice to the choice', () => {
    const setup = specOf('setup')
    expect(() => checkInput(setup, readCommandLine(setup, { client: 'claude' }))).toThrow(
      'not "claude"; did you mean claude-code?',
    )
  })

  it.each([
    [{ maxTokens: '0' }, '--max-tokens must be a whole number from 1 to 1000000, not 0'],
    [{ maxTokens: 'many' }, '--max-tokens must be a whole number from 1 to 1000000, not "many"'],
    [{ maxTokens: '1e3' }, '--max-tokens must be a whole number from 1 to 1000000, not "1e3"'],
    [{ depth: '3' }, '--depth must be a whole number from 0 to 2, not 3'],
    [{ depth: '0.5' }, '--depth must be a whole number from 0 to 2, not 0.5'],
    [{ format: 'xml' }, '--format must be markdown or json, not "xml"'],
    [{ now: 'soon' }, '--now must be an ISO 8601 time or epoch seconds, not "soon"'],
    [{ output: '' }, '--output must be a path, not ""'],
    [{ question: [' ', ''] }, 'the question must not be empty'],
  ])('refuse %j', (given, message) => {
    expect(() => line(given)).toThrow(expect.objectContaining({ code: 'BAD_USAGE', message }))
  })

  it('suggest the nearest name for an unknown one', () => {
    expect(() => checkInput(search, { query: 'x', limits: 3 })).toThrow(
      'search takes no "limits"; did you mean "limit"?',
    )
    expect(() => checkInput(search, JSON.parse('{"query": "x", "__proto__": 3}'))).toThrow(
      'search takes no "__proto__"',
    )
  })

  it('miss a required argument and take an optional one as absent', () => {
    expect(() => checkInput(search, {})).toThrow('missing query')
    expect(checkInput(index, { path: undefined })).toEqual({})
  })

  it('refuse or return, and never anything else, for any input', () => {
    const input = fc.dictionary(
      fc.oneof(fc.constantFrom('question', 'maxTokens', 'format', 'explain', 'now'), fc.string()),
      fc.anything(),
    )
    fc.assert(
      fc.property(fc.constantFrom(...specs), input, (operation, given) => {
        try {
          checkInput(operation, given)
        } catch (error) {
          expect(error).toBeInstanceOf(YoreError)
        }
      }),
      { numRuns: 1000 },
    )
  })
})

describe('completeInput', () => {
  it('fills in settings, fixed defaults, switches and empty lists', () => {
    const settings = { ...defaultSettings, maxTokens: 4000 }
    expect(completeInput(assemble, { question: 'x', depth: 0 }, settings)).toEqual({
      question: 'x',
      maxTokens: 4000,
      format: 'markdown',
      depth: 0,
      sections: 0,
      explain: false,
      all: false,
      exitCode: false,
      json: false,
      fill: false,
      layout: 'auto',
      mode: 'hybrid',
      refresh: 'auto',
    })
    expect(completeInput(index, {}, settings)).toEqual({
      path: [],
      rebuild: false,
      dependencies: false,
      fetch: false,
      json: false,
    })
  })

  it('completes every operation to an input that passes its own check', () => {
    for (const operation of specs) {
      const given = Object.fromEntries(
        Object.entries(operation.arguments).map(([name, { form, choices }]) => [
          name,
          form === 'paths' ? ['a'] : (choices?.[0] ?? 'a'),
        ]),
      )
      const complete = completeInput(operation, given, defaultSettings)
      expect(checkInput(operation, complete)).toEqual(complete)
    }
  })
})
