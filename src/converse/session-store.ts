// Where do conversations stay? One file each beside the index, a line per exchange, readable by its owner only.
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
import { type Environment, stateFolder } from '../config/state-folder.ts'
import { YoreError } from '../errors.ts'
import type { Exchange, Session, SessionSummary } from '../model/conversation.ts'

const idForm = /^[a-z0-9][a-z0-9-]{3,63}$/
const suffix = '.jsonl'
/** A file that is larger was not written by a conversation. */
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

/** The sessions of one corpus. */
export class SessionStore {
  readonly #folder: string
  readonly #env: Environment

  /** `indexDir` is absolute; the folder in it is made with the first exchange. */
  constructor(indexDir: string, env: Environment) {
    this.#folder = path.join(indexDir, 'sessions')
    this.#env = env
  }

  #file(id: string): string {
    if (!idForm.test(id)) throw unknownSession(id)
    return path.join(this.#folder, id + suffix)
  }

  /** Adds an exchange; the first one makes the session. */
  append(id: string, exchange: Exchange): void {
    const file = this.#file(id)
    this.#refuseLinks(file)
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    const line = JSON.stringify(exchange)
    const key = readKey(this.#env)
    // One write of one line: a crash leaves it out or cuts it, and a cut line is not read.
    appendFileSync(file, `${key === null ? '' : sign(key, id, line)} ${line}\n`, { mode: 0o600 })
  }

  /** A checkout may have brought links: a conversation is not written to where they lead. */
  #refuseLinks(file: string): void {
    for (const place of [this.#folder, file])
      if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink())
        throw new YoreError(
          'OUTSIDE_ROOT',
          `${place} is a link, and the conversation would lie where it leads`,
          {
            hint: 'remove the link',
          },
        )
  }

  /** Throws BAD_INPUT when there is no such session. `last` is the one that was used last. */
  read(id: string): Session {
    const wanted = id === 'last' ? this.list()[0]?.id : id
    if (wanted === undefined) throw unknownSession(id)
    const exchanges = this.#readFile(wanted)
    const [first] = exchanges
    if (first === undefined) throw unknownSession(id)
    return { id: wanted, startedAt: first.at, exchanges }
  }

  /** Those used last first. */
  list(): SessionSummary[] {
    const summaries = this.#ids().flatMap((id): SessionSummary[] => {
      const exchanges = this.#readFile(id)
      const [first, last] = [exchanges[0], exchanges.at(-1)]
      if (first === undefined || last === undefined) return []
      return [
        { id, startedAt: first.at, lastAt: last.at, exchanges: exchanges.length, title: first.question },
      ]
    })
    return summaries.sort((a, b) => b.lastAt - a.lastAt || (a.id < b.id ? 1 : -1))
  }

  /** Removes a session. Throws BAD_INPUT when there is none. */
  delete(id: string): void {
    const { id: found } = this.read(id)
    rmSync(this.#file(found))
  }

  #ids(): string[] {
    try {
      return readdirSync(this.#folder)
        .filter((name) => name.endsWith(suffix) && idForm.test(name.slice(0, -suffix.length)))
        .map((name) => name.slice(0, -suffix.length))
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw cause
    }
  }

  #readFile(id: string): Exchange[] {
    const file = this.#file(id)
    const stat = lstatSync(file, { throwIfNoEntry: false })
    if (stat === undefined || !stat.isFile() || stat.size > maxBytes) return []
    const key = readKey(this.#env)
    if (key === null) return []
    const lines = readFileSync(file, 'utf8').split('\n')
    return lines.flatMap((line) => {
      const [signature, written] = [line.slice(0, 64), line.slice(65)]
      return isSigned(signature, sign(key, id, written)) ? readLine(written) : []
    })
  }
}

/** Of the line in this very session. */
function sign(key: string, id: string, line: string): string {
  return createHmac('sha256', key).update(`${id}\n${line}`).digest('hex')
}

function isSigned(signature: string, expected: string): boolean {
  const [found, right] = [Buffer.from(signature), Buffer.from(expected)]
  return found.length === right.length && timingSafeEqual(found, right)
}

function readLine(line: string): Exchange[] {
  try {
    const value = JSON.parse(line) as Partial<Exchange>
    return isExchange(value) ? [value] : []
  } catch {
    return []
  }
}

function isExchange(value: Partial<Exchange> | null): value is Exchange {
  if (typeof value !== 'object' || value === null || !Array.isArray(value.cited)) return false
  const texts = [value.question, value.answer, ...value.cited.flatMap((one) => [one?.path, one?.title])]
  return Number.isFinite(value.at) && texts.every((text) => typeof text === 'string')
}

function unknownSession(id: string): YoreError {
  return new YoreError('BAD_INPUT', `there is no session ${JSON.stringify(id.slice(0, 80))}`, {
    hint: '`yore chat list` lists the sessions',
  })
}
