// Which file has the questions? The repository's own, which must be inside the root, or a named one.
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { YoreError } from '../../model/errors.ts'
import { readBytesInside } from '../../read/source/read-bytes-inside.ts'
import { isInside } from '../../read/source/walk/is-inside.ts'
import { defaultQuestionsFile, type Question } from './evaluation.ts'
import { parseQuestions, renderQuestions } from './parse-questions.ts'

const MAX_BYTES = 64 * 1024 * 1024

/** Reads a file of questions. `file` is relative to the root unless absolute, and appears in messages as given. */
export function readQuestions(root: string, file: string): readonly Question[] {
  if (!existsSync(path.resolve(root, file)))
    throw new YoreError('BAD_INPUT', `no questions at ${file}`, {
      hint: `run \`yore eval --propose\` for questions about your documents${file === defaultQuestionsFile ? '' : ', or check the path'}`,
    })
  return parseQuestions(file === defaultQuestionsFile ? readOwn(root, file) : readNamed(root, file), file)
}

/** The repository's file may come from someone else, so that a link out of the root is not followed. */
function readOwn(root: string, file: string): string {
  const read = readBytesInside(root, file, MAX_BYTES)
  if ('bytes' in read) return read.bytes.toString('utf8')
  throw new YoreError('BAD_INPUT', `cannot read ${file}: ${read.detail}`, { hint: 'name another file' })
}

function readNamed(root: string, file: string): string {
  try {
    return readFileSync(path.resolve(root, file), 'utf8')
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    const why = code === 'EISDIR' ? 'it is a folder' : code === 'EACCES' ? 'permission denied' : message
    throw new YoreError('BAD_INPUT', `cannot read ${file}: ${why}`, {
      hint: 'name a file of questions',
      cause,
    })
  }
}

/** Writes a new file of questions; an existing one is kept. The default file is never written outside the root. */
export function writeQuestions(
  questions: readonly Question[],
  { root, file }: { readonly root: string; readonly file: string },
): void {
  const target = path.resolve(root, file)
  try {
    mkdirSync(path.dirname(target), { recursive: true })
    if (file === defaultQuestionsFile && !isInside(realpathSync(path.dirname(target)), realpathSync(root)))
      throw new YoreError('OUTSIDE_ROOT', `the folder of ${file} leads out of ${root}`)
    writeFileSync(target, renderQuestions(questions), { flag: 'wx' })
  } catch (cause) {
    if (cause instanceof YoreError) throw cause
    const { code, message } = cause as NodeJS.ErrnoException
    const exists = code === 'EEXIST' && existsSync(target)
    throw new YoreError('BAD_INPUT', exists ? `${file} exists already` : `cannot write ${file}: ${message}`, {
      hint: exists ? 'run `yore eval` to use it, or name another file' : 'choose a writable folder',
      cause,
    })
  }
}
