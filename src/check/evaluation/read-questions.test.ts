// Are questions read and written where they belong, and nowhere else?
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeTestTree } from '../../../test/support/test-tree.ts'
import { defaultQuestionsFile, type Question } from './evaluation.ts'
import { addQuestion, readQuestions, writeQuestions } from './read-questions.ts'

const question: Question = {
  id: '1',
  question: 'How?',
  expectedContains: ['x'],
  expectedDocs: [],
  expectedSections: [],
  forbiddenDocs: [],
  generated: false,
}
const file = defaultQuestionsFile

describe('addQuestion', () => {
  const asked = { question: 'Where?', expectedContains: [], expectedDocs: ['a.md'], expectedSections: [] }

  it('makes the file, then adds a line with an id of its own and leaves the others as they are', () => {
    const root = makeTestTree()
    expect(addQuestion(root, asked)).toBe('saved-1')
    const before = readFileSync(path.join(root, file), 'utf8').trimEnd()
    writeFileSync(
      path.join(root, file),
      `${before}\n{"id": 7,  "question": "Why?", "expected_docs": ["b.md"]}`,
    )
    const written = readFileSync(path.join(root, file), 'utf8')
    expect(addQuestion(root, asked)).toBe('saved-3')
    expect(readFileSync(path.join(root, file), 'utf8').startsWith(`${written}\n`)).toBe(true)
    expect(readQuestions(root, file).map(({ id }) => id)).toEqual(['saved-1', '7', 'saved-3'])
  })

  it('touches nothing when the file is wrong, or lies outside of the root', () => {
    const root = makeTestTree({
      'evaluation/questions.jsonl': 'no question\n',
      'outside/questions.jsonl': '',
    })
    expect(() => addQuestion(root, asked)).toThrow(expect.objectContaining({ code: 'BAD_INPUT' }))
    const other = path.join(root, 'inner')
    mkdirSync(other)
    symlinkSync('../outside', path.join(other, 'evaluation'))
    expect(() => addQuestion(other, asked)).toThrow(expect.objectContaining({ code: 'BAD_INPUT' }))
    expect(readFileSync(path.join(root, file), 'utf8')).toBe('no question\n')
    expect(readFileSync(path.join(root, 'outside/questions.jsonl'), 'utf8')).toBe('')
  })
})

describe('writeQuestions', () => {
  it('makes the folder, keeps a file that exists, and replaces it only by force', () => {
    const root = makeTestTree()
    writeQuestions([question], { root, file, force: false })
    expect(readQuestions(root, file)).toEqual([question])
    const other = { ...question, id: '2' }
    expect(() => writeQuestions([other], { root, file, force: false })).toThrow(
      expect.objectContaining({ code: 'BAD_INPUT', message: `${file} exists already` }),
    )
    expect(readQuestions(root, file)).toEqual([question])
    writeQuestions([other], { root, file, force: true })
    expect(readQuestions(root, file)).toEqual([other])
    expect(readdirSync(path.join(root, 'evaluation'))).toEqual(['questions.jsonl'])
  })

  it('does not write the default file through a folder that leads out of the root', () => {
    const root = makeTestTree({ 'repository/': '', 'outside/': '' })
    symlinkSync('../outside', path.join(root, 'repository', 'evaluation'))
    for (const force of [false, true])
      expect(() => writeQuestions([question], { root: path.join(root, 'repository'), file, force })).toThrow(
        expect.objectContaining({ code: 'OUTSIDE_ROOT' }),
      )
    expect(readdirSync(path.join(root, 'outside'))).toEqual([])
  })

  it('says so when the folder is a file', () => {
    const root = makeTestTree({ evaluation: 'a file' })
    expect(() => writeQuestions([question], { root, file, force: true })).toThrow(
      'evaluation is not a folder',
    )
    expect(readFileSync(path.join(root, 'evaluation'), 'utf8')).toBe('a file')
  })
})

describe('readQuestions', () => {
  it('says how to make a file that is missing', () => {
    const root = makeTestTree()
    expect(() => readQuestions(root, file)).toThrow(
      expect.objectContaining({
        message: `no questions at ${file}`,
        hint: expect.stringContaining('`yore eval init`'),
      }),
    )
    expect(() => readQuestions(root, 'mine.jsonl')).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('`yore eval init <file>`') }),
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
