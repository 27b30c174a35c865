// Are questions read and written where they belong, and nowhere else?
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeTestTree } from '../../../test/support/test-tree.ts'
import { defaultQuestionsFile, type Question } from './evaluation.ts'
import { readQuestions, writeQuestions } from './read-questions.ts'

const question: Question = {
  id: '1',
  question: 'How?',
  expectedContains: ['x'],
  expectedDocs: [],
  expectedSections: [],
  forbiddenDocs: [],
}
const file = defaultQuestionsFile

describe('writeQuestions', () => {
  it('makes the folder, and keeps a file that exists', () => {
    const root = makeTestTree()
    writeQuestions([question], { root, file })
    expect(readQuestions(root, file)).toEqual([question])
    expect(() => writeQuestions([{ ...question, id: '2' }], { root, file })).toThrow(
      expect.objectContaining({ code: 'BAD_INPUT', message: `${file} exists already` }),
    )
    expect(readQuestions(root, file)).toEqual([question])
    expect(readdirSync(path.join(root, 'evaluation'))).toEqual(['questions.jsonl'])
  })

  it('does not write the default file through a folder that leads out of the root', () => {
    const root = makeTestTree({ 'repository/': '', 'outside/': '' })
    symlinkSync('../outside', path.join(root, 'repository', 'evaluation'))
    expect(() => writeQuestions([question], { root: path.join(root, 'repository'), file })).toThrow(
      expect.objectContaining({ code: 'OUTSIDE_ROOT' }),
    )
    expect(readdirSync(path.join(root, 'outside'))).toEqual([])
  })

  it('says so when the folder is a file', () => {
    const root = makeTestTree({ evaluation: 'a file' })
    expect(() => writeQuestions([question], { root, file })).toThrow('cannot write')
    expect(readFileSync(path.join(root, 'evaluation'), 'utf8')).toBe('a file')
  })
})

describe('readQuestions', () => {
  it('says how to make a file that is missing', () => {
    const root = makeTestTree()
    expect(() => readQuestions(root, file)).toThrow(
      expect.objectContaining({
        message: `no questions at ${file}`,
        hint: expect.stringContaining('`yore eval --propose`'),
      }),
    )
    expect(() => readQuestions(root, 'mine.jsonl')).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('or check the path') }),
    )
  })

  it('does not follow the default file out of the root, but reads any file that is named', () => {
    const root = makeTestTree({ 'secret.jsonl': '{"id":1,"question":"q","expected_docs":["a"]}' })
    const repository = path.join(root, 'repository')
    mkdirSync(path.join(repository, 'evaluation'), { recursive: true })
    symlinkSync('../../secret.jsonl', path.join(repository, file))
    expect(() => readQuestions(repository, file)).toThrow('its target is outside the root')
    expect(readQuestions(repository, '../secret.jsonl')).toHaveLength(1)
    expect(() => readQuestions(repository, path.join(root))).toThrow('it is a folder')
  })
})
