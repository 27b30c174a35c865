// Which files beside the index did this user's yore write? A folder of files whose lines are signed, for what is no index.
//
// Files of that folder may have come with a checkout. Each line is signed with a key of the user's that lies outside of
// every repository: a line without its signature is somebody else's, and is not read.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { type Environment, stateFolder } from '../../../model/config/state-folder.ts'
import { YoreError } from '../../../model/errors.ts'

const idForm = /^[a-z0-9][a-z0-9-]{3,63}$/
const suffix = '.jsonl'
/** A file that is larger was not written by yore. */
const maxBytes = 64 * 1024 * 1024

/** The user's key, made when it is first needed; null when there is no place to keep one. */
function readKey(env: Environment): string | null {
  const folder = stateFolder(env)
  if (folder === null) return null
  const file = path.join(folder, 'session-key')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(file, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600 })
  } catch {} // There is one already, or none can be written.
  try {
    const key = readFileSync(file, 'utf8')
    return /^[0-9a-f]{64}$/.test(key) ? key : null
  } catch {
    return null
  }
}

interface SignedFolder {
  /** Absolute; it is made with the first line. */
  readonly folder: string
  /** Before the id in a signature: a line of another kind of file is not one of these. */
  readonly scope: string
  readonly env: Environment
}

export class SignedFiles {
  readonly #folder: string
  readonly #scope: string
  readonly #env: Environment

  constructor({ folder, scope, env }: SignedFolder) {
    this.#folder = folder
    this.#scope = scope
    this.#env = env
  }

  isId(id: string): boolean {
    return idForm.test(id)
  }

  #file(id: string): string {
    if (!this.isId(id)) throw new TypeError(`${id} is no id of a file`)
    return path.join(this.#folder, id + suffix)
  }

  /** False when there is no key to sign with: the line would never be read. */
  append(id: string, line: string): boolean {
    const file = this.#file(id)
    this.#refuseLinks(file)
    const key = readKey(this.#env)
    if (key === null) return false
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    // One write of one line: a crash leaves it out or cuts it, and a cut line is not read.
    appendFileSync(file, `${this.#sign(key, id, line)} ${line}\n`, { mode: 0o600 })
    return true
  }

  /** A checkout may have brought links: nothing is written to where they lead. */
  #refuseLinks(file: string): void {
    for (const place of [this.#folder, file])
      if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink())
        throw new YoreError('OUTSIDE_ROOT', `${place} is a link, and would be written to where it leads`, {
          hint: 'remove the link',
        })
  }

  /** In no order. */
  ids(): string[] {
    try {
      return readdirSync(this.#folder)
        .filter((name) => name.endsWith(suffix))
        .map((name) => name.slice(0, -suffix.length))
        .filter((id) => this.isId(id))
    } catch (cause) {
      if (['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')) return []
      throw cause
    }
  }

  /** The lines that are signed; none of a file that is no plain one. */
  read(id: string): string[] {
    const file = this.#file(id)
    const stat = lstatSync(file, { throwIfNoEntry: false })
    if (stat === undefined || !stat.isFile() || stat.size > maxBytes) return []
    const key = readKey(this.#env)
    if (key === null) return []
    return readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line) => {
        const [signature, written] = [line.slice(0, 64), line.slice(65)]
        return isSame(signature, this.#sign(key, id, written)) ? [written] : []
      })
  }

  remove(id: string): void {
    rmSync(this.#file(id), { force: true })
  }

  /** Of the line in this very file. */
  #sign(key: string, id: string, line: string): string {
    return createHmac('sha256', key).update(`${this.#scope}${id}\n${line}`).digest('hex')
  }
}

function isSame(signature: string, expected: string): boolean {
  const [found, right] = [Buffer.from(signature), Buffer.from(expected)]
  return found.length === right.length && timingSafeEqual(found, right)
}
