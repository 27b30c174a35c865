// Is this a valid path of a document? It is relative, plain and stays inside its corpus.
import { ServiceError } from '../errors.ts'

const longestPath = 1024
const longestSegment = 255
/** Limit on nested folders, each of which exists on disk. */
const mostFolders = 64
/** Control characters, and separators of other systems. */
const forbidden = /[\p{Cc}\\\u2028\u2029]/u
const loneSurrogate = /\p{Cs}/u

/**
 * The path in Unicode NFC. Throws BAD_PATH.
 *
 * @example checkPath('docs/guide.md')
 */
export function checkPath(given: string): string {
  const path = given.normalize('NFC')
  const segments = path.split('/')
  const bad = (why: string): ServiceError => new ServiceError('BAD_PATH', `the path ${why}`)
  if (path === '') throw bad('is empty')
  if (Buffer.byteLength(path) > longestPath) throw bad(`is longer than ${longestPath} bytes`)
  if (forbidden.test(path) || loneSurrogate.test(path))
    throw bad('contains a character that paths must not contain')
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..'))
    throw bad('must be relative, without empty, . or .. segments')
  if (segments.length > mostFolders) throw bad(`has more than ${mostFolders} folders`)
  if (segments.some((segment) => Buffer.byteLength(segment) > longestSegment))
    throw bad(`has a segment of more than ${longestSegment} bytes`)
  if (segments.some((segment) => ['.yore', '.git'].includes(segment.toLowerCase())))
    throw bad('is inside a folder of a tool')
  return path
}
