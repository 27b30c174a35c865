// What does a config file say? JSON or .env text from a small regular file; nothing in it is ever run.
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { YoreError } from '../errors.ts'
import { pathBelow } from './path-below.ts'

const maxConfigBytes = 1024 * 1024

interface ConfigFileOptions {
  /** What messages call the file. */
  readonly name: string
  /** The folder that the file must not leave through a link; null for the user's own files. */
  readonly confinedTo: string | null
}

/** The parsed JSON, or undefined when there is no such file. Throws BAD_CONFIG for anything that is not JSON. */
export function readJsonFile(file: string, options: ConfigFileOptions): unknown {
  const text = readSmallFile(file, options)
  if (text === null) return undefined
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new YoreError('BAD_CONFIG', `${options.name}: not valid JSON: ${(cause as Error).message}`, {
      cause,
    })
  }
}

/**
 * The names and values of an .env file; empty when there is none. The name belongs to other programs too
 * (a Python environment may be a folder called .env), so an unreadable one is ignored.
 */
export function readEnvFile(
  file: string,
  options: ConfigFileOptions,
): Readonly<Record<string, string | undefined>> {
  try {
    const text = readSmallFile(file, options)
    return text === null ? {} : parseEnv(text)
  } catch (cause) {
    if (cause instanceof YoreError) return {}
    throw cause
  }
}

function readSmallFile(file: string, options: ConfigFileOptions): string | null {
  const refuse = (why: string, cause?: unknown) =>
    new YoreError('BAD_CONFIG', `${options.name}: ${why}`, { cause })
  try {
    const stat = statSync(file, { throwIfNoEntry: false })
    if (stat === undefined) return null
    if (!stat.isFile()) throw refuse('not a regular file')
    if (stat.size > maxConfigBytes) throw refuse(`larger than ${maxConfigBytes} bytes`)
    if (
      options.confinedTo !== null &&
      pathBelow(realpathSync(options.confinedTo), realpathSync(file)) === null
    )
      throw refuse('a link that leaves the repository')

    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  } catch (cause) {
    if (cause instanceof YoreError) throw cause
    const code = (cause as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw refuse(`cannot be read (${code ?? String(cause)})`, cause)
  }
}
