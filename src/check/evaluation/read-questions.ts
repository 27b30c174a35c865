// Which file has the questions? The repository's own, which must be inside the root, or a named one.
import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { YoreError } from '../../model/errors.ts'
import { readBytesInside } from '../../read/source/read-bytes-inside.ts'
import { isInside } from '../../read/source/walk/is-inside.ts'
import { defaultQuestionsFile, type NewQuestion, type Question } from './evaluation.ts'
import { parseQuestions, renderQuestions } from './parse-questions.ts'

const MAX_BYTES = 64 * 1024 * 1024

/** Reads a file of questions. `file` is relative to the root unless absolute, and appears in messages as given. */
export function readQuestions(root: string, file: string): readonly Question[] {
  return parseQuestions(file === defaultQuestionsFile ? readOwn(root, file) : readNamed(root, file), file)
}

/** The repository's file may come from someone else, so that a link out of the root is not followed. */
function readOwn(root: string, file: string): string {
  const read = readBytesInside(root, file, MAX_BYTES)
  if ('bytes' in read) return read.bytes.toString('utf8')
  if (read.reason === 'unreadable' && isMissing(path.join(root, file))) throw missing(file)
  throw new YoreError('BAD_INPUT', `cannot read ${file}: ${read.detail}`, { hint: 'name another file' })
}

function isMissing(file: string): boolean {
  try {
    realpathSync(file)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}

function readNamed(root: string, file: string): string {
  try {
    return readFileSync(path.resolve(root, file), 'utf8')
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') throw missing(file)
    const why = code === 'EISDIR' ? 'it is a folder' : code === 'EACCES' ? 'permission denied' : message
    throw new YoreError('BAD_INPUT', `cannot read ${file}: ${why}`, {
      hint: 'name a file of questions',
      cause,
    })
  }
}

function missing(file: string): YoreError {
  const init =
    file === defaultQuestionsFile ? 'run `yore eval init`' : 'check the path, or run `yore eval init <file>`'
  return new YoreError('BAD_INPUT', `no questions at ${file}`, {
    hint: `${init} for a file with two examples`,
  })
}

/** Adds a question to the repository's file, which is created if missing; returns its new id. */
export function addQuestion(root: string, asked: NewQuestion): string {
  const file = defaultQuestionsFile
  const isNew = isMissing(path.join(root, file))
  const text = isNew ? '' : readOwn(root, file)
  const taken = new Set(isNew || text.trim() === '' ? [] : parseQuestions(text, file).map(({ id }) => id))
  let number = taken.size + 1
  while (taken.has(`saved-${number}`)) number++
  const question = { forbiddenDocs: [], ...asked, id: `saved-${number}`, generated: false }
  const before = text === '' || text.endsWith('\n') ? text : `${text}\n`
  writeText(before + renderQuestions([question]), { root, file, force: !isNew })
  return question.id
}

/** Writes the questions; an existing file is kept unless `force`. The default file is never written outside the root. */
export function writeQuestions(
  questions: readonly Question[],
  options: { readonly root: string; readonly file: string; readonly force: boolean },
): void {
  writeText(renderQuestions(questions), options)
}

function writeText(
  text: string,
  { root, file, force }: { readonly root: string; readonly file: string; readonly force: boolean },
): void {
  const target = path.resolve(root, file)
  try {
    makeFolder(path.dirname(target), file)
    if (file === defaultQuestionsFile && !isInside(realpathSync(path.dirname(target)), realpathSync(root)))
      throw new YoreError('OUTSIDE_ROOT', `the folder of ${file} leads out of ${root}`)
    if (force) replaceFile(target, text)
    else writeFileSync(target, text, { flag: 'wx' })
  } catch (cause) {
    throw toRefusal(cause, file)
  }
}

function makeFolder(folder: string, file: string): void {
  try {
    mkdirSync(folder, { recursive: true })
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code !== 'EEXIST' && code !== 'ENOTDIR' && code !== 'ENOENT') throw cause
    throw new YoreError('BAD_INPUT', `cannot write ${file}: ${path.basename(folder)} is not a folder`, {
      hint: 'name a file in another folder',
      cause,
    })
  }
}

function replaceFile(target: string, text: string): void {
  const temporary = path.join(path.dirname(target), `.${path.basename(target)}.${process.pid}.tmp`)
  writeFileSync(temporary, text, { flag: 'wx' })
  try {
    renameSync(temporary, target)
  } catch (cause) {
    rmSync(temporary, { force: true })
    throw cause
  }
}

function toRefusal(cause: unknown, file: string): unknown {
  const { code } = cause as NodeJS.ErrnoException
  if (code === 'EEXIST')
    return new YoreError('BAD_INPUT', `${file} exists already`, {
      hint: 'run `yore eval` to use it, or add --force to replace it',
      cause,
    })
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new YoreError('DISK_FULL', `cannot write ${file}: the disk is full`, { cause })
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS' || code === 'EISDIR' || code === 'ENOTDIR')
    return new YoreError('BAD_INPUT', `cannot write ${file}: ${code}`, {
      hint: 'choose a writable folder',
      cause,
    })
  return cause
}
