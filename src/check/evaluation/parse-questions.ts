// Which questions does this text contain? JSON Lines, one question each; every error has its line.
import { nearestName } from '../../model/config/nearest-name.ts'
import { YoreError } from '../../model/errors.ts'
import type { Question } from './evaluation.ts'

const ERRORS_SHOWN = 10

const lists = {
  expected_contains: 'expectedContains',
  expected_docs: 'expectedDocs',
  expected_sections: 'expectedSections',
  forbidden_docs: 'forbiddenDocs',
} as const

/** `generated` and `note` are for the people who keep the file. */
const keys = ['id', 'question', ...Object.keys(lists), 'generated', 'note']

type Fields = Readonly<Record<string, unknown>>

/** Reads JSON Lines. Throws BAD_INPUT with `file:line: error` for each invalid line. Blank lines are skipped. */
export function parseQuestions(text: string, file: string): readonly Question[] {
  const questions: Question[] = []
  const errors: string[] = []
  const lineOfId = new Map<string, number>()
  for (const [index, line] of text
    .replace(/^\ufeff/, '')
    .split('\n')
    .entries()) {
    if (line.trim() === '') continue
    const read = readLine(line)
    const place = `${file}:${index + 1}`
    if (typeof read === 'string') errors.push(`${place}: ${read}`)
    else if (lineOfId.has(read.id))
      errors.push(`${place}: id ${JSON.stringify(read.id)} is already on line ${lineOfId.get(read.id)}`)
    else {
      lineOfId.set(read.id, index + 1)
      questions.push(read)
    }
  }
  if (errors.length > 0) throw refuse(errors)
  if (questions.length === 0)
    throw new YoreError('BAD_INPUT', `${file} contains no question`, { hint: howToWrite })
  return questions
}

const howToWrite =
  'one line is one question: {"id": 1, "question": "How do I deploy?", "expected_contains": ["deploy.sh"]}'

function refuse(errors: readonly string[]): YoreError {
  const shown = errors.slice(0, ERRORS_SHOWN)
  if (errors.length > shown.length) shown.push(`and ${errors.length - shown.length} more`)
  return new YoreError('BAD_INPUT', shown.join('\n'), { hint: howToWrite })
}

function readLine(line: string): Question | string {
  let fields: unknown
  try {
    fields = JSON.parse(line)
  } catch {
    return 'not valid JSON; each line must be one whole object'
  }
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return 'must be a JSON object'
  return readFields(fields as Fields)
}

function readFields(fields: Fields): Question | string {
  const unknown = Object.keys(fields).find((key) => !keys.includes(key))
  if (unknown !== undefined) {
    const near = nearestName(unknown, keys)
    return `unknown key ${JSON.stringify(unknown)}${near === null ? '' : `; did you mean "${near}"?`}`
  }
  const { id, question } = fields
  const named = typeof id === 'number' ? Number.isFinite(id) : typeof id === 'string' && id.trim() !== ''
  if (!named) return id === undefined ? 'id is missing' : 'id must be a number or a text that is not empty'
  if (typeof question !== 'string' || question.trim() === '')
    return question === undefined ? 'question is missing' : 'question must be a text that is not empty'
  const expected = readLists(fields)
  if (typeof expected === 'string') return expected
  return { id: String(id), question, ...expected }
}

type Expected = Pick<Question, (typeof lists)[keyof typeof lists]>

function readLists(fields: Fields): Expected | string {
  const read: Record<string, readonly string[]> = {}
  for (const [key, name] of Object.entries(lists)) {
    const value = fields[key] ?? []
    const fits =
      Array.isArray(value) && value.every((entry) => typeof entry === 'string' && entry.trim() !== '')
    if (!fits) return `${key} must be a list of texts that are not empty`
    read[name] = [...new Set(value as string[])]
  }
  if (Object.values(read).every((list) => list.length === 0))
    return `expects nothing; give at least one of ${Object.keys(lists).join(', ')}`
  return read as unknown as Expected
}

/** The questions as JSON Lines, in the form that `parseQuestions` reads. */
export function renderQuestions(questions: readonly Question[]): string {
  const toFields = ({ id, question, ...expected }: Question): Fields => {
    const named = Object.entries(lists).map(([key, name]) => [key, expected[name]] as const)
    return { id, question, ...Object.fromEntries(named.filter(([, list]) => list.length > 0)) }
  }
  return questions.map((question) => `${JSON.stringify(toFields(question))}\n`).join('')
}
