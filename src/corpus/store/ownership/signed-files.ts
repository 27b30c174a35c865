// Which files next to the index did this user's yore write? Files that came with a checkout lack valid signatures:
// each line is signed with a key that is stored outside of every repository, and other lines are ignored.
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

/** The user's key, created when it is first needed; null without a state folder. */
function readKey(env: Environment): string | null {
  const folder = stateFolder(env)
  if (folder === null) return null
  const file = path.join(folder, 'session-key')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(file, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600 })
  } catch {} // It exists already, or cannot be written.
  try {
    const key = readFileSync(file, 'utf8')
    return /^[0-9a-f]{64}$/.test(key) ? key : null
  } catch {
    return null
  }
}

interface SignedFolder {
  /** Absolute; created with the first line. */
  readonly folder: string
  /** Part of every signature, so that a line of another kind of file is not valid here. */
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
    if (!this.isId(id)) throw new TypeError(`${id} is not the id of a file`)
    return path.join(this.#folder, id + suffix)
  }

  /** False without a key to sign with. */
  append(id: string, line: string): boolean {
    const file = this.#file(id)
    this.#refuseLinks(file)
    const key = readKey(this.#env)
    if (key === null) return false
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    // One write per line: a crash leaves it out or cuts it, and a cut line is ignored.
    appendFileSync(file, `${this.#sign(key, id, line)} ${line}\n`, { mode: 0o600 })
    return true
  }

  /** A link from a checkout must not redirect writes. */
  #refuseLinks(file: string): void {
    for (const place of [this.#folder, file])
      if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink())
        throw new YoreError('OUTSIDE_ROOT', `${place} is a link: writing would change its target`, {
          hint: 'remove the link',
        })
  }

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

  /** The lines with a valid signature; empty unless it is a plain file. */
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

  #sign(key: string, id: string, line: string): string {
    return createHmac('sha256', key).update(`${this.#scope}${id}\n${line}`).digest('hex')
  }
}

function isSame(signature: string, expected: string): boolean {
  const [found, right] = [Buffer.from(signature), Buffer.from(expected)]
  return found.length === right.length && timingSafeEqual(found, right)
}
